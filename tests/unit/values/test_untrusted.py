"""Untrusted text made harmless: for a terminal, a log, CSV and Markdown."""

from __future__ import annotations

import pytest

from arena.values.untrusted import (
    csv_text,
    hidden_character,
    markdown_text,
    show,
    show_lines,
    width,
)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("e\u0301te\u0301", "e\u0301te\u0301"),
        ("\u0301a", "\\u0301a"),
        ("a" + "\u0301" * 6, "a" + "\u0301" * 4 + "\\u0301\\u0301"),
        ("a\u20e3\u20e3\u20e3\u20e3\u20e3", "a\u20e3\u20e3\u20e3\u20e3\\u20e3"),
        ("a\u3164b\u115f\u2800", "a\\u3164b\\u115f\\u2800"),
        ("\u2764\ufe0f", "\u2764\\ufe0f"),
        ("\U0001f468\u200d\U0001f469", "\U0001f468\\u200d\U0001f469"),
        ("\u05d0\u05d1", "\u05d0\u05d1"),
        ("a\\x1b", "a\\x1b"),
    ],
)
def test_marks_and_invisible_letters(text: str, shown: str) -> None:
    """A mark stands on a character, at most four on one; what shows nothing is spelt out."""
    assert show(text) == shown
    assert (hidden_character(text) is None) == (shown == text)


def test_untrusted_lines_are_cut_one_by_one() -> None:
    """Only line feeds end lines, tabs are spaces, and each line is cut by itself."""
    wicked = b"one\ttwo\r\n\x1b[31mred\x0b\x85 \xe2\x80\xa8end\n\nlast\rlost \xff"
    assert show_lines(wicked).split("\n") == [
        "one     two",
        "\\x1b[31mred\\x0b\\x85 \\u2028end",
        "",
        "last\\rlost \\xff",
    ]
    assert show_lines("abcdef\nabc", 4) == "abc…\nabc"
    assert show_lines("") == ""
    assert len(show_lines("x" * 100_000)) == 100_000


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("oak", "oak"),
        ("木 oak-2.0@3", "木 oak-2.0@3"),
        ("", ""),
        ("=cmd|' /C calc'!A0", "\"'=cmd|' /C calc'!A0\""),
        ("+1", '"\'+1"'),
        ("-1", '"\'-1"'),
        ("@SUM(A1)", '"\'@SUM(A1)"'),
        ("＝1", '"\'＝1"'),
        ("\t=1", "\\t=1"),
        ("\r=1", "\\r=1"),
        ("\n=1", "\\n=1"),
        (" =1", '" =1"'),
        ("a;=1", '"a;=1"'),
        ("a,b", '"a,b"'),
        ('say "x"', '"say ""x"""'),
        ("'=1", '"\'=1"'),
        ("a=1+1", "a=1+1"),
    ],
)
def test_csv_cell_cannot_be_formula(text: str, cell: str) -> None:
    """A cell that begins like a formula gets a quote mark and stands in quotes."""
    assert csv_text(text) == cell


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("oak-2.0", "oak-2.0"),
        ("a|b", "a\\|b"),
        ("`code`", "\\`code\\`"),
        ("*a* _b_ ~~c~~", "\\*a\\* \\_b\\_ \\~\\~c\\~\\~"),
        ("[x](y)", "\\[x\\](y)"),
        ("![x](y)", "!\\[x\\](y)"),
        ("<script>&", "&lt;script&gt;&amp;"),
        ("a\\|b", "a\\\\\\|b"),
        ("$x$", "\\$x\\$"),
        ("https://x.y www.x.y @x", "https:\\//x.y www\\.x.y \\@x"),
        ("a\nb", "a\\\\nb"),
    ],
)
def test_markdown_is_escaped(text: str, marked: str) -> None:
    """Marks of Markdown are escaped, tags become text, and no line ends."""
    assert markdown_text(text) == marked


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("abc", 3),
        ("木", 2),
        ("ｗ", 2),
        ("😀", 2),
        ("e\u0301", 1),
        ("\u1112\u1161\u11ab", 2),  # one Korean syllable in three parts
        ("ﾊ", 1),
        ("é", 1),
        ("", 0),
    ],
)
def test_width_counts_columns(text: str, columns: int) -> None:
    """A wide character takes two columns, a combining one none."""
    assert width(text) == columns
