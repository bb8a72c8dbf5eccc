"""Stores damaged on purpose, and commands tried on them in child processes."""

from __future__ import annotations

import importlib
import json
import random
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from support.arena_command import arena
from support.finished import in_child

# what commands import when they run, so that no child process has to
NEEDED = """
    review.reproduction report run.runner results.standings tournament.parse cli.bots cli.export
    cli.leaderboard cli.matches cli.run cli.show cli.verify
"""
for _module in NEEDED.split():
    importlib.import_module(f"arena.{_module}")


class Answer(NamedTuple):
    """What a command did."""

    code: int
    out: str
    err: str


def damage(content: bytes, rng: random.Random) -> tuple[bytes, str]:
    """Return a file's content with one kind of damage, and what was done to it.

    Most places are chosen among the bytes that are not 0, since much of a file may be empty.
    """
    changed = bytearray(content)
    place = rng.randrange(len(content))
    if rng.random() < 0.8:
        while not content[place]:
            place = rng.randrange(len(content))
    kind = rng.choice(("bit", "bit", "byte", "digit", "bytes", "zeros", "sector", "cut"))
    if kind == "bit":
        changed[place] ^= 1 << rng.randrange(8)
    elif kind == "byte":
        changed[place] = rng.randrange(256)
    elif kind == "digit":  # the most like what was there: a number becomes another
        digits = [i for i in range(place, min(len(content), place + 4096)) if 48 <= content[i] < 58]
        place = rng.choice(digits or [place])
        changed[place] = rng.choice(b"0123456789")
    elif kind == "bytes":
        new = rng.randbytes(rng.randrange(2, 40))
        changed[place : place + len(new)] = new
    elif kind == "zeros":
        changed[place : place + 16] = bytes(16)
    elif kind == "sector":
        place -= place % 512
        changed[place : place + 512] = bytes(512)
    else:
        del changed[max(512, place) :]
    return bytes(changed[: len(content)]), f"{kind} at {place}"


def tried(home: Path, commands: Sequence[Sequence[object]]) -> list[Answer]:
    """Do commands one after the other in one child process, with ``home`` as the arena's home."""

    def answers() -> str:
        done = [arena(home, *command) for command in commands]
        return json.dumps([(one.returncode, one.stdout, one.stderr) for one in done])

    return [Answer(*each) for each in json.loads(in_child(answers))]


def copied(home: Path, to: Path, content: bytes) -> Path:
    """Return a home with another store, and all else as in ``home``."""
    shutil.copytree(home, to, ignore=shutil.ignore_patterns("arena.db*"))
    (to / "arena.db").write_bytes(content)
    return to
