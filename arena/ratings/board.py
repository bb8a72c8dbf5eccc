"""Tables as of now: kept folds brought up to date with what was played since.

The store is met as the ``Source`` below, so that nothing here knows how results are kept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Generic, NamedTuple, Protocol, TypeVar

from arena.model import CrossTable, Leaderboard, OutRow
from arena.ratings.closed_form import DRAW_PROBABILITY
from arena.ratings.crosstable import Meetings, cross_rows, fold_meetings
from arena.ratings.fold import Result, Standings, fold
from arena.ratings.leaderboard import leaderboard_rows

if TYPE_CHECKING:
    from arena.ratings.recount import Recount

__all__ = [
    "Kept",
    "Source",
    "current_crosstable",
    "current_leaderboard",
    "current_standings",
    "recounted",
]

Position = tuple[int, int]  # (tournament, number in its schedule)


class Kept(Protocol):
    """A kept fold, up to and with the match at ``last``."""

    @property
    def last(self) -> Position: ...

    @property
    def seen(self) -> int: ...

    @property
    def complete(self) -> bool: ...

    @property
    def text(self) -> str: ...


class Source(Protocol):
    """Where results come from; a scope is a tournament and a game of it, ``None`` is all."""

    def snapshot(self) -> AbstractContextManager[object]:
        """Return a block within which everything read belongs together."""
        ...

    def newest(self) -> int:
        """Return a number that grows with every match."""
        ...

    def basis(self, tournament: int | None) -> str:
        """Return a text that changes with which matches count and how they are numbered."""
        ...

    def entrants(self, tournament: int | None) -> Mapping[str, tuple[str, int]]:
        """Return the key of each entrant who is not out, with its name and its bot's version."""
        ...

    def out(self, tournament: int | None) -> tuple[OutRow, ...]:
        """Return who is out, each with why."""
        ...

    def results(
        self,
        tournament: int | None,
        game: str | None = None,
        *,
        after: Position | None = None,
        before: Position | None = None,
    ) -> Iterator[Result]:
        """Yield counted results in schedule order."""
        ...

    def first_gap(self, tournament: int, after: int = -1) -> int:
        """Return the first number above ``after`` whose match is still to be played."""
        ...

    def kept(
        self, kind: str, tournament: int | None, game: str | None, basis: str
    ) -> Sequence[Kept]:
        """Return the kept folds that still hold, the furthest first."""
        ...

    def keep(
        self,
        kind: str,
        tournament: int | None,
        game: str | None,
        *,
        last: Position,
        seen: int,
        complete: bool,
        text: str,
        basis: str,
    ) -> None:
        """Keep a fold that was made on a basis, if that is possible now."""
        ...


class _Fold(Protocol):
    @property
    def last(self) -> Position | None: ...

    def to_text(self) -> str: ...


F = TypeVar("F", bound=_Fold)


class _Kind(NamedTuple, Generic[F]):
    """What is folded: its name, the empty fold, how to go on with one and how to read one."""

    name: str
    empty: F
    go_on: Callable[[Iterable[Result], F], F]
    read: Callable[[str], F | None]


def current_leaderboard(
    source: Source,
    tournament: int | None = None,
    game: str | None = None,
    *,
    label: str | None = None,
    draw_probability: float = DRAW_PROBABILITY,
) -> Leaderboard:
    """Return the leaderboard of a scope, named ``label``.

    What was folded before is not read again; the first look reads every match, some 3.5 s for a
    million.
    """
    with source.snapshot():
        entrants = source.entrants(tournament)
        out = source.out(tournament)
    standings = current_standings(source, tournament, game, draw_probability=draw_probability)
    return Leaderboard(label, leaderboard_rows(standings, entrants), out)


def current_standings(
    source: Source,
    tournament: int | None = None,
    game: str | None = None,
    *,
    draw_probability: float = DRAW_PROBABILITY,
) -> Standings:
    """Return where everybody of a scope stands."""
    return _bring_up_to_date(source, _ratings(draw_probability), tournament, game)


