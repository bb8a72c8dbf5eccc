"""A tournament whose matches stop after some decisions until a file is there."""

from __future__ import annotations

from pathlib import Path

from support.arena_command import tournament
from support.bot_programs import program

DECISIONS = 3  # of the bot that waits
WAITS = f"""\
import os, time
while decision == "{DECISIONS}" and not os.path.exists(sys.argv[1]):
    time.sleep(0.02)
"""
KEYS = {"name": "seen", "rounds": 1, "seed": 3, "sandbox": "none", "clock": "{move: 100s}"}


def held_up(folder: Path, game: str) -> tuple[Path, Path]:
    """Write the tournament, and return its file and that for which its matches wait."""
    gate = folder / "gate"
    (folder / "slow.py").write_text(program(asked=WAITS))
    slow = f"{{name: slow, run: slow.py, args: [{gate}]}}"
    return tournament(folder, f"[random, {slow}]", game=game, **KEYS), gate
