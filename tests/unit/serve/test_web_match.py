"""The one supervisor of a match on pages, whatever is asked for at the same time."""

from __future__ import annotations

import asyncio

import pytest
from support.fake_matches import FakePlay, settle

from arena.serve.web_match import AWAY_SECONDS, RequestRefused

pytestmark = pytest.mark.anyio


async def begun(decisions: int) -> FakePlay:
    """Return a match in which a person has decided so often, and is asked again."""
    play = FakePlay()
    play.match.begin()
    await settle()
    for decision in range(1, decisions + 1):
        await play.act(decision)
    play.ask(decisions + 1)
    return play


async def test_two_take_backs_at_once_use_one_process() -> None:
    """Two take-backs at one time restart one process, which ends once."""
    play = await begun(3)
    await asyncio.gather(play.take_back(), play.take_back())
    await settle()
    assert (play.begun, play.running) == (2, 1)
    play.ask(1)
    assert play.said == ["play a 1"]  # as before
    play.ask(2)
    assert play.match.views[0].decision == 2  # and this one is open
    play.end()
    await settle()
    assert len(play.ended) == 1
    with pytest.raises(RequestRefused, match="no decision"):
        await play.take_back()
    await settle()
    assert (play.begun, len(play.ended)) == (2, 1)
    await play.match.close()
    assert play.running == 0


@pytest.mark.parametrize("first", ["end", "take_back"])
async def test_take_back_and_end_at_once(first: str) -> None:
    """Of a take-back and the end of the match, the one that came first counts."""
    play = await begun(1)
    asked = asyncio.ensure_future(play.take_back())
    if first == "take_back":
        await asyncio.sleep(0)
    play.end()
    await asyncio.wait({asked})
    await settle()
    over = first == "end"
    assert (play.begun, len(play.ended)) == ((1, 1) if over else (2, 0))
    assert (asked.exception() is not None) == over == (play.match.left is not None)
    await play.match.close()


async def test_match_closes_during_take_back() -> None:
    """A match is closed although a take-back waits for a process."""
    play = await begun(2)
    play.may_end.clear()
    await play.take_back()
    await settle()
    again = asyncio.ensure_future(play.take_back())
    closing = [asyncio.ensure_future(play.match.close()) for _ in range(2)]
    await settle()
    assert not any(task.done() for task in (again, *closing))
    play.may_end.set()
    await asyncio.wait_for(asyncio.gather(again, *closing), 10)
    assert (play.running, play.ended) == (0, [])
    with pytest.raises(RequestRefused, match="ended"):
        await play.take_back()


async def test_rematch_changes_seats() -> None:
    """A rematch changes seats, repeats no answers, and counts as another match."""
    play = await begun(1)
    play.end()
    await play.match.order(play.match.rematch, play.me)
    await settle()
    assert play.match.seats == ["random", 0]
    assert (play.begun, play.running, play.match.left) == (2, 1, None)
    play.end()
    await settle()
    assert len(play.ended) == 2
    await play.match.close()


async def test_person_without_open_page_is_away() -> None:
    """A person is away some seconds after their last page is closed."""
    play = FakePlay()
    play.match.begin()
    await settle()
    assert play.match.away() == [0]
    page = asyncio.ensure_future(play.match.news(play.me, play.match.version, 60))
    await settle()
    assert play.match.away() == []
    page.cancel()
    await asyncio.wait({page})
    assert play.match.away() == []
    play.match._here_until[play.me] -= 60 + AWAY_SECONDS
    assert play.match.away() == [0]
    await play.match.close()


async def test_resignation_before_match_counts_when_asked() -> None:
    """A resignation before the match has begun is sent once the person is asked."""
    play = await begun(1)
    await play.act(2)
    await play.match.order(play.match.resign, play.me, 0)
    assert play.said[-1] == "play a 2"
    play.ask(3)
    assert play.said[-1] == "resign"
    assert not play.match.is_asked(0)
    await play.match.close()
