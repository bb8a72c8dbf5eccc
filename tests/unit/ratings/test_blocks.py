"""Blocks counted in schedule order: whole ones only, and copies only where there is chance."""

from __future__ import annotations

import pytest
from support.outcomes import won

from arena.ratings.block_counts import BlockCounts, fold_blocks
from arena.stats import weights
from arena.stats.weights import moves_hash
from arena.values.tables import MatchRow


def played(
    number: int,
    block: str,
    names: str,
    *ranks: int,
    deal: str,
    way: str,
) -> MatchRow:
    """Return a match of a block of leaves."""
    play = moves_hash(deal, way)
    seats = tuple(names.split())
    return MatchRow((1, number), seats, ranks, block=f"leaves|{block}", moves_hash=play)


def twice(number: int, *ways: str, deal: str = "d", won_by: str = "elm") -> list[MatchRow]:
    """Return a block of oak and elm on one deal, which was played in these ways."""
    ranks = {"elm": (2, 1), "oak": (1, 2)}[won_by]
    return [
        played(2 * number, f"x{number}", "oak elm", *ranks, deal=deal, way=ways[0]),
        played(2 * number + 1, f"x{number}", "elm oak", *ranks[::-1], deal=deal, way=ways[-1]),
    ]


def test_copies_count_once_chance_is_seen() -> None:
    """Once a deal went two ways all copies count, also earlier ones."""
    results = [match for number in range(5) for match in twice(number, "a", "b")]
    results += twice(5, "a", "c", won_by="oak")
    blocks = fold_blocks([*results, *twice(6, "a", "b")])
    assert blocks.counts == {(won("elm", "oak"),) * 2: 6, (won("oak", "elm"),) * 2: 1}
    assert (blocks.weightless, blocks.same_deal) == (0, 14)


def test_no_deal_is_remembered_where_none_comes_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is known of a pairing grows to a limit; once a deal has come again, it goes on."""
    monkeypatch.setattr(weights, "MANY", 10)
    dealt = fold_blocks([match for n in range(50) for match in twice(n, "a", deal=f"d{n}")])
    ((_, pairing),) = dealt.pairings.items()
    assert pairing.known is not None
    assert len(pairing.known) == 10
    assert sum(dealt.counts.values()) == 50
    more = fold_blocks([match for n in range(50) for match in twice(n, "a", deal=f"d{n}")], dealt)
    assert more.weightless == 10
    again = fold_blocks([match for n in range(50) for match in twice(n, "a", deal=f"d{n}")], more)
    assert again.weightless == 110
    assert BlockCounts.from_bytes(again.to_bytes()).counts == again.counts
