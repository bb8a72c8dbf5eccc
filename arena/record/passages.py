"""A match decision by decision: what the bot was sent, what it said, and what it answered."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from arena.values.model import Decision, Record
from arena.values.said import NOTHING_SAID, Piece, Pieces, SaidWhere

INFO = "info"  # the source of what a bot reported with an answer, as the record has it
SENT = "sent"  # that of a line that was sent to a bot
ANSWER = "answer"  # that of an answer that counts, as `play ACTION D`, however the bot wrote it


class OutputLine(NamedTuple):
    """One line without its line feed.

    ``source`` is ``INFO``, ``SENT``, ``ANSWER``, or that of a ``Piece``.
    """

    source: str
    data: bytes


class Passage(NamedTuple):
    """All lines of one seat that belong to one decision.

    Attributes:
        seat: whose they are.
        decision: the D of the bot's `go`; 0: before the first; ``None``: the end of its match.
        answer: where the record's actions have its result; ``None`` where nothing is asked, or
            counts any more, as another's drop at the same node ended the game.
        lines: in order, as far as that is known.
        exact: whether the lines sent are known to the byte.
        limit_ms: for the answer, if these are the lines sent, which ask for one.
    """

    seat: int
    decision: int | None
    answer: int | None
    lines: tuple[OutputLine, ...]
    exact: bool = True
    limit_ms: int = 0


def seat_log(record: Record, seat: int, said: Pieces) -> list[Passage]:
    """Return what a bot said, by decisions; nothing for those at which it said nothing.

    What it reported by `info` comes last, as what it wrote before and after is not known.
    """
    places, lines = _places(record, seat), _by_decision(said)
    for decision, index in places.items():
        if info := record.decisions[index].info:
            text = " ".join([f"{key}={value}" for key, value in info])
            lines.setdefault(decision, []).append(OutputLine(INFO, text.encode()))
    return [
        Passage(seat, decision, places.get(decision), tuple(found))
        for decision, found in lines.items()
    ]


def seat_wire(
    record: Record, seat: int, said: Pieces, wrote: Pieces | None, sent: Sequence[Passage]
) -> list[Passage]:
    """Return all that goes through a bot's pipes in a match of its own, by decisions.

    Args:
        record: of the match.
        seat: whose.
        said: what it wrote to stderr; lines by `log` are in ``wrote``, too.
        wrote: what it wrote to stdout, except answers; ``None`` where that is not known.
        sent: all that was sent to it, as ``blocks_sent`` says.
    """
    places = _places(record, seat)
    words = _by_decision([piece for piece in said if piece.source is not SaidWhere.LOG])
    written = _by_decision(wrote or NOTHING_SAID)
    blocks = {block.decision: block for block in sent}
    found = []
    for decision in dict.fromkeys([*blocks, *words, *written]):
        block, index = blocks.get(decision), None
        lines = [*block.lines] if block else []
        if decision is not None:
            index = places.get(decision)
            wrote_then = written.get(decision, [])
            lines += words.get(decision, [])
            lines += [line for line in wrote_then if line.source != SaidWhere.AFTER]
            lines += _answer(record, index, decision)
            lines += [line for line in wrote_then if line.source == SaidWhere.AFTER]
        found.append(Passage(seat, decision, index, tuple(lines), block is None or block.exact))
    return found


def passages(record: Record, seats: Iterable[Passage]) -> tuple[Passage, ...]:
    """Return passages of several seats in the order of the match."""
    drops = {player: index for index, (player, action) in enumerate(record.actions) if not action}
    last = len(record.actions)

    def place(passage: Passage) -> tuple[float, int]:
        if passage.decision is None:  # who is dropped learns it at once
            return drops.get(passage.seat, last) + 0.5, passage.seat
        if passage.decision == 0:
            return -1, passage.seat
        return last if passage.answer is None else passage.answer, passage.seat

    return tuple(sorted(seats, key=place))


def fault_words(record: Record, seat: int) -> Pieces:
    """Return what a record alone holds of a bot's words: the last lines of a faulty one's."""
    return tuple(
        Piece(fault.decision, SaidWhere.STDERR, fault.stderr.encode("utf-8", "backslashreplace"))
        for fault in record.faults
        if fault.player == seat and fault.stderr
    )


def _places(record: Record, seat: int) -> dict[int, int]:
    """Return where the record's actions have the result of each decision of a seat."""
    dropped_at = {fault.player: fault.decision for fault in record.faults}
    places: dict[int, int] = {}
    asked = 0
    for index, (player, action) in enumerate(record.actions):
        if player != seat:
            continue
        if action is not None:
            asked += 1
            places[asked] = index
        else:  # for what it answered, or for what it wrote unasked
            waited = record.decisions[index][:3] != Decision()[:3]
            places.setdefault(dropped_at.get(seat, asked + waited), index)
    return places


def _by_decision(pieces: Iterable[Piece]) -> dict[int, list[OutputLine]]:
    found: dict[int, list[OutputLine]] = {}
    for piece in pieces:
        lines = piece.data.split(b"\n")
        if not lines[-1]:
            lines.pop()
        found.setdefault(piece.decision, []).extend(
            OutputLine(piece.source, line) for line in lines
        )
    return found


def _answer(record: Record, index: int | None, decision: int) -> list[OutputLine]:
    """Return the bot's answer to a decision, if one counts."""
    if index is None or record.decisions[index].forced or record.actions[index][1] is None:
        return []
    return [OutputLine(ANSWER, f"play {record.actions[index][1]} {decision}".encode("ascii"))]
