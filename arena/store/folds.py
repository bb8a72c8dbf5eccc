"""What tables are made from: results in schedule order, and the folds over them that were kept.

A kept fold saves reading every match again. It is no more than a cache: where it cannot be written,
nothing is lost but time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import NamedTuple, TypeVar

from arena.errors import StoreError
from arena.store.match_rows import fault_pairs, numbers
from arena.store.revisions import REVISION
from arena.store.sqlite import BUSY_SECONDS, Database
from arena.store.tournaments import edition_label

__all__ = ["Folds", "KeptFold", "Result"]

T = TypeVar("T")

# (tournament, number), the entrants' keys, ranks, faults as (seat, code), answers, charged_us
Result = tuple[
    tuple[int, int],
    tuple[str, ...],
    tuple[int, ...],
    tuple[tuple[int, str], ...],
    tuple[int, ...],
    tuple[int, ...],
]

_MANY = 1 << 60
_LATE = 20_000  # more new matches than this are not searched for late ones
_PATIENCE = 0.25  # seconds that a look at a table waits to be kept, while a runner writes


class KeptFold(NamedTuple):
    """A fold as text, up to and with the match at ``last``: ``(tournament, number)``.

    ``complete``: no match is missing up to there, so none can come late. ``seen`` is what
    ``Folds.newest`` was.
    """

    last: tuple[int, int]
    seen: int
    complete: bool
    text: str


class Folds:
    """The counted results of a scope, and its kept folds.

    A scope is one tournament, by ``Edition.id``, or all of them one after the other (``None``);
    and one game of it, or all (``None``). Entrants have keys: their names, and with all tournaments
    what tells apart bots of one name.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def snapshot(self) -> AbstractContextManager[object]:
        """Return a block within which everything read here belongs together."""
        return self._database.snapshot()

    def newest(self) -> int:
        """Return a number that grows with every match stored."""
        (seq,) = self._database.row("SELECT coalesce(max(seq), 0) FROM record")
        return int(seq)

    def revision(self, tournament: int | None) -> int:
        """Return a number that grows whenever a match that was counted is replaced."""
        (revision,) = self._database.row(REVISION, (tournament, tournament))
        return int(revision)

    def entrants(self, tournament: int | None) -> dict[str, tuple[str, int]]:
        """Return each entrant's key, with its name and its bot's version."""
        rows = self._database.rows(
            "SELECT name, version, hash, args FROM entrant WHERE ? IS NULL OR tournament = ?"
            " ORDER BY tournament, position, id",
            (tournament, tournament),
        )
        merged = tournament is None
        return {
            _key(name, bot_hash, args, merged): (name, version)
            for name, version, bot_hash, args in rows
        }

    def suspended(self, tournament: int | None) -> dict[str, str]:
        """Return the keys of those who no longer play, each with why; over all, also where."""
        rows = self._database.rows(
            "SELECT entrant.name, hash, args, state, tournament.name, edition"
            " FROM entrant JOIN tournament ON tournament.id = entrant.tournament"
            " WHERE state != '' AND (? IS NULL OR tournament = ?) ORDER BY tournament, entrant.id",
            (tournament, tournament),
        )
        merged = tournament is None
        found: dict[str, str] = {}
        for name, bot_hash, args, state, owner, edition in rows:
            key = _key(name, bot_hash, args, merged)
            why = f"{state} of {edition_label(owner, edition)}" if merged else state
            found[key] = f"{found[key]}; {why}" if key in found else why
        return found

    def results(
        self,
        tournament: int | None,
        game: str | None = None,
        *,
        after: tuple[int, int] | None = None,
        before: tuple[int, int] | None = None,
    ) -> Iterator[Result]:
        """Yield the counted results in schedule order.

        The faults of a match that was never played are left out: they were made in others.

        Args:
            tournament: which; ``None``: all, in the order they were begun.
            game: which; ``None``: all.
            after: begin behind this match.
            before: end in front of this match.
        """
        keys = {
            number: _key(name, bot_hash, args, tournament is None)
            for number, name, bot_hash, args in self._database.rows(
                "SELECT id, name, hash, args FROM entrant WHERE ? IS NULL OR tournament = ?",
                (tournament, tournament),
            )
        }
        # the range is what finds the matches quickly; it lies within the tournament
        first = after or (tournament or 0, -1)
        last = before or ((tournament or _MANY) + 1, -1)
        # few different values of these occur, and so each is read once
        seats = _Cache(lambda text: tuple([keys[entrant] for entrant in numbers(text)]))
        counts = _Cache(numbers)
        faults = _Cache(fault_pairs)
        for owner, number, entrants, ranks, wrong, answers, charged_us in self._database.rows(
            "SELECT tournament, number, entrants, ranks,"
            " CASE WHEN unplayed THEN '' ELSE faults END, answers, charged_us FROM match"
            " WHERE (tournament, number) > (?, ?) AND (tournament, number) < (?, ?)"
            " AND (? IS NULL OR game = ?)"
            " AND number < (SELECT coalesce(stop, 1 << 62) FROM tournament"
            " WHERE id = match.tournament)"
            " ORDER BY tournament, number",
            (*first, *last, game, game),
        ):
            yield (
                (owner, number),
                seats[entrants],
                counts[ranks],
                faults[wrong],
                counts[answers],
                tuple(map(int, charged_us.split(","))),
            )

    def first_gap(self, tournament: int, after: int = -1) -> int:
        """Return the first schedule number above ``after`` that was not played."""
        expected = after + 1
        for (number,) in self._database.rows(
            "SELECT number FROM match WHERE tournament = ? AND number > ? ORDER BY number",
            (tournament, after),
        ):
            if number != expected:
                break
            expected += 1
        return expected

    def kept(self, kind: str, tournament: int | None, game: str | None) -> list[KeptFold]:
        """Return the kept folds that still hold, the furthest first."""
        rows = self._database.rows(
            "SELECT last_tournament, last_number, seen, complete, text FROM fold"
            " WHERE kind = ? AND tournament = ? AND game = ? ORDER BY 1 DESC, 2 DESC",
            (kind, tournament or 0, game or ""),
        )
        folds = [
            KeptFold((owner, number), seen, bool(complete), text)
            for owner, number, seen, complete, text in rows
        ]
        return [fold for fold in folds if fold.complete or not self._is_late(fold, tournament)]

    def keep(
        self,
        kind: str,
        tournament: int | None,
        game: str | None,
        *,
        last: tuple[int, int],
        seen: int,
        complete: bool,
        text: str,
        revision: int | None = None,
    ) -> None:
        """Keep a fold in place of an older one, if the store can be written now.

        Nothing is kept if ``revision`` is given and no longer what ``Folds.revision`` is: the fold
        was made from matches that have been replaced since.
        """
        try:
            self._database.impatient(_PATIENCE)
            with self._database.writing() as execute:
                (current,) = execute(REVISION, (tournament, tournament)).fetchone()
                if revision not in (None, current):
                    return
                execute(
                    "INSERT OR REPLACE INTO fold VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                    (kind, tournament or 0, game or "", int(complete), *last, seen, text),
                )
        except StoreError:
            pass
        finally:
            self._database.impatient(BUSY_SECONDS)

    def _is_late(self, fold: KeptFold, tournament: int | None) -> bool:
        """Whether a match came in after a fold was made, and belongs into the midst of it."""
        if self.newest() - fold.seen > _LATE:
            return True  # perhaps: finding out would take longer than folding
        row = self._database.row(
            "SELECT 1 FROM record WHERE seq > ? AND (? IS NULL OR tournament = ?)"
            " AND (tournament, number) < (?, ?) LIMIT 1",
            (fold.seen, tournament, tournament, *fold.last),
        )
        return row is not None


class _Cache(dict[str, T]):
    """What texts mean, worked out when first asked for."""

    def __init__(self, read: Callable[[str], T]) -> None:
        self._read = read

    def __missing__(self, text: str) -> T:
        self[text] = value = self._read(text)
        return value


def _key(name: str, bot_hash: str, args: str, merged: bool) -> str:
    return f"{name} {bot_hash} {args}" if merged else name
