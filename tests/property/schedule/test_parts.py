"""What holds of the parts of any schedule: whole blocks, disjoint, together everything, alike."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena.schedule.blocks import Blocks, BlocksFormat
from arena.schedule.formats import find_format
from arena.schedule.parts import Part, Share
from arena.values.model import BotEntry, Stop, Tournament

pytestmark = pytest.mark.usefixtures("small_games")

GAMES = ("pebbles(players=2)", "pebbles", "pebbles(players=4)")
installed_once = settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def schedule_of(tournament: Tournament) -> Blocks:
    names = tuple(bot.name for bot in tournament.bots)
    format_ = find_format(tournament.format)
    assert isinstance(format_, BlocksFormat)
    return format_.schedule(tournament, names)


@st.composite
def tournaments(draw: st.DrawFn) -> Tournament:
    """Return a round-robin or gauntlet of one to three games, stopped early or not."""
    games = tuple(draw(st.permutations(GAMES)))[: draw(st.integers(1, 3))]
    size = draw(st.integers(5, 9))
    stop = Stop(matches=draw(st.none() | st.integers(1, 400)))
    return Tournament(
        "t",
        games,
        tuple(BotEntry(name=f"b{n}", ref="random") for n in range(size)),
        format=draw(st.sampled_from(["round-robin", "gauntlet"])),
        rounds=draw(st.integers(1, 4)),
        seed=7,
        challengers=draw(st.integers(1, 2)),
        stop=stop,
    )


@installed_once
@given(tournaments(), st.integers(1, 12))
def test_parts_are_whole_blocks_disjoint_and_together_everything(
    tournament: Tournament, of: int
) -> None:
    """Every match is in one part, that of its whole block; a part's length is how many it has."""
    schedule = schedule_of(tournament)
    shares = [Share(Part(number, of), schedule) for number in range(1, of + 1)]
    owners: dict[str, int] = {}
    counts: Counter[int] = Counter()
    for match in schedule:
        (owner,) = [one for one, share in enumerate(shares) if match.number in share]
        assert owners.setdefault(match.block, owner) == owner
        counts[owner] += 1
    assert [counts[one] for one in range(of)] == list(map(len, shares))
    for outside in (-1, len(schedule), len(schedule) + 5):
        assert not any(outside in share for share in shares)


@installed_once
@given(tournaments(), st.integers(1, 12))
def test_parts_have_as_much_to_do(tournament: Tournament, of: int) -> None:
    """Of each game and, over the rounds, of each pairing, parts differ by a block at most."""
    schedule = schedule_of(tournament)
    shares = [Share(Part(number, of), schedule) for number in range(1, of + 1)]
    games = {game: [0] * of for game in tournament.games}
    pairings: dict[tuple[str, frozenset[str]], list[int]] = {}
    for match in schedule:
        if match.seating == 0:
            (owner,) = [one for one, share in enumerate(shares) if match.number in share]
            games[match.game][owner] += 1
            key = match.game, frozenset(match.seats)
            pairings.setdefault(key, [0] * of)[owner] += 1
    whole = tournament.stop.matches is None  # the last round may be cut within N that are dealt
    assert all(max(each) - min(each) <= (1 if whole else 2) for each in games.values())
    assert all(max(each) - min(each) <= 1 for each in pairings.values())
