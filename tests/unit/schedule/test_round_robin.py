"""The schedule of a round-robin, small enough to be written down by hand."""

from __future__ import annotations

import pytest

from arena.schedule.round_robin import FORMAT
from arena.values.model import BotEntry, Round, Stop, Tournament

NO_STOP = Stop()


def tournament(
    *names: str, games: tuple[str, ...] = ("auction",), rounds: int = 1, stop: Stop = NO_STOP
) -> Tournament:
    bots = tuple(BotEntry(name=name, ref=name) for name in names)
    return Tournament("t", games, bots, rounds=rounds, seed=7, stop=stop)


def schedule(of: Tournament, settled: int = 0) -> Round:
    found = FORMAT.next_round(of, tuple(bot.name for bot in of.bots), settled, ())
    assert found is not None
    return found


pytestmark = pytest.mark.usefixtures("small_games")


def test_a_number_outside_is_an_index_error() -> None:
    """Neither a negative number nor the length is a match."""
    two = schedule(tournament("oak", "elm"))
    for index in (-1, 2):
        with pytest.raises(IndexError):
            two[index]


# formats are found by name
