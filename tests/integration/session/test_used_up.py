"""A bot that uses up what the kernel counts for its user costs no other bot the match."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.arena_users import as_user
from support.bot_programs import program

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


@pytest.mark.slow
@pytest.mark.parametrize(
    ("without", "hog", "fails", "lack"),
    [
        ("nothing", program(first=PIPES), FAILS, "memory for pipes"),
        ("watches", PLAYS, "import select; select.epoll().register(0)", "epoll watches"),
    ],
)
def test_nothing_left_for_the_other(without: str, hog: str, fails: str, lack: str) -> None:
    """Who does not start where an opponent has used up the user's share has not lost."""
    assert outcome("limits", without, hog, fails) == f"void: {lack}"


@pytest.mark.slow
def test_who_uses_it_up_itself() -> None:
    """A bot that does not start has lost, whatever it took before it ended, or still has."""
    assert outcome("limits", "nothing", PLAYS, f"{PIPES}\n{FAILS}") == "1 startup"


@pytest.mark.slow
def test_users_of_their_own() -> None:
    """Of root's bots nobody takes another's share: who does not start has lost."""
    hog = program(first=PIPES)
    assert outcome("limits", "nothing", hog, FAILS, user="root") == "1 startup"
