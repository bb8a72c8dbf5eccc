"""Whatever bytes a bot writes, what is shown of them is one short printable line."""

from __future__ import annotations

import csv
import io
import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.report.table import csv_table, md_table, plain_table
from arena.values.untrusted import hidden_character, markdown_text, show, width

untrusted = st.one_of(
    st.binary(max_size=300),
    st.text(max_size=300),
    st.text(st.characters(categories=["Cc", "Cf", "Cs", "Zl", "Zp", "Zs", "Mn"]), max_size=50),
)
tables = st.integers(1, 4).flatmap(
    lambda columns: st.tuples(
        st.lists(st.text(max_size=5), min_size=columns, max_size=columns),
        st.lists(st.lists(st.text(max_size=30), min_size=columns, max_size=columns), max_size=4),
    )
)


@pytest.mark.slow
@given(untrusted, st.integers(1, 250))
def test_show_never_lets_a_control_through(text: str | bytes, limit: int) -> None:
    """No control, format or line character, no surrogate, and never more than the limit."""
    shown = show(text, limit)
    assert len(shown) <= limit
    assert not any(unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp") for c in shown)
    shown.encode()


@pytest.mark.slow
@given(untrusted)
def test_what_is_shown_hides_nothing(text: str | bytes) -> None:
    """What was made safe once is safe, and stays as it is."""
    shown = show(text)
    assert hidden_character(shown) is None
    assert show(shown) == shown


@given(st.text(max_size=60) | st.text("<>&`|[]()*_~$@:/w.!\\ \n", max_size=30))
def test_markdown_marks_nothing(text: str) -> None:
    """Every mark is escaped, and taking the escapes away gives the text."""
    found = markdown_text(text)
    assert not re.search(r"[<>]|&(?!(amp|lt|gt);)", found)
    assert not re.search(r"(?<!\\)(\\\\)*[`*_|~$@]", found)
    plain = re.sub(r"\\([\\`*_\[\]|~$@/.])", r"\1", found)
    for entity, sign in (("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")):
        plain = plain.replace(entity, sign)
    assert plain == show(text)


@given(tables)
def test_tables_have_a_line_a_row(table: tuple[list[str], list[list[str]]]) -> None:
    """No cell breaks a line, in any format; columns of a plain table begin at one place."""
    names, rows = table
    for text, heads in ((plain_table(names, rows), 1), (md_table(names, rows), 2)):
        lines = text.split("\n")
        assert lines.pop() == ""
        assert len(lines) == len(rows) + heads
        assert all(line.isprintable() for line in lines)
    widths = [
        max(width(show(cell)) for cell in column) for column in zip(names, *rows, strict=True)
    ]
    longest = sum(widths) + 2 * (len(widths) - 1)
    assert all(width(line) <= longest for line in plain_table(names, rows).split("\n"))


@given(tables)
def test_csv_is_read_back_as_shown(table: tuple[list[str], list[list[str]]]) -> None:
    """A reader of CSV finds every cell as it is shown, and no formula among them."""
    names, rows = table
    found = list(csv.reader(io.StringIO(csv_table([show(name) for name in names], rows))))[1:]
    for cells, row in zip(found, rows, strict=True):
        assert [cell.removeprefix("'") for cell in cells] == [
            show(text, 10_000).removeprefix("'") for text in row
        ] or cells == [""]
        assert not any(cell.startswith(("=", "+", "-", "@")) for cell in cells)
