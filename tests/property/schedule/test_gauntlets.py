"""What holds of every gauntlet: challengers meet the rest, and nobody else, equally often."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena.schedule.gauntlet import FORMAT
from arena.schedule.seeds import match_id
from arena.values.model import BotEntry, Match, Stop, Tournament

pytestmark = pytest.mark.usefixtures("small_games")

NO_STOP = Stop()
GAMES = {2: "pebbles(players=2)", 3: "pebbles", 4: "pebbles(players=4)"}
installed_once = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def play(
    names: list[str], players: int, challengers: int, rounds: int, stop: Stop = NO_STOP
) -> list[Match]:
    bots = tuple(BotEntry(name=name, ref=name) for name in names)
    tournament = Tournament(
        "t", (GAMES[players],), bots, rounds=rounds, seed=7, challengers=challengers, stop=stop
    )
    found = FORMAT.next_round(tournament, tuple(names), 0, ())
    assert found is not None
    assert FORMAT.next_round(tournament, tuple(names), len(found), ()) is None
    return list(found)


@st.composite
def gauntlets(draw: st.DrawFn) -> tuple[list[str], int, int, int]:
    players = draw(st.integers(2, 4))
    size = draw(st.integers(players, 65 if players == 2 else 9))
    challengers = draw(st.integers(1, size - players + 1))
    names = draw(st.permutations([f"b{n}" for n in range(size)]))
    return names, players, challengers, draw(st.integers(1, 2))


@installed_once
@given(gauntlets())
def test_each_challenger_meets_every_group_of_the_rest(
    drawn: tuple[list[str], int, int, int],
) -> None:
    """Each challenger and each n - 1 of the rest meet ``rounds`` times, in all n seatings."""
    names, players, challengers, rounds = drawn
    found = play(*drawn)
    wanted = {
        frozenset((one, *group))
        for one in names[:challengers]
        for group in combinations(names[challengers:], players - 1)
    }
    met = Counter(frozenset(match.seats) for match in found)
    assert met == dict.fromkeys(wanted, rounds * players)
    assert len({match_id("t", match.block, match.seating) for match in found}) == len(found)
    assert [match.number for match in found] == list(range(len(found)))
