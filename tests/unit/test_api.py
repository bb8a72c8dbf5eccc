"""The Python API: every name is found, whatever else is imported."""

from __future__ import annotations

import contextlib
import importlib
from types import ModuleType

import pytest

import arena


@pytest.mark.parametrize("name", [name for name in arena.__all__ if name != "__version__"])
def test_a_name_is_no_module(name: str) -> None:
    """A name of the API stays what it is also where a module is called the same."""
    with contextlib.suppress(ModuleNotFoundError):
        importlib.import_module(f"arena.{name}")
    assert not isinstance(getattr(arena, name), ModuleType)
