"""Copies of bots that go with a tournament: those that nothing else needs."""

from __future__ import annotations

import fcntl
import importlib
import logging
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support import finished

from arena.bots.snapshots import forget, snapshot
from arena.results.home import remove_tournament
from arena.store import copies_lock, open_store
from arena.tournament.parse import read_tournament

HOME = importlib.import_module("arena.results.home")
RUNNER = importlib.import_module("arena.run.runner")
HASH = "sha256:" + 64 * "a"


def copied(home: Path, name: str = "oak") -> str:
    """Keep the copy of a bot in a home; its hash."""
    source = home.parent / f"{name}.py"
    source.write_text(f"# {name}\n")
    return snapshot(source, home).hash


def entered(home: Path, name: str, *hashes: str) -> None:
    """Enter bots of such hashes in a tournament."""
    entrants = [
        replace(entrant, bot=replace(entrant.bot, hash=digest))
        for entrant, digest in zip(finished.entrants("abcd"), hashes, strict=False)
    ]
    with open_store(home, create=True) as store:
        store.tournaments.create(name, "f", "{}", entrants)


def is_free(home: Path, kind: int) -> bool:
    """Return whether the lock of the copies could be taken at this moment."""
    with open(home / "locks" / "copies") as file:
        try:
            fcntl.flock(file, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True


def test_they_go_though_another_runs(tmp_path: Path) -> None:
    """What that one plays with it has entered: nothing is left that nobody would remove."""
    home = tmp_path / "home"
    entered(home, "first", copied(home, "oak"), shared := copied(home, "elm"))
    entered(home, "second", shared)
    with open_store(home, create=False), HOME.runner_lock(home, "second"):
        assert remove_tournament(home, "first").bots == 1
    folders = [path.name for path in (home / "bots" / "_run").iterdir() if path.is_dir()]
    assert folders == [shared.removeprefix("sha256:")]


def test_one_that_was_entered_meanwhile_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is looked up again once no run can enter it any more."""
    home = tmp_path / "home"
    entered(home, "first", digest := copied(home))

    def between(*args: Any, **more: Any) -> AbstractContextManager[None]:
        entered(home, "second", digest)
        return copies_lock(*args, **more)

    monkeypatch.setattr(HOME, "copies_lock", between)
    assert remove_tournament(home, "first").bots == 0
    assert (home / "bots" / "_run" / digest.removeprefix("sha256:")).is_dir()


def test_no_run_begins_while_they_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who removes holds the lock that a run holds until its bots are entered."""
    home = tmp_path / "home"
    entered(home, "first", copied(home))
    free: list[bool] = []

    def watched(home: Path, digest: str) -> bool:
        free.append(is_free(home, fcntl.LOCK_SH))
        return forget(home, digest)

    monkeypatch.setattr(HOME, "forget", watched)
    assert remove_tournament(home, "first").bots == 1
    assert free == [False]
    assert is_free(home, fcntl.LOCK_EX)


def test_none_goes_while_a_run_begins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While it finds its bots others may begin as well, but nobody may remove copies."""
    home, file = tmp_path / "home", tmp_path / "t.yaml"
    file.write_text("name: t\ngame: leaves\nrounds: 1\nbots: [random, greedy]\n")
    free: list[bool] = []

    def watched(*_: object, **__: object) -> None:
        free.extend([is_free(home, fcntl.LOCK_SH), is_free(home, fcntl.LOCK_EX)])
        raise InterruptedError

    monkeypatch.setattr(RUNNER, "prepare", watched)
    with pytest.raises(InterruptedError):
        RUNNER.run_tournament(read_tournament(file), home)
    assert free == [True, False]
    assert is_free(home, fcntl.LOCK_EX)


def test_who_waits_is_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Several hold it at a time; alone it is held after all of them."""
    with copies_lock(tmp_path), copies_lock(tmp_path):
        said = finished.in_child(lambda: _not_alone(tmp_path))
    assert "waits" in said
    with copies_lock(tmp_path, removing=True):
        assert not is_free(tmp_path, fcntl.LOCK_SH)
    assert not caplog.records


def _not_alone(home: Path) -> None:
    """Try to hold it alone, and give up where it would wait."""

    def refuse(record: logging.LogRecord) -> bool:
        raise RuntimeError("waits")

    logging.getLogger("arena.store.lock").addFilter(refuse)
    with copies_lock(home, removing=True):
        pass


@pytest.mark.parametrize("shape", ["{0}", "sha256:{0}", "sha256:../../../{1}", "../../../{1}"])
def test_a_hash_that_is_a_path(tmp_path: Path, shape: str) -> None:
    """A home that somebody else made does not get folders outside of it removed."""
    home, victim = tmp_path / "home", tmp_path / "victim"
    victim.mkdir()
    (victim / "file").touch()
    for shelf in ("bots/_run", "bots/_bundled"):
        (home / shelf).mkdir(parents=True)
    entered(home, "evil", shape.format(victim, victim.name))
    assert remove_tournament(home, "evil").bots == 0
    assert (victim / "file").exists()


@pytest.mark.parametrize("linked", ["bots", "bots/_run", f"bots/_run/{HASH[7:]}"])
def test_a_copy_behind_a_link(tmp_path: Path, linked: str) -> None:
    """Nothing is removed through a link in a home."""
    home, elsewhere = tmp_path / "home", tmp_path / "elsewhere"
    folder = elsewhere / f"copies/{HASH[7:]}"
    folder.mkdir(parents=True)
    (folder / "file").touch()
    (elsewhere / "_run").symlink_to("copies")
    targets = {"bots": elsewhere, f"bots/_run/{HASH[7:]}": folder}
    (home / linked).parent.mkdir(parents=True)
    (home / linked).symlink_to(targets.get(linked, folder.parent))
    assert not forget(home, HASH)
    assert (folder / "file").exists()
    assert (home / linked).is_symlink()
