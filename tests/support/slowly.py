"""Rows of a table that only slow or nightly tests try, beside rows that every run tries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pytest


def slowly(rows: Iterable[Any], mark: pytest.MarkDecorator = pytest.mark.slow) -> Iterator[Any]:
    """Yield each row as a marked parameter; a row is one value, or a tuple of values."""
    for row in rows:
        yield pytest.param(*(row if isinstance(row, tuple) else (row,)), marks=mark)


def nightly(rows: Iterable[Any]) -> Iterator[Any]:
    """Yield each row as a parameter for nightly runs; a row is one value, or a tuple of values."""
    return slowly(rows, pytest.mark.nightly)
