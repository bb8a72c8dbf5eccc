"""Durations and sizes as people write them: a number and its unit."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

from arena.values.errors import UsageError

MIN_MEMORY, MAX_MEMORY = 1 << 20, 1 << 44

DURATION = "a duration with its unit (ms, s, m or h), like 1s or 500ms"
SIZE = "a size with its unit (KiB, MiB, GiB or TiB), like 512MiB"

_MS = {"ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000}
_BYTES = {"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40}
_NUMBER_AND_UNIT = re.compile(r"([0-9]{1,15})(?:\.([0-9]{1,15}))?([A-Za-z]*)", re.ASCII)


def parse_duration(text: str) -> int:
    """Return the milliseconds that ``1s``, ``500ms``, ``1.5s``, ``2m`` or ``1h`` mean.

    Raises:
        UsageError: the unit is missing or unknown, or it is no whole number of milliseconds.

    >>> parse_duration("1.5s"), parse_duration("2m")
    (1500, 120000)
    """
    return _parse(text, _MS, DURATION, "ms")


def parse_size(text: str) -> int:
    """Return the bytes that ``512MiB`` or ``1GiB`` mean; the units are KiB, MiB, GiB and TiB.

    Raises:
        UsageError: the unit is missing or unknown, or it is no whole number of bytes.

    >>> parse_size("1GiB")
    1073741824
    """
    return _parse(text, _BYTES, SIZE, "bytes")


def parse_memory(text: str) -> int:
    """Return how many bytes of memory a text gives to a bot; raises ``UsageError``."""
    size = parse_size(text)
    if not MIN_MEMORY <= size <= MAX_MEMORY or size % 1024:
        least, most = format_size(MIN_MEMORY), format_size(MAX_MEMORY)
        raise UsageError(f'expected whole KiB from {least} to {most}, found "{text}"')
    return size


def format_size(size: int) -> str:
    """Write a size in bytes, a multiple of 1 KiB, in the largest unit that leaves no fraction.

    >>> format_size(3 << 29), format_size(1 << 30)
    ('1536MiB', '1GiB')
    """
    unit = next((unit for unit in reversed(_BYTES) if size % _BYTES[unit] == 0), "KiB")
    return f"{size / _BYTES[unit]:.15g}{unit}"  # other sizes are refused where they are read


def _parse(text: str, units: Mapping[str, int], expected: str, smallest: str) -> int:
    match = _NUMBER_AND_UNIT.fullmatch(text)
    if match is None or match[3] not in units:
        raise UsageError(f'expected {expected}, found "{text}"')
    whole, fraction, unit = match.groups()
    amount = Fraction(f"{whole}.{fraction or 0}") * units[unit]
    if amount.denominator != 1:
        raise UsageError(f'"{text}" is no whole number of {smallest}')
    return int(amount)
