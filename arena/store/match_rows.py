"""One match as rows of the store: written, and read back."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from functools import cache, partial
from typing import Any

from arena.database.schema import NOT_REMOVED
from arena.database.sqlite import Database, Execute
from arena.machine.crash import cross
from arena.packed.record_text import row_hash, unpack_text
from arena.store.dictionaries import dictionary_text
from arena.store.entrants import label_of, read_entries
from arena.store.said_rows import insert_said
from arena.values.costs import Costs
from arena.values.tables import MatchRow, Position

# of a row of ``match``
COLUMNS = (
    "tournament", "number", "game", "entrants", "ranks", "faults", "answers", "charged_us",
    "record", "block", "seating", "by", "moves_hash", "started", "costs",
)  # fmt: skip
_BEFORE_ALL, _AFTER_ALL = -(1 << 62), 1 << 62


# writing


def insert_matches(
    execute: Execute, tournament: int, matches: Iterable[MatchRow], ids: Mapping[str, str]
) -> int:
    """Store and count matches whose ids are not there yet; return how many these are.

    ``ids`` are the entrants' numbers, by their names.
    """
    stored = 0
    for match in matches:
        cursor = execute(
            "INSERT INTO record (tournament, number, id, dictionary, data, row_hash)"
            " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING",
            (tournament, match.number, match.id, match.dictionary, match.data, match.hash),
        )
        if cursor.rowcount:
            cross("record", match=match.number)
            insert_said(execute, tournament, cursor.lastrowid, match)
            entrants = ",".join([ids[name] for name in match.entrants])
            execute(_INSERT, row_values(tournament, match, entrants, cursor.lastrowid))
            stored += 1
    if stored:
        execute(
            "INSERT INTO tally VALUES (?, ?)"
            " ON CONFLICT DO UPDATE SET matches = matches + excluded.matches",
            (tournament, stored),
        )
        cross("tally", tournament=tournament)
    return stored


# reading


def read_matches(
    database: Database,
    tournament: int | None,
    *,
    after: Position | None = None,
    before: Position | None = None,
    ids: bool = True,
    texts: bool = False,
    damaged: bool = False,
    newest: bool = False,
    called: Mapping[int, str] | None = None,
) -> Generator[MatchRow, None, None]:
    """Yield matches in schedule order, all tournaments' one after the other.

    What a row says is compared with its record by ``arena verify`` alone. Here a row is damaged
    that cannot be read, whose entrants are not known here, or whose record is missing, damaged or
    another match's.

    Args:
        database: the store.
        tournament: ``Edition.id``; ``None``: all but those that are being removed.
        after: begin behind this match. Matches of a tournament that is read from its start on are
            counted, too.
        before: end in front of this match.
        ids: read the ids as well, which are in another table.
        texts: read ids and texts of the records as well.
        damaged: yield damaged rows, too.
        newest: begin with those that were stored last, all tournaments' as they came.
        called: what to call entrants, by ``Entry.id``; usually by their names.

    Raises:
        StoreError: a row is missing, or damaged.
    """
    stops = dict(database.rows(_STOPS, (tournament, tournament)))
    entries = read_entries(database, tournament)
    names = {entry.id: entry.name for entry in entries} if called is None else called
    read = _row_reader(names, {entry.id for entry in entries if entry.is_out})
    dictionary, width = cache(partial(dictionary_text, database)), len(COLUMNS)
    sql = _TEXTS if texts else _IDS if ids or newest else _ROWS
    if newest:
        sql = sql.replace(_RECORDS, _NEWEST)
    for scope in (tournament,) if newest else stops:
        first = _BEFORE_ALL
        if scope is not None and not newest:
            if after is not None and scope <= after[0]:
                if scope < after[0]:
                    continue
                first = after[1] + 1
            else:
                check_count(database, scope)
        for values in database.rows(sql, (scope, first)):
            owner, number = values[:2]
            match, text, damage = "", "", ""
            if sql is not _ROWS:
                match, *of, packed_with, data, found = values[width:]
                if of != [owner, number]:
                    if number is None:  # there is only the record
                        owner, number = of
                    damage = altered(database, owner, number)
                elif texts:
                    text, damage = _unpacked(dictionary, match, packed_with, data, found)
            if owner not in stops:
                continue
            if not damage:
                try:
                    if before is not None and (owner, number) >= before:
                        break
                    if number < first and not newest:
                        raise ValueError
                    row = read(stops[owner], match, text, values[:width])
                    first = number + 1
                except (TypeError, ValueError, AttributeError, LookupError):
                    damage = altered(database, owner, number)
            if damage:
                if not damaged:
                    raise database.damaged(damage)
                named = str(match or f"number {number!a}")
                row = MatchRow((owner, number), (), (), id=named, damage=damage)
            yield row


def _row_reader(
    names: Mapping[int, str], out: set[int]
) -> Callable[[int, str, str, Sequence[Any]], MatchRow]:
    """Return what reads rows of ``match``: few different texts occur, and each is read once."""
    lists, pairs, word, sums = cache(_numbers), cache(_fault_pairs), cache(_text), cache(_costs)

    @cache
    def seated(text: str) -> tuple[tuple[int, ...], tuple[str, ...], bool]:
        seats = _numbers(text)
        return seats, tuple([names[seat] for seat in seats]), out.isdisjoint(seats)

    def read(stop: int, match: str, text: str, values: Sequence[Any]) -> MatchRow:
        """Return a row that was written so; ``TypeError`` and such: it was not written so."""
        tournament, number, game, entrants, ranks, faults, answers, charged_us, *rest = values
        record, block, seating, by, moves_hash, started, costs = rest
        seats, called, plays = seated(entrants)
        row = MatchRow(
            (tournament, number),
            called,
            lists(ranks),
            pairs(faults),
            lists(answers),
            _numbers(charged_us),
            () if costs is None else sums(costs),
            word(block),
            moves_hash,
            word(game),
            word(by),
            started,
            match,
            text,
            seating,
            record,
            seats,
            plays and number < stop,
        )
        if not type(number) is type(record) is type(seating) is type(moves_hash) is int:
            raise TypeError
        if started is not None and type(started) is not int:
            raise TypeError
        if not len(seats) == len(row.ranks) == len(row.answers) == len(row.charged_us):
            raise ValueError
        if row.costs and len(row.costs) != len(seats):
            raise ValueError
        return row

    return read


def _unpacked(
    dictionary: Callable[[int], bytes], match: object, number: int, data: bytes, found: bytes
) -> tuple[str, str]:
    """Return a record's text, or what is wrong with it."""
    if not isinstance(data, bytes) or row_hash(match, number, data=data) != found:
        return "", f"the record of match {match!a} is not as it was written"
    try:
        return unpack_text(number, data, dictionary(number)), ""
    except ValueError as error:
        return "", f"the record of match {match!a} cannot be unpacked ({error})"


