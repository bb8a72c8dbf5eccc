"""Examples in docstrings give what they say."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

import arena

ROOT = Path(__file__).parent.parent
FILES = [file for room in ("arena", "engines") for file in sorted((ROOT / room).rglob("*.py"))]
EXAMPLES = [str(file.relative_to(ROOT)) for file in FILES if ">>> " in file.read_text()]


@pytest.mark.parametrize("file", EXAMPLES)
def test_examples_in_docstrings(
    file: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What stands below each ``>>>`` of a file is what it gives.

    Those of the public functions need a home with matches: ``test_docs.py`` runs them in one.
    """
    monkeypatch.chdir(ROOT / "tournaments")  # a file of one is there
    name = file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    if name.startswith("arena.bridges."):  # each needs the extra of its name
        pytest.importorskip(name, exc_type=ImportError, reason="its extra is not installed")
    runner = doctest.DocTestRunner()
    for test in doctest.DocTestFinder().find(importlib.import_module(name)):
        if test.name.removeprefix(f"{name}.") not in arena.__all__:
            runner.run(test)
    assert runner.failures == 0, capsys.readouterr().out
