"""The rows of the catalogue of faults that are programs: what they do, and what is expected."""

from __future__ import annotations

import contextlib
import fcntl
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from support.bot_programs import ACTS, program
from support.piped import Piped

from arena.isolation.choose import problem_with
from arena.sandbox import LEVELS

__all__ = ["LEVELS", "ROWS", "Row", "check", "play", "player", "why_not"]

HERE = Path(__file__).parent.parent / "hostile"
JOB = ("clock", "start", "game", "setup", "memory_mib")
PATTERNS = ("detail", "stderr", "log")
KEYS = {*JOB, *PATTERNS, *ACTS, "what", "verdict", "info", "decision", "seconds", "program"}
KEYS |= {"levels", "crowds"}


@dataclass(frozen=True, slots=True)
class Row:
    """One fault or attack: its name, which begins with its number, and what is expected.

    Most programs are those of ``bot_programs``, others a ``program`` of their own. ``expect`` has
    as well ``what`` (a sentence), ``verdict`` (a fault's code; ``rules`` if it plays on; or a list
    of those that will do), and perhaps ``detail``, ``stderr``, ``log`` (patterns), ``info``
    (pairs), ``decision``, ``seconds`` (the most), ``clock``, ``start``, ``game``, ``setup``,
    ``memory_mib``; ``levels`` has what differs at a level, ``null`` where the row means nothing.
    A row that ``crowds`` takes all the processes it may have: no other row is played beside it.
    """

    name: str
    expect: dict[str, Any]

    def at(self, level: str) -> dict[str, Any] | None:
        """Return what is expected at a level, ``None`` if the row means nothing there."""
        other = self.expect.get("levels", {}).get(level, {})
        return None if other is None else {**self.expect, **other}

    def write(self, parent: Path) -> Path:
        """Write the row's program into a folder with the row's name, and return the folder."""
        acts = {key: self.expect[key] for key in ACTS.keys() & self.expect.keys()}
        folder = parent / self.name
        folder.mkdir()
        (folder / "bot.py").write_text(self.expect.get("program") or program(**acts))
        return folder


def _rows() -> list[Row]:
    found = yaml.load((HERE / "rows_of_programs.yaml").read_bytes(), yaml.CSafeLoader)
    for name, expect in found.items():
        assert expect.keys() <= KEYS, f"{name}: unknown {expect.keys() - KEYS}"
        assert set(expect.get("levels", {})) <= set(LEVELS), name
    return [Row(name, expect) for name, expect in found.items()]


ROWS = _rows()


def why_not(level: str) -> str | None:
    """Return why a level cannot be tried here, ``None`` if it can."""
    problem = problem_with(level)
    return None if problem is None else f"{level}: {problem.reason}"


@contextlib.contextmanager
def player() -> Iterator[Piped]:
    """Start ``play_row.py``, which plays one row after the other."""
    with Piped([sys.executable, HERE / "play_row.py"]) as started:
        yield started
        started.kill()


def play(row: Row, level: str, parent: Path, process: Piped) -> dict[str, Any]:
    """Play the row's match at a level, its program in a folder, and return what came of it."""
    expect = row.at(level)
    assert expect is not None
    known = {key: expect[key] for key in JOB if key in expect}
    asked = [str(row.write(parent)), level, known]
    with _room(parent.parent.parent, alone=expect.get("crowds", False)):
        process.say(json.dumps(asked))
        found, answer = json.loads(process.stdout.readline())
    assert found == asked, "this answers another row, which took too long"
    assert isinstance(answer, dict), "what played it failed; see its stderr"
    return answer


@contextlib.contextmanager
def _room(shared: Path, *, alone: bool) -> Iterator[None]:
    """Play beside other rows, or alone: the kernel counts an ordinary user's processes together.

    Args:
        shared: a folder that this user's runs of tests have in common, or all processes of one.
        alone: wait until no other row is played, and let none begin.
    """
    with (shared / "rows.door").open("a") as door, (shared / "rows.room").open("a") as room:
        fcntl.flock(door, fcntl.LOCK_EX)  # who waits for the room keeps those behind him out
        fcntl.flock(room, fcntl.LOCK_EX if alone else fcntl.LOCK_SH)
        fcntl.flock(door, fcntl.LOCK_UN)
        yield


def check(row: Row, level: str, answer: dict[str, Any]) -> None:
    """Assert that what came of a row is what is expected."""
    expect = row.at(level)
    assert expect is not None
    verdicts = expect["verdict"]
    shown = json.dumps(answer, indent=1)
    assert answer["verdict"] in ([verdicts] if isinstance(verdicts, str) else verdicts), shown
    for key in PATTERNS:
        if key in expect:
            assert re.search(expect[key], answer[key]), f"{key}: {expect[key]}\n{shown}"
    for key, value in expect.get("info", {}).items():
        assert answer["info"].get(key) == value, f"info {key}: {value}\n{shown}"
    if "decision" in expect:
        assert answer["decision"] == expect["decision"], shown
    assert answer["seconds"] < expect.get("seconds", 8), shown
    assert answer["left"] == [], shown
    assert answer["descriptors"] == 0, shown
    assert not answer.get("partner"), f"the partner was hurt\n{shown}"
