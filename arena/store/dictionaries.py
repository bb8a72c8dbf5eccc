"""What the records of a tournament are packed with: texts in which most of a record stands already.

A dictionary is made of who is entered and what is played, so that nothing depends on which match
came first; when somebody is entered later, there is one more. None is ever changed.
"""

from __future__ import annotations

import json
from typing import Any

from arena.database.sqlite import Database, Execute
from arena.packed.record_text import NO_DICTIONARY, Dictionary, row_hash
from arena.values.version import __version__

# beyond some 8 kB behind it, packed text cannot refer to it, and the record is as long again
_LONGEST_LIST = 3_000


def renew_dictionary(execute: Execute, tournament: int) -> None:
    """Give a tournament a dictionary that knows its present entrants."""
    text = _text_for(execute, tournament)
    newest = execute(_NEWEST, (tournament,)).fetchone()
    if newest is not None and newest[2] == text:
        return
    (number,) = execute("SELECT coalesce(max(id), 0) + 1 FROM dictionary").fetchone()
    row = (number, tournament, text)
    execute(
        "INSERT INTO dictionary (id, tournament, text, row_hash) VALUES (?, ?, ?, ?)",
        (*row, row_hash(*row)),
    )


def newest_dictionary(database: Database, tournament: int) -> Dictionary:
    """Return what records of a tournament are packed with from now on.

    Raises:
        StoreError: it is damaged.
    """
    found = database.row(_NEWEST, (tournament,))
    return NO_DICTIONARY if found is None else (found[0], _checked(database, found))


def dictionary_text(database: Database, number: int) -> bytes:
    """Return the text of the dictionary with a number, empty for 0.

    Raises:
        StoreError: it is not there, or not as it was written.
    """
    if not number:
        return b""
    return _checked(database, database.row(f"{_SELECT} WHERE id = ?", (number,)))


_SELECT = "SELECT id, tournament, text, row_hash FROM dictionary"
_NEWEST = f"{_SELECT} WHERE tournament = ? ORDER BY id DESC LIMIT 1"


def _checked(database: Database, found: tuple[Any, ...] | None) -> bytes:
    if found is None or not isinstance(found[2], str) or row_hash(*found[:3]) != found[3]:
        raise database.damaged("a row of its table dictionary is not as it was written")
    return found[2].encode()


def _text_for(execute: Execute, tournament: int) -> str:
    """Write what is common to a tournament's records, in the spelling of ``format_record``.

    What is at the end costs the least to refer to.
    """
    name, config = execute(
        "SELECT name, config FROM tournament WHERE id = ?", (tournament,)
    ).fetchone()
    entrants = execute(
        "SELECT name, version, hash, args FROM entrant WHERE tournament = ? ORDER BY id DESC",
        (tournament,),
    )
    games = "".join([_as_dealt(game) for game in _games(config)])
    players = ""
    for bot, version, digest, args in entrants:
        player = {"bot": bot, "version": version, "hash": digest, "args": json.loads(args)}
        written = _compact(player)[:-1] + ',"seed":"'
        if len(players) + len(written) > _LONGEST_LIST:
            break
        players = written + players
    return (
        f"{_SELDOM}{games[-_LONGEST_LIST:]}{players}"
        f'{{"format":1,"id":"0123456789abcdef","tournament":{_compact(name)}{_OFTEN}'
    )


def _compact(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


def _games(config: str) -> list[str]:
    """Return the games of a tournament; none where its configuration cannot be read."""
    try:
        return list(map(str, json.loads(config)["games"]))
    except (ValueError, LookupError, TypeError, RecursionError):
        return []


def _as_dealt(game: str) -> str:
    """Write a game's name and one of its setups, from which others may differ in a few places."""
    from engines import load_game

    try:
        setup = _compact(load_game(game).setup(0))
    except Exception:  # a plug-in is not here any more, or fails: records are a little longer
        setup = '""'
    name = _compact(game)[1:-1]
    return f'"block":"{name}|","game":"{name}","rules_version":1,"setup":{setup},'


_SELDOM = (
    '"on_timeout":"published","ponder":true,"env":{},"memory":1073741824,"pondered":true,'
    '"scores":null,"by":"illegal","by":"time","by":"crash","by":"startup",'
    '"faults":[{"player":0,"code":"illegal","decision":1,"detail":"","stderr":"Traceback (most '
    'recent call last):\\n  File \\"","clock":{"main":60000,"inc":1000,'
    '"cpu_ms":null,"charged_ms":0,"late":true,"forced":true,"info":{"depth":"nodes":"value":'
)
_OFTEN = (
    ',"block":"|+|0","seating":0,"game":"|1","seating":1,"game":"","rules_version":1,"setup":"",'
    '"opening":[[0,"],"seed":"1234567890","clock":{"move":1000,"first":5000,"margin":50,'
    '"start":10000},"players":[{"bot":"","version":1,"hash":"sha256:","args":[],"seed":"'
    '","sent":"sha256:0123456789abcdef","want":["obs"]},","want":["legal"]},","want":["obs",'
    '"legal"]}],"actions":[[2,"a1"],[3,"b2"],[0,"c3"],[1,"D4"],[0,"E5"],[1,"N6"]],"decisions":['
    '{"ms":1.789,"cpu_ms":1.654,"charged_ms":1.789,"late":false,"info":{"score":2}},{"ms":0.123,'
    '"cpu_ms":0.104,"charged_ms":0.123,"late":false},{"ms":0.002,"cpu_ms":0.003,'
    '"charged_ms":0.003,"late":false}],"scores":[0,1],"ranks":[2,1],"scores":[1,0],"ranks":[1,2],'
    f'"by":"rules","faults":[],"arena_version":"{__version__}","sandbox":"none","sandbox":"bwrap",'
    '"sandbox":"landlock","started":"2026-11-22T11:49:42.473Z","elapsed_ms":12}'
)
