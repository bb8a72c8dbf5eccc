"""Tables as of now: kept folds brought up to date with what was played since."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Generic, NamedTuple, Protocol, TypeVar

from arena.ratings.closed_form import DRAW_PROBABILITY
from arena.ratings.crosstable import Meetings, cross_rows, fold_meetings, seat_rows
from arena.ratings.fold import Standings, fold
from arena.ratings.leaderboard import RATINGS, leaderboard_rows
from arena.ratings.table import Table
from arena.tables import CrossTable, Leaderboard, Played, Position, Result

if TYPE_CHECKING:
    from arena.ratings.blocks import Blocks
    from arena.ratings.recount import Recount
    from arena.store.folds import Folds

__all__ = [
    "RATINGS",
    "current_crosstable",
    "current_leaderboard",
    "current_standings",
    "current_table",
    "recounted",
]

_TABLE = "elo"
_TOGETHER = 100_000  # matches that are held for the one of two folds that goes on in steps


class _Fold(Protocol):
    @property
    def last(self) -> Position | None: ...

    def to_text(self) -> str: ...


F = TypeVar("F", bound=_Fold)
Row = TypeVar("Row")


class _Kind(NamedTuple, Generic[F, Row]):
    """What is folded: its name, the empty fold, how to go on with one, and its texts.

    Folds are kept under that name. Texts of another form need another name, so that no version of
    the arena reads what it would misread.
    """

    name: str
    empty: F
    rows: Callable[..., Iterable[Row]]
    go_on: Callable[[Iterable[Row], F], F]
    read: Callable[[str], F]
    # what is read only to go on, if there is such a thing
    load: Callable[[F, bytes], F] = lambda fold, more: fold
    more: Callable[[F], bytes] = lambda fold: b""


def current_leaderboard(
    source: Folds,
    tournament: int | None = None,
    game: str | None = None,
    *,
    label: str | None = None,
    rating: str = RATINGS[0],
    seats: bool = False,
    late: Mapping[Position, Sequence[int]] | None = None,
) -> Leaderboard:
    """Return the leaderboard of a scope, named ``label``.

    What was folded before is not read again; the first look reads every match, some 8 s for a
    million.

    Args:
        source: where results come from.
        tournament: the scope's.
        game: the scope's.
        label: what the tournament is called.
        rating: one of ``RATINGS``.
        seats: also say how everybody did from each seat.
        late: how many answers were late in a match, seat by seat; ``None``: that is not asked.
    """
    with source.snapshot():
        entrants = source.entrants(tournament)
        out = source.out(tournament)
    table: Table | None = None
    first = None if rating == "trueskill" else _first_look(source, tournament, game)
    if first is not None:
        standings, table = first
    else:
        standings = current_standings(source, tournament, game)
        if rating != "trueskill":
            table = current_table(source, tournament, game)
    rows = leaderboard_rows(
        *(standings, entrants, table),
        seats=seat_rows(_meetings(source, tournament, game)) if seats else {},
        late=None if late is None else _late(source.played(tournament, game), late),
    )
    table = table or Table()
    return Leaderboard(label, rows, out, table.weightless, table.same_deal)


def current_standings(
    source: Folds, tournament: int | None = None, game: str | None = None
) -> Standings:
    """Return where everybody of a scope stands."""
    return _bring_up_to_date(source, _ratings(source), tournament, game)


def recounted(source: Folds, tournament: int | None = None, game: str | None = None) -> Recount:
    """Return how the ratings of a scope compare with what the ``trueskill`` package makes of it.

    Every match is rated by the package, once more where something differs; nothing is kept.
    """
    from arena.ratings.recount import recount  # the package takes long to import

    with source.snapshot():
        now = _now(source, _ratings(source), tournament, game, source.newest())
        return recount(lambda: source.results(tournament, game), now.state)


def current_table(source: Folds, tournament: int | None = None, game: str | None = None) -> Table:
    """Return the order-free table of a scope.

    It is kept as well, and computed again only if the counts of blocks have changed.
    """
    with source.snapshot():
        newest, basis = source.newest(), source.basis(tournament)
        found = None
        for kept in source.kept(_TABLE, tournament, game, basis):
            found = Table.from_text(kept.text)
            if kept.seen == newest:
                return found
    blocks = _bring_up_to_date(source, _blocks(source), tournament, game)
    return _table_of(source, blocks, tournament, game, found=found, seen=newest, basis=basis)


def _table_of(
    source: Folds,
    blocks: Blocks,
    tournament: int | None,
    game: str | None,
    *,
    found: Table | None,
    seen: int,
    basis: str,
) -> Table:
    """Return the order-free table of some blocks, and keep it; ``found`` is an older one."""
    # what follows costs 20 ms to import, and is seldom needed
    from arena.ratings.blocks import digest_of
    from arena.ratings.intervals import make_table

    counts = blocks.counts
    digest = digest_of(counts)
    if found is None or found.digest != digest:
        found = make_table(counts, digest)
    found = found._replace(weightless=blocks.weightless, same_deal=blocks.same_deal)
    if blocks.last is not None:
        source.keep(
            *(_TABLE, tournament, game),
            last=blocks.last,
            seen=seen,
            complete=False,
            text=found.to_text(),
            basis=basis,
        )
    return found


class _Both(NamedTuple):
    """What the first leaderboard is made from: two folds of the same matches."""

    standings: Standings
    blocks: Blocks

    @property
    def last(self) -> Position | None:
        return self.standings.last

    def to_text(self) -> str:
        raise AssertionError("each is kept by itself")


def _first_look(
    source: Folds, tournament: int | None, game: str | None
) -> tuple[Standings, Table] | None:
    """Make what a leaderboard is made from in one reading; ``None`` where anything is kept of it.

    To read a match and hold it against its hash takes as long as to fold it.
    """
    if source.any_kept(tournament, game):
        return None
    from arena.ratings.blocks import Blocks

    ratings, blocks = _ratings(source), _blocks(source)
    go_on = partial(_fold_both, is_dealt_once=source.is_dealt_once)
    kind = _Kind("", _Both(Standings(), Blocks()), source.both, go_on, _not_kept)
    with source.snapshot():
        newest, basis = source.newest(), source.basis(tournament)
        now = _now(source, kind, tournament, game, newest)
    both, complete = now.state, now.complete
    one = _Now(both.standings, complete and complete.standings, ratings.empty, now.is_new)
    other = _Now(both.blocks, complete and complete.blocks, blocks.empty, now.is_new)
    _keep(source, ratings, tournament, game, now=one, seen=newest, basis=basis)
    _keep(source, blocks, tournament, game, now=other, seen=newest, basis=basis)
    where = (source, both.blocks, tournament, game)
    return both.standings, _table_of(*where, found=None, seen=newest, basis=basis)


def _not_kept(text: str) -> _Both:
    raise AssertionError("nothing is kept under this name")


def _fold_both(
    rows: Iterable[tuple[Result, Played]],
    start: _Both,
    *,
    is_dealt_once: Callable[[int, str], bool],
) -> _Both:
    """Go on with both folds: with one match by match, with the other in steps."""
    from arena.ratings.blocks import fold_blocks

    blocks, held = start.blocks, list[Played]()

    def results() -> Iterator[Result]:
        nonlocal blocks
        for result, played in rows:
            held.append(played)
            if len(held) == _TOGETHER:
                blocks = fold_blocks(held, blocks, is_dealt_once=is_dealt_once)
                held.clear()
            yield result

    standings = fold(results(), start.standings)
    return _Both(standings, fold_blocks(held, blocks, is_dealt_once=is_dealt_once))


def current_crosstable(
    source: Folds,
    tournament: int | None = None,
    game: str | None = None,
    *,
    label: str | None = None,
    rating: str = RATINGS[0],
    order: Sequence[str] = (),
) -> CrossTable:
    """Return the cross-table of a scope, named ``label``.

    It has the order of the leaderboard by ``rating``, or ``order``: the entrants of a tournament.
    """
    with source.snapshot():
        entrants = source.entrants(tournament)
    meetings = _meetings(source, tournament, game)
    if not order:
        standings = current_standings(source, tournament, game)
        table = None if rating == "trueskill" else current_table(source, tournament, game)
        rows = leaderboard_rows(standings, {key: (key, 0) for key in entrants}, table)
        order = [row.bot for row in rows]
    labels = _labels([(key, *entrants[key]) for key in order])
    return CrossTable(label, tuple(labels), cross_rows(meetings, order, labels))


def _meetings(source: Folds, tournament: int | None, game: str | None) -> Meetings:
    kind = _Kind("crosstable", Meetings(), source.results, fold_meetings, Meetings.from_text)
    return _bring_up_to_date(source, kind, tournament, game)


def _late(played: Iterable[Played], late: Mapping[Position, Sequence[int]]) -> dict[str, int]:
    """Add up the late answers of everybody."""
    found: Counter[str] = Counter()
    for position, _, names, *_ in played:
        for name, count in zip(names, late.get(position, ()), strict=False):
            found[name] += count
    return found


def _ratings(source: Folds) -> _Kind[Standings, Result]:
    name = f"trueskill draw={DRAW_PROBABILITY!r}"
    return _Kind(name, Standings(), source.results, fold, Standings.from_text)


def _blocks(source: Folds) -> _Kind[Blocks, Played]:
    from arena.ratings.blocks import Blocks, fold_blocks

    return _Kind(
        *("pairings", Blocks(), source.played),
        partial(fold_blocks, is_dealt_once=source.is_dealt_once),
        *(Blocks.from_text, Blocks.load, Blocks.to_bytes),
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
    source: Folds, kind: _Kind[F, Row], tournament: int | None, game: str | None
) -> F:
    """Go on from the furthest kept fold that still holds, and keep what comes out.

    Matches come in nearly in schedule order, and a late one belongs into the midst of a fold. So
    two are kept: one up to the last match, and one up to the first that is missing, from which to
    go on after a late one.
    """
    with source.snapshot():
        newest, basis = source.newest(), source.basis(tournament)
        now = _now(source, kind, tournament, game, newest)
    _keep(source, kind, tournament, game, now=now, seen=newest, basis=basis)
    return now.state


def _keep(
    source: Folds,
    kind: _Kind[F, Row],
    tournament: int | None,
    game: str | None,
    *,
    now: _Now[F],
    seen: int,
    basis: str,
) -> None:
    """Keep what came out of a fold, if anything came in."""
    state, complete = now.state, now.complete
    if not now.is_new:
        return
    folds = [] if complete is None else [(complete, True)]
    if complete is None or state.last != complete.last:
        folds.append((state, False))
    for one, is_complete in folds:
        if one.last is not None:
            source.keep(
                *(kind.name, tournament, game),
                last=one.last,
                # to have seen everything would say that nothing is behind it
                seen=seen if one.last == state.last else 0,
                complete=is_complete,
                text=one.to_text(),
                basis=basis,
                more=None if one.last == now.start.last else kind.more(one),
            )


class _Now(NamedTuple, Generic[F]):
    """A fold of all there is, and how it came about.

    Attributes:
        state: it.
        complete: one up to the first gap; ``None`` if it is not worth keeping.
        start: the kept one that was gone on with.
        is_new: whether anything came in since that was kept.
    """

    state: F
    complete: F | None
    start: F
    is_new: bool


def _now(
    source: Folds, kind: _Kind[F, Row], tournament: int | None, game: str | None, newest: int
) -> _Now[F]:
    complete: F | None = None
    start, open_end = kind.empty, False
    for kept in source.kept(kind.name, tournament, game, source.basis(tournament)):
        read = kind.read(kept.text)
        if kept.seen == newest:
            return _Now(read, None, read, False)
        more = kept.more()
        if more is not None:
            start, open_end = kind.load(read, more), not kept.complete
            break
    if newest == 0:
        return _Now(start, None, start, False)
    state = start
    if tournament is not None and not open_end:
        gap = source.first_gap(tournament, -1 if start.last is None else start.last[1])
        before = kind.rows(tournament, game, after=start.last, before=(tournament, gap))
        complete = state = kind.go_on(before, start)
    state = kind.go_on(kind.rows(tournament, game, after=state.last), state)
    return _Now(state, complete, start, True)
