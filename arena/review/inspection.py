"""Records of a tournament compared with the matches that it asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from arena.bots.openings import kept_setups
from arena.packed.match import is_as_recorded
from arena.record.job_check import job_differences
from arena.store import Edition, Store
from arena.store.entrants import Entry
from arena.tournament.kept import kept_tournament
from arena.values.errors import UsageError
from arena.values.model import Bot, Entrant, Match, Opening, Record, Termination, Tournament
from arena.values.tables import MatchRow
from arena.values.untrusted import show
from arena.workers.jobs import JobFactory
from engines.core.text import natural


class AskedMatches:
    """The matches that an edition asks for.

    Args:
        edition: which.
        tournament: its file; of a file of setups, the setups, if they are here.
        entries: who is entered in it.
    """

    def __init__(self, edition: Edition, tournament: Tournament, entries: Sequence[Entry]) -> None:
        self._rules: Mapping[str, int] = edition.config["rules"]
        self._no_setups = bool(edition.config["setups"]) and not tournament.opening.setups
        lines = {line.name: line for line in tournament.bots}
        entrants = {}
        for entry in entries:
            line = lines.get(entry.line or entry.name)
            if line is None:
                continue  # the file has no such line: somebody has altered this home
            own = line.memory_bytes
            entrants[entry.name] = Entrant(
                name=entry.name,
                bot=Bot(entry.bot, entry.version, entry.hash, (), "", line.origin),
                args=entry.args,
                env=line.env,
                clock=line.clock,
                memory_bytes=tournament.memory_bytes if own is None else own,
            )
        tournament = replace(tournament, seed=edition.seed)
        self._jobs = JobFactory(tournament, edition.label, entrants, sandbox="none")
        self._names = entrants.keys()

    def differences(self, match: Match, record: Record) -> Iterator[str]:
        """Yield what of a record is not as the match that was asked for, a sentence each."""
        if unknown := [name for name in match.seats if name not in self._names]:
            yield f"{unknown[0]} is not entered"
            return
        if match.game not in self._rules:
            yield f"its game is {show(match.game, 200)}, which is not played there"
            return
        job = self._jobs(match)
        if self._no_setups:
            job = replace(job, setup=record.setup)
        yield from job_differences(record, job, self._rules[match.game])


class StoredMatches:
    """The stored matches of an edition, each compared with its record and with what was asked for.

    Args:
        store: of the home.
        home: which may hold the setups of a file.
        edition: which.
    """

    def __init__(self, store: Store, home: Path, edition: Edition) -> None:
        self._store, self._edition = store, edition
        self._asked: AskedMatches | None = None
        self._damage: tuple[str, ...] = ()
        entries = store.tournaments.entries(edition.id)
        programs = {entry.name: entry.hash for entry in entries if not entry.line}
        try:
            tournament = kept_tournament(edition.config, programs)
        except UsageError as error:
            self._damage = (f"{edition.label}: {error}",)
            return
        if setups := kept_setups(home, edition.config["setups"]):
            tournament = replace(tournament, opening=Opening(setups=tuple(setups.split("\n"))))
        self._asked = AskedMatches(edition, tournament, entries)

    def differences(self, row: MatchRow, record: Record) -> Iterator[str]:
        """Yield what of a stored record is not what its tournament says, a sentence each."""
        if (record.id, record.tournament) != (row.id, self._edition.label):
            yield f"it is stored as match {row.id} of {self._edition.label}"
        if record.by is Termination.VOID or not is_as_recorded(row, record):
            yield "lists and tables are not made from what its record says"
        yield from self._damage
        if self._asked is not None:
            k = natural(record.block.rpartition("|")[2])
            names = tuple(player.bot for player in record.players)
            match = Match(row.number, record.game, -1 if k is None else k, record.seating, names)
            yield from self._asked.differences(match, record)
