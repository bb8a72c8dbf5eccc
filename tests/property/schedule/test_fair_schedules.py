"""What holds of every round-robin: all meet equally, in all seats, on the same deals."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import combinations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena.schedule.round_robin import FORMAT
from arena.schedule.seeds import deal_seed, match_id
from arena.values.model import BotEntry, Match, Tournament

# the games are installed once a test and do not change between examples
installed_once = settings(
    max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
pytestmark = pytest.mark.usefixtures("small_games")

PLAYERS = {"auction": 2, "pebbles(players=2)": 2, "pebbles": 3, "pebbles(players=4)": 4}
games = st.lists(st.sampled_from(sorted(PLAYERS)), min_size=1, max_size=3, unique=True)
bots = st.lists(st.text("abcxyz", min_size=1, max_size=3), min_size=5, max_size=7, unique=True)
seeds = st.integers(0, 2**63 - 1)


def play(names: list[str], of: list[str], rounds: int, seed: int) -> list[Match]:
    """Return the whole schedule; asked by number it is what iterating gives."""
    entries = tuple(BotEntry(name=name, ref=name) for name in names)
    tournament = Tournament("t", tuple(of), entries, rounds=rounds, seed=seed)
    found = FORMAT.next_round(tournament, tuple(names), 0, ())
    assert found is not None
    assert [found[i] for i in range(len(found))] == list(found)
    return list(found)


def identity(match: Match, seed: int) -> tuple[str, tuple[str, ...], int]:
    """What must not change when a tournament grows: id, seats, deal."""
    name = match_id("t", match.block, match.seating)
    return name, match.seats, deal_seed(seed, match.game, match.k)


@installed_once
@given(bots, games, st.integers(1, 3), seeds)
def test_every_group_meets_in_all_seatings_every_round(
    names: list[str], of: list[str], rounds: int, seed: int
) -> None:
    """Every n entrants meet ``rounds`` times a game, each in each seat equally often."""
    met: dict[tuple[str, frozenset[str]], list[tuple[str, ...]]] = defaultdict(list)
    for match in play(names, of, rounds, seed):
        met[match.game, frozenset(match.seats)].append(match.seats)
    wanted = {
        (game, frozenset(group)) for game in of for group in combinations(names, PLAYERS[game])
    }
    assert met.keys() == wanted
    for (game, group), seatings in met.items():
        assert len(seatings) == rounds * PLAYERS[game]
        for seat in range(PLAYERS[game]):
            assert Counter(s[seat] for s in seatings) == dict.fromkeys(group, rounds)


@installed_once
@given(bots, games, st.integers(1, 3), seeds)
def test_blocks_are_whole_and_numbered(
    names: list[str], of: list[str], rounds: int, seed: int
) -> None:
    """The matches of a block stand together, seatings ascending; numbers and ids are unique."""
    found = play(names, of, rounds, seed)
    assert [m.number for m in found] == list(range(len(found)))
    assert len({match_id("t", m.block, m.seating) for m in found}) == len(found)
    start = 0
    while start < len(found):
        n = PLAYERS[found[start].game]
        block = found[start : start + n]
        assert {m.block for m in block} == {found[start].block}
        assert [m.seating for m in block] == list(range(n))
        start += n


@pytest.mark.slow
@installed_once
@given(bots, games, st.integers(1, 2), seeds)
def test_more_rounds_only_append(names: list[str], of: list[str], rounds: int, seed: int) -> None:
    """The schedule of fewer rounds is the beginning of that of more."""
    shorter = play(names, of, rounds, seed)
    assert play(names, of, rounds + 1, seed)[: len(shorter)] == shorter


@installed_once
@given(bots, games, st.integers(1, 2), seeds)
def test_more_bots_and_games_change_no_match(
    names: list[str], of: list[str], rounds: int, seed: int
) -> None:
    """Every match of a smaller tournament is in the larger one, with its id, seats and deal."""
    small = {identity(m, seed) for m in play(names[:-1], of[:1], rounds, seed)}
    large = {identity(m, seed) for m in play(names, of, rounds, seed)}
    assert small <= large


@pytest.mark.slow
@installed_once
@given(bots, st.sampled_from(sorted(PLAYERS)), seeds)
def test_every_pairing_meets_the_same_deals(names: list[str], game: str, seed: int) -> None:
    """The deals of a pairing are those of every other pairing."""
    deals: dict[frozenset[str], set[int]] = defaultdict(set)
    for match in play(names, [game], 3, seed):
        deals[frozenset(match.seats)].add(deal_seed(seed, match.game, match.k))
    assert len({frozenset(seen) for seen in deals.values()}) == 1
