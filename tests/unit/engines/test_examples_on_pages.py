"""The worked examples of the rules pages are in tests."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import engines
from engines.core.registry import game_class

ROOT = Path(__file__).parents[3]
TESTS = (
    *sorted(Path(__file__).parent.glob("test_*.py")),
    ROOT / "tests" / "support" / "arborius_setups.py",
)
NAMES = [n for n in engines.game_names() if game_class(n).__module__.startswith("engines.")]


def page(name: str) -> str:
    return (ROOT / "docs/rules" / f"{name.replace('_', '-')}.md").read_text(encoding="utf-8")


def section(text: str, word: str) -> str:
    """Return the section whose heading has a word in it."""
    (found,) = re.findall(rf"(?ms)^## [^\n]*{word}.*?(?=^## |\Z)", text)
    return str(found)


@pytest.mark.parametrize("name", NAMES)
def test_examples_are_in_tests(name: str) -> None:
    """Every action, event and position that a worked example names is in a test of the engine."""
    # a text over two lines of a test is one text
    tests = "".join(re.sub(r'"\s*\n\s*f?"', "", path.read_text("utf-8")) for path in TESTS)
    shown = re.findall(r"`([^`]+)`", section(page(name), "[Ee]xample"))
    whole = [text for text in shown if "…" not in text and "<" not in text]
    assert whole
    assert [word for text in whole for word in text.split() if word not in tests] == []
