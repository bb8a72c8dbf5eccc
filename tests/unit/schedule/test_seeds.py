"""Seeds and match ids are what ``sha256sum`` says of their texts, whoever computes them."""

from __future__ import annotations

import hashlib

from arena.schedule.seeds import block_seed, bot_seed, deal_seed, match_id


def test_deal_seed_is_the_first_eight_bytes() -> None:
    """The deal's seed is the first 16 digits that sha256sum prints, the whole 64 bits."""
    # printf %s 'arena/1|2026|deal|leaves|0' | sha256sum
    assert deal_seed(2026, "leaves", 0) == 0x40DB0324D40FDA7B
    assert deal_seed(2026, "leaves(tree=plus)", 3) == 0xDD7ADA5C00C19D50


def test_bot_seed_is_below_two_to_the_63() -> None:
    """A bot's seed is those digits without the top bit, and differs from seat to seat."""
    # 'arena/1|2026|bot|leaves|greedy+random|0|1|0' and …|1
    assert bot_seed(2026, "leaves", ("greedy", "random"), 0, 1, 0) == 0x7E65CCF8BC1892F1
    assert bot_seed(2026, "leaves", ("greedy", "random"), 0, 1, 1) == 0x26EACB66D1407EFB


def test_bot_seed_does_not_depend_on_the_order_of_names() -> None:
    """The entrants are sorted before they are joined."""
    one = bot_seed(2026, "leaves", ("greedy", "random"), 0, 1, 0)
    assert one == bot_seed(2026, "leaves", ("random", "greedy"), 0, 1, 0)


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


def test_names_are_hashed_as_utf8() -> None:
    """A name outside ASCII is hashed as its UTF-8 bytes."""
    text = b"arena/1|match|t|leaves|elm+\xc3\xa9rable|0|1"
    assert match_id("t", "leaves|elm+érable|0", 1) == hashlib.sha256(text).hexdigest()[:16]
