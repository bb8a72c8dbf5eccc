"""Whatever a record's text is, what is stored of it gives the same text."""

from __future__ import annotations

import contextlib

from hypothesis import assume, given
from hypothesis import strategies as st
from support.drawn_records import records

from arena.packed.match import pack
from arena.packed.record_text import pack_text, unpack_text
from arena.record.record import format_record
from arena.values.model import MatchResult, Record, Termination

texts = st.text(max_size=300)


@given(text=texts, common=texts, number=st.integers(0, 3))
def test_unpacked_text_is_packed_text(text: str, common: str, number: int) -> None:
    """With any dictionary or none, a text comes out as it went in."""
    dictionary = (number, common.encode())
    used, data = pack_text(text, dictionary)
    assert used == number
    assert unpack_text(used, data, common.encode()) == text


@given(data=st.binary(max_size=300), common=texts)
def test_any_bytes_are_a_text_or_none(data: bytes, common: str) -> None:
    """Bytes that nobody packed give a text or a ``ValueError``, nothing worse."""
    for number in (0, 1):
        with contextlib.suppress(ValueError):
            assert isinstance(unpack_text(number, data, common.encode()), str)


@given(record=records(), common=texts)
def test_stored_record_is_its_text(record: Record, common: str) -> None:
    """A stored record comes out as its text, however it is packed."""
    assume(record.by is not Termination.VOID)
    stored = pack(MatchResult(0, record), (1, common.encode()))
    assert unpack_text(stored.dictionary, stored.data, common.encode()) == format_record(record)
