"""Blocks counted in schedule order: whole ones only, and copies only where there is chance."""

from __future__ import annotations

import pytest
from support.outcomes import won

import arena.ratings.block_counts as blocks_module
from arena.ratings.block_counts import BlockCounts, fold_blocks
from arena.stats.weights import moves_hash
from arena.values.tables import MatchRow


def known(blocks: BlockCounts) -> int:
    """Return how many plays a fold knows."""
    return sum(pairing.size or 0 for pairing in blocks.pairings.values())


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
    """What is known grows to a limit; then the game is asked, once, and only of that tournament."""
    monkeypatch.setattr(blocks_module, "_MANY", 10)
    asked = []

    def is_dealt_once(tournament: int, game: str) -> bool:
        asked.append((tournament, game))
        return tournament == 1

    results = [match for n in range(50) for match in twice(n, "a", deal=f"d{n}")]
    dealt = fold_blocks(results, is_dealt_once=is_dealt_once)
    assert (asked, known(dealt)) == ([(1, "leaves")], 10)
    assert sum(dealt.counts.values()) == 50
    again = [match._replace(position=(2, match.position[1])) for match in results]
    more = fold_blocks(again, dealt, is_dealt_once=is_dealt_once)
    assert known(more) == 100  # of the other tournament all are
    assert more.weightless == 10
