"""What a bundle says, held against the rules, its own tournament and its bots; no home is needed.

Nothing of a bot is run here. Where two things in a bundle contradict one another, or the rules, a
sentence says so.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from arena.bots.travel import unpack_bot
from arena.bundle.contents import Bundle, Carried, Head
from arena.bundle.manifest import ROUNDS
from arena.bundle.rounds import RoundsCheck
from arena.errors import BotError, BundleError
from arena.inspection import contradictions
from arena.match.limits import limit_differences, time_differences
from arena.match.replay import verify
from arena.model import BotEntry, Clock, Player, Record, Termination
from arena.owner import name_part
from arena.store.entrants import Entry

__all__ = ["Finding", "Tell", "check_bots", "check_matches"]

Tell = Callable[[int, int], None]
"""Is called with how many matches are done, and how many there are."""


class Finding(NamedTuple):
    """One match of a bundle, and what is wrong with it: nothing, or a sentence each.

    ``where`` says where it stands. A round has no match.
    """

    where: str
    wrong: tuple[str, ...]
    carried: Carried | None = None


def check_matches(bundle: Bundle, tell: Tell = lambda done, total: None) -> Iterator[Finding]:
    """Yield every match with what is wrong with it, in schedule order, and rounds that are wrong.

    Raises:
        BundleError: the bundle ends, or an entry is not what the manifest says.
    """
    head, total = bundle.head, bundle.head.manifest.matches
    differences = partial(_differences, head, _Expected(head))
    rounds = RoundsCheck(head)
    for done, carried in enumerate(bundle.matches(), start=1):
        where = f"{carried.where}, match {carried.record.id}"
        wrong = tuple(differences(carried))
        yield Finding(where, wrong, carried)
        if not wrong:
            yield from (Finding(ROUNDS, (said,)) for said in rounds.add(carried))
        tell(done, total)
    yield from (Finding(ROUNDS, (said,)) for said in rounds.end())


def check_bots(bundle: Bundle) -> int:
    """Return how many bots are in a bundle, each of which is the one of its hash.

    Raises:
        BundleError: one is not, or nobody of that hash is entered.
    """
    known = {entry.hash for entry in bundle.head.manifest.entries}
    count = 0
    for digest, archive in bundle.bots():
        where = f"{bundle.path}: bots/{digest.removeprefix('sha256:')}.tar"
        if digest not in known:
            raise BundleError(f"{where}: no entrant has this bot")
        with tempfile.TemporaryDirectory(prefix=f"arena-bundle-{name_part()}-") as scratch:
            try:
                unpack_bot(archive, digest, Path(scratch))
            except BotError as error:
                raise BundleError(f"{where}: {error}") from None
        count += 1
    return count


class _Expected:
    """What the records of a tournament have in common, and what they say of each entrant."""

    def __init__(self, head: Head) -> None:
        tournament, config = head.tournament, json.loads(head.manifest.edition.config)
        lines = {entry.name: entry for entry in tournament.bots}
        self.label = head.manifest.edition.label
        self.common = tournament.clock
        self.rules = {game: int(text.split()[-1]) for game, text in config["games"].items()}
        self.players = {
            entry.name: _player(entry, lines[entry.line or entry.name], tournament.memory_bytes)
            for entry in head.manifest.entries
        }


class _Given(NamedTuple):
    """What a record says of an entrant, whatever the match."""

    bot: str
    version: int
    hash: str
    args: tuple[str, ...]
    env: Mapping[str, str]
    clock: Clock | None
    memory: int


def _player(entry: Entry, line: BotEntry, memory: int) -> _Given:
    own = line.memory_bytes
    return _Given(
        *(entry.name, entry.version, entry.hash, entry.args),
        *(dict(line.env), line.clock, memory if own is None else own),
    )


def _differences(head: Head, expected: _Expected, carried: Carried) -> Iterator[str]:
    match, record = carried.match, carried.record
    if record.tournament != expected.label:
        yield f"it is of {record.tournament}, not of {expected.label}"
    names = tuple(player.bot for player in record.players)
    found: tuple[Any, ...] = (record.game, record.block, record.seating, names)
    if found != (match.game, match.block, match.seating, match.seats):
        yield (
            f"number {match.number} of the schedule is block {match.block}, seating "
            f"{match.seating}, with {', '.join(match.seats)}; not block {record.block}, seating "
            f"{record.seating}, with {', '.join(names)}"
        )
        return
    yield from contradictions(head.manifest.edition, match, record)
    yield from _terms(head, expected, record)
    setups = head.tournament.opening.setups
    if setups and (record.setup != setups[match.k % len(setups)] or record.opening):
        yield f"its setup is not that of block {match.k}"
    for place, player in enumerate(record.players):
        if _given(player) != expected.players[player.bot]:
            yield f"player {place} ({player.bot}) is not the entrant of that name"
    if record.by is Termination.VOID or record.unplayed:
        yield "it was not played"
        return
    if wrong := list(time_differences(record)):
        yield from wrong
        return
    yield from verify(record)


def _terms(head: Head, expected: _Expected, record: Record) -> Iterator[str]:
    """Yield what of a record is not as the tournament's file has it for all matches."""
    tournament = head.tournament
    pairs: dict[str, tuple[object, object]] = {
        "clock": (record.clock, expected.common),
        "on_timeout": (record.on_timeout, tournament.on_timeout),
        "ponder": (record.ponder, tournament.ponder),
        "rules_version": (record.rules_version, expected.rules[record.game]),
    }
    for key, (found, given) in pairs.items():
        if found != given:
            yield f"its {key} is not that of the tournament"
    yield from limit_differences(record, tournament.max_decisions)


def _given(player: Player) -> _Given:
    return _Given(
        *(player.bot, player.version, player.hash, player.args),
        *(dict(player.env), player.clock, player.memory_bytes),
    )
