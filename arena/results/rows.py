"""Records as rows of plain values, for pandas and the like."""

from __future__ import annotations

import json
from collections.abc import Generator
from contextlib import closing
from pathlib import Path
from typing import Any

from arena.match.record import parse_record
from arena.results.standings import check_home, choose_all
from arena.store import open_store
from arena.values.arguments import PathLike, path_of
from arena.values.errors import RecordError, UsageError

__all__ = ["Plain", "load_records"]

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
) -> list[dict[str, Plain]]:
    """Return the counted matches as rows of plain values, for pandas and the like.

    ``pandas.DataFrame(arena.load_records(".arena"))`` has a row a match: ``id``, ``tournament``,
    ``game``, ``block``, ``seating``, ``started`` (UTC), ``elapsed_ms``, ``decisions``, ``by``,
    ``winner`` (``None`` for a draw), ``sandbox`` and ``host`` (``None``: no host of a cluster,
    but the machine that ran the tournament); and of each seat ``bot_0``, ``version_0``,
    ``score_0`` (``None`` unless the rules ended the match), ``rank_0``, ``answered_0`` (decisions),
    ``charged_ms_0`` and ``fault_0`` (``None``: none; its code), ``bot_1`` and so on. All rows have
    the columns of the match with the most seats; where another has no such seat, they are ``None``.

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

    Raises:
        UsageError: there is no such tournament.
        RecordError: a line of the file is no record.
        StoreError: the store cannot be read, or a match is damaged.
    """
    path = path_of(source, "source")
    if path.is_file():
        if tournament is not None or merged:
            raise UsageError("a file of records has no tournaments to choose from")
        found = _of_file(path, seats)
    else:
        found = _of_home(check_home(path, tournament, None), tournament, merged, seats)
    with closing(found):
        every = [row for rows in found for row in rows]
    if len({len(row) for row in every}) < 2:
        return every
    names = max(every, key=len)  # those of the match with the most seats are those of all
    return [{name: row.get(name) for name in names} for row in every]


def _of_file(path: Path, seats: bool) -> Generator[_Rows, None, None]:
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, start=1):
            if line.strip():
                try:
                    parse_record(line)  # anybody may have written it
                except RecordError as error:
                    raise RecordError(f"{path}:{number}: {error}") from None
                yield _rows(json.loads(line), seats)


def _of_home(
    home: Path, tournament: str | None, merged: bool, seats: bool
) -> Generator[_Rows, None, None]:
    with open_store(home, create=False) as store:
        editions = store.tournaments.all() if merged else choose_all(store, tournament)
        for edition in editions:
            with closing(store.matches.texts(edition.id)) as texts:
                for text in texts:
                    yield _rows(json.loads(text), seats)


def _rows(record: _Json, seats: bool) -> _Rows:
    """Return the one row of a match, or one for each seat."""
    match = {key: record[key] for key in ("id", "tournament", "game", "block", "seating")}
    match |= {
        "started": record["started"],
        "elapsed_ms": record["elapsed_ms"],
        "decisions": sum(action is not None for _, action in record["actions"]),
        "by": record["by"],
        "winner": _winner(record),
        "sandbox": record["sandbox"],
        "host": record.get("host"),
    }
    each = [_seat(record, seat) for seat in range(len(record["players"]))]
    if seats:
        return [{**match, "seat": number, **values} for number, values in enumerate(each)]
    for name in each[0]:
        match |= {f"{name}_{number}": values[name] for number, values in enumerate(each)}
    return [match]


def _winner(record: _Json) -> str | None:
    """Return who won: nobody if the first rank is shared, or somebody alone has not solved it."""
    ranks, names = record["ranks"], [player["bot"] for player in record["players"]]
    if len(names) == 1:
        return names[0] if record["scores"] is not None and record["scores"][0] > 0 else None
    return names[ranks.index(1)] if ranks.count(1) == 1 else None


def _seat(record: _Json, seat: int) -> dict[str, Plain]:
    made = [
        decision["charged_ms"]
        for (player, action), decision in zip(record["actions"], record["decisions"], strict=True)
        if player == seat and action is not None
    ]
    wrong = [fault["code"] for fault in record["faults"] if fault["player"] == seat]
    scores = record["scores"]
    return {
        "bot": record["players"][seat]["bot"],
        "version": record["players"][seat]["version"],
        "score": None if scores is None else scores[seat],
        "rank": record["ranks"][seat],
        "answered": len(made),
        "charged_ms": round(sum(made), 3),
        "fault": wrong[0] if wrong else None,
    }
