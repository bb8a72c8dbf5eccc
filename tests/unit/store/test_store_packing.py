"""Records as bytes of the store: dictionaries, damage, and bytes that somebody made on purpose."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from support import finished

from arena.match.record import format_record
from arena.packed.match import pack
from arena.packed.record_text import LONGEST, WINDOW, pack_text, record_hash
from arena.store import Store, open_store
from arena.values.errors import StoreError
from engines import load_game

NAMES = ("oak", "elm")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A store with one match of oak and elm."""
    with open_store(tmp_path, create=True) as found:
        edition = found.tournaments.create("open", "f", "{}", finished.entrants(NAMES))
        found.matches.add(edition.id, finished.match(0, NAMES, [1, 2]))
        yield found


def rewritten(store: Store, dictionary: int, data: bytes) -> None:
    """Change what is stored of the one record, with the hash that fits."""
    (match,) = store._database.row("SELECT id FROM record")
    with store._database.writing() as execute:
        execute(
            "UPDATE record SET dictionary = ?, data = ?, row_hash = ?",
            (dictionary, data, record_hash(match, dictionary, data)),
        )


def deflated(data: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, WINDOW)
    return packer.compress(data) + packer.flush()


def test_a_record_is_packed(store: Store) -> None:
    """What is stored is short, refers to a dictionary, and gives the text."""
    text = format_record(finished.record(0, NAMES, [1, 2]))
    number, data = store._database.row("SELECT dictionary, data FROM record")
    assert number > 0
    assert len(data) < len(text) / 4
    assert list(store.matches.texts(1)) == [text]


def test_without_a_dictionary_it_is_the_text(store: Store) -> None:
    """A match that somebody packed without knowing the tournament can be stored as well."""
    result = finished.match(1, NAMES, [2, 1])
    store.matches.add(1, pack(result))
    assert [*store.matches.texts(1)][1] == format_record(result.record)


def test_dictionaries_do_not_depend_on_matches(store: Store, tmp_path: Path) -> None:
    """Who is entered decides, not who met first; and nobody new makes no new one."""
    with open_store(tmp_path / "other", create=True) as other:
        other.tournaments.create("open", "f", "{}", finished.entrants(NAMES))
        assert other.matches.dictionary(1) == store.matches.dictionary(1)
    store.tournaments.extend(1, "g", "{}", finished.entrants(NAMES))
    assert store._database.row("SELECT count(*) FROM dictionary") == (1,)


def test_a_dictionary_knows_the_games(store: Store) -> None:
    """A setup of each game is in it; one that is not installed any more is no error."""
    config = '{"games": {"leaves": "rules 1", "gone(size=3)": "rules 1"}}'
    edition = store.tournaments.create("games", "f", config, finished.entrants(NAMES))
    text = store.matches.dictionary(edition.id)[1].decode()
    assert f'"game":"leaves","rules_version":1,"setup":"{load_game("leaves").setup(0)}"' in text
    assert '"game":"gone(size=3)"' in text


def test_who_comes_later_is_in_a_later_dictionary(store: Store) -> None:
    """Old records keep theirs, and are read as before."""
    old = list(store.matches.texts(1))
    number, text = store.matches.dictionary(1)
    assert b'"bot":"yew"' not in text
    store.tournaments.extend(1, "g", "{}", finished.entrants([*NAMES, "yew"]))
    later, text = store.matches.dictionary(1)
    assert later > number
    assert b'"bot":"yew"' in text
    store.matches.add(1, finished.match(1, ["oak", "yew"], [1, 2]))
    assert [*store.matches.texts(1)][:1] == old
    used = store._database.rows("SELECT dictionary FROM record ORDER BY seq")
    assert [number for (number,) in used] == [number, later]


def test_many_entrants_make_no_endless_dictionary(store: Store) -> None:
    """A dictionary holds those who came last; what it cannot refer to would only cost time."""
    names = [f"bot{number}" for number in range(2_000)]
    edition = store.tournaments.create("many", "f", "{}", finished.entrants(names))
    _, text = store.matches.dictionary(edition.id)
    assert len(text) < 8_000
    assert b'"bot":"bot1999"' in text


def test_a_damaged_dictionary(store: Store) -> None:
    """Records that cannot be unpacked any more are reported, and none is packed with it."""
    with store._database.writing() as execute:
        execute("UPDATE dictionary SET text = replace(text, 'oak', 'oaks')")
    with pytest.raises(StoreError, match=r"is damaged: .*dictionary"):
        list(store.matches.texts(1))
    with pytest.raises(StoreError, match=r"is damaged: .*dictionary"):
        store.matches.add(1, finished.match(1, NAMES, [1, 2]))
    assert len(list(store.folds.results(1))) == 1, "tables need no record"


@pytest.mark.parametrize(
    ("dictionary", "data"),
    [
        pytest.param(99, pack_text("{}", (99, b"x"))[1], id="no-such-dictionary"),
        pytest.param(1, b"", id="nothing"),
        pytest.param(1, b"\xff\xff\xff", id="not-deflated"),
        pytest.param(1, deflated(b"{}" * 99)[:-1], id="cut-off"),
        pytest.param(1, deflated(b"{}") + b"more", id="more-behind"),
        pytest.param(1, deflated(b"\xff\xfe"), id="no-text"),
        pytest.param(0, b"\xff\xfe", id="no-text-unpacked"),
        pytest.param(1, deflated(bytes(LONGEST + 1)), id="a-bomb"),
    ],
)
def test_bytes_made_on_purpose(store: Store, dictionary: int, data: bytes) -> None:
    """Bytes that nobody packed are damage, even with the hash that fits: one sentence."""
    rewritten(store, dictionary, data)
    (match,) = store._database.row("SELECT id FROM record")
    for read in (lambda: list(store.matches.texts(1)), lambda: store.matches.text(match)):
        with pytest.raises(StoreError, match="is damaged"):
            read()


def test_the_longest_text(store: Store) -> None:
    """The longest text that is packed is unpacked again; a longer one is kept as it is."""
    dictionary = store.matches.dictionary(1)
    for length, packed in ((LONGEST, True), (LONGEST + 1, False)):
        number, data = pack_text("x" * length, dictionary)
        assert (number == dictionary[0], len(data) < length) == (packed, packed)
        rewritten(store, number, data)
        assert [len(text) for text in store.matches.texts(1)] == [length]


def test_a_match_has_when_it_started(store: Store) -> None:
    """Lists say when a match started without reading its record."""
    times = ["2026-11-22T11:49:42.473Z", "2026-11-22T13:49:42.473+02:00", "", "yesterday"]
    for number, started in enumerate(times, 1):
        store.matches.add(1, finished.match(number, NAMES, [1, 2], started=started))
    with store._database.writing() as execute:
        execute("UPDATE record SET data = x''")
    found = [row.started for row in store.matches.list(1)]
    first = "2026-11-22T11:49:42.473Z"
    assert found == ["2026-01-01T00:00:00.000Z", first, first, "", ""]


def test_damage_of_the_file(tmp_path: Path, store: Store) -> None:
    """A bit that flips in what is packed is found, by whoever reads the record."""
    (data,) = store._database.row("SELECT data FROM record")
    for place in range(len(data)):
        connection = sqlite3.connect(tmp_path / "arena.db")
        other = bytes([*data[:place], data[place] ^ 1, *data[place + 1 :]])
        connection.execute("UPDATE record SET data = ?", (other,))
        connection.commit()
        connection.close()
        with pytest.raises(StoreError, match="not as it was written"):
            list(store.matches.texts(1))
