"""Whatever a runner has to write, it waits for a store that is locked."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from support.arena_command import ROOT, tournament
from support.drawn_runs import DrawnFates, workers_of

import arena.run.runner as runner_module
from arena import read_tournament, run_tournament
from arena.database.sqlite import Database, _Transaction
from arena.store import open_store
from arena.store import waiting as patience
from arena.store.matches import Matches
from arena.values.errors import StoreUnavailable, Void
from arena.values.model import MatchJob
from arena.values.tables import MatchRow
from arena.workers.local import Lost

pytestmark = pytest.mark.slow


def written(folder: Path, rounds: int) -> Path:
    scripted = ROOT / "tests/integration/programs/scripted.py"
    bots = f"[random, {{name: dead, run: {scripted}, args: [start-exit]}}]"
    return tournament(folder, bots, rounds=rounds, seed=3, max_faults=1, sandbox="none")


class Unlucky(DrawnFates):
    """The first match is lost, each time, and the bot ``dead`` never starts."""

    def __init__(self, *, final: bool = False) -> None:
        super().__init__(Random(0), flaws={"dead": 1.0})
        self.final = final  # would it be lost again?

    def play(self, job: MatchJob) -> MatchRow | Lost:
        if job.number == 0:
            return Lost(0, Void("it was unlucky", final=self.final))
        return super().play(job)


@pytest.mark.parametrize(("final", "attempts"), [(False, 3), (True, 1)])
def test_how_often_a_void_match_is_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, final: bool, attempts: int
) -> None:
    """A void match is tried three times; one that would end as before is undecided at once."""
    tried: list[str] = []
    add_void = Matches.add_void

    def note(store: Matches, edition: int, name: str, *words: str) -> int:
        tried.append(name)
        return add_void(store, edition, name, *words)

    monkeypatch.setattr(Matches, "add_void", note)
    monkeypatch.setattr(runner_module, "Workers", workers_of(Unlucky(final=final)))
    summary = run_tournament(read_tournament(written(tmp_path, 1)), tmp_path / "home")
    assert len(summary.undecided) == 1
    assert tried == tried[:1] * attempts


def test_every_write_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With every other transaction refused, as by a lock, all is stored that there is to store.

    That is a tournament and its extension, matches, void attempts, an undecided match, and who is
    suspended.
    """
    begun = 0
    writing = Database.writing

    def locked(self: Database) -> _Transaction:
        nonlocal begun
        begun += 1
        if begun % 2:
            raise StoreUnavailable("it is locked")
        return writing(self)

    monkeypatch.setattr(Database, "writing", locked)
    monkeypatch.setattr(patience, "PAUSE", 0.0)
    monkeypatch.setattr(runner_module, "Workers", workers_of(Unlucky()))
    for rounds in (1, 2):
        read = read_tournament(written(tmp_path, rounds))
        summary = run_tournament(read, tmp_path / "home", extend=rounds > 1)
        assert len(summary.undecided) == 1
        assert list(summary.suspended) == ["dead"]
    assert begun >= 2 * 10
    assert begun % 2 == 0


def test_a_killed_run_has_kept_its_folds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What tables are made from is kept while a run goes on, not only for the table at its end."""
    monkeypatch.setattr(runner_module, "FOLDED", 3)
    file = tournament(tmp_path, rounds=4, seed=3, workers=1, sandbox="none")

    def stop(progress: runner_module.Progress) -> None:
        if progress.settled == 7:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_tournament(read_tournament(file), tmp_path / "home", progress=stop)
    with open_store(tmp_path / "home", create=False) as store:
        kept = store.cache.kept(1, None)
        assert kept is not None
        assert 2 <= kept.covers[1] < 7
