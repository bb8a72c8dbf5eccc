"""Matches and rounds that were played in another home, taken into this one step by step.

Each step is one transaction, and leaves what the other home was at some moment: its matches up to
a number in the schedule, and the rounds that these belong to. Where each match came from is kept.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from arena.database.sqlite import Database, Execute
from arena.machine.crash import cross
from arena.store.entrants import Entry, enter
from arena.store.match_rows import insert_matches
from arena.store.matches import Undecided, note_undecided
from arena.store.rounds import StoredRound
from arena.store.tournaments import Edition, insert_edition, make_last
from arena.values.tables import MatchRow, Origin


class CarriedEditions:
    """What comes from other homes, or goes to them; ``tournament`` is ``Edition.id``."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def begin(
        self,
        edition: Edition,
        entries: Iterable[Entry],
        undecided: Iterable[Undecided],
        origin: Origin,
    ) -> Edition:
        """Enter an edition as another home has it, and make it the one that was run last.

        One that is there already stays as it is.

        Args:
            edition: it; ``id`` does not matter.
            entries: those whom its file enters.
            undecided: the matches that were given up.
            origin: where it comes from.
        """
        with self._database.writing() as execute:
            found = execute(
                "SELECT id FROM tournament WHERE name = ? AND edition = ?",
                (edition.name, edition.edition),
            ).fetchone()
            if found is not None:
                edition = edition._replace(id=found[0])
                make_last(execute, edition.id)
            else:
                edition = insert_edition(execute, edition)
                enter(execute, edition.id, entries)
                for match in undecided:
                    note_undecided(execute, edition.id, match)
                # of no match: so that it is known even if none is in the bundle
                _note_origin(execute, edition.id, (-edition.id, -edition.id), origin)
            cross("seed", tournament=edition.id)
        return edition

    def store(
        self,
        tournament: int,
        matches: Iterable[MatchRow],
        rounds: Iterable[tuple[int, StoredRound]],
        newer: Collection[Entry],
        origin: Origin,
    ) -> int:
        """Store one step; return how many matches were not there yet.

        Args:
            tournament: that they are of.
            matches: those of the step.
            rounds: up to the last one of these: those that are missing, each with its number, or
                that have their points now.
            newer: the versions that the rounds take up.
            origin: where all that comes from.
        """
        with self._database.writing() as execute:
            for number, (plan, points) in rounds:
                execute(
                    "INSERT INTO round (tournament, number, plan, points) VALUES (?, ?, ?, ?)"
                    " ON CONFLICT DO UPDATE SET points = excluded.points WHERE points = ''",
                    (tournament, number, plan, points),
                )
            if newer:
                enter(execute, tournament, newer)
            rows = execute("SELECT name, id FROM entrant WHERE tournament = ?", (tournament,))
            ids = {name: str(number) for name, number in rows}
            first = execute("SELECT coalesce(max(seq), 0) + 1 FROM record").fetchone()[0]
            stored = insert_matches(execute, tournament, matches, ids)
            if stored:
                _note_origin(execute, tournament, (first, first + stored - 1), origin)
            cross("carried", tournament=tournament)
        return stored

    def origin_of(self, tournament: int, arrival: int) -> Origin | None:
        """Return where the match that arrived so came from; ``None``: it was played here."""
        sql = (
            "SELECT bundle, file, at FROM carried"
            " WHERE tournament = ? AND first <= ? AND last >= ? LIMIT 1"
        )
        found = self._database.read(Origin._make, sql, (tournament, arrival, arrival))
        return next(found, None)

    def origins(self) -> dict[int, Origin]:
        """Return where tournaments, or the first of their matches from elsewhere, came from.

        A tournament of which nothing came in a bundle is not among them.
        """
        sql = "SELECT tournament, bundle, file, at, min(first) FROM carried GROUP BY tournament"
        return {row[0]: Origin(*row[1:4]) for row in self._database.rows(sql)}

    def programs(self) -> frozenset[str]:
        """Return the hashes of bots that may be of another home, and were not submitted here.

        Those of tournaments with matches from a bundle, and of those in which none was played yet.
        """
        return frozenset(
            digest
            for (digest,) in self._database.rows(
                "SELECT hash FROM entrant WHERE EXISTS"
                " (SELECT 1 FROM carried WHERE carried.tournament = entrant.tournament)"
                " OR NOT EXISTS (SELECT 1 FROM match WHERE match.tournament = entrant.tournament)"
                " EXCEPT SELECT hash FROM bot"
            )
        )


def _note_origin(
    execute: Execute, tournament: int, arrivals: tuple[int, int], origin: Origin
) -> None:
    """Keep where matches came from that were stored one after the other."""
    execute(
        "INSERT INTO carried (first, last, tournament, bundle, file, at) VALUES (?, ?, ?, ?, ?, ?)",
        (*arrivals, tournament, *origin),
    )
