"""Records as rows of plain values, for pandas and the like."""

from __future__ import annotations

import json
from collections.abc import Generator
from contextlib import closing
from pathlib import Path
from typing import Any

from arena.results.standings import check_home, choose_all
from arena.store import open_home
from arena.store.record_files import record_texts
from arena.values.arguments import PathLike, path_of
from arena.values.errors import UsageError

Plain = str | int | float | None
# what was read of a record's text is Any until it becomes a value of a row
_Json = dict[str, Any]
_Rows = list[dict[str, Plain]]


def load_records(
    source: PathLike,
    tournament: str | None = None,
    *,
    merged: bool = False,
    seats: bool = False,
    decisions: bool = False,
) -> list[dict[str, Plain]]:
    """Return the counted matches as rows of plain values, for pandas and the like.

    ``pandas.DataFrame(arena.load_records(".arena"))`` has a row a match: ``id``, ``tournament``,
    ``game``, ``block``, ``seating``, ``started`` (UTC), ``elapsed_ms``, ``decisions``, ``by``,
    ``winner`` (``None`` for a draw), ``sandbox`` and ``host`` (``None``: no host of a cluster,
    but the machine that ran the tournament); and of each seat ``bot_0``, ``version_0``,
    ``score_0`` (``None`` unless the rules ended the match), ``rank_0``, ``answered_0`` (decisions),
    ``charged_ms_0`` and ``fault_0`` (``None``: none; its code), ``bot_1`` and so on. All rows have
    the columns of the match with the most seats; where another has no such seat, they are ``None``.
    Where bots reported costs, there are ``cost_0``, ``calls_0`` and so on, too.

    >>> rows = arena.load_records(".arena")
    >>> len(rows), rows[0]["bot_0"], rows[0]["winner"]
    (48, 'greedy', 'greedy')

    Args:
        source: the arena's home; or a file of records, a line each, as ``arena export`` writes it.
        tournament: ``NAME``, ``NAME#2``, several with commas, or the one run last.
        merged: those of all tournaments of the home.
        seats: instead a row for each seat of each match: in place of ``bot_0`` and so on there are
            ``seat``, ``bot``, ``version``, ``score``, ``rank``, ``answered``, ``charged_ms``
            and ``fault``.
        decisions: instead a row for each decision: in place of ``bot_0`` and so on there are
            ``number`` (its place in the match, from 1), ``seat``, ``bot``, ``version``, ``rank``
            (at the end), ``action`` (``None``: the player was dropped), ``ms``, ``cpu_ms``
            (``None``: not measured), ``charged_ms``, ``late`` and ``forced`` (0 or 1); and a
            column ``info_KEY`` for each number or word that some bot said of its answer.

    Raises:
        UsageError: there is no such tournament, or rows for both seats and decisions are asked for.
        RecordError: a line of the file is no record.
        StoreError: the store cannot be read, or a match is damaged.
    """
    path = path_of(source, "source")
    if seats and decisions:
        raise UsageError("a row is for a seat or for a decision: choose one of the two")
    make = _of_seats if seats else _of_decisions if decisions else _of_match
    if path.is_file():
        if tournament is not None or merged:
            raise UsageError("a file of records has no tournaments to choose from")
        found = record_texts(path)
    else:
        found = _of_home(check_home(path, tournament, None), tournament, merged)
    every: _Rows = []
    with closing(found):
        for record in map(json.loads, found):
            match = _match(record)
            every += [match | row for row in make(record)]
    names = dict.fromkeys(name for row in every for name in row)
    if all(len(row) == len(names) for row in every):
        return every
    return [{name: row.get(name) for name in names} for row in every]


def _of_home(home: Path, tournament: str | None, merged: bool) -> Generator[str, None, None]:
    with open_home(home) as store:
        editions = store.tournaments.all() if merged else choose_all(store, tournament)
        for edition in editions:
            with closing(store.matches.texts(edition.id)) as texts:
                yield from texts


def _match(record: _Json) -> dict[str, Plain]:
    """Return what every row has of a match."""
    return {
        **{key: record[key] for key in ("id", "tournament", "game", "block", "seating")},
        **{key: record[key] for key in ("started", "elapsed_ms")},
        "decisions": sum(action is not None for _, action in record["actions"]),
        "by": record["by"],
        "winner": _winner(record),
        "sandbox": record["sandbox"],
        "host": record.get("host"),
    }


def _of_match(record: _Json) -> _Rows:
    """Return what the one row of a match has of all seats."""
    each = _of_seats(record)
    names = dict.fromkeys(name for values in each for name in values if name != "seat")
    return [{f"{name}_{row['seat']}": row.get(name) for name in names for row in each}]


def _of_decisions(record: _Json) -> _Rows:
    """Return what a row for each decision of a match has of it."""
    rows = []
    for number, ((seat, action), decision) in enumerate(
        zip(record["actions"], record["decisions"], strict=True), start=1
    ):
        player = record["players"][seat]
        rows.append(
            {
                "number": number,
                "seat": seat,
                "bot": player["bot"],
                "version": player["version"],
                "rank": record["ranks"][seat],
                "action": action,
                **{key: decision[key] for key in ("ms", "cpu_ms", "charged_ms")},
                "late": int(decision["late"]),
                "forced": int(decision.get("forced", False)),
                **{f"info_{key}": value for key, value in decision.get("info", {}).items()},
            }
        )
    return rows


def _winner(record: _Json) -> str | None:
    """Return the winner: none if the first rank is shared, or a lone player has not solved it."""
    ranks, names = record["ranks"], [player["bot"] for player in record["players"]]
    if len(names) == 1:
        return names[0] if record["scores"] is not None and record["scores"][0] > 0 else None
    return names[ranks.index(1)] if ranks.count(1) == 1 else None


def _of_seats(record: _Json) -> _Rows:
    """Return what a row for each seat of a match has of it."""
    made: list[list[float]] = [[] for _ in record["players"]]
    for (seat, action), decision in zip(record["actions"], record["decisions"], strict=True):
        if action is not None:
            made[seat].append(decision["charged_ms"])
    wrong = {fault["player"]: fault["code"] for fault in reversed(record["faults"])}
    return [
        {
            "seat": seat,
            "bot": player["bot"],
            "version": player["version"],
            "score": None if record["scores"] is None else record["scores"][seat],
            "rank": record["ranks"][seat],
            "answered": len(made[seat]),
            "charged_ms": round(sum(made[seat]), 3),
            "fault": wrong.get(seat),
            **player.get("costs", {}),
        }
        for seat, player in enumerate(record["players"])
    ]
