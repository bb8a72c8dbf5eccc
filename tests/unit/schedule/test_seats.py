"""Who sits where in the seatings of one block."""

from __future__ import annotations

from arena.schedule.seats import seating
from arena.schedule.seeds import block_seed, bot_seed, deal_seed, match_id


def test_two_players_sit_by_name_then_swapped() -> None:
    """The first seating of a pair is in the order of the names, the second the other way round."""
    names = ("random", "greedy")
    assert seating(names, 0, 5, "leaves", 0) == ("greedy", "random")
    assert seating(names, 1, 5, "leaves", 0) == ("random", "greedy")


def test_four_players_rotate() -> None:
    """Each seating moves everybody on by one seat, so that everybody sits everywhere once."""
    names = ("a", "b", "c", "d")
    seatings = [seating(names, i, 5, "pebbles", 0) for i in range(4)]
    for i, seats in enumerate(seatings):
        assert seats == seatings[0][i:] + seatings[0][:i]
    for seat in range(4):
        assert {seats[seat] for seats in seatings} == set(names)


def test_the_cyclic_order_changes_from_block_to_block() -> None:
    """Over 60 blocks all six cyclic orders of four players occur."""

    def cyclic(k: int) -> tuple[str, ...]:
        seats = seating(("a", "b", "c", "d"), 0, 5, "pebbles", k)
        start = seats.index("a")
        return seats[start:] + seats[:start]

    assert len({cyclic(k) for k in range(60)}) == 6


# seeds and match ids are what ``sha256sum`` says of their texts, whoever computes them


def test_deal_seed_is_the_first_eight_bytes() -> None:
    """The deal's seed is the first 16 digits that sha256sum prints, the whole 64 bits."""
    # printf %s 'arena/1|2026|deal|leaves|0' | sha256sum
    assert deal_seed(2026, "leaves", 0) == 0x40DB0324D40FDA7B
    assert deal_seed(2026, "leaves(tree=plus)", 3) == 0xDD7ADA5C00C19D50


def test_bot_seed_is_below_two_to_the_63() -> None:
    """A bot's seed is those digits without the top bit: by seat, whatever the order of names."""
    # 'arena/1|2026|bot|leaves|greedy+random|0|1|0' and …|1
    assert bot_seed(2026, "leaves", ("greedy", "random"), 0, 1, 0) == 0x7E65CCF8BC1892F1
    assert bot_seed(2026, "leaves", ("greedy", "random"), 0, 1, 1) == 0x26EACB66D1407EFB
    assert bot_seed(2026, "leaves", ("random", "greedy"), 0, 1, 0) == 0x7E65CCF8BC1892F1


def test_block_seed_is_named_after_the_seats() -> None:
    """The cyclic order's seed hashes its own text."""
    # printf %s 'arena/1|2026|seats|pebbles|a+b+c|0' | sha256sum
    assert block_seed(2026, "pebbles", ("c", "a", "b"), 0) == 0xC9626B562BDA2633


def test_match_id_is_sixteen_digits_and_knows_the_edition() -> None:
    """A match's id is the start of the hash over edition, block and seating."""
    # printf %s 'arena/1|match|leaves-open|leaves(tree=plus)|greedy+random|3|0' | sha256sum
    block = "leaves(tree=plus)|greedy+random|3"
    assert match_id("leaves-open", block, 0) == "b9dbeae0f31058e2"
    assert match_id("leaves-open#2", block, 0) == "30ae166d41bc5b1f"
