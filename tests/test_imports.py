"""Engines and bots need nothing of ours, or others'; ``lint-imports`` checks rooms and doors."""

from __future__ import annotations

import ast
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def imports(path: Path) -> Iterator[str]:
    """Yield the dotted name of every module a file imports, anywhere in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.module is not None, f"{path}: imports are absolute"
            yield node.module


def sources(folder: str) -> list[Path]:
    return sorted((ROOT / folder).rglob("*.py"))


def test_engines_need_nothing() -> None:
    """Engines import the standard library and one another."""
    allowed = {"engines", *sys.stdlib_module_names}
    for path in sources("engines"):
        for name in imports(path):
            assert name.split(".")[0] in allowed, f"{path} imports {name}"


def test_bots_import_engines_at_most() -> None:
    """Bots import the standard library and at most engines; OpenSpiel's own players OpenSpiel.

    Adapters are put beside a kit.
    """
    for path in sources("bots"):
        beside = {other.stem for other in path.parent.glob("*.py")}
        beside |= {"openspiel": {"pyspiel"}, "adapters": {"kit"}}.get(path.parent.name, set())
        for name in imports(path):
            first = name.split(".")[0]
            if first in beside:
                continue
            assert first == "engines" or first in sys.stdlib_module_names, f"{path} imports {name}"


@pytest.mark.slow
def test_each_dependency_has_a_door() -> None:
    """What arena imports of others has a door, which ``lint-imports`` checks."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    known = {name for contract in contracts for name in contract.get("forbidden_modules", ())}
    for path in sources("arena"):
        for name in imports(path):
            first = name.split(".")[0]
            if first not in ("arena", "engines", *sys.stdlib_module_names):
                assert first in known, f"{path} imports {name}, which has no door"
