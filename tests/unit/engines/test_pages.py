"""Every game of ours has a rules page, and it is found."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.own_games import own_games
from support.perft_rows import FOLDER, read_rows
from support.ran import PYTHON, printed

import engines
from engines.core.pages import primer, rules_page
from engines.core.registry import game_class

RULES = Path(__file__).parents[3] / "docs" / "rules"


@pytest.mark.parametrize("name", own_games())
def test_own_game_has_a_page(name: str) -> None:
    """The page bears the game's title, names all its parameters and is in the index."""
    page = rules_page(name)
    cls = game_class(name)
    assert page.startswith(f"# {cls.title}\n")
    assert [p.name for p in cls.PARAMETERS if f"`{p.name}`" not in page] == []
    index = (RULES / "README.md").read_text(encoding="utf-8")
    assert f"({name.replace('_', '-')}.md)" in index


def shown_rows(page: str) -> list[list[int]]:
    """Return the rows of counts in the section about perft of a rules page."""
    section = page.partition("Perft")[2].partition("\n## ")[0]
    rows = re.findall(r"\d+(?:,\s\d+){2,}", section)
    return [[*map(int, re.split(r",\s", row))] for row in rows]


def kept_rows(text: str) -> Iterator[list[int]]:
    """Yield the counts of each position of a perft file, whose depths may be on several lines."""
    found: dict[tuple[str, str | None], dict[int, int]] = {}
    for row in read_rows(text):
        found.setdefault((row.game, row.setup), {})[row.depth] = row.sequences
    for counts in found.values():
        assert [*counts] == list(range(1, len(counts) + 1))
        yield [*counts.values()]


@pytest.mark.parametrize("name", own_games())
def test_shown_perft_counts_are_kept_ones(name: str) -> None:
    """The counts that a page shows are among those that its engine is tested with."""
    shown = shown_rows(rules_page(name))
    kept = [*kept_rows((FOLDER / f"{name}.perft").read_text(encoding="utf-8"))]
    assert shown, "its section Perft shows no counts, such as 7, 49, 343"
    assert [row for row in shown if row not in kept] == []


def test_what_a_new_game_needs_is_named() -> None:
    """Who follows the pages about a new game is led to all that the tests look for."""
    for page in ("CONTRIBUTING.md", "docs/how-to/add-a-game.md"):
        text = (RULES.parents[1] / page).read_text(encoding="utf-8")
        for needed in ("docs/rules/README.md", "tests/playthroughs/", "tests/perft/"):
            assert needed in text, f"{page} does not name {needed}"


def test_plugged_in_game_brings_its_page(small_games: Path) -> None:
    """A plug-in's page lies in ``rules`` beside its module, as another process finds it."""
    (small_games / "rules").mkdir()
    (small_games / "rules" / "draws.md").write_text("# Draws\n")
    command = "from engines.core.pages import rules_page; print(rules_page('draws'), end='')"
    assert printed(PYTHON, "-c", command) == "# Draws\n"


@pytest.mark.usefixtures("small_games")
def test_missing_page_is_an_error() -> None:
    """A game without a page, and a name without a game, are told apart; a primer may be missing."""
    with pytest.raises(engines.EngineError, match='the game "draws" brings no rules page'):
        rules_page("draws")
    with pytest.raises(engines.UnknownGame, match='did you mean "draws"'):
        rules_page("drawz")
    assert primer("draws") is None
