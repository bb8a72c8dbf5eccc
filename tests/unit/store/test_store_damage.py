"""Rows that cannot be read, or are missing, are noticed by whoever reads them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from support import finished
from support.damaged import damage
from support.sql import sql

from arena.results.standings import board_of
from arena.store import Store, open_store
from arena.values.errors import StoreError
from arena.values.model import Bot

NAMES, CONFIG = ("oak", "elm", "fir"), {"format": "round-robin"}
Read = Callable[[Store], object]

# every way to read matches, as the commands do it
READS: dict[str, Read] = {
    "leaderboard": lambda store: board_of(store, "open"),
    "results": lambda store: list(store.cache.results(None)),
    "list": lambda store: list(store.matches.read(1)),
    "texts": lambda store: list(store.matches.texts(1)),
    "settled": lambda store: store.matches.settled(1),
    "text": lambda store: store.matches.text(ids(store)[2]),
}


def ids(store: Store) -> list[str]:
    return [id for (id,) in store._database.rows("SELECT id FROM record ORDER BY seq")]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with six matches of three bots, a submitted bot, a void and an undecided match."""
    with open_store(tmp_path, create=True) as store:
        edition = store.tournaments.create("open", "f", CONFIG, finished.entrants(NAMES))
        for number in range(6):
            pair = [NAMES[number % 3], NAMES[(number + 1) % 3]]
            finished.add(store, edition.id, finished.match(number, pair, [1, 2], ms=[[1.0], [2.0]]))
        store.bots.add(Bot("oak", 1, "sha256:00", ("run",), "/oak", games=("leaves",)))
        store.matches.add_void(edition.id, "ab", "the worker was lost", "2026-01-01T00:00:00Z")
        store.matches.give_up(edition.id, "ab", 6, "void 3 times")
        store.rounds.go_on(edition.id, "", "the first round")
    return tmp_path


def refused(home: Path, read: Read) -> str:
    with (
        pytest.raises(StoreError, match="is damaged") as error,
        open_store(home, create=False) as s,
    ):
        read(s)
    assert str(home / "arena.db") in str(error.value)
    return str(error.value)


@pytest.mark.parametrize(
    "change_to",
    ["entrants = '2,99'", "ranks = '2'", "ranks = '2,x'", "faults = 'time'", "answers = ''"],
)
@pytest.mark.parametrize("read", ["leaderboard", "results"])
def test_a_result_that_nobody_wrote(home: Path, change_to: str, read: str) -> None:
    """What no row can say is named, and ends nothing with a traceback."""
    sql(home, f"UPDATE match SET {change_to} WHERE number = 5")
    assert 'match number 5 of "open"' in refused(home, READS[read])


@pytest.mark.parametrize(
    "change_to",
    [
        "ranks = CAST(ranks AS BLOB)",
        "ranks = x'ff2c32'",
        "ranks = CAST(x'ff2c32' AS TEXT)",
        "ranks = ranks || char(0) || 'x'",
        "number = CAST('2' AS BLOB)",
        "moves_hash = CAST(moves_hash AS BLOB)",
    ],
)
@pytest.mark.parametrize("read", ["leaderboard", "list"])
def test_bytes_in_place_of_text(home: Path, change_to: str, read: str) -> None:
    """One bit makes bytes of a text, or no UTF-8: a sentence, too."""
    sql(home, f"UPDATE match SET {change_to} WHERE number = 2")
    refused(home, READS[read])


@pytest.mark.parametrize("change_to", ["record = 2", "record = 99", "number = 7"])
@pytest.mark.parametrize("read", ["list", "texts"])
def test_the_record_of_another(home: Path, change_to: str, read: str) -> None:
    """Which record belongs to a match is seen from both of them."""
    sql(home, f"UPDATE match SET {change_to} WHERE number = 5")
    assert '"open"' in refused(home, READS[read])


