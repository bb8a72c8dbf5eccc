"""The pages of a game, wherever they are kept: in an installed package or in the source tree."""

from __future__ import annotations

import inspect
from pathlib import Path

from engines.core.errors import EngineError
from engines.core.registry import game_class

_ENGINES = Path(__file__).parents[1]


def rules_page(name: str) -> str:
    """Return the rules page of a game as Markdown text.

    It is the file ``NAME.md``, underscores written as dashes, in the folder ``rules`` beside the
    game's own module (for plug-ins), in ``engines/rules`` (where our pages are installed) or in
    ``docs/rules`` of the source tree.

    Args:
        name: a game's name without parameters, e.g. ``the_tree``.

    Raises:
        UnknownGame: there is no such game.
        EngineError: the game brings no page.
    """
    page = _path(name, f"{name.replace('_', '-')}.md")
    if page is None:
        raise EngineError(f'the game "{name}" brings no rules page')
    return page.read_text(encoding="utf-8")


def primer(name: str) -> str | None:
    """Return the primer of a game as Markdown text, or ``None`` if the game brings none.

    It is the file ``primer/NAME.md`` in one of the folders in which ``rules_page`` looks. What
    comes before its first ``## `` is, below the title, plain text for a screen of a terminal.

    Args:
        name: a game's name without parameters, e.g. ``the_tree``.

    Raises:
        UnknownGame: there is no such game.
    """
    path = primer_path(name)
    return None if path is None else path.read_text(encoding="utf-8")


def goal(name: str) -> str:
    """Return what a game is about, in a few sentences: the first paragraph of its primer.

    Empty if the game brings none.
    """
    paragraphs = (primer(name) or "").split("\n\n", 2)
    return " ".join(paragraphs[1].split()) if len(paragraphs) > 1 else ""


def primer_path(name: str) -> Path | None:
    """Return where the primer of a game is; its pictures are beside it, as its links say."""
    return _path(name, f"primer/{name}.md")


def _path(name: str, file: str) -> Path | None:
    module = Path(inspect.getfile(game_class(name)))
    for folder in (module.parent / "rules", _ENGINES / "rules", _ENGINES.parent / "docs" / "rules"):
        page = folder / file
        if page.is_file():
            return page
    return None
