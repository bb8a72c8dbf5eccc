"""A tournament and bot arena runner; this is its Python side.

Most of what the command ``arena`` does is one of these functions. They are found when first used,
so that importing ``arena`` costs nothing. What a function raises is a
child of ``arena.ArenaError``, or of ``engines.EngineError``.

>>> import arena
>>> tournament = arena.read_tournament("quickstart.yaml")  # by arena new tournament
>>> tournament.name
'quickstart'
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import Any

from arena.values.version import __version__

# each name, and the module that has it, as type checkers read them
with open(f"{__file__}i", encoding="utf-8") as _stub:
    _HOMES = {line.split()[3]: line.split()[1] for line in _stub if line.startswith("from arena.")}
del _HOMES["__version__"]

__all__ = ["__version__", *sorted(_HOMES, key=lambda name: name[0].isupper())]  # functions first


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'arena' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)


class _Api(ModuleType):
    """This package: a function keeps its name where a module inside is called the same."""

    def __setattr__(self, name: str, value: object) -> None:
        if not (name in _HOMES and isinstance(value, ModuleType)):  # what importing it would set
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Api
