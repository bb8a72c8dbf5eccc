"""Every game of ours has a rules page, and it is found."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import engines
from engines.core.pages import rules_page
from engines.core.registry import game_class

RULES = Path(__file__).parents[3] / "docs" / "rules"


def _own_names() -> list[str]:
    return [n for n in engines.game_names() if game_class(n).__module__.startswith("engines.")]


@pytest.mark.parametrize("name", _own_names())
def test_own_game_has_a_page(name: str) -> None:
    """The page bears the game's title, names all its parameters and is in the index."""
    page = rules_page(name)
    cls = game_class(name)
    assert page.startswith(f"# {cls.title}\n")
    assert [p.name for p in cls.PARAMETERS if f"`{p.name}`" not in page] == []
    index = (RULES / "README.md").read_text(encoding="utf-8")
    assert f"({name.replace('_', '-')}.md)" in index


def test_index_names_only_pages_that_exist() -> None:
    """Every page that the index links to is there."""
    index = (RULES / "README.md").read_text(encoding="utf-8")
    linked = [part.split(")")[0] for part in index.split("](")[1:]]
    assert [name for name in linked if not (RULES / name).is_file()] == []


def test_plugged_in_game_brings_its_page(small_games: Path) -> None:
    """A plug-in's page lies in ``rules`` beside its module, as another process finds it."""
    (small_games / "rules").mkdir()
    (small_games / "rules" / "draws.md").write_text("# Draws\n")
    command = "from engines.core.pages import rules_page; print(rules_page('draws'), end='')"
    root = RULES.parents[1]
    found = subprocess.run(
        [sys.executable, "-c", command], cwd=root, capture_output=True, text=True, check=True
    )
    assert found.stdout == "# Draws\n"


@pytest.mark.usefixtures("small_games")
def test_missing_page_is_an_error() -> None:
    """A game without a page, and a name without a game, are told apart."""
    with pytest.raises(engines.EngineError, match='the game "draws" brings no rules page'):
        rules_page("draws")
    with pytest.raises(engines.UnknownGame, match='did you mean "draws"'):
        rules_page("drawz")
