"""Blocks counted in schedule order: whole ones only, and repeats only once."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import count, pairwise

from hypothesis import given
from hypothesis import strategies as st
from support.outcomes import drawn, won

from arena.ratings.blocks import Blocks, fold_blocks, outcome_of
from arena.tables import Played

_plays = count(1)


def played(
    number: int, block: str, names: str, *ranks: int, play: int | None = None, owner: int = 1
) -> Played:
    """Return a match; one without a ``play`` is like no other."""
    made = next(_plays) if play is None else play
    return (owner, number), block, tuple(names.split()), ranks, made


def again(blocks: Blocks) -> Blocks:
    """Return a fold as it is read from a store."""
    return Blocks.from_text(blocks.to_text()).load(blocks.to_bytes())


def test_whole_blocks_count() -> None:
    """A block counts with its last match; one that lacks a match does not."""
    first = fold_blocks([played(0, "x", "oak elm", 1, 2)])
    assert (first.counts, first.last) == ({}, (1, 0))
    second = fold_blocks([played(1, "x", "elm oak", 1, 2)], first)
    assert second.counts == {(won("elm", "oak"), won("oak", "elm")): 1}
    assert not second.unfinished


def test_kinds_forget_seats() -> None:
    """Blocks with the same outcomes are of one kind, whoever sat where."""
    results = [
        played(0, "x", "oak elm", 1, 2),
        played(1, "x", "elm oak", 1, 1),
        played(2, "y", "oak elm", 1, 1),
        played(3, "y", "elm oak", 2, 1),
    ]
    assert fold_blocks(results).counts == {(drawn("elm", "oak"), won("oak", "elm")): 2}


def test_three_players_need_three_matches() -> None:
    """A block of three players has three seatings."""
    results = [
        played(0, "x", "a b c", 1, 2, 3),
        played(1, "x", "b c a", 1, 2, 3),
        played(2, "x", "c a b", 2, 1, 2),
    ]
    assert fold_blocks(results[:2]).counts == {}
    assert fold_blocks(results).counts == {
        ((("a", "b", "c"), (1, 2, 2)), won("a", "b", "c"), won("b", "c", "a")): 1
    }


def test_alone_each_match_is_a_block() -> None:
    """Of somebody who plays alone every match is a block."""
    assert fold_blocks([played(0, "x", "a", 1), played(1, "y", "a", 2)]).counts == {
        ((("a",), (1,)),): 1,
        ((("a",), (2,)),): 1,
    }


def test_a_repeated_block_adds_nothing() -> None:
    """A block all of whose matches were played before has no weight, however often it comes."""
    results = []
    for number in range(5):
        results += [
            played(2 * number, f"x{number}", "oak elm", 1, 2, play=7),
            played(2 * number + 1, f"x{number}", "elm oak", 1, 2, play=8),
        ]
    blocks = fold_blocks(results)
    assert blocks.counts == {(won("elm", "oak"), won("oak", "elm")): 1}
    assert blocks.weightless == 8


def test_a_block_with_something_new_counts_whole() -> None:
    """One match that is new is enough: a block is the unit."""
    results = [
        played(0, "x", "oak elm", 1, 2, play=7),
        played(1, "x", "elm oak", 1, 2, play=8),
        played(2, "y", "oak elm", 1, 2, play=7),
        played(3, "y", "elm oak", 1, 2, play=9),
    ]
    blocks = fold_blocks(results)
    assert blocks.counts == {(won("elm", "oak"), won("oak", "elm")): 2}
    assert blocks.weightless == 0


def test_what_does_not_count_is_not_repeated() -> None:
    """A match of a block that lacks another one makes no later match a repeat."""
    results = [
        played(0, "x", "oak elm", 1, 2, play=7),
        played(2, "y", "oak elm", 1, 2, play=7),
        played(3, "y", "elm oak", 1, 2, play=8),
    ]
    assert sum(fold_blocks(results).counts.values()) == 1


def test_tournaments_do_not_share_blocks() -> None:
    """Blocks of one name in two tournaments are two blocks."""
    results = [played(0, "x", "oak elm", 1, 2, owner=1), played(0, "x", "oak elm", 1, 2, owner=2)]
    blocks = fold_blocks(results)
    assert blocks.counts == {}
    assert len(blocks.unfinished) == 2


def test_others_who_play_the_same_repeat_nothing() -> None:
    """The same actions between other entrants are another match."""
    results = [
        played(0, "x", "oak elm", 1, 2, play=7),
        played(1, "x", "elm oak", 1, 2, play=8),
        played(2, "y", "oak2 elm", 1, 2, play=7),
        played(3, "y", "elm oak2", 1, 2, play=8),
    ]
    assert sum(fold_blocks(results).counts.values()) == 2


def test_outcomes_list_the_best_first() -> None:
    """An outcome is the same from every seat; those who tie are in the order of names."""
    assert outcome_of(("c", "a", "b"), (2, 1, 2)) == (("a", "b", "c"), (1, 2, 2))
    assert outcome_of(("b", "c", "a"), (2, 2, 1)) == (("a", "b", "c"), (1, 2, 2))


@st.composite
def schedules(draw: st.DrawFn) -> list[Played]:
    """Return matches of blocks of two, of few bots, with gaps and repeats, in schedule order."""
    found = []
    for block in range(draw(st.integers(0, 12))):
        one, other = draw(st.permutations("abc"))[:2]
        for seating, names in enumerate((f"{one} {other}", f"{other} {one}")):
            ranks = draw(st.sampled_from([(1, 2), (2, 1), (1, 1)]))
            play = draw(st.integers(1, 4))
            if draw(st.integers(0, 9)):
                found.append(played(2 * block + seating, str(block), names, *ranks, play=play))
    return found


@given(schedules(), st.randoms(use_true_random=False))
def test_going_on_is_the_same(results: list[Played], rng: random.Random) -> None:
    """Folded in parts, kept as text in between, or at once: the same counts."""
    whole = fold_blocks(results)
    cuts = sorted(rng.choices(range(len(results) + 1), k=3))
    state = Blocks()
    for part in _parts(results, cuts):
        state = again(fold_blocks(part, state))
    assert (state.last, state.counts, state.weightless) == (
        *(whole.last, whole.counts, whole.weightless),
    )
    assert state.unfinished == whole.unfinished
    assert state.digest() == whole.digest()


def _parts(results: Sequence[Played], cuts: Sequence[int]) -> list[Sequence[Played]]:
    ends = [0, *cuts, len(results)]
    return [results[begin:end] for begin, end in pairwise(ends)]
