"""Rows of a table that only slow or nightly tests try, beside rows that every run tries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pytest


def slowly(rows: Iterable[Any], mark: pytest.MarkDecorator = pytest.mark.slow) -> Iterator[Any]:
    """Yield a parameter for each row; a row is one value, and each parameter has the mark."""
    for row in rows:
        yield pytest.param(row, marks=mark)


def nightly(rows: Iterable[Any]) -> Iterator[Any]:
    """Yield a parameter for each row, marked as nightly; a row is one value."""
    return slowly(rows, pytest.mark.nightly)
