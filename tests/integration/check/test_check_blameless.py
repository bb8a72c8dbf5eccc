"""A check that is stopped, or kept from its work by the machine, says nothing against the bot."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from arena.check import check_bot
from arena.check.steps import Step
from arena.session import match_session
from arena.values.errors import Lack, MatchVoid
from arena.values.model import BotEntry

BOTS = Path(__file__).parents[1] / "programs"


@pytest.mark.usefixtures("small_games")
def test_check_without_processes_is_void(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A check whose bot cannot start for want of processes is void, and names the lack."""

    def launch(*words: object) -> None:
        raise OSError(errno.EAGAIN, "fork")

    monkeypatch.setattr(match_session, "launch", launch)
    bot = BotEntry("it", run=str(BOTS / "unmannerly.py"))
    seen: list[Step] = []
    with pytest.raises(MatchVoid) as void:
        check_bot(bot, tmp_path, game="pebbles(players=2)", sandbox="none", watch=seen.append)
    assert void.value.lack is Lack.PROCESSES
    assert [step.name for step in seen] == ["build"]
