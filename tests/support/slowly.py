"""Rows of a table that only the slow tests try, or those of a night, beside those of everybody."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pytest


def slowly(rows: Iterable[Any], mark: pytest.MarkDecorator = pytest.mark.slow) -> Iterator[Any]:
    """Yield each row, which is one value, as a parameter that is marked slow."""
    for row in rows:
        yield pytest.param(row, marks=mark)


def nightly(rows: Iterable[Any]) -> Iterator[Any]:
    """Yield each row, which is one value, as a parameter that is marked nightly."""
    return slowly(rows, pytest.mark.nightly)
