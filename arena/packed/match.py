"""A finished match as the store keeps it: its record, packed, and what tables are made from.

Making it takes longer than storing it, and needs no store: a worker can do it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from arena.packed.record_text import NO_DICTIONARY, Dictionary, pack_text, row_hash
from arena.packed.said import pack_words
from arena.record.record import format_record
from arena.stats.weights import moves_hash
from arena.values.costs import NO_COSTS
from arena.values.model import MatchResult, Record, Termination
from arena.values.moments import moment_ms
from arena.values.tables import MatchRow

_PACKED: dict[str, Any] = {"data": b"", "hash": b"", "said": b"", "wrote": b""}  # not in a list


def pack(result: MatchResult, dictionary: Dictionary = NO_DICTIONARY) -> MatchRow:
    """Write a match's record, pack it, and return its row; see ``row_of``."""
    return row_of(result, pack_text(format_record(result.record), dictionary))


def row_of(result: MatchResult, packed: Dictionary) -> MatchRow:
    """Return what tables are made from, with a match's packed record and what was said.

    It belongs to no tournament yet: its position has the number of the match alone.

    Args:
        result: the match.
        packed: what ``pack_text`` made of its record's text.

    Raises:
        ValueError: the match is void; it never counts.
    """
    record, (number, data) = result.record, packed
    if record.by is Termination.VOID:
        raise ValueError(f"match {record.id} is void")
    answers = [0] * len(record.players)
    charged_ms = [0.0] * len(record.players)
    for (player, action), decision in zip(record.actions, record.decisions, strict=True):
        if action is not None:
            answers[player] += 1
            charged_ms[player] += decision.charged_ms
    costs = tuple([player.costs for player in record.players])
    return MatchRow(
        position=(0, result.number),
        id=record.id,
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
        started_ms=moment_ms(record.started),
        costs=costs if any(map(NO_COSTS.__ne__, costs)) else (),
        dictionary=number,
        data=data,
        hash=row_hash(record.id, number, data=data),
        said=pack_words(result.said),
        wrote=pack_words(result.wrote),
    )


def is_as_recorded(row: MatchRow, record: Record) -> bool:
    """Return whether lists and tables are made from what a match's record says.

    Times may differ by a microsecond a decision, since the record has them rounded.
    """
    packed = pack(MatchResult(row.number, record))
    times = zip(packed.charged_us, row.charged_us, row.answers, strict=True)
    kept = row._replace(id=record.id, text="", arrived=0, seats=(), counted=True)
    made = packed._replace(position=row.position, charged_us=row.charged_us, **_PACKED)
    return made == kept and all(abs(us - found) <= most for us, found, most in times)


def _alone(record: Record) -> tuple[int]:
    """Rank a player that played alone against the task: it is solved, or it is not."""
    return (1,) if record.scores is not None and record.scores[0] > 0 else (2,)


def moves_hash_of(record: Record) -> int:
    """Return what was played, as ``MatchRow.moves_hash``."""
    deal = [record.game, record.setup, *_moves(record.opening)]
    return moves_hash("\n".join(deal), "\n".join(_moves(record.actions)))


def _moves(actions: Iterable[tuple[int, str | None]]) -> list[str]:
    """Write actions as ``PLAYER ACTION``, a drop without an action."""
    return [f"{player} {action or ''}" for player, action in actions]