def recounted(
    source: Source,
    tournament: int | None = None,
    game: str | None = None,
    *,
    draw_probability: float = DRAW_PROBABILITY,
) -> Recount:
    """Return how the ratings of a scope compare with what the ``trueskill`` package makes of it.

    Every match is rated by the package, once more where something differs; nothing is kept.
    """
    from arena.ratings.recount import recount  # the package takes long to import

    with source.snapshot():
        kind = _ratings(draw_probability)
        table, _, _ = _now(source, kind, tournament, game, source.newest())
        return recount(lambda: source.results(tournament, game), table)


def current_crosstable(
    source: Source,
    tournament: int | None = None,
    game: str | None = None,
    *,
    label: str | None = None,
) -> CrossTable:
    """Return the cross-table of a scope, named ``label``, in the order of its leaderboard."""
    with source.snapshot():
        entrants = source.entrants(tournament)
    standings = current_standings(source, tournament, game)
    kind = _Kind("crosstable", Meetings(), fold_meetings, Meetings.from_text)
    meetings = _bring_up_to_date(source, kind, tournament, game)
    rows = leaderboard_rows(standings, {key: (key, 0) for key in entrants})
    order = [row.bot for row in rows]
    labels = _labels([(key, *entrants[key]) for key in order])
    return CrossTable(label, tuple(labels), cross_rows(meetings, order, labels))


def _ratings(draw_probability: float) -> _Kind[Standings]:
    return _Kind(
        f"trueskill draw={draw_probability!r}",
        Standings(draw_probability=draw_probability),
        fold,
        Standings.from_text,
    )


def _labels(entrants: Sequence[tuple[str, str, int]]) -> list[str]:
    """Call each by its name; by name and version, or by its key, where that is not enough."""
    names = Counter(name for _, name, _ in entrants)
    versions = Counter((name, version) for _, name, version in entrants)
    return [
        name if names[name] == 1 else f"{name}@{version}" if versions[name, version] == 1 else key
        for key, name, version in entrants
    ]


def _bring_up_to_date(
    source: Source, kind: _Kind[F], tournament: int | None, game: str | None
) -> F:
    """Go on from the furthest kept fold that still holds, and keep what comes out.

    Matches come in nearly in schedule order, and a late one belongs into the midst of a fold. So
    two are kept: one up to the last match, and one up to the first that is missing, from which to
    go on after a late one.
    """
    with source.snapshot():
        newest, basis = source.newest(), source.basis(tournament)
        state, complete, is_new = _now(source, kind, tournament, game, newest)
    if not is_new:
        return state
    if complete is not None and complete.last is not None:
        source.keep(
            *(kind.name, tournament, game),
            last=complete.last,
            # to have seen everything would say that nothing is behind it
            seen=newest if state.last == complete.last else 0,
            complete=True,
            text=complete.to_text(),
            basis=basis,
        )
    if state.last is not None and (complete is None or state.last != complete.last):
        source.keep(
            *(kind.name, tournament, game),
            last=state.last,
            seen=newest,
            complete=False,
            text=state.to_text(),
            basis=basis,
        )
    return state


def _now(
    source: Source, kind: _Kind[F], tournament: int | None, game: str | None, newest: int
) -> tuple[F, F | None, bool]:
    """Return a fold of all there is, one up to the first gap, and whether there is anything new.

    The second is ``None`` if it is not worth keeping. Nothing is new where nothing came in since a
    fold was kept.
    """
    complete: F | None = None
    start, seen, open_end = kind.empty, 0, False
    for kept in source.kept(kind.name, tournament, game, source.basis(tournament)):
        read = kind.read(kept.text)
        if read is not None:
            start, seen, open_end = read, kept.seen, not kept.complete
            break
    if seen == newest:
        return start, None, False
    state = start
    if tournament is not None and not open_end:
        gap = source.first_gap(tournament, -1 if start.last is None else start.last[1])
        before = source.results(tournament, game, after=start.last, before=(tournament, gap))
        complete = state = kind.go_on(before, start)
    rest = source.results(tournament, game, after=state.last)
    return kind.go_on(rest, state), complete, True
