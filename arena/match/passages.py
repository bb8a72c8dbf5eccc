"""A match told decision by decision: what the bot was sent, what it said, and what it answered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from arena.match.recorded import Block
from arena.model import Decision, Record
from arena.said import NOTHING_SAID, Piece, Pieces, Source

__all__ = [
    "INFO",
    "SENT",
    "SPELT",
    "Line",
    "Passage",
    "passages",
    "fault_words",
    "seat_log",
    "seat_sent",
    "seat_wire",
]

INFO = "info"  # the source of what a bot reported with an answer, as the record has it
SENT = "sent"  # that of a line that was sent to a bot
SPELT = "spelt"  # that of an answer whose action is known, and not how the bot wrote it


class Line(NamedTuple):
    """One line without its line feed.

    ``source`` is ``INFO``, ``SENT``, ``SPELT``, or that of a ``Piece``.
    """

    source: str
    data: bytes


class Passage(NamedTuple):
    """All lines of one seat that belong to one decision.

    Attributes:
        seat: whose they are.
        decision: the D of the bot's `go`; 0: before the first; ``None``: the end of its match.
        answer: where the record's actions have what came of it, if they do.
        lines: in order, as far as that is known.
        exact: whether the lines sent are known to the byte.
    """

    seat: int
    decision: int | None
    answer: int | None
    lines: tuple[Line, ...]
    exact: bool = True


def seat_log(record: Record, seat: int, said: Pieces) -> list[Passage]:
    """Return what a bot said, by decisions; nothing for those at which it said nothing.

    What it reported by `info` comes last, as what it wrote before and after is not known.
    """
    places, lines = _places(record, seat), _by_decision(said)
    for decision, index in places.items():
        if info := record.decisions[index].info:
            text = " ".join([f"{key}={value}" for key, value in info])
            lines.setdefault(decision, []).append(Line(INFO, text.encode()))
    return [
        Passage(seat, decision, places.get(decision), tuple(found))
        for decision, found in lines.items()
    ]


def seat_wire(
    record: Record, seat: int, said: Pieces, wrote: Pieces | None, sent: Sequence[Block]
) -> list[Passage]:
    """Return all that went through a bot's pipes, by decisions.

    Args:
        record: of the match.
        seat: whose.
        said: what it wrote to stderr; lines by `log` are in ``wrote``, too.
        wrote: what it wrote to stdout, but for usual answers; ``None`` where that is not known.
        sent: all that was sent to it, as ``blocks_sent`` says.
    """
    told = sent if wrote is None else _as_processes_are_kept(sent, wrote)
    places = _places(record, seat)
    words = _by_decision([piece for piece in said if piece.source is not Source.LOG])
    written = _by_decision([piece for piece in wrote or NOTHING_SAID if piece.data])
    blocks = {block.decision: block for block in told}
    found = []
    for decision in dict.fromkeys([*blocks, *words, *written]):
        block = blocks.get(decision)
        lines = _lines_sent(block) if block else []
        if decision is not None:
            lines += words.get(decision, [])
            answer = _usual_answer(record, places.get(decision), decision, wrote)
            lines += _with_answer(written.get(decision, []), answer)
        index = None if decision is None else places.get(decision)
        found.append(Passage(seat, decision, index, tuple(lines), block is None or block.exact))
    return found


def seat_sent(seat: int, sent: Iterable[Block]) -> list[Passage]:
    """Return all that was sent to a bot, by decisions."""
    return [
        Passage(seat, block.decision, block.answer, tuple(_lines_sent(block)), block.exact)
        for block in sent
    ]


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
        Piece(fault.decision, Source.STDERR, fault.stderr.encode("utf-8", "backslashreplace"))
        for fault in record.faults
        if fault.player == seat and fault.stderr
    )


def _lines_sent(block: Block) -> list[Line]:
    return [Line(SENT, line.encode("ascii")) for line in block.lines]


def _places(record: Record, seat: int) -> dict[int, int]:
    """Return where the record's actions have what came of each decision of a seat."""
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


def _by_decision(pieces: Iterable[Piece]) -> dict[int, list[Line]]:
    found: dict[int, list[Line]] = {}
    for piece in pieces:
        lines = piece.data.split(b"\n")
        if not lines[-1]:
            lines.pop()
        found.setdefault(piece.decision, []).extend(Line(piece.source, line) for line in lines)
    return found


def _as_processes_are_kept(sent: Sequence[Block], wrote: Pieces) -> Iterator[Block]:
    """Yield blocks without the greeting and `quit` of a process that was kept for many matches.

    Who wrote nothing before the game was not greeted in this match; only one that was never ready,
    which a record says, may have been silent. Who was not greeted is expected to be kept after it.
    """
    greeted = any(one.source is Source.STDOUT and one.decision == 0 for one in wrote)
    marks = {one.source for one in wrote}
    never_ready = len(sent) == 1
    for block in sent:
        if block.decision == 0:
            if greeted or never_ready:
                yield block
        elif block.decision is None:
            kept = Source.KEPT in marks if greeted else Source.DISMISSED not in marks
            yield block._replace(lines=block.lines[:-1]) if kept else block
        else:
            yield block


def _usual_answer(
    record: Record, index: int | None, decision: int, wrote: Pieces | None
) -> Line | None:
    """Return the answer to a decision, if it was a usual one, or nothing else is known of it."""
    if index is None or record.decisions[index].forced:
        return None
    action = record.actions[index][1]
    if action is not None and wrote is None:
        return Line(SPELT, f"play {action}".encode("ascii"))
    if (
        action is None
        or wrote is None
        or any(one.decision == decision and one.source is Source.ANSWER for one in wrote)
    ):
        return None
    changes = [one for one in wrote if one.source in (Source.UNNUMBERED, Source.NUMBERED)]
    last = [one.source for one in changes if one.decision <= decision][-1:]
    number = "" if last == [Source.UNNUMBERED] else f" {decision}"
    return Line(Source.ANSWER, f"play {action}{number}".encode("ascii"))


def _with_answer(lines: list[Line], answer: Line | None) -> list[Line]:
    if answer is None:
        return lines
    before = [line for line in lines if line.source != Source.AFTER]
    after = [line for line in lines if line.source == Source.AFTER]
    return [*before, answer, *after]
