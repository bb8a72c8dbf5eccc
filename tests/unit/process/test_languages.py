"""Languages: found by scanning, unmistakable, and each able to run its smallest program."""

from __future__ import annotations

import dataclasses
import importlib.metadata
from pathlib import Path
from types import SimpleNamespace

import pytest
from support.needs import toolchain

from arena.bots.probe import probe_language
from arena.process import languages
from arena.process.languages import all_languages, find_language
from arena.sandbox import LevelProblem
from arena.values.errors import UsageError


def test_doubles_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two that claim one suffix are an error that shows both places."""
    other = dataclasses.replace(find_language("c"), name="c-fast")
    point = SimpleNamespace(name="c-fast", value="there", load=lambda: other)
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda group: [point])
    languages._others.cache_clear()
    with pytest.raises(UsageError, match=r'claim "\.c": arena\.process\.languages\.c and there'):
        find_language("nothing")


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(
            language.name, marks=pytest.mark.slow if language.name in ("go", "java", "rust") else ()
        )
        for language in all_languages()
    ],
)
def test_the_probe_works(name: str) -> None:
    """A language whose toolchain is on the machine builds and runs its smallest program."""
    assert probe_language(find_language(toolchain(name))) is None


def test_a_broken_toolchain_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A probe that prints something else, and one that has no compiler, say so."""
    c = find_language("c")
    shell = find_language("shell")
    wrong = dataclasses.replace(shell, probe="echo no\n")
    found = probe_language(wrong)
    assert found is not None
    assert "printed 'no\\n'" in found.reason
    assert found.remedy == ""
    monkeypatch.setenv("PATH", str(tmp_path))
    assert probe_language(c) == LevelProblem("needs a C compiler (cc)", "install gcc")
