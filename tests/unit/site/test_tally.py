"""One walk over matches: sums by hand, and no more held than is shown."""

from __future__ import annotations

import pytest

from arena.site.tally import SAMPLES, tally
from arena.values.tables import MatchRow

ELO_PER_MU = 47.044  # 1600 / (ln 10 * 2 * sqrt(pi) * 25 / 6)


def match(
    number: int,
    bots: tuple[str, ...] = ("oak", "elm"),
    ranks: tuple[int, ...] = (1, 2),
    *,
    game: str = "leaves",
) -> MatchRow:
    """Return a match without decisions and faults."""
    return MatchRow(
        (1, number),
        bots,
        ranks,
        (),
        (2,) * len(bots),
        (5,) * len(bots),
        game=game,
        by="rules",
        started_ms=1000,
        id=f"{number:016x}",
        text='{"actions":[],"decisions":[],"faults":[]}',
    )


def test_ratings_after_the_first_match() -> None:
    """TrueSkill's own example: after one match the winner has 29.396 and the loser 20.604."""
    course = tally([match(0)], 1).course
    ((oak_at, oak),), ((elm_at, elm),) = course["oak"], course["elm"]
    assert oak_at == elm_at == 1
    assert oak == pytest.approx(1500 + 4.396 * ELO_PER_MU, abs=0.2)
    assert elm == pytest.approx(1500 - 4.396 * ELO_PER_MU, abs=0.2)


def test_ratings_are_sampled() -> None:
    """Of many matches there are some 200 samples, the last one after the last match."""
    count = 3 * SAMPLES + 1
    course = tally((match(number) for number in range(count)), count).course
    matches, others = ([at for at, _ in course[name]] for name in ("oak", "elm"))
    assert len(matches) <= SAMPLES
    assert (matches[:2], matches[-1]) == ([4, 8], count)
    assert matches == others


def test_results_by_game() -> None:
    """Each opponent counts: a better rank beats it, the same one draws with it."""
    found = tally(
        [
            match(0),
            match(1, ranks=(1, 1)),
            match(2, ranks=(2, 1), game="nim"),
            match(3, ("oak", "elm", "fir"), (2, 1, 2), game="nim"),
        ],
        4,
    )
    assert found.matches == 4
    assert {name: bot.games for name, bot in found.bots.items()} == {
        "oak": {"leaves": [1, 1, 0], "nim": [0, 1, 2]},
        "elm": {"leaves": [0, 1, 1], "nim": [3, 0, 0]},
        "fir": {"nim": [0, 1, 1]},
    }
