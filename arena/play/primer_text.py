"""The rules of a game on a person's terminal: a screen to begin with, or the whole page."""

from __future__ import annotations

from engines import EngineError
from engines.core.pages import primer, rules_page

SCREEN = 20  # lines, of a game without a primer


def rules_text(name: str, *, whole: bool = False) -> str:
    """Return the rules of a game as Markdown.

    Args:
        name: a game's name without parameters.
        whole: whether it is the whole page, and not what to know for a first game.
    """
    page = None if whole else primer(name)
    if page is not None:
        return page.partition("\n## ")[0].strip()
    try:
        lines = rules_page(name).strip().split("\n")
    except EngineError as error:
        return str(error)
    if whole or len(lines) <= SCREEN:
        return "\n".join(lines)
    ends = [number for number, line in enumerate(lines[:SCREEN]) if not line]
    return "\n".join([*lines[: ends[-1] if ends else SCREEN], "", "Type rules all for the rest."])
