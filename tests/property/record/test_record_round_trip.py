"""Whatever a record says, its text says it again."""

from __future__ import annotations

import json
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from support import finished
from support.drawn_records import records, texts

from arena.record.record import format_record, parse_record
from arena.values.errors import RecordError
from arena.values.model import Record

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)


@given(records())
def test_parse_undoes_format(record: Record) -> None:
    """A record's text is one line of ASCII, and reads back as the same record."""
    text = format_record(record)
    assert text.isascii()
    assert text.isprintable()
    assert parse_record(text) == record
    assert format_record(parse_record(text)) == text


def test_a_text_that_looks_like_a_key_stays_a_text() -> None:
    """The decisions are put where their key is, and nowhere else."""
    player = replace(finished.record(0, "ab", [1, 2]).players[0], args=("", ',"decisions":[]'))
    record = replace(finished.record(0, "ab", [1, 2], ms=[[1.5], [2.5]]), players=(player, player))
    assert parse_record(format_record(record)) == record


@given(records(), st.data())
def test_a_spoiled_record_is_a_record_error(record: Record, data: st.DataObject) -> None:
    """Any value in any place gives a record or a ``RecordError``, nothing else."""
    value = json.loads(format_record(record))
    holder, key = value, data.draw(st.sampled_from(sorted(value)))
    while isinstance(holder[key], (dict, list)) and holder[key] and data.draw(st.booleans()):
        holder = holder[key]
        keys = sorted(holder) if isinstance(holder, dict) else range(len(holder))
        key = data.draw(st.sampled_from(keys))
    holder[key] = data.draw(json_values)
    try:
        found = parse_record(json.dumps(value))
    except RecordError as error:
        assert str(error).startswith("record: ")  # noqa: PT017  # either outcome is right
    else:
        assert parse_record(format_record(found)) == found
