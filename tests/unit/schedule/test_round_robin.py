"""The schedule of a round-robin, small enough to be written down by hand."""

from __future__ import annotations

import pytest

from arena.schedule.round_robin import FORMAT
from arena.values.model import BotEntry, Match, Round, Stop, Tournament

NO_STOP = Stop()


def tournament(
    *names: str, games: tuple[str, ...] = ("auction",), rounds: int = 1, stop: Stop = NO_STOP
) -> Tournament:
    bots = tuple(BotEntry(name=name, ref=name) for name in names)
    return Tournament("t", games, bots, rounds=rounds, seed=7, stop=stop)


def schedule(of: Tournament) -> Round:
    found = FORMAT.next_round(of, tuple(bot.name for bot in of.bots), 0, ())
    assert found is not None
    return found


def matches(of: Tournament) -> list[Match]:
    found = schedule(of)
    return [found[i] for i in range(len(found))]


pytestmark = pytest.mark.usefixtures("small_games")


def test_two_bots_two_rounds() -> None:
    """Block by block, both seatings of the only pair."""
    assert matches(tournament("oak", "elm", rounds=2)) == [
        Match(0, "auction", 0, 0, ("elm", "oak")),
        Match(1, "auction", 0, 1, ("oak", "elm")),
        Match(2, "auction", 1, 0, ("elm", "oak")),
        Match(3, "auction", 1, 1, ("oak", "elm")),
    ]


@pytest.mark.parametrize(
    ("wanted", "played"), [(1, 2), (2, 2), (3, 4), (12, 12), (13, 15), (14, 15), (16, 18), (99, 48)]
)
def test_stop_after_whole_blocks(wanted: int, played: int) -> None:
    """``stop: {matches: N}`` ends after N matches, rounded up to whole blocks.

    A cycle is twelve matches of pairs in blocks of two, then twelve of trios in blocks of three.
    """
    games = ("auction", "pebbles")
    stopped = tournament("a", "b", "c", "d", games=games, rounds=2, stop=Stop(matches=wanted))
    whole = tournament("a", "b", "c", "d", games=games, rounds=2)
    assert matches(stopped) == matches(whole)[:played]


def test_a_number_outside_is_an_index_error() -> None:
    """Neither a negative number nor the length is a match."""
    two = schedule(tournament("oak", "elm"))
    for index in (-1, 2):
        with pytest.raises(IndexError):
            two[index]
