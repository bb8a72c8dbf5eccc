"""Used-up shares: a bot that takes all that its user may have costs no other bot the match."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.arena_users import as_user
from support.bot_programs import program

pytestmark = pytest.mark.slow

HOGS = str(Path(__file__).parents[2] / "support" / "hogs.py")

CROWD = """
import os, time
seen, told = os.pipe()
def everywhere(take):
    "Take something in as many processes as there may be, and wait until each has it."
    try:
        for _ in range(64):
            if os.fork() == 0:
                kept = os.setsid() or []
                try:
                    while True:
                        kept.append(take())
                except OSError:
                    os.write(told, b"x")
                time.sleep(3600)
            os.read(seen, 1)
    except OSError:
        pass
"""
PIPES = f"{CROWD}\neverywhere(os.pipe)"
PLAYS, FAILS = program(), "raise SystemExit(3)"


def outcome(level: str, without: str, *programs: str, user: str = "user") -> str:
    """Play a match as an ordinary user, and return what came of it."""
    done = as_user(user, HOGS, level, without, *programs)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize(
    ("without", "hog", "fails", "lack"),
    [
        ("nothing", program(first=PIPES), FAILS, "memory for pipes"),
        ("watches", PLAYS, "import select; select.epoll().register(0)", "epoll watches"),
    ],
)
def test_share_used_by_opponent_voids_match(without: str, hog: str, fails: str, lack: str) -> None:
    """A bot that cannot start as its opponent uses the user's share voids the match."""
    assert outcome("limits", without, hog, fails) == f"void: {lack}"


def test_bot_that_uses_up_its_own_share_loses() -> None:
    """A bot that does not start because of what it took itself has a startup fault."""
    assert outcome("limits", "nothing", PLAYS, f"{PIPES}\n{FAILS}") == "1 startup"


def test_bots_of_root_share_nothing() -> None:
    """A bot of root's that does not start has lost, whatever its opponent takes."""
    hog = program(first=PIPES)
    assert outcome("limits", "nothing", hog, FAILS, user="root") == "1 startup"
