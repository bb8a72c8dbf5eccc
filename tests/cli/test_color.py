"""Boards at the terminal: names, the last action, and colour where it can be shown."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.arena_command import output
from support.terminals import terminal

COLOUR = re.compile(r"\x1b\[[0-9;]+m")


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the record of a match of Leaves."""
    folder = tmp_path_factory.mktemp("match")
    words = ("play", "leaves", "greedy", "random", "--seed", 1, "--record", folder / "m.json")
    output(folder, *words, "--sandbox", "none")
    return folder / "m.json"


def on_a_terminal(record: Path, *words: str, **env: str) -> str:
    """Show a position on a terminal; what is there."""
    env = {"TERM": "xterm-256color", "NO_COLOR": ""} | env
    with terminal(record.parent, "show", str(record), "--at", "3", *words, **env) as screen:
        screen.expect("random places")
        assert screen.close() == 0
    return screen.shown


@pytest.mark.slow
def test_a_terminal_is_coloured_unless_somebody_objects(record: Path) -> None:
    """``auto`` is colour on a terminal that knows it; NO_COLOR and --color never are obeyed."""
    assert COLOUR.search(on_a_terminal(record))
    assert COLOUR.search(on_a_terminal(record, "--color", "always", NO_COLOR="1"))
    for words, env in (((), {"NO_COLOR": "1"}), ((), {"TERM": "dumb"}), (("--color", "never"), {})):
        assert "\x1b" not in on_a_terminal(record, *words, **env)
