"""Blocks counted in schedule order: whole ones only, and copies only where there is chance."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import count, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.outcomes import won

import arena.ratings.block_counts as blocks_module
from arena.ratings.block_counts import BlockCounts, fold_blocks
from arena.stats.weights import moves_hash
from arena.values.tables import MatchRow

_deals = count(1)


def known(blocks: BlockCounts) -> int:
    """Return how many plays a fold knows."""
    return sum(pairing.size or 0 for pairing in blocks.pairings.values())


def played(
    number: int,
    block: str,
    names: str,
    *ranks: int,
    deal: str | None = None,
    way: str = "",
    owner: int = 1,
) -> MatchRow:
    """Return a match of a block of leaves; one without a ``deal`` has one of its own."""
    play = moves_hash(str(next(_deals)) if deal is None else deal, way)
    seats = tuple(names.split())
    return MatchRow((owner, number), seats, ranks, block=f"leaves|{block}", moves_hash=play)


def twice(number: int, *ways: str, deal: str = "d", won_by: str = "elm") -> list[MatchRow]:
    """Return a block of oak and elm on one deal, which was played in these ways."""
    ranks = {"elm": (2, 1), "oak": (1, 2)}[won_by]
    return [
        played(2 * number, f"x{number}", "oak elm", *ranks, deal=deal, way=ways[0]),
        played(2 * number + 1, f"x{number}", "elm oak", *ranks[::-1], deal=deal, way=ways[-1]),
    ]


def again(blocks: BlockCounts) -> BlockCounts:
    """Return a fold as it is read from a store."""
    return BlockCounts.from_bytes(blocks.to_bytes())


def test_whole_blocks_count() -> None:
    """A block counts with its last match; one that lacks a match does not."""
    first = fold_blocks([played(0, "x", "oak elm", 1, 2)])
    assert (first.counts, first.last) == ({}, (1, 0))
    second = fold_blocks([played(1, "x", "elm oak", 1, 2)], first)
    assert second.counts == {(won("elm", "oak"), won("oak", "elm")): 1}
    assert not second.unfinished


def test_copies_without_chance_count_once() -> None:
    """If each deal went one way, copies of a block have the weight of one."""
    blocks = fold_blocks([match for number in range(5) for match in twice(number, "a", "b")])
    assert blocks.counts == {(won("elm", "oak"),) * 2: 1}
    assert (blocks.weightless, blocks.same_deal) == (8, 0)


def test_copies_count_once_chance_is_seen() -> None:
    """Once a deal went two ways all copies count, also earlier ones."""
    results = [match for number in range(5) for match in twice(number, "a", "b")]
    results += twice(5, "a", "c", won_by="oak")
    blocks = fold_blocks([*results, *twice(6, "a", "b")])
    assert blocks.counts == {(won("elm", "oak"),) * 2: 6, (won("oak", "elm"),) * 2: 1}
    assert (blocks.weightless, blocks.same_deal) == (0, 14)


def test_chance_is_known_by_pairing_and_game() -> None:
    """Chance between two bots makes no copies of others count, nor of another game."""
    results = [*twice(0, "a"), *twice(1, "b")]
    for number in range(3):
        block = f"x{number}"
        results += [
            played(10 + 2 * number, block, "oak fir", 1, 2, deal="d", way="a"),
            played(11 + 2 * number, block, "fir oak", 1, 2, deal="d", way="a"),
        ]
    chess = [match._replace(block=f"chess{match.block[6:]}") for match in twice(9, "a")]
    blocks = fold_blocks([*results, *chess, *chess])
    assert blocks.counts[(won("elm", "oak"),) * 2] == 3
    assert blocks.weightless == 4 + 2


def test_incomplete_block_makes_no_copy() -> None:
    """A match of an incomplete block is no copy, and shows no chance."""
    lone = twice(0, "z")[:1]
    blocks = fold_blocks([*lone, *twice(1, "a"), *twice(2, "a")])
    assert sum(blocks.counts.values()) == 1
    assert blocks.weightless == 2


@st.composite
def schedules(draw: st.DrawFn) -> list[MatchRow]:
    """Return matches of blocks of two, of few bots, with gaps and repeats, in schedule order."""
    found = []
    for block in range(draw(st.integers(0, 12))):
        one, other = draw(st.permutations("abc"))[:2]
        deal = draw(st.sampled_from("de"))
        for seating, names in enumerate((f"{one} {other}", f"{other} {one}")):
            ranks = draw(st.sampled_from([(1, 2), (2, 1), (1, 1)]))
            way = draw(st.sampled_from("aaaab"))
            if draw(st.integers(0, 9)):
                number = 2 * block + seating
                found.append(played(number, str(block), names, *ranks, deal=deal, way=way))
    return found


@given(schedules(), st.randoms(use_true_random=False))
def test_going_on_is_the_same(results: list[MatchRow], rng: random.Random) -> None:
    """Folded in parts, kept as text in between, or at once: the same counts."""
    whole = fold_blocks(results)
    before = fold_blocks(results[: len(results) // 2])
    kept = before.to_bytes()
    fold_blocks(results[len(results) // 2 :], before)
    assert before.to_bytes() == kept, "folding changed what it went on from"
    cuts = sorted(rng.choices(range(len(results) + 1), k=3))
    state = BlockCounts()
    for part in _parts(results, cuts):
        state = again(fold_blocks(part, state))
    assert (state.last, state.counts, state.weightless) == (
        whole.last, whole.counts, whole.weightless,
    )  # fmt: skip
    assert state.unfinished == whole.unfinished
    assert state.to_bytes() == whole.to_bytes()


def _parts(results: Sequence[MatchRow], cuts: Sequence[int]) -> list[Sequence[MatchRow]]:
    ends = [0, *cuts, len(results)]
    return [results[begin:end] for begin, end in pairwise(ends)]


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
