"""What a match leaves beside its record: the bots' own words, piece by piece."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

KEPT = 64 * 1024  # bytes kept of the beginning of what a seat wrote, and again of the end


class SaidWhere(StrEnum):
    """Where a piece comes from.

    The first three are a bot's log. The others are of its stdout, and say what a record does not:
    an answer that counts is in no piece.
    """

    STDERR = "stderr"
    LOG = "log"
    REFEREE = "referee"  # a remark of ours among the others
    STDOUT = "stdout"  # before the answer of that decision
    AFTER = "after"  # after the answer of that decision


class Piece(NamedTuple):
    """Some bytes, as the bot wrote them, with the decision that it was asked for last.

    ``decision`` is the D of the bot's own `go`; 0 before the first.
    """

    decision: int
    source: SaidWhere
    data: bytes


Pieces = tuple[Piece, ...]  # of one seat, in the order in which they were read
NOTHING_SAID: Pieces = ()
