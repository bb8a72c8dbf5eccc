"""Where every seed and every match's name come from: SHA-256 over what identifies them.

Nothing here depends on how many bots, rounds or workers there are. All pairings therefore meet the
same deals, and adding bots or rounds changes no deal and no match.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

_BOT_SEED_MASK = (1 << 63) - 1


def deal_seed(tournament_seed: int, game: str, k: int) -> int:
    """Return the seed of the deal and the opening of block ``k``: below 2^64, for every pairing.

    Args:
        tournament_seed: the tournament's one seed.
        game: the game's canonical name.
        k: the number of the block within its pairing, from 0.

    >>> deal_seed(2026, "leaves", 0) == deal_seed(2026, "leaves", 1)
    False
    """
    return _seed(f"arena/1|{tournament_seed}|deal|{game}|{k}")


def bot_seed(
    tournament_seed: int, game: str, entrants: Iterable[str], k: int, seating: int, seat: int
) -> int:
    """Return the seed that the bot in one seat of one match gets: below 2^63.

    Args:
        tournament_seed: the tournament's one seed.
        game: the game's canonical name.
        entrants: the names of those who meet, in any order.
        k: the number of the block within its pairing, from 0.
        seating: the number of the seating within the block, from 0.
        seat: the bot's seat, from 0.
    """
    names = "+".join(sorted(entrants))
    text = f"arena/1|{tournament_seed}|bot|{game}|{names}|{k}|{seating}|{seat}"
    return _seed(text) & _BOT_SEED_MASK


def block_seed(tournament_seed: int, game: str, entrants: Iterable[str], k: int) -> int:
    """Return the seed that the order of the seats of one block is drawn from: below 2^64."""
    return _seed(f"arena/1|{tournament_seed}|seats|{game}|{'+'.join(sorted(entrants))}|{k}")


def round_seed(tournament_seed: int, format_: str, number: int) -> int:
    """Return the seed that a round's order among equals is drawn from: below 2^64."""
    return _seed(f"arena/1|{tournament_seed}|round|{format_}|{number}")


def study_seed(study: str, seed: int) -> int:
    """Return the seed of a tournament that a command such as ``balance`` makes: below 2^128.

    A number that a person writes is small enough for a bot to try all of them.
    """
    return int.from_bytes(hashlib.sha256(f"arena/1|{study}|{seed}".encode()).digest()[:16], "big")


def match_id(edition: str, block: str, seating: int) -> str:
    """Return a match's name, 16 hexadecimal digits.

    Args:
        edition: the tournament's edition, such as ``leaves-open`` or ``leaves-open#2``.
        block: ``Match.block``.
        seating: the number of the seating within the block, from 0.
    """
    return hashlib.sha256(f"arena/1|match|{edition}|{block}|{seating}".encode()).hexdigest()[:16]


def _seed(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
