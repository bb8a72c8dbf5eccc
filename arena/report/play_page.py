"""The pages on which people play: a match, the lobby where matches begin, and the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arena.report.templates import Markup, render_page
from engines.core.drawing import STYLE

__all__ = ["lobby_page", "play_page", "rules_page"]

_BOARDS = STYLE.removeprefix("<style>").removesuffix("</style>")


def play_page(title: str, goal: str, primer: str) -> str:
    """Return the page of a match; its script asks the server for everything that changes.

    Args:
        title: the game's.
        goal: what the game is about, in a sentence or two.
        primer: how it is played, as HTML that is ours; empty: there is none.
    """
    return render_page(
        "play.html",
        styles=[_BOARDS],
        scripts=["board.js", "play.js"],
        asks=True,
        title=title,
        goal=goal,
        primer=Markup(primer),
    )


def lobby_page(games: Mapping[str, str], bots: Sequence[str]) -> str:
    """Return the page where matches begin.

    Args:
        games: titles by name.
        bots: the names of those to play against.
    """
    return render_page("lobby.html", scripts=["lobby.js"], asks=True, games=games, bots=bots)


def rules_page(title: str, text: str) -> str:
    """Return the rules of a game as a page; ``text`` is HTML that is ours."""
    return render_page("rules.html", title=title, text=Markup(text))
