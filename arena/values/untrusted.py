"""Untrusted text made harmless: control characters and invisible ones are shown as escapes.

``show`` is the one function that decides which characters may pass; the others build on it for a
place that has marks of its own. Whatever bots, their files, or files that somebody sent say passes
one of them before a person sees it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

MAX_MARKS = 4  # combining marks on one character; more pile up over the lines around it
_CSV_LIMIT = 10_000
# a spreadsheet takes these for the beginning of a formula, the wide ones too
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")
# patterns are compiled when they are first used, since most commands need none
_CSV_MARKS = r"""^[ '=+\-@＝＋－＠]|[",;\t\r\n]| $"""
_MARKDOWN = r"[\\`*_\[\]|~$@]|(?<=:)/(?=/)|(?<=[wW]{3})\."
_TAGS = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
# letters, signs and marks that are printable for Python, and show nothing
_INVISIBLE = (
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164"
    "\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)


def show(untrusted: str | bytes, limit: int | None = 200) -> str:
    r"""Return a text as one line that is safe on a terminal, at most ``limit`` characters long.

    Whatever cannot be seen is escaped: control characters, line ends, invisible characters, those
    that turn the direction of writing, surrogates, and bytes that are not UTF-8; so are combining
    marks without a character to stand on, and more than four of them on one. What is cut off is
    shown as ``…``.

    >>> show("\x1b[2J\u202eabc\n")
    '\\x1b[2J\\u202eabc\\n'
    """
    # what is far behind the limit need not be looked at
    head = untrusted if limit is None else untrusted[: 4 * limit + 4]
    text = head.decode("utf-8", "backslashreplace") if isinstance(head, bytes) else head
    if not (text.isascii() and text.isprintable()):
        text = "".join([_escape(c) if hidden else c for c, hidden in _look(text)])
    if limit is not None and (len(text) > limit or len(head) < len(untrusted)):
        return text[: max(0, limit - 1)] + "…"
    return text


def show_lines(untrusted: str | bytes, limit: int | None = None) -> str:
    r"""Return a text of several lines with each of them made safe by ``show``.

    Only ``\n`` ends a line. A ``\r`` before it is dropped, and tabs become spaces.

    Args:
        untrusted: the text.
        limit: the longest line, in characters.

    >>> show_lines("a\tb\r\n\x1b[2J\n")
    'a       b\n\\x1b[2J\n'
    """
    text = (
        untrusted.decode("utf-8", "backslashreplace") if isinstance(untrusted, bytes) else untrusted
    )
    lines = (line.removesuffix("\r").expandtabs() for line in text.split("\n"))
    return "\n".join([show(line, limit) for line in lines])


def hidden_character(text: str) -> str | None:
    """Return the first character that ``show`` would escape, ``None`` if all can be seen.

    >>> hidden_character("oak"), hidden_character("o\\u200bak")
    (None, '\\u200b')
    """
    return next((c for c, hidden in _look(text) if hidden), None)


def csv_text(untrusted: str) -> str:
    """Return a text as a cell of CSV, in quotes where needed, and no formula of a spreadsheet.

    >>> csv_text("oak"), csv_text("=1+1")
    ('oak', '"\\'=1+1"')
    """
    text = show(untrusted, _CSV_LIMIT)
    marked = re.search(_CSV_MARKS, text) is not None
    if text.startswith(_FORMULA):
        text = f"'{text}"
    return '"{}"'.format(text.replace('"', '""')) if marked else text


def markdown_text(untrusted: str, limit: int = 200) -> str:
    r"""Return a text as Markdown that shows it as it is: no emphasis, link, cell, tag or formula.

    >>> print(markdown_text("a_b|<i>"))
    a\_b\|&lt;i&gt;
    """
    marked = re.sub(_MARKDOWN, lambda match: f"\\{match[0]}", show(untrusted, limit))
    return marked.translate(_TAGS)


def width(text: str) -> int:
    """Return how many columns of a terminal a text takes.

    >>> width("abc"), width("木"), width("e\u0301")
    (3, 2, 1)
    """
    if text.isascii():
        return len(text)
    return sum(map(_columns, text))


def _look(text: str) -> Iterator[tuple[str, bool]]:
    """Yield each character and whether it is one that cannot be seen, or hides others."""
    marks = MAX_MARKS  # there is nothing yet that a mark could stand on
    for character in text:
        marks = marks + 1 if unicodedata.category(character) in ("Mn", "Me") else 0
        unseen = not character.isprintable() or re.match(_INVISIBLE, character)
        hidden = bool(unseen) or marks > MAX_MARKS
        yield character, hidden


def _escape(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


def _columns(character: str) -> int:
    # the second and third part of a Korean syllable stand in the first one's columns
    if unicodedata.category(character) in ("Mn", "Me", "Cf") or "\u1160" <= character <= "\u11ff":
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
