"""Tables of a home: which matches are meant, and what they make of all bots."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict, Unpack

from arena.ratings.crosstable import seat_rows
from arena.ratings.leaderboard import RATINGS, with_likelihoods
from arena.results.board import Current, crosstable_of, current, leaderboard_of
from arena.store import Store, open_home
from arena.store.entrants import check_entered, those_meant
from arena.store.results_cache import ResultsCache
from arena.store.tournaments import Edition
from arena.values.arguments import PathLike, check_anchor, path_of, require
from arena.values.errors import UsageError, near_miss
from arena.values.origins import ASK
from arena.values.tables import CrossTable, Leaderboard, MatchRow, UnableRow

if TYPE_CHECKING:
    from arena.ratings.recount import Recount

_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


class RatingsCheck(NamedTuple):
    """A leaderboard's ratings, compared with those the ``trueskill`` package gives.

    Attributes:
        tournament: the edition's label.
        game: the game whose leaderboard it is; ``None``: that of all games.
        recount: how they compare.
    """

    tournament: str
    game: str | None
    recount: Recount


class Selection(TypedDict, total=False):
    """Of which matches of its tournament a table is made, and how; of all, where nothing is said.

    Attributes:
        game: only this game's matches.
        merged: those of all tournaments of the home.
        since: only those that started then or later; see ``since_time``.
        bots: only those of these with one another, by name or ``NAME@VERSION``.
        matches: only these, by their ids.
        without_faults: none that somebody lost by a fault.
        anchor: the bot whose Elo is fixed, with its Elo, such as ``{"greedy": 1500}``; left out,
            that of the tournament's file.
        rating: what to sort by: ``order-free`` (Elo) or ``trueskill`` (mu - 3 sigma).
    """

    game: str | None
    merged: bool
    since: str | None
    bots: Collection[str]
    matches: Collection[str] | None
    without_faults: bool
    anchor: Mapping[str, float] | None
    rating: str


class _Scope(NamedTuple):
    """The matches of which a table is made, and what their tournaments are called.

    ``placed``: they are all of one tournament, whose format has an order of its own. ``anchor`` is
    the bot whose Elo is fixed, and what it is.
    """

    store: Store
    cache: ResultsCache
    tournament: int | None
    game: str | None
    label: str | None
    placed: bool
    rating: str
    anchor: tuple[str, float] | None


def choose(store: Store, tournament: str | None) -> Edition:
    """Return the edition a person means: ``NAME``, ``NAME#2``, or (``None``) the one run last.

    Raises:
        UsageError: there is none.
    """
    if tournament is not None:
        return store.tournaments.find(tournament)
    last = store.tournaments.last_run()
    if last is None:
        raise UsageError(
            f"no tournament was run in the home {store.path.parent} yet; run one with: "
            "arena run FILE, or arena demo"
        )
    return last


def choose_all(store: Store, tournaments: str | None) -> list[Edition]:
    """Return the editions a person means: ``NAME``, several with commas, or the one run last."""
    names = [None] if tournaments is None else [name.strip() for name in tournaments.split(",")]
    return list({found.id: found for found in (choose(store, name) for name in names)}.values())


def read_leaderboard(
    home: PathLike,
    tournament: str | None = None,
    *,
    seats: bool = False,
    late: bool = False,
    **selection: Unpack[Selection],
) -> Leaderboard:
    """Return the leaderboard of a tournament, of one game of it, or of all tournaments together.

    >>> board = arena.read_leaderboard(".arena", "quickstart")
    >>> board
    <Leaderboard quickstart: 1. greedy 2243, 2. random-sh 1545, 3. random 1528, 1 more>
    >>> [row.bot for row in board.rows if row.wins > 20]
    ['greedy']

    Args:
        home: the arena's home.
        tournament: ``NAME``, ``NAME#2``, several with commas, or the one run last.
        seats: also how everybody did from each seat.
        late: also how many answers of everybody were late, and how many were taken back; reads
            every record.
        selection: of which matches; see ``Selection``.

    Raises:
        UsageError: there is no such tournament, rating, bot or time.
        RecordError: there is no such match.
        EngineError: there is no such game.
    """
    with open_home(check_home(home, tournament, selection.get("game"))) as store:
        return board_of(store, tournament, seats=seats, late=late, **selection)


def board_of(
    store: Store,
    tournament: str | None,
    *,
    seats: bool = False,
    late: bool = False,
    **selection: Unpack[Selection],
) -> Leaderboard:
    """Return the leaderboard of an open store; arguments as for ``read_leaderboard``."""
    scope = _scope(store, tournament, selection)
    now = current(scope.cache, scope.tournament, scope.game, meetings=seats)
    return _board(scope, now, seats=seats, late=late)


def _board(scope: _Scope, now: Current, *, seats: bool, late: bool = False) -> Leaderboard:
    """Return a board in the order of its format: Swiss by points, knockout by round reached."""
    more: dict[str, Mapping[str, Any]] = {"bundle": _bundles(scope), "unable": _unable(scope)}
    if seats:
        more["seats"] = seat_rows(now.meetings)
    if late:
        more |= _late(scope)
    entrants, alone = scope.cache.entrants(scope.tournament), None
    if not now.table.ratings and any(one.games for one in now.standings.values()):
        from arena.ratings.alone import mean_scores  # which most tables do without

        alone = mean_scores(scope.cache.results(scope.tournament, scope.game, texts=True))
    if scope.tournament is None and scope.game is not None:  # maybe of another game alone
        entrants = {key: entrants[key] for key in entrants if key in now.standings}
    board = leaderboard_of(
        now,
        entrants,
        scope.cache.out(scope.tournament),
        label=scope.label,
        rating=scope.rating,
        anchor=scope.anchor,
        alone=alone,
        more=more,
    )
    if scope.tournament is None:
        return board
    edition = scope.store.tournaments.get(scope.tournament)
    if asking := {bot["name"] for bot in edition.config.get("bots", ()) if "ask" in bot}:
        rows = [row._replace(sandbox=ASK * (row.bot in asking)) for row in board.rows]
        board = board._replace(rows=tuple(rows))
    if scope.store.matches.undecided(edition.id):
        from arena.results.extent import undecided_by_entrant

        board = board._replace(undecided=undecided_by_entrant(scope.store, edition, scope.game))
    # a ladder that rests lacks nothing
    is_over = edition.ended is not None or scope.store.rounds.is_over(edition.id)
    board = board._replace(unfinished=not is_over, ended=edition.is_closed)
    if not scope.placed:
        return board
    # not needed by most, and a look should be quick
    from arena.progress.planner import placed

    board = placed(scope.store, edition, board)
    table = None if scope.rating == "trueskill" else now.table
    return board._replace(rows=with_likelihoods(board.rows, table))


def read_crosstable(
    home: PathLike, tournament: str | None = None, **selection: Unpack[Selection]
) -> CrossTable:
    """Return how each bot did against each other; arguments as for ``read_leaderboard``."""
    with open_home(check_home(home, tournament, selection.get("game"))) as store:
        return both_of(store, tournament, **selection)[1]


def both_of(
    store: Store, tournament: str | None, **selection: Unpack[Selection]
) -> tuple[Leaderboard, CrossTable]:
    """Return the leaderboard, with seats, and the cross-table, of which both are read once."""
    scope = _scope(store, tournament, selection)
    now = current(scope.cache, scope.tournament, scope.game, meetings=True)
    board = _board(scope, now, seats=True)
    cross = crosstable_of(
        now,
        scope.cache.entrants(scope.tournament),
        label=scope.label,
        rating=scope.rating,
        order=[row.bot for row in board.rows] if scope.placed else [],
        bundles=_bundles(scope),
    )
    return board, cross


def _bundles(scope: _Scope) -> dict[str, str]:
    """Return the bundle of each entrant whose name means another program here, by its key."""
    origins = scope.store.carried.origins()
    if not origins:
        return {}
    # as in _board: most homes have nothing of a bundle
    from arena.bots.taken import taken_names

    entered = [
        (key, entry)
        for key, entry in scope.cache.entered(scope.tournament)
        if entry.tournament in origins
    ]
    taken = taken_names([entry for _, entry in entered], scope.store.bots)
    names = {(each.tournament, each.entrant) for each in taken if not each.older}
    return {
        key: origins[entry.tournament].file
        for key, entry in entered
        if (entry.tournament, entry.name) in names
    }


def _unable(scope: _Scope) -> dict[str, UnableRow]:
    """Return how often each entrant was unable to play, by its key; nothing of chosen matches."""
    found: dict[str, UnableRow] = {}
    counts = scope.store.matches.unable(scope.game)
    if counts and scope.cache is scope.store.cache:
        for key, entry in scope.cache.entered(scope.tournament):
            both = zip(found.get(key, UnableRow()), counts.get(entry.id, (0, 0)), strict=True)
            found[key] = UnableRow(*map(sum, both))
    return found


def _late(scope: _Scope) -> dict[str, Counter[str]]:
    """Return how many answers of each entrant were late and taken back, which every record says."""
    keys = dict.fromkeys(scope.cache.entrants(scope.tournament), 0)
    late, tries = Counter(keys), Counter(keys)
    for row in scope.cache.results(scope.tournament, scope.game, texts=True):
        record = json.loads(row.text)
        for (seat, *_), decision in zip(record["actions"], record["decisions"], strict=True):
            late[row.entrants[seat]] += bool(decision.get("late"))
            tries[row.entrants[seat]] += decision.get("tries", 0)
    return {"late": late, "tries": tries}


def since_time(text: str) -> str:
    """Return a time as records have it, in UTC.

    Args:
        text: a day, or a day and a time of day: where it names no zone, it is of this machine, and
            where it names no year, of this one, as in tables; or how long ago: a number and
            ``s``, ``m``, ``h``, ``d`` or ``w``.

    Raises:
        UsageError: it is none of these.

    >>> since_time("2026-11-22T09:30Z"), since_time("2026-11-22T09:30+01:00")
    ('2026-11-22T09:30:00.000Z', '2026-11-22T08:30:00.000Z')
    """
    try:
        if text[:-1].isdecimal() and text[-1] in _UNITS:
            found = datetime.now(UTC) - timedelta(**{_UNITS[text[-1]]: int(text[:-1])})
        else:
            year = f"{datetime.now().year}-" if text[2:3] == "-" else ""
            found = datetime.fromisoformat(year + text)
        found = found.astimezone(UTC)
    except (ValueError, OverflowError):
        raise UsageError(
            "expected a time such as 2026-11-22, 11-22 09:30, 2026-11-22T09:30Z, 2h or 3d, "
            f'found "{text}"'
        ) from None
    return found.replace(tzinfo=None).isoformat(timespec="milliseconds") + "Z"


def check_ratings(home: PathLike, tournament: str | None = None) -> Iterator[RatingsCheck]:
    """Fold a tournament again with the ``trueskill`` package, and each of its games by itself.

    It takes the package 70 µs a match of two, some 400 of four.

    Raises:
        UsageError: there is no such tournament.
        StoreError: a match is damaged or missing.
    """
    from arena.ratings.recount import recount  # the package takes long to import

    with open_home(check_home(home, tournament, None)) as store:
        edition = choose(store, tournament)
        games = list(edition.config.get("games", ()))
        for game in (None, *(games if len(games) > 1 else ())):
            standings = current(store.cache, edition.id, game, keep=False).standings
            results = store.cache.results(edition.id, game, texts=True)
            yield RatingsCheck(edition.label, game, recount(results, standings))


def check_home(home: PathLike, tournament: str | None, game: str | None) -> Path:
    """Return the home as a path, and check what was handed in with it."""
    require(tournament, (str, NoneType), "tournament", "the text NAME or NAME#2")
    require(game, (str, NoneType), "game", 'a text like "leaves"')
    return path_of(home, "home")


def _scope(store: Store, tournament: str | None, selection: Selection) -> _Scope:
    """Return the scope; only all matches of a tournament or a game have cached results."""
    rating, game = selection.get("rating", RATINGS[0]), selection.get("game")
    since, matches = selection.get("since"), selection.get("matches")
    bots, without_faults = selection.get("bots", ()), selection.get("without_faults", False)
    anchor, merged = selection.get("anchor"), selection.get("merged", False)
    if rating not in RATINGS:
        raise UsageError(
            f'a rating is {" or ".join(RATINGS)}, not "{rating}"{near_miss(rating, RATINGS)}'
        )
    chosen = None if anchor is None else check_anchor(anchor)
    if merged and tournament is not None:
        raise UsageError("either name tournaments or take all, not both")
    editions: list[Edition] = []
    if not merged and (matches is None or tournament is not None):
        editions = choose_all(store, tournament)
    one = editions[0].id if len(editions) == 1 else None
    label = ", ".join([edition.label for edition in editions]) or None
    cache, kind = store.cache, canonical(game)
    among = {edition.id for edition in editions} or None
    where = where_text(editions, tournament)
    entries = [
        entry for entry in store.tournaments.entries(one) if not among or entry.tournament in among
    ]
    if chosen is not None:
        check_entered(entries, chosen[0], where)
    elif one is not None:
        chosen = anchor_of(editions[0])
    chooses = since is not None or matches is not None or without_faults
    if len(editions) < 2 and not chooses and not bots:
        placed = one is not None and game is None and store.rounds.any(one)
        return _Scope(store, cache, one, kind, label, placed, rating, chosen)
    positions = None if matches is None else store.matches.positions(matches)
    begin = None if since is None else since_time(since)

    def fits(row: MatchRow) -> bool:
        if without_faults and row.faults:
            return False
        named = positions is None or row.position in positions
        return named and (begin is None or row.started >= begin)

    some = cache.some(
        tournaments=among,
        among=those_meant(entries, bots, where) if bots else None,
        fits=fits if chooses else None,
    )
    return _Scope(store, some, one, kind, label, False, rating, chosen)


def anchor_of(edition: Edition) -> tuple[str, float] | None:
    """Return the bot whose Elo the tournament's file fixes, and what it is."""
    (found,) = dict(edition.config.get("anchor") or {}).items() or (None,)
    return found


def where_text(editions: Sequence[Edition], tournament: str | None) -> str:
    """Return " in " and where a bot was looked for; nothing, if in all tournaments.

    Args:
        editions: which those are.
        tournament: what a person called them; ``None``: the one run last.
    """
    if not editions:
        return ""
    last = " (the one run last; name another, as in: arena matches NAME)"
    labels = ", ".join([edition.label for edition in editions])
    return f" in {labels}{last if tournament is None else ''}"


def canonical(game: str | None) -> str | None:
    """Return the name that records have for a game, ``None`` for none.

    Raises:
        EngineError: there is no such game.
    """
    if game is None:
        return None
    from engines import load_game

    return str(load_game(game))
