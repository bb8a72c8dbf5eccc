"""Copies of bots in a home: what leaves one, and ``arena bots prune``, which removes the others."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from support import finished
from support.arena_command import (
    ARENA,
    as_json,
    environment,
    output,
    refused,
    submitted,
    tournament,
)
from support.bot_files import write
from support.bot_programs import program
from support.piped import Piped

from arena.bots.program import describe
from arena.bots.snapshots import keep, kept_programs, open_kept
from arena.check import check_bot
from arena.check.submit import submit
from arena.play.once import play_once
from arena.store import copies_lock, open_store
from arena.values.errors import CheckFailed


def bot(folder: Path, name: str, text: str = "") -> Path:
    """Write a bot that plays."""
    return write(folder / f"{name}.py", f"{program()}{text}")


def orphan(home: Path, name: str) -> str:
    """Leave a copy in a home that nothing names; its hash."""
    return keep(describe(bot(home.parent, name, f"# {name}\n")), home).hash


@pytest.mark.slow
def test_tried_bot_leaves_no_copy(tmp_path: Path) -> None:
    """Bots that were only checked or played leave neither a home nor a copy in it."""
    home = tmp_path / "home"
    for edit in range(5):
        source = bot(tmp_path, "oak", f"# {edit}\n")
        assert check_bot(str(source), home, game="leaves", sandbox="none").passed
    play_once("leaves", [str(source), "random"], home, seed=1, sandbox="none")
    wrong = write(tmp_path / "wrong.py", "raise SystemExit(3)\n")
    with pytest.raises(CheckFailed):
        submit(wrong, "wrong", home, allow_unsafe=True)
    assert not home.exists()
    done = submit(source, "oak", home, allow_unsafe=True)
    assert os.listdir(home / "bots") == ["_run"]
    with pytest.raises(CheckFailed):
        submit(wrong, "wrong", home, allow_unsafe=True)
    assert os.listdir(home / "bots" / "_run") == [done.hash.removeprefix("sha256:")]


@pytest.mark.slow
def test_built_bot_of_match_is_reproduced(tmp_path: Path) -> None:
    """A built bot played by its path is played again from the cache after its source changed."""
    bot(tmp_path / "oak", "second")
    script = write(tmp_path / "oak" / "first.py", "exec python3 second.py\n")
    build = "build: [sh, -c, 'cp /bin/sh made; echo > more']"
    write(script.with_name("bot.yaml"), f"{{name: oak, start: ['./made', first.py], {build}}}")
    home, match = tmp_path / "home", tmp_path / "match.json"
    words = ("--seed", 1, "--sandbox", "none", "--record", match)
    output(home, "play", "leaves", tmp_path / "oak", "random", *words)
    script.unlink()
    output(home, "reproduce", match, "--sandbox", "none")
    assert not home.exists()


def test_prune_removes_unused_copies(tmp_path: Path) -> None:
    """``prune`` removes copies that no version or entrant uses; ``--dry-run`` counts them."""
    home = tmp_path / "home"
    submitted(home, bot(tmp_path, "oak"), "oak")
    named = kept_programs(home)
    assert output(home, "bots", "prune", "--dry-run") == "would remove 0 copies, 0 MiB\n"
    others = [orphan(home, "elm"), orphan(home, "yew")]
    found = as_json(home, "bots", "prune", "--dry-run")
    assert found["hashes"] == sorted(others)
    assert (found["copies"], found["dry_run"], found["bytes"] > 0) == (2, True, True)
    assert output(home, "bots", "prune", "--dry-run") == "would remove 2 copies, 1 MiB\n"
    assert kept_programs(home) == sorted([*named, *others])
    assert output(home, "bots", "prune") == "removed 2 copies, 1 MiB\n"
    assert kept_programs(home) == named
    assert output(tmp_path / "none", "bots", "prune") == "removed 0 copies, 0 MiB\n"
    assert not (tmp_path / "none").exists()
    said = refused(home, "submit", tmp_path / "oak.py", "--name", "prune")
    assert "command of arena bots" in said


def test_prune_waits_for_run_that_begins(tmp_path: Path) -> None:
    """``prune`` waits until a run has entered its bots, and spares their copies."""
    home = tmp_path / "home"
    gone = orphan(home, "elm")
    with open_store(home, create=True) as store:
        with copies_lock(home):
            words = (*ARENA, "bots", "prune", "--json")
            pruning = Piped(words, env=environment(home), stderr=subprocess.PIPE)
            assert "waiting" in pruning.stderr.readline()
            kept = keep(describe(bot(tmp_path, "oak")), home)
            (entrant,) = finished.entrants(["oak"])
            store.bots.add(replace(entrant.bot, hash=kept.hash))
        out, _ = pruning.communicate(timeout=60)
    assert json.loads(out)["hashes"] == [gone]
    assert open_kept(home, kept.hash, "oak").hash == kept.hash


@pytest.mark.slow
def test_dry_run_finds_bots_of_bundle(tmp_path: Path) -> None:
    """A dry run finds the bots of an imported bundle, also with a file ``.DS_Store``."""
    bot(tmp_path / "oak", "bot")
    write(tmp_path / "oak" / ".DS_Store", "Bud1")
    home, other, bundle = tmp_path / "home", tmp_path / "other", tmp_path / "t.arena"
    submitted(home, tmp_path / "oak", "oak")
    keys = {"name": "t", "seed": 1, "sandbox": "none"}
    file = tournament(tmp_path, "[oak, random]", rounds=1, **keys)
    output(home, "run", file, "--quiet")
    output(home, "bundle", "create", "-o", bundle)
    output(other, "bundle", "import", bundle)
    tournament(tmp_path, "[oak, random]", rounds=3, **keys)
    before = sorted(map(str, other.rglob("*")))
    found = as_json(other, "run", file, "--extend", "--dry-run")
    assert (found["left"], found["failed"]) == (4, [])
    assert sorted(map(str, other.rglob("*"))) == before
    output(other, "run", file, "--extend", "--quiet")
    assert as_json(other, "bots", "prune")["copies"] == 0
    output(other, "tournaments", "remove", "t", "--yes")
    assert as_json(other, "bots", "prune")["copies"] == 0
    assert kept_programs(other) == []
