"""Tables as of now: the kept folds of a scope, brought up to date with what was played since."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from arena.ratings.crosstable import Meetings, cross_rows
from arena.ratings.fitted_table import Table
from arena.ratings.fold import Standings, read_standings, standings_text
from arena.ratings.leaderboard import RATINGS, leaderboard_rows
from arena.values.errors import UsageError
from arena.values.tables import Anchor, CrossTable, Leaderboard, OutRow

if TYPE_CHECKING:
    from arena.store.results_cache import ResultsCache


class Current(NamedTuple):
    """What the tables of a scope are made from, as of now."""

    standings: Standings
    meetings: Meetings
    table: Table


def leaderboard_of(
    now: Current,
    entrants: Mapping[str, tuple[str, int]],
    out: tuple[OutRow, ...] = (),
    *,
    label: str | None = None,
    rating: str = RATINGS[0],
    anchor: tuple[str, float] | None = None,
    alone: tuple[Mapping[str, float], int] | None = None,
    more: Mapping[str, Mapping[str, Any]] = MappingProxyType({}),
) -> Leaderboard:
    """Build a leaderboard from results that were already folded.

    Args:
        now: the folds.
        entrants: the name and version of each, by its key in the folds.
        out: who is out.
        label: what the tournament is called.
        rating: one of ``RATINGS``.
        anchor: the bot whose Elo is fixed (``NAME`` or ``NAME@VERSION``), and what it is.
        alone: what ``mean_scores`` gives, if all played alone.
        more: further fields of ``LeaderboardRow``, each by the keys of entrants.

    Raises:
        UsageError: several bots are called as the anchor is.
    """
    standings, _, table = now
    fitted = None if rating == "trueskill" else table
    key, found = None, None
    if anchor is not None and fitted is not None:
        key, refused = _anchored(anchor[0], entrants, out, fitted)
        found = Anchor(*anchor, refused)
    ranked = leaderboard_rows(
        standings,
        entrants,
        fitted,
        anchor=None if key is None or anchor is None else (key, anchor[1]),
        means=None if alone is None else alone[0],
    )
    rows = tuple(
        row._replace(**{field: of[key] for field, of in more.items() if key in of})
        for key, row in ranked.items()
    )
    # in a game for one player there is nothing to be measured from
    no_zero = bool(fitted and rows and alone is None and not fitted.sure.group)
    counts = table.weightless, table.same_deal
    deals = None if alone is None else alone[1]
    return Leaderboard(label, rows, out, *counts, no_zero=no_zero, anchor=found, deals=deals)


def crosstable_of(
    now: Current,
    entrants: Mapping[str, tuple[str, int]],
    *,
    label: str | None = None,
    rating: str = RATINGS[0],
    order: Sequence[str] = (),
    bundles: Mapping[str, str] = MappingProxyType({}),
) -> CrossTable:
    """Return the cross-table that is made from some folds, named ``label``.

    It has the order of the leaderboard by ``rating``, or ``order``: the entrants of a tournament.
    Others are as for ``leaderboard_of``.
    """
    standings, meetings, table = now
    if not order:
        by = None if rating == "trueskill" else table
        order = list(leaderboard_rows(standings, {key: (key, 0) for key in entrants}, by))
    labels = _labels([(key, *entrants[key]) for key in order])
    called = dict(zip(order, labels, strict=True))
    unexpected = [
        row._replace(bot=called[row.bot], opponent=called[row.opponent])
        for row in table.unexpected
        if {row.bot, row.opponent} <= called.keys()
    ]
    foreign = [(called[key], bundles[key]) for key in order if key in bundles]
    rows = cross_rows(meetings, order, labels)
    return CrossTable(label, tuple(labels), rows, tuple(unexpected), tuple(foreign))


def current(
    source: ResultsCache,
    tournament: int | None = None,
    game: str | None = None,
    *,
    meetings: bool = False,
    keep: bool = True,
) -> Current:
    """Return what the tables of a scope are made from: a kept fold, and what was stored since.

    What was folded before is not read again; the first look reads every match, some 8 s for a
    million.

    A fold ends before the first match that is still to be played, as a result that comes into the
    midst of a fold would make it wrong. Later results are added at each look.

    Args:
        source: where results come from.
        tournament: the id of an edition; ``None``: of all.
        game: a game's canonical name; ``None``: of all.
        meetings: whether those are needed; they may be empty otherwise.
        keep: whether to keep the result, for the next look.
    """
    kept = source.kept(tournament, game)
    if kept is not None and not kept.pending:
        more = {"met": json.loads} if meetings else {}
        parts = kept.read(standings=read_standings, table=Table.from_text, **more)
        if parts is not None:
            return Current(parts[0], parts[2] if meetings else {}, parts[1])
    # what follows takes 20 ms to import, and is not needed when nothing is new
    from arena.ratings.block_counts import BlockCounts
    from arena.ratings.likelihoods import make_table
    from arena.ratings.totals import Totals, add

    start, after = Totals(), None
    if kept is not None and (
        parts := kept.read(standings=read_standings, met=json.loads, blocks=BlockCounts.from_bytes)
    ):
        after, start = kept.covers, Totals(*parts)
    mark = source.mark(tournament, after)
    end = None if mark is None else mark.end
    results = source.results(tournament, game, after=after, before=end)
    now, found = add(results, start), None
    last = now.blocks.last
    if keep and mark is not None and mark.last != after:
        found = {
            "standings": standings_text(now.standings).encode(),
            "met": json.dumps(now.meetings, separators=(",", ":")).encode(),
            "blocks": now.blocks.to_bytes(),
        }
    if mark is not None and mark.end is not None:
        now = add(source.results(tournament, game, after=mark.last), now)
    table = make_table(now.blocks.counts)._replace(
        weightless=now.blocks.weightless, same_deal=now.blocks.same_deal
    )
    if mark is not None and found is not None:
        found["table"] = table.to_text().encode() if now.blocks.last == last else b""
        source.keep(tournament, game, mark, found)
    return Current(now.standings, now.meetings, table)


def _anchored(
    name: str, entrants: Mapping[str, tuple[str, int]], out: Iterable[OutRow], table: Table
) -> tuple[str | None, str]:
    """Return the key of an anchor; or ``None``, and why it is none."""
    called = [key for key, (bot, of) in entrants.items() if name in (bot, f"{bot}@{of}")]
    keys = [key for key in called if entrants[key][0] == name] or called
    if len(keys) > 1:
        versions = sorted({f"{entrants[key][0]}@{entrants[key][1]}" for key in keys})
        raise UsageError(
            f'several bots are called "{name}": {", ".join(versions)}; name one of them'
        )
    if not keys:
        gone = [row.reason for row in out if name in (row.bot, f"{row.bot}@{row.version}")]
        return None, f"it {gone[0]}" if gone else "it has no match here"
    if keys[0] not in table.ratings:
        return None, "it has no match here that counts"
    if keys[0] not in table.sure.group:
        return None, "points did not go both ways between it and the others"
    return keys[0], ""


def _labels(entrants: Sequence[tuple[str, str, int]]) -> list[str]:
    """Call each by its name; by name and version, or by its key, where that is not enough."""
    names = Counter(name for _, name, _ in entrants)
    versions = Counter((name, version) for _, name, version in entrants)
    return [
        name if names[name] == 1 else f"{name}@{version}" if versions[name, version] == 1 else key
        for key, name, version in entrants
    ]
