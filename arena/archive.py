"""Matches found again: by id in the home or as a record file, verified, played again.

A match is named by its id, by a unique beginning of it, or by the path of a file with its record.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from arena.errors import RecordError
from arena.model import MatchJob, MatchResult, Record, Seat, Termination
from arena.record import parse_record
from arena.referee.audit import leaks
from arena.referee.cgroups import settle
from arena.referee.driver import play_match
from arena.referee.replay import first_difference, replay_states, verify
from arena.referee.sandbox import AUTO
from arena.referee.sandbox.choose import settle_level
from arena.roster import recall
from arena.single import HUMAN
from arena.store import open_store
from arena.untrusted import show
from engines import EngineError, State

__all__ = ["Reproduction", "find_record", "find_records", "positions", "reproduce", "verify_all"]


@dataclass(frozen=True, slots=True)
class Reproduction:
    """A match played again: the new one, and the first difference, ``None`` if it is identical."""

    old: Record
    new: MatchResult
    difference: str | None


def find_record(match: str, home: Path) -> Record:
    """Return the record that a person means by an id, the beginning of one, or a file.

    Raises:
        RecordError: there is none, or several; or the file is no record.
    """
    path = Path(match)
    if "/" in match or path.suffix or (len(match) < 255 and path.is_file()):
        return _read(path)
    with open_store(home, create=False) as store:
        return parse_record(store.matches.text(match))


def positions(record: Record) -> list[State]:
    """Return the positions of a match from its setup on, one more than there are actions.

    Raises:
        RecordError: the rules do not accept the record.
    """
    try:
        return replay_states(record)
    except (EngineError, ValueError) as error:
        raise RecordError(f"match {show(record.id)}: the rules do not accept it: {error}") from None


def find_records(matches: tuple[str, ...], home: Path) -> Iterator[Record]:
    """Yield the records of these matches; of every match in the home if none is named."""
    for match in matches:
        yield find_record(match, home)
    if not matches:
        with open_store(home, create=False) as store:
            for text in chain(store.matches.texts(counted=False), store.matches.forfeits()):
                yield parse_record(text)


def verify_all(
    matches: tuple[str, ...], home: Path, *, audit: bool = False
) -> Iterator[tuple[Record, list[str]]]:
    """Yield each match with what is wrong with it (nothing: it is all right).

    Args:
        matches: ids or files; none: every match of the home.
        home: the arena's home.
        audit: also look for questions that depend on what the player may not know.
    """
    for record in find_records(matches, home):
        wrong = verify(record)
        yield record, wrong + leaks(record) if audit and not wrong else wrong


def reproduce(match: str, home: Path, sandbox: str = AUTO) -> Reproduction:
    """Play a match again with the same bots, arguments, seeds, clock, setup and opening.

    Args:
        match: an id, the beginning of one, or a file.
        home: the arena's home.
        sandbox: the level at which the bots are isolated; a record is nobody's consent to less.

    Raises:
        UsageError: the level does not work on this machine.
        RecordError: there is no such match, or it was never played.
        BotError: a bot's program is not here any more.
    """
    record = find_record(match, home)
    if record.unplayed:
        away = " and ".join(f'"{record.players[fault.player].bot}"' for fault in record.faults)
        raise RecordError(
            f"match {record.id} was never played, so there is nothing to play again: "
            f"{away} forfeited it ({record.faults[0].detail if record.faults else record.by})"
        )
    settle()
    level = settle_level(sandbox)
    result = play_match(_job(record, home, level))
    difference = first_difference(record, result.record)
    if difference is not None and level != record.sandbox:
        difference += (
            f'; bots were isolated by "{record.sandbox}" then, and by "{level}" now: '
            f"--sandbox {record.sandbox} does as then"
        )
    return Reproduction(record, result, difference)


def _read(path: Path) -> Record:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise RecordError(f'cannot read the record file "{path}": {error}') from None
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) != 1:
        raise RecordError(f'"{path}" holds {len(lines)} lines; a record file has one record')
    return parse_record(lines[0])


def _job(record: Record, home: Path, sandbox: str) -> MatchJob:
    """Return the job of the same match; what the bots were given is all in the record."""
    if any(player.bot.partition("#")[0] == HUMAN for player in record.players):
        raise RecordError("a person played in this match, who cannot be asked to do it again")
    seats = tuple(
        Seat(
            entrant=player.bot,
            bot=recall(player.bot, player.version, player.hash, home),
            args=player.args,
            env=player.env,
            clock=player.clock or record.clock,
            memory_bytes=player.memory_bytes,
            seed=player.seed,
        )
        for player in record.players
    )
    return MatchJob(
        id=record.id,
        tournament=record.tournament,
        number=0,
        block=record.block,
        seating=record.seating,
        game=record.game,
        seed=record.seed,
        seats=seats,
        setup=record.setup,
        opening_actions=record.opening,
        on_timeout=record.on_timeout,
        ponder=record.ponder,
        draw=record.draw,
        max_decisions=len(record.actions) if record.by is Termination.MAXMOVES else None,
        sandbox=sandbox,
        clock=record.clock,
    )
