"""Rows of a table that only the slow suite tries, beside those that everybody does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pytest


def slowly(rows: Iterable[Any]) -> Iterator[Any]:
    """Yield each row, which is one value, as a parameter that is marked slow."""
    for row in rows:
        yield pytest.param(row, marks=pytest.mark.slow)
