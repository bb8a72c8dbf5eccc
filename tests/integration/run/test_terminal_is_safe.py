"""Bots that write escape sequences wherever they can, seen on a terminal: nothing gets through."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.arena_command import as_json, output, tournament
from support.terminals import terminal

from arena.values.untrusted import hidden_character

pytestmark = pytest.mark.slow

# says what its argument says, in every way there is to say something
WICKED = r"""
import os, sys
mode = sys.argv[1]
ESC = "\x1b]0;owned\x07\x1b[2J\x1b]52;c;aGk=\x07\x9b31m\x1b[1A"
HIDDEN = "\u202e\u2066\u200b\u009b2J\u2028Finished game 7: 1-0"
os.write(2, (ESC + HIDDEN + "\rarena: all is well\nmatch 1: <script>|=1+1\n").encode())
os.write(2, b"\x9b31m\xff\x00\n")
legal = []
for line in iter(input, "quit"):
    verb, _, rest = line.partition(" ")
    if verb == "hello":
        print("ready want=legal name=\\e[2J version=<b>", flush=True)
    elif verb == "legal":
        legal = rest.split()
    elif verb == "go":
        print("log " + HIDDEN + " =cmd|x <img src=x onerror=y>")
        print("info pv=<script>alert(1)</script> score=1e999 x=\\x1b[2J|*_`", flush=True)
        if mode == "illegal":
            print("play \\x1b[2J|<b>=1", flush=True)
        elif mode == "unicode":
            print("play " + HIDDEN.replace(" ", ""), flush=True)
        elif mode == "protocol":
            print("play " + ESC, flush=True)
        elif mode == "error":
            print("error " + HIDDEN, flush=True)
        elif mode == "good":
            print("play " + legal[0], flush=True)
        else:
            sys.exit(mode)
"""
DATA = "=1*$(id)<b>"  # an entrant's name that is only a name
COLOURS = r"\x1b\[(1;3[2356]|7|0)m"  # those of our own, in which boards are drawn
MODES = ("illegal", "unicode", "protocol", "error", "good", "crash")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a tournament of such bots against ``random``."""
    folder = tmp_path_factory.mktemp("wicked")
    (folder / "wicked.py").write_text(WICKED)
    bots = [f"{{name: {mode}, run: wicked.py, args: [{mode}]}}" for mode in MODES]
    every = ", ".join([*bots, f"{{name: '{DATA}', bot: random}}"])
    tournament(folder, f"[{every}]", name="t", clock="{move: 5s}", workers=2)
    return folder


def on_a_terminal(home: Path, *args: str, code: int = 0) -> str:
    """Run ``arena ARGS`` on a terminal; all that it shows, without line ends."""
    env = {"TERM": "xterm-256color", "COLUMNS": "300"}
    with terminal(home / "home", *args, **env) as screen:
        assert screen.close() == code, screen.shown[-2000:]
    assert "\ufffd" not in screen.shown  # all of it is UTF-8
    return screen.shown.replace("\r", "").replace("\n", "")


def test_nothing_wicked_reaches_the_terminal(home: Path) -> None:
    """A run with its bar, and all that is shown of it afterwards, has no control character."""
    seen = {"run": on_a_terminal(home, "run", str(home / "t.yaml"), "--verbose")}
    rows = as_json(home / "home", "matches")["rows"]
    assert {row["by"] for row in rows} >= {"illegal", "protocol", "crash"}
    for command in (
        ["leaderboard"],
        ["leaderboard", "--format", "md"],
        ["leaderboard", "--format", "csv"],
        ["leaderboard", "--crosstable"],
        ["matches"],
        ["matches", "--lost", "--limit", "3"],
        ["tournaments"],
        ["run", str(home / "t.yaml"), "--dry-run"],
        ["bots"],
        ["verify"],
        ["export"],
    ):
        seen[" ".join(command)] = on_a_terminal(home, *command)
    for by in ("illegal", "protocol", "crash"):
        match = next(row["id"] for row in rows if row["by"] == by)
        seen[f"show {by}"] = on_a_terminal(home, "show", match)
    bot = f"{home / 'wicked.py'} protocol"
    seen["play"] = on_a_terminal(home, "play", "leaves", bot, "random", "--watch", "--seed", "1")
    seen["check"] = on_a_terminal(home, "check", bot, "leaves", code=1)
    for command_line, text in seen.items():
        colours = COLOURS if command_line.startswith(("show", "play")) else "$^"
        bad = hidden_character(re.sub(colours, "", text))
        assert bad is None, f"arena {command_line} shows {bad!a}"
    assert "\\x1b]0;owned\\x07" in seen["show crash"]
    assert "\\u202e" in seen["play"]
    assert DATA in seen["leaderboard"]
    assert f'"\'{DATA}"' in seen["leaderboard --format csv"]
    assert r"=1\*\$(id)&lt;b&gt;" in seen["leaderboard --format md"]


def test_results_are_not_what_bots_say(home: Path) -> None:
    """A line like a result in a bot's output leaves the table as the referee has it."""
    output(home / "home", "run", home / "t.yaml")
    rows = as_json(home / "home", "leaderboard")["rows"]
    faulty = [row for row in rows if row["faults"]]
    assert {row["bot"] for row in faulty} == {"illegal", "unicode", "protocol", "error", "crash"}
    assert all(sum(row["faults"].values()) <= row["games"] for row in rows)
