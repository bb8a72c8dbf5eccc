"""The rules of a game on a person's terminal: a screen to begin with, or the whole page."""

from __future__ import annotations

from engines import EngineError
from engines.core.pages import primer, rules_page


def rules_text(name: str, *, whole: bool = False) -> str:
    """Return the rules of a game as Markdown.

    Args:
        name: a game's name without parameters.
        whole: the whole page, also if the game has a primer, which is enough for a first game.
    """
    page = None if whole else primer(name)
    if page is not None:
        return page.partition("\n## ")[0].strip()
    try:
        return rules_page(name).strip()
    except EngineError as error:
        return str(error)
