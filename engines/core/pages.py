"""The rules page of a game, wherever it is kept: in an installed package or in the source tree."""

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
    module = Path(inspect.getfile(game_class(name)))
    file = name.replace("_", "-") + ".md"
    for folder in (module.parent / "rules", _ENGINES / "rules", _ENGINES.parent / "docs" / "rules"):
        page = folder / file
        if page.is_file():
            return page.read_text(encoding="utf-8")
    raise EngineError(f'the game "{name}" brings no rules page')