def check_count(database: Database, tournament: int) -> int:
    """Return how many matches a tournament has, which is how many were stored.

    Raises:
        StoreError: some are missing, or there are too many.
    """
    stored, found = database.row(
        "SELECT coalesce((SELECT matches FROM tally WHERE tournament = ?), 0),"
        " (SELECT count(*) FROM match WHERE tournament = ?)",
        (tournament, tournament),
    )
    if stored != found:
        label = label_of(database, tournament)
        raise database.damaged(f'"{label}" has {stored!a} matches, and {found} of them are there')
    return int(found)


def _numbers(text: str) -> tuple[int, ...]:
    """Read a list of numbers, one a seat: ``3,7``."""
    return tuple(map(int, text.split(",")))


def _costs(text: str) -> tuple[Costs, ...]:
    """Read what the answers of each seat cost, as ``row_values`` writes it."""
    found = tuple([Costs(**each) for each in json.loads(text)])
    if not all(type(value) in (int, float) and value >= 0 for each in found for value in each):
        raise ValueError
    return found


def _fault_pairs(text: str) -> tuple[tuple[int, str], ...]:
    """Read a list of faults: ``0:time,1:crash``, or nothing."""
    pairs = (word.split(":") for word in text.split(",")) if text else ()
    return tuple((int(seat), code) for seat, code in pairs)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def row_values(
    tournament: int, match: MatchRow, entrants: str, record: int | None
) -> tuple[object, ...]:
    """Return what stands in a match's row, in the order of ``COLUMNS``."""
    return (
        tournament, match.number, match.game, entrants, ",".join(map(str, match.ranks)),
        ",".join([f"{seat}:{code}" for seat, code in match.faults]),
        ",".join(map(str, match.answers)),
        ",".join(map(str, match.charged_us)),
        record, match.block, match.seating, match.by, match.moves_hash, match.started_ms,
        json.dumps([each.there for each in match.costs]) if match.costs else None,
    )  # fmt: skip


# a tournament, or all, each with the number of its first match not counted
_STOPS = (
    f"SELECT id, coalesce(stop, {_AFTER_ALL}) FROM tournament"
    f" WHERE id = ? OR ? IS NULL AND {NOT_REMOVED} ORDER BY id"
)
_OF_MATCH = f"SELECT {', '.join(f'match.{column}' for column in COLUMNS)}"
_WHERE = "WHERE match.tournament = ? AND match.number >= ? ORDER BY match.number"
_RECORDS = f"FROM match LEFT JOIN record ON record.seq = match.record {_WHERE}"
_NEWEST = (
    "FROM record LEFT JOIN match ON match.tournament = record.tournament"
    " AND match.number = record.number AND match.record = record.seq"
    " WHERE record.tournament = coalesce(?, record.tournament) AND record.number >= ?"
    " ORDER BY record.seq DESC"
)
_ROWS = f"{_OF_MATCH} FROM match {_WHERE}"
_IDS = f"{_OF_MATCH}, record.id, record.tournament, record.number, 0, x'', x'' {_RECORDS}"
_TEXTS = _IDS.replace("0, x'', x''", "record.dictionary, record.data, record.row_hash")
_INSERT = f"INSERT INTO match ({', '.join(COLUMNS)}) VALUES ({', '.join('?' * len(COLUMNS))})"


def altered(database: Database, tournament: int, number: object) -> str:
    """Say that a match's row is not as it was written."""
    label = label_of(database, tournament)
    return f'match number {number!a} of "{label}" is not as it was written'
