"""Tests of the server that are coroutines run in asyncio, as the server does."""

from __future__ import annotations

import pytest


@pytest.fixture
def anyio_backend() -> str:
    """Return the one loop that tests marked ``anyio`` are run in."""
    return "asyncio"
