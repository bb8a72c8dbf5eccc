"""A tournament in the store → the values of its report."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from arena.progress.planner import read_rounds
from arena.report.site_values import BotFacts, BotTally, Site, Tally
from arena.results.home import state_at_rest
from arena.results.standings import board_of, both_of, choose
from arena.schedule.knockout import Tie, bracket, round_name
from arena.schedule.plan import Plan
from arena.site.published import may_be_public
from arena.site.tally import MatchPages, tally
from arena.store import Edition, Store, open_home
from arena.store.entrants import Entry, plainly_named
from arena.values.tables import CrossRow


def gather(
    home: Path,
    tournament: str | None,
    *,
    public: bool = False,
    pages: MatchPages = 0,
    anchor: Mapping[str, float] | None = None,
) -> Site:
    """Read what the report of a tournament shows.

    Args:
        home: the arena's home.
        tournament: ``NAME``, ``NAME#2``, or (``None``) the one run last.
        public: leave out what is not for everybody: what bots are started with, which of them are
            the same program, and the details of faults, in which paths and what bots wrote may
            stand.
        pages: which matches have a page; see also ``may_be_public``.
        anchor: the bot whose Elo is fixed; see ``Selection``.

    Raises:
        UsageError: there is no such tournament.
        StoreError: the store cannot be read, or a match is damaged or missing.
    """
    with open_home(home) as store:
        edition = choose(store, tournament)
        may_show = may_be_public(store, edition) if public else lambda number, game: True
        with closing(store.cache.results(edition.id, texts=True)) as matches:
            found = tally(matches, store.matches.count(edition.id), pages, may_show)
        entered = plainly_named(store.tournaments.entries(edition.id))
        entries = [entry for entry in entered if not entry.is_out]
        rounds, state = _rounds(store, edition), state_at_rest(store, edition)
        of_bundle = edition.id in store.carried.origins()
        board, cross = both_of(store, edition.label, anchor=anchor)
        config = edition.config
        games = tuple(config["games"])
        by_game = [
            (game, board_of(store, edition.label, game=game, anchor=anchor))
            for game in (games if len(games) > 1 else ())
        ]
    met: dict[str, list[CrossRow]] = {name: [] for name in cross.bots}
    for row in cross.rows:
        if row.seat is None:
            met[row.bot].append(row)
    over = edition.ended is not None
    return Site(
        label=edition.label,
        state=state,
        format=config["format"],
        games=games,
        created=edition.created,
        last_run=edition.last_run,
        tally=found._replace(
            faults=[row._replace(detail="" if public else row.detail) for row in found.faults]
        ),
        board=board,
        by_game=tuple(by_game),
        cross=cross._replace(rows=tuple([row for rows in met.values() for row in rows])),
        bracket=config["format"] == "knockout",
        rounds=rounds,
        bots=tuple([_bot(entry, found, met[entry.name], public) for entry in entries]),
        config=json.dumps(_shown_config(config, over, public), indent=1, ensure_ascii=False),
        seed=str(edition.seed) if over else "",
        seed_hash=edition.seed_hash if edition.secret else "",
        public=public,
        of_bundle=of_bundle,
    )


def _bot(entry: Entry, found: Tally, met: Sequence[CrossRow], public: bool) -> BotFacts:
    return BotFacts(
        name=entry.name,
        program="" if public else entry.bot,
        version=entry.version,
        tally=found.bots.get(entry.name, BotTally()),
        hash="" if public else entry.hash,
        args=() if public else entry.args,
        opponents=tuple(sorted(met, key=lambda row: -row.points / row.games)),
    )


def _shown_config(config: Mapping[str, Any], over: bool, public: bool) -> dict[str, Any]:
    """Return what counts of a tournament's file, without what may not be shown."""
    shown = dict(config)
    if not over and shown.get("seed") != "secret":
        shown["seed"] = "not shown before the end"
    if public:
        shown["bots"] = sorted(shown.pop("programs"))
        shown.pop("apart", None)  # who is in a group with whom
    elif "bots" in config:  # a value in an environment may be a key
        shown["bots"] = [
            {**bot, "env": dict.fromkeys(bot["env"], "not shown")} for bot in config["bots"]
        ]
    return shown


def _rounds(store: Store, edition: Edition) -> tuple[tuple[str, Sequence[Tie]], ...]:
    """Return the rounds of a format in which results decide the meetings; none of others."""
    past, under_way = read_rounds(store, edition.id)
    if not past and under_way is None:
        return ()
    if edition.config["format"] == "knockout":
        return tuple([(round_name(len(ties)), ties) for ties in bracket(past, under_way)])
    found = [_round(each.plan, each.points) for each in past]
    if under_way is not None:
        found.append(_round(under_way, ()))
    return tuple(found)


def _round(plan: Plan, points: Sequence[Sequence[Any]]) -> tuple[str, list[Tie]]:
    ties = []
    for place, meeting in enumerate(plan.meetings):
        had = tuple(points[place]) if points else ()
        by = "" if meeting.is_played else "walkover" if meeting.walkover else "bye"
        best = had.index(max(had)) if had and had.count(max(had)) == 1 else -1
        winner = meeting.entrants[best] if best >= 0 and len(had) == len(meeting.entrants) else ""
        ties.append(Tie(meeting.entrants, had, (), winner, by))
    return f"round {plan.round}", ties
