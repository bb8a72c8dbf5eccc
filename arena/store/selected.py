"""Some of the counted matches: of several tournaments, of some bots, of a list."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import TypeVar

from arena.store.folds import Checkpoint, Folds, Played, Result
from arena.tables import OutRow

__all__ = ["Selected"]

Row = TypeVar("Row", Result, Played)


class Selected:
    """What ``Folds`` has of some matches, read each time: such tables are asked for seldom."""

    def __init__(
        self,
        folds: Folds,
        *,
        tournaments: Collection[int] | None = None,
        bots: Collection[str] = (),
        matches: Collection[tuple[int, int]] | None = None,
    ) -> None:
        """Select.

        Args:
            folds: of the home.
            tournaments: by ``Edition.id``; ``None``: all.
            bots: names, or ``NAME@VERSION``; only matches of these with one another. None: all.
            matches: ``(tournament, number)``; ``None``: all.
        """
        self._folds = folds
        self._tournaments = None if tournaments is None else set(tournaments)
        self._bots = set(bots)
        self._matches = None if matches is None else set(matches)

    def snapshot(self) -> AbstractContextManager[object]:
        """Return a block within which everything read here belongs together."""
        return self._folds.snapshot()

    def newest(self) -> int:
        """Return a number that grows with every match stored."""
        return self._folds.newest()

    def basis(self, tournament: int | None) -> str:
        """Return what ``Folds.basis`` is; nothing is kept on it."""
        return self._folds.basis(tournament)

    def entrants(self, tournament: int | None) -> dict[str, tuple[str, int]]:
        """Return those who are not out, as ``Folds.entrants``; of listed matches, who played."""
        found = self._folds.entrants(tournament, self._tournaments)
        if self._bots:
            found = {key: who for key, who in found.items() if self._is_wanted(who)}
        if self._matches is not None:
            played = {name for _, _, names, *_ in self.played(tournament) for name in names}
            found = {key: who for key, who in found.items() if key in played}
        return found

    def out(self, tournament: int | None) -> tuple[OutRow, ...]:
        """Return who is out, of the tournaments that are selected."""
        return self._folds.out(tournament, self._tournaments)

    def results(
        self,
        tournament: int | None,
        game: str | None = None,
        *,
        after: tuple[int, int] | None = None,
        before: tuple[int, int] | None = None,
    ) -> Iterator[Result]:
        """Yield the selected of ``Folds.results``."""
        for first, last in self._ranges(after, before):
            rows = self._folds.results(tournament, game, after=first, before=last)
            yield from self._wanted(tournament, rows, lambda row: row[1])

    def played(
        self,
        tournament: int | None,
        game: str | None = None,
        *,
        after: tuple[int, int] | None = None,
        before: tuple[int, int] | None = None,
    ) -> Iterator[Played]:
        """Yield the selected of ``Folds.played``."""
        for first, last in self._ranges(after, before):
            rows = self._folds.played(tournament, game, after=first, before=last)
            yield from self._wanted(tournament, rows, lambda row: row[2])

    def first_gap(self, tournament: int, after: int = -1) -> int:
        """Return a number below which no match can come late: none, as nothing is kept."""
        return after + 1

    def kept(
        self, kind: str, tournament: int | None, game: str | None, basis: str
    ) -> Sequence[Checkpoint]:
        """Return nothing."""
        return ()

    def keep(self, *scope: object, **fold: object) -> None:
        """Keep nothing."""

    def _ranges(
        self, after: tuple[int, int] | None, before: tuple[int, int] | None
    ) -> list[tuple[tuple[int, int] | None, tuple[int, int] | None]]:
        """Return where to look: in the one range, or in that of each tournament."""
        if self._tournaments is None or after or before:
            return [(after, before)]
        return [((owner, -1), (owner + 1, -1)) for owner in sorted(self._tournaments)]

    def _wanted(
        self,
        tournament: int | None,
        rows: Iterator[Row],
        names: Callable[[Row], tuple[str, ...]],
    ) -> Iterator[Row]:
        """Yield the rows that are selected; ``names`` returns the keys of a row's entrants."""
        keys: set[str] | None = None
        if self._bots:
            everybody = self._folds.entrants(tournament)
            keys = {key for key, who in everybody.items() if self._is_wanted(who)}
        for row in rows:
            if self._matches is not None and row[0] not in self._matches:
                continue
            if keys is None or keys.issuperset(names(row)):
                yield row

    def _is_wanted(self, who: tuple[str, int]) -> bool:
        name, version = who
        return name in self._bots or f"{name}@{version}" in self._bots
