"""Canonical spellings that the games' texts share: numbers and fields."""

from __future__ import annotations

from engines.core.errors import BadSetup


def natural(text: str) -> int | None:
    """Read a decimal number without sign or leading zero, at most 9 digits; else ``None``.

    >>> natural("12"), natural("012"), natural("-1"), natural("٣"), natural("")
    (12, None, None, None, None)
    """
    if not text.isascii() or not text.isdigit() or len(text) > 9:
        return None
    if text[0] == "0" and len(text) > 1:
        return None
    return int(text)


def number_text(value: float) -> str:
    """Write a score: whole numbers without a fraction.

    >>> number_text(12.0), number_text(0.5), number_text(float("inf"))
    ('12', '0.5', 'inf')
    """
    return str(int(value)) if value % 1 == 0 else repr(value)


def fields(setup: str, count: int, shape: str) -> list[str]:
    """Split a setup into its ``count`` fields, or raise ``BadSetup`` that shows the ``shape``."""
    if not setup.isascii() or not setup.isprintable():
        raise BadSetup("a setup is one line of printable ASCII")
    parts = setup.split(" ")
    if len(parts) != count or "" in parts:
        raise BadSetup(f'expected {count} fields "{shape}", each set off by one space: "{setup}"')
    return parts


def quoted(word: str, most: int = 40) -> str:
    """Quote a text that a bot or a person gave, for a reason: shortened, and in ASCII.

    >>> quoted("E4\\n"), quoted("x" * 50, most=3)
    ("'E4\\\\n'", "'xxx...'")
    """
    return ascii(word if len(word) <= most else word[:most] + "...")
