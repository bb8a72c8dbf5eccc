"""Rows of a table that only slow or nightly tests try, beside rows that every run tries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pytest


def slowly(rows: Iterable[Any], mark: pytest.MarkDecorator = pytest.mark.slow) -> Iterator[Any]:
    """Yield each row, which is one value, as a parameter with a mark, ``slow`` by default."""
    for row in rows:
        yield pytest.param(row, marks=mark)


def nightly(rows: Iterable[Any]) -> Iterator[Any]:
    """Yield each row, which is one value, as a parameter that is marked nightly."""
    return slowly(rows, pytest.mark.nightly)
