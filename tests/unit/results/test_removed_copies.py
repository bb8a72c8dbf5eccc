"""Copies of bots that go with a tournament: those that nothing else needs."""

from __future__ import annotations

import fcntl
import importlib
from dataclasses import replace
from pathlib import Path

import pytest
from support import finished

from arena.bots.program import describe
from arena.bots.snapshots import forget, keep
from arena.results.home import remove_tournament
from arena.store import open_store

HOME = importlib.import_module("arena.results.home")
HASH = "sha256:" + 64 * "a"


def copied(home: Path, name: str = "oak") -> str:
    """Keep the copy of a bot in a home; its hash."""
    source = home.parent / f"{name}.py"
    source.write_text(f"# {name}\n")
    return keep(describe(source), home).hash


def entered(home: Path, name: str, *hashes: str) -> None:
    """Enter bots of such hashes in a tournament."""
    entrants = [
        replace(entrant, bot=replace(entrant.bot, hash=digest))
        for entrant, digest in zip(finished.entrants("abcd"), hashes, strict=False)
    ]
    with open_store(home, create=True) as store:
        store.tournaments.create(name, "f", {}, entrants)


def is_free(home: Path, kind: int) -> bool:
    """Return whether the lock of the copies could be taken at this moment."""
    with open(home / "locks" / "copies") as file:
        try:
            fcntl.flock(file, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True


def test_copies_are_removed_while_another_tournament_runs(tmp_path: Path) -> None:
    """Removing a tournament removes its own copies, and spares those a running one has entered."""
    home = tmp_path / "home"
    entered(home, "first", copied(home, "oak"), shared := copied(home, "elm"))
    entered(home, "second", shared)
    with open_store(home, create=False), HOME.runner_lock(home, "second"):
        assert remove_tournament(home, "first").bots == 1
    folders = [path.name for path in (home / "bots" / "_run").iterdir() if path.is_dir()]
    assert folders == [shared.removeprefix("sha256:")]


def test_removal_locks_out_new_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While copies are removed the home is locked, so that no run enters its bots."""
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


@pytest.mark.parametrize("shape", ["{0}", "sha256:{0}", "sha256:../../../{1}", "../../../{1}"])
def test_hash_that_is_path_removes_nothing(tmp_path: Path, shape: str) -> None:
    """A home whose bot has a path for a hash gets no folder outside of it removed."""
    home, victim = tmp_path / "home", tmp_path / "victim"
    victim.mkdir()
    (victim / "file").touch()
    for shelf in ("bots/_run", "bots/_bundled"):
        (home / shelf).mkdir(parents=True)
    entered(home, "evil", shape.format(victim, victim.name))
    assert remove_tournament(home, "evil").bots == 0
    assert (victim / "file").exists()


@pytest.mark.parametrize("linked", ["bots", "bots/_run", f"bots/_run/{HASH[7:]}"])
def test_copy_behind_link_is_not_removed(tmp_path: Path, linked: str) -> None:
    """A copy behind a symbolic link of the home is not removed."""
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
