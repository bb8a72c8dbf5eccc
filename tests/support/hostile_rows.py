"""The rows of the catalogue of faults that are programs: a folder each, with what is expected."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from arena.sandbox import LEVELS
from arena.session.choose import problem_with

__all__ = ["LEVELS", "ROWS", "Row", "check", "play", "why_not"]

HERE = Path(__file__).parent.parent / "hostile"
KEYS = {
    *("row", "what", "verdict", "detail", "stderr", "log", "info", "decision", "seconds"),
    *("clock", "start", "game", "setup", "memory_mib", "levels", "quick"),
}


@dataclass(frozen=True, slots=True)
class Row:
    """One fault or attack: its number, its folder, and what is expected.

    ``expect`` has ``what`` (a sentence), ``verdict`` (a fault's code; ``rules`` if it plays on; or
    a list of those that will do), and perhaps ``detail``, ``stderr``, ``log`` (patterns), ``info``
    (pairs), ``decision``, ``seconds`` (the most), ``clock``, ``start``, ``game``, ``setup``,
    ``memory_mib``;
    ``levels`` has what differs at a level, ``null`` where the row means nothing.
    """

    number: int
    folder: Path
    expect: dict[str, Any]

    def at(self, level: str) -> dict[str, Any] | None:
        """Return what is expected at a level, ``None`` if the row means nothing there."""
        other = self.expect.get("levels", {}).get(level, {})
        return None if other is None else {**self.expect, **other}


def _rows() -> list[Row]:
    found = []
    for file in sorted(HERE.glob("rows/*/expect.yaml")):
        expect = yaml.safe_load(file.read_text())
        assert expect.keys() <= KEYS, f"{file}: unknown {expect.keys() - KEYS}"
        assert set(expect.get("levels", {})) <= set(LEVELS), file
        assert file.parent.name.startswith(f"{expect['row']:02d}_"), file
        found.append(Row(expect["row"], file.parent, expect))
    return found


ROWS = _rows()


def why_not(level: str) -> str | None:
    """Return why a level cannot be tried here, ``None`` if it can."""
    problem = problem_with(level)
    return None if problem is None else f"{level}: {problem.reason}"


def play(row: Row, level: str) -> dict[str, Any]:
    """Play the row's match at a level and return what came of it."""
    expect = row.at(level)
    assert expect is not None
    known = {k: expect[k] for k in ("clock", "start", "game", "setup", "memory_mib") if k in expect}
    line = [str(HERE / "play_row.py"), str(row.folder), level, json.dumps(known)]
    done = subprocess.run(
        [sys.executable, *line], capture_output=True, text=True, timeout=100, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return answer


def check(row: Row, level: str, answer: dict[str, Any]) -> None:
    """Assert that what came of a row is what is expected."""
    expect = row.at(level)
    assert expect is not None
    verdicts = expect["verdict"]
    shown = json.dumps(answer, indent=1)
    assert answer["verdict"] in ([verdicts] if isinstance(verdicts, str) else verdicts), shown
    for key in ("detail", "stderr", "log"):
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
