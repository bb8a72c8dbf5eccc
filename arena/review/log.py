"""What the bots of a match said, and what went through their pipes, decision by decision."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.record.passages import Passage, fault_words, passages, seat_log, seat_wire
from arena.record.recorded import blocks_sent, check_seat
from arena.review.reproduction import find_record, is_file
from arena.store import open_store
from arena.values.arguments import PathLike, path_of
from arena.values.errors import StoreError, StoreUnavailable, UsageError
from arena.values.model import MatchResult, Record
from arena.values.said import Pieces


@dataclass(frozen=True, slots=True)
class MatchLog:
    """What was said in a match.

    Attributes:
        record: of the match.
        passages: in the order of the match; those at which nothing was said are left out.
        stored: whether all that was kept is here. A record file has only the last words of those
            who were at fault, and so has a match of a bundle.
        damaged: whether what was kept is not as it was written, and left out.
    """

    record: Record
    passages: tuple[Passage, ...]
    stored: bool = True
    damaged: bool = False


def match_log(
    match: PathLike,
    home: PathLike,
    *,
    seat: int | None = None,
    wire: bool = False,
    sent: bool = False,
) -> MatchLog:
    """Return what the bots of a match wrote to stderr, by `log` and by `info`, by decisions.

    Args:
        match: an id, the beginning of one, or a record file.
        home: the arena's home.
        seat: only that one's; ``None``: everybody's.
        wire: all lines that went through the bots' pipes, in both directions. What was sent is made
            again from the record and its engine; an answer that counts is `play ACTION D`, however
            it was written.
        sent: instead of all that, the lines that were sent to the seat alone, as one that plays one
            match reads them, from `hello` to `quit`.

    Raises:
        EngineError: the lines sent are asked for, and the game is not here.
        RecordError: there is no such match, or the rules do not accept its record.
        StoreError: what was said is damaged.
        UsageError: there is no such seat; or none is named for ``sent``, and there are several.
    """
    home = path_of(home, "home")
    record = find_record(match, home, shown=True)
    seats = _seats(record, seat)
    if sent:
        if len(seats) > 1:
            raise UsageError("--sent needs --seat P: the lines sent to which seat?")
        return MatchLog(record, blocks_sent(record, seats[0]))
    return _log(record, None if is_file(match) else home, seats, wire=wire)


def log_to_show(match: PathLike, home: PathLike, *, words: bool = True) -> MatchLog:
    """Return what a page shows of a match, which damaged words alone do not prevent.

    Args:
        match: an id, the beginning of one, or a record file.
        home: the arena's home.
        words: ``False``: what the bots wrote is not even read.

    Raises:
        RecordError: there is no such match, or the rules do not accept its record.
        StoreError: the record is damaged.
    """
    home = path_of(home, "home")
    record = find_record(match, home, shown=True)
    if not words:
        return MatchLog(record, ())
    try:
        return _log(record, None if is_file(match) else home, _seats(record, None), wire=False)
    except StoreUnavailable:
        raise
    except StoreError:
        return MatchLog(record, (), stored=False, damaged=True)


def log_of(result: MatchResult) -> MatchLog:
    """Return what the bots of a match said that was just played."""
    seats = range(len(result.record.players))
    found = _passages(result.record, seats, result.said, result.wrote, wire=False)
    return MatchLog(result.record, found)


def _log(record: Record, home: Path | None, seats: Sequence[int], *, wire: bool) -> MatchLog:
    """Return what was said; ``home`` is that of the store, ``None`` for a record file."""
    if home is not None:
        with open_store(home, create=False) as store:
            said, wrote, known = store.said(store.matches.inspect(record.id), len(record.players))
        if known:
            return MatchLog(record, _passages(record, seats, said, wrote, wire=wire))
    said = tuple([fault_words(record, player) for player in range(len(record.players))])
    found = _passages(record, seats, said, [None] * len(said), wire=wire)
    return MatchLog(record, found, stored=False)


def _seats(record: Record, seat: int | None) -> Sequence[int]:
    if seat is None:
        return range(len(record.players))
    check_seat(record, seat)
    return (seat,)


def _passages(
    record: Record,
    seats: Sequence[int],
    said: Sequence[Pieces],
    wrote: Sequence[Pieces | None],
    *,
    wire: bool,
) -> tuple[Passage, ...]:
    if wire:
        every = [
            seat_wire(record, seat, said[seat], wrote[seat], blocks_sent(record, seat))
            for seat in seats
        ]
    else:
        every = [seat_log(record, seat, said[seat]) for seat in seats]
    return passages(record, [passage for found in every for passage in found])
