"""The Python API: every name is found, whatever else is imported."""

from __future__ import annotations

import builtins
import contextlib
import importlib
import re
from types import ModuleType

import pytest

import arena
import arena.values.errors as errors
import engines


@pytest.mark.parametrize("name", [name for name in arena.__all__ if name != "__version__"])
def test_a_name_is_no_module(name: str) -> None:
    """A name of the API stays what it is also where a module is called the same."""
    with contextlib.suppress(ModuleNotFoundError):
        importlib.import_module(f"arena.{name}")
    assert not isinstance(getattr(arena, name), ModuleType)


def test_every_error_can_be_caught() -> None:
    """All children of ``ArenaError``, and all that a function may raise, have a public name."""
    for name, value in vars(errors).items():
        if isinstance(value, type) and issubclass(value, errors.ArenaError):
            assert getattr(arena, name) is value
    for name in arena.__all__:
        raised = re.search(r"Raises:\n((?: .*\n|\n)+)", f"{getattr(arena, name).__doc__}\n")
        for error in re.findall(r"^ +(\w+):", raised[1] if raised else "", re.MULTILINE):
            assert any(hasattr(where, error) for where in (arena, engines, builtins)), error


def test_names_are_offered() -> None:
    """What completes a name, in a notebook or a shell, finds the functions and nothing else."""
    assert {"play_once", "run_tournament", "BotError"} <= set(dir(arena))
    assert set(dir(arena)) == set(arena.__all__)
