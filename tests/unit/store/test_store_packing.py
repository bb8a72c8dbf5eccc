"""Records as bytes of the store: dictionaries, damage, and bytes that somebody made on purpose."""

from __future__ import annotations

import zlib

import pytest
from support import finished
from support.sql import sql

from arena.packed.record_text import LONGEST, WINDOW, pack_text, row_hash
from arena.store import Edition, Store
from arena.values.errors import StoreError

NAMES = ("oak", "elm")


@pytest.fixture(autouse=True)
def match(store: Store, edition: Edition) -> None:
    """Have one match of oak and elm in the store."""
    finished.add(store, edition.id, finished.match(0, NAMES, [1, 2]))


def rewritten(store: Store, dictionary: int, data: bytes) -> None:
    """Change what is stored of the one record, with the hash that fits."""
    (match,) = store._database.row("SELECT id FROM record")
    fitting = "UPDATE record SET dictionary = ?, data = ?, row_hash = ?"
    sql(store.path.parent, fitting, dictionary, data, row_hash(match, dictionary, data=data))


def deflated(data: bytes) -> bytes:
    packer = zlib.compressobj(1, zlib.DEFLATED, WINDOW)
    return packer.compress(data) + packer.flush()


def test_a_damaged_dictionary(store: Store) -> None:
    """Records that cannot be unpacked any more are reported, and none is packed with it."""
    sql(store.path.parent, "UPDATE dictionary SET text = replace(text, 'oak', 'oaks')")
    with pytest.raises(StoreError, match=r"is damaged.*dictionary"):
        list(store.matches.texts(1))
    with pytest.raises(StoreError, match=r"is damaged.*dictionary"):
        finished.add(store, 1, finished.match(1, NAMES, [1, 2]))
    assert len(list(store.cache.results(1))) == 1, "tables need no record"


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
        pytest.param(1, deflated(bytes(LONGEST + 1)), id="a-bomb", marks=pytest.mark.slow),
    ],
)
def test_bytes_made_on_purpose(store: Store, dictionary: int, data: bytes) -> None:
    """Bytes that nobody packed are damage, even with the hash that fits: one sentence."""
    rewritten(store, dictionary, data)
    (match,) = store._database.row("SELECT id FROM record")
    for read in (lambda: list(store.matches.texts(1)), lambda: store.matches.text(match)):
        with pytest.raises(StoreError, match="is damaged"):
            read()
