"""A table held against the ``trueskill`` package: equal, or the first match that differs."""

from __future__ import annotations

from random import Random

import pytest

import arena.ratings.recount
from arena.ratings.fold import fold
from arena.ratings.recount import recount
from arena.ratings.trueskill import rate
from arena.values.tables import MatchRow, Rating

NAMES = ("oak", "elm", "fir", "yew")


def played(number: int, names: tuple[str, ...], ranks: tuple[int, ...]) -> MatchRow:
    once = (1,) * len(names)
    return MatchRow((1, number), names, ranks, (), once, once, id=f"m{number}")


def some(count: int, players: int) -> list[MatchRow]:
    rng = Random(5)
    return [
        played(
            number,
            tuple(rng.sample(NAMES, players)),
            tuple(rng.randint(1, players) for _ in range(players)),
        )
        for number in range(count)
    ]


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_right_table_has_no_difference(players: int) -> None:
    """A table folded from many matches agrees with the ``trueskill`` package."""
    results = some(300, players)
    found = recount(results, fold(results))
    assert found == (300, (), None, ())


@pytest.mark.parametrize("players", [2, 4])
def test_first_differing_match_is_named(players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the package differs from match 40 on, match 40 is named."""
    results = some(60, players)
    calls = 0

    def otherwise(before: list[Rating], ranks: list[int]) -> list[Rating] | None:
        nonlocal calls
        calls += 1
        new = rate(before, ranks)
        assert new is not None
        return [new[0]._replace(mu=new[0].mu + 2e-6), *new[1:]] if calls == 41 else new

    monkeypatch.setattr(arena.ratings.recount, "rate", otherwise)
    found = recount(results, fold(results))
    assert found.first == "m40"
    assert found.differences


def test_match_beyond_package_is_named() -> None:
    """A match that the package cannot compute is named, and is no difference."""
    beliefs, upset = [Rating(1000.0, 1.0), Rating(0.0, 1.0)], [2, 1]
    assert rate(beliefs, upset) is None
    # so many beginners in one match are too much for it, too
    names = tuple(f"bot{number:03}" for number in range(200))
    crowd = [played(0, names, tuple(range(1, 201)))]
    found = recount(crowd, fold(crowd))
    assert (found.beyond, found.differences) == (("m0",), ())
