"""Malformed texts that every parser must refuse cleanly."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

HUGE = 100_000

_ALWAYS = (
    "", " ", "\t", "\n", "\x00", "\x7f", "-", "--", "?", ".", ",", ":", "/", "=", "(", "*", "#",
    "0", "00", "-1", "-0", "+1", "1e9", "0x1", "1_0", "1.5", "nan", "inf", "None", "null",
    "%s%n", "{0}", "\\", "'", '"', "pass", "skip", "resign", "drop=0", "a" * HUGE, "9" * HUGE,
    "é", "\ud800", "٣", "３", "²", "①", "E３", "\u200b", "\ufeff", "🍁",
)  # fmt: skip
_DIGITS = str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")
_WIDE = str.maketrans("0123456789", "０１２３４５６７８９")
_NUMBER = re.compile(r"\d+", re.ASCII)


def is_line(text: str) -> bool:
    """Return whether a text is printable ASCII with single spaces between its words."""
    return text.isascii() and text.isprintable() and text != "" and text.split() == text.split(" ")


def is_token(text: str) -> bool:
    """Return whether a text is one word of printable ASCII."""
    return is_line(text) and " " not in text


def bad_texts(good: Iterable[str] = ()) -> Iterator[str]:
    """Yield malformed texts: a fixed list, then distortions of valid ones.

    A distortion of one valid text may happen to be another: a caller that knows all valid texts
    leaves those out.
    """
    yield from _ALWAYS
    for text in good:
        yield from _around(text)
        yield from _within(text)


def _around(text: str) -> Iterator[str]:
    for mark in (" ", "\n", "\r", "\t", "\x00", "0", "-", ":", ",", "é"):
        yield text + mark
        yield mark + text
    yield text + text
    yield f"{text} {text}"
    yield text * (HUGE // max(1, len(text)))


def _within(text: str) -> Iterator[str]:
    yield text[1:]
    yield text[:-1]
    yield text[::-1]
    yield from (text.upper(), text.lower(), text.swapcase(), text.title())
    yield from (text.translate(_DIGITS), text.translate(_WIDE))
    for change in ("0{}", "+{}", "-{}", " {}", "{}_", "{}.0", "9" * HUGE, "9" * 30, ""):
        yield _NUMBER.sub(change.replace("{}", r"\g<0>"), text)
    for mark in "-:,.@/":
        yield text.replace(mark, mark * 2)
        yield text.replace(mark, "")
        yield text.replace(mark, " ")
