"""Untrusted text made harmless: what a bot wrote can move no cursor and hide nothing."""

from __future__ import annotations

import unicodedata

__all__ = ["show", "width"]


def show(untrusted: str | bytes, limit: int = 200) -> str:
    r"""Return a text as one line that is safe on a terminal, at most ``limit`` characters long.

    Whatever is not printable is escaped: control characters, line ends, invisible characters and
    those that turn the direction of writing, surrogates, and bytes that are not UTF-8. What is
    cut off is shown as ``…``.

    >>> show("\x1b[2J\u202eabc\n")
    '\\x1b[2J\\u202eabc\\n'
    """
    # what is far behind the limit need not be looked at
    head = untrusted[: 4 * limit + 4]
    text = head.decode("utf-8", "backslashreplace") if isinstance(head, bytes) else head
    if not text.isprintable():
        text = "".join([c if c.isprintable() else _escape(c) for c in text])
    if len(text) > limit or len(head) < len(untrusted):
        return text[: max(0, limit - 1)] + "…"
    return text


def width(text: str) -> int:
    """Return how many columns of a terminal a text takes.

    >>> width("abc"), width("木"), width("e\u0301")
    (3, 2, 1)
    """
    if text.isascii():
        return len(text)
    return sum(map(_columns, text))


def _escape(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


def _columns(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
