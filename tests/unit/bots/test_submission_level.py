"""Submitting where nothing isolates: the bot is refused before any of it runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.errors import UsageError
from arena.sandbox.interface import Problem
from arena.session import choose
from arena.submit import submit


def test_a_submission_is_refused_where_nothing_isolates(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A machine with no level fit for strangers does not run, build or keep what is submitted."""

    def problem_with(name: str) -> Problem | None:
        return None if name == "none" else Problem("not here", "install it")

    monkeypatch.setattr(choose, "problem_with", problem_with)
    monkeypatch.setattr("arena.bots.isolation.problem_with", problem_with)
    bot, home, ran = tmp_path / "oak.py", tmp_path / "home", tmp_path / "ran"
    bot.write_text(f"open({str(ran)!r}, 'w')\n")
    with pytest.raises(UsageError, match="--allow-unsafe"):
        submit(bot, "oak", home)
    assert not ran.exists()
    assert not list(home.glob("bots/oak/*"))