@pytest.mark.parametrize(
    "change_to",
    [
        "data = substr(data, 2)",
        "data = CAST(data AS TEXT)",
        "data = 'x'",
        "data = x'00'",
        "data = x''",
        "data = ''",
        "dictionary = 0",
        "dictionary = x'31'",
    ],
)
@pytest.mark.parametrize("read", ["texts", "text"])
def test_an_altered_record(home: Path, change_to: str, read: str) -> None:
    """A record that says something else is not given out."""
    sql(home, f"UPDATE record SET {change_to} WHERE seq = 3")
    assert "record" in refused(home, READS[read])


ODD: dict[str, Read] = {
    "bot: games = x'ff'; version = 'x'": lambda store: store.bots.all(),
    "entrant: args = '['; replaced = 'x'": lambda store: store.tournaments.entries(1),
    "entrant: name = CAST(name AS BLOB)": lambda store: store.cache.out(1),
    "match: number = number - 9; number = number + (1 << 60)": READS["settled"],
    "round: plan = x''": lambda store: store.rounds.all(1),
    "tally: matches = 'x'": lambda store: store.matches.count(1),
    "tournament: seed = 'abc'; seed = ''; config = '{'; config = '[]'; name = x'6f'; stop = 'x'; "
    "ended = x'00'; edition = 1.5": lambda store: store.tournaments.all(),
    "undecided: number = 'x'; number = -3": lambda store: store.matches.undecided(1),
}


@pytest.mark.parametrize(
    ("change_to", "read"),
    [
        (f"UPDATE {odd.partition(':')[0]} SET {change}", read)
        for odd, read in ODD.items()
        for change in odd.partition(": ")[2].split("; ")
    ],
)
def test_rows_that_nothing_can_be_made_of(home: Path, change_to: str, read: Read) -> None:
    """A home may come from elsewhere: what stands there is a sentence at the worst."""
    sql(home, change_to)
    refused(home, read)


def test_a_damaged_kept_table_is_made_anew(home: Path) -> None:
    """What was kept of a table only saves time: if it cannot be read, it is not used."""
    with open_store(home, create=False) as store:
        good = READS["leaderboard"](store)
    sql(home, "UPDATE cache_part SET data = x'00'")
    with open_store(home, create=False) as store:
        assert READS["leaderboard"](store) == good


@pytest.mark.parametrize("how", ["deleted", "replaced", "moved"])
def test_a_store_that_disappears_is_noticed(home: Path, how: str) -> None:
    """Who has a store open can ask whether others still find the same file."""
    with open_store(home, create=False) as store:
        store.look()
        if how == "deleted":
            (home / "arena.db").unlink()
        elif how == "moved":
            (home / "arena.db").rename(home / "elsewhere")
        else:
            (home / "other").write_bytes((home / "arena.db").read_bytes())
            (home / "other").rename(home / "arena.db")
        with pytest.raises(StoreError, match=r"disappeared|replaced"):
            store.look()


@pytest.mark.parametrize("seed", range(40))
def test_a_damaged_write_ahead_log_loses_its_end_only(home: Path, seed: int) -> None:
    """What the log lost is as if it had never been: a beginning of what was stored, unaltered."""
    copy = home / "copy"
    copy.mkdir()
    with open_store(home, create=True) as store:
        for number in range(6, 12):
            finished.add(store, 1, finished.match(number, ["oak", "elm"], [1, 2]))
        stored = list(store.matches.texts(1))
        for name in ("arena.db", "arena.db-wal"):  # as a kill would leave them
            (copy / name).write_bytes((home / name).read_bytes())
    whole = (copy / "arena.db-wal").read_bytes()
    altered, how = damage(whole, Random(seed)) if seed else (b"", "cut to nothing")
    (copy / "arena.db-wal").write_bytes(altered)
    try:
        with open_store(copy, create=False) as store:
            found = list(store.matches.texts(1))
            rows = list(store.cache.results(1))
    except StoreError:
        assert not how.startswith("cut"), "what is written last is lost first, and is no damage"
        return
    assert found == stored[: len(found)]
    assert len(rows) == len(found) >= 6
