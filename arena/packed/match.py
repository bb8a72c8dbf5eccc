"""A finished match as the store keeps it: its record, packed, and what tables are made from.

Making it takes longer than storing it, and needs no store: a worker can do it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from arena.packed.record_text import NO_DICTIONARY, Dictionary, pack_text, record_hash
from arena.packed.said import pack_words
from arena.record.record import format_record
from arena.stats.weights import moves_hash
from arena.values.costs import NO_COSTS, Costs
from arena.values.model import MatchResult, Record, Termination
from arena.values.moments import moment_ms


class StoredMatch(NamedTuple):
    """A match that counts; everything per seat stands in seat order.

    ``ranks`` are the record's; of somebody who played alone 1 if the score is above 0 (solved), and
    2 if not. ``faults`` are ``(seat, code)``; ``answers`` counts the decisions that were answered,
    by the bot or for it, ``charged_us`` is the time charged for them, ``costs`` what they cost, if
    anybody's cost anything. ``moves_hash`` is equal for
    two matches with the same deal and the same actions, no matter which bots played them.
    ``started`` is in ms since 1970. ``data`` is the record's text, packed with the dictionary that
    has this number, and ``hash`` that of the record's row. ``said`` and ``wrote`` are what bots
    said beside it, packed.

    A named tuple, since every match comes out of a worker as one, and a frozen dataclass takes
    several times as long to be sent.
    """

    id: str
    number: int
    game: str
    block: str
    seating: int
    by: str
    entrants: tuple[str, ...]
    ranks: tuple[int, ...]
    faults: tuple[tuple[int, str], ...]
    answers: tuple[int, ...]
    charged_us: tuple[int, ...]
    moves_hash: int
    started: int | None
    costs: tuple[Costs, ...]
    dictionary: int
    data: bytes
    hash: bytes
    said: bytes = b""
    wrote: bytes = b""


def pack(
    result: MatchResult, dictionary: Dictionary = NO_DICTIONARY, text: str | None = None
) -> StoredMatch:
    """Write a match's record and what was said, and take from it what tables are made from.

    Args:
        result: the match.
        dictionary: what its tournament's records are packed with.
        text: the record as it was written before, if it was.

    Raises:
        ValueError: the match is void; it never counts.
    """
    record = result.record
    if record.by is Termination.VOID:
        raise ValueError(f"match {record.id} is void")
    answers = [0] * len(record.players)
    charged_ms = [0.0] * len(record.players)
    for (player, action), decision in zip(record.actions, record.decisions, strict=True):
        if action is not None:
            answers[player] += 1
            charged_ms[player] += decision.charged_ms
    number, data = pack_text(format_record(record) if text is None else text, dictionary)
    costs = tuple([player.costs for player in record.players])
    return StoredMatch(
        id=record.id,
        number=result.number,
        game=record.game,
        block=record.block,
        seating=record.seating,
        by=record.by.value,
        entrants=tuple([player.bot for player in record.players]),
        ranks=record.ranks if len(record.ranks) > 1 else _alone(record),
        faults=tuple([(fault.player, fault.code.value) for fault in record.faults]),
        answers=tuple(answers),
        charged_us=tuple([round(ms * 1000) for ms in charged_ms]),
        moves_hash=moves_hash_of(record),
        started=moment_ms(record.started),
        costs=costs if any(each != NO_COSTS for each in costs) else (),
        dictionary=number,
        data=data,
        hash=record_hash(record.id, number, data) or b"",
        said=pack_words(result.said),
        wrote=pack_words(result.wrote),
    )


def _alone(record: Record) -> tuple[int]:
    """Rank a player that played alone against the task: it is solved, or it is not."""
    return (1,) if record.scores is not None and record.scores[0] > 0 else (2,)


def moves_hash_of(record: Record) -> int:
    """Return what was played, as ``StoredMatch.moves_hash``."""
    deal = [record.game, record.setup, *_moves(record.opening)]
    return moves_hash("\n".join(deal), "\n".join(_moves(record.actions)))


def _moves(actions: Iterable[tuple[int, str | None]]) -> list[str]:
    """Write actions as ``PLAYER ACTION``, a drop without an action."""
    return [f"{player} {action or ''}" for player, action in actions]
