"""A small tournament of a submitted bot that was played; one of its entrants is suspended."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from support.arena_command import as_json, output, submitted, tournament
from support.bot_programs import program

# with the word "dead" it does not even start
BOT = program(first='if "dead" in sys.argv:\n    sys.exit("I do not start")')
BOTS = "[ash, {name: elm, bot: ash@1}, {name: dead, bot: ash, args: [dead]}]"
KEYS = {"name": "plain", "rounds": 2, "seed": 3, "max_faults": 1, "sandbox": "none"}
KEYS |= {"clock": "{move: 10s, first: 10s}", "opening": "{plies: 2}"}


def played_home(folder: Path) -> Path:
    """Make a home in a folder, and return it.

    ash, elm and dead are all of them the submitted bot ash. dead does not start and is suspended;
    the 4 matches of the others count.
    """
    folder.mkdir(exist_ok=True)
    (folder / "ash.py").write_text(BOT)
    file = tournament(folder, BOTS, **KEYS)
    submitted(folder / "home", folder / "ash.py", "ash")
    output(folder / "home", "run", file, "--allow-unsafe", "--quiet")
    return folder / "home"


def submit_bot(home: Path, name: str, mark: str = "") -> None:
    """Submit ``BOT`` under a name; a different ``mark`` in its source makes a new version."""
    source = home.parent / f"{name}.py"
    source.write_text(f"{BOT}# {name} {mark}\n")
    submitted(home, source, name)


def course(folder: Path, bots: str, **keys: object) -> Path:
    """Write the file of a tournament of a course in a folder; return it."""
    usual = {"name": "course", "rounds": 1, "seed": 5, "opening": "{plies: 2}"}
    return tournament(folder, bots, **{**usual, "clock": "{move: 10s, first: 10s}", **keys})


def board(home: Path) -> dict[str, Any]:
    """Return the leaderboard as programs read it."""
    return dict(as_json(home, "leaderboard"))
