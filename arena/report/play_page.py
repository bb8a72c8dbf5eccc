"""The pages on which people play: a match, the lobby where matches begin, and the rules."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from arena.report.templates import Markup, render_page
from engines.core.drawing import STYLE

_BOARDS = STYLE.removeprefix("<style>").removesuffix("</style>")


class LobbyGame(NamedTuple):
    """A game to begin: its name, title, what it is about, numbers of players and the usual one."""

    name: str
    title: str
    goal: str
    players: Sequence[int]
    usual: int
    picture: str


class LobbyMatch(NamedTuple):
    """A match with free seats: its game, who plays, how many are free, and where they are taken."""

    game: str
    names: Sequence[str]
    free: int
    link: str


class Invitation(NamedTuple):
    """The link that gives a free seat.

    Attributes:
        address: the link, whole.
        code: a QR code of it, as SVG that is ours.
        local: whether only this machine reaches it.
    """

    address: str
    code: str
    local: bool


def play_page(title: str, goal: str, primer: str, invitation: Invitation | None = None) -> str:
    """Return the page of a match; its script asks the server for everything that changes.

    Args:
        title: the game's.
        goal: what the game is about, in a sentence or two.
        primer: how it is played, as HTML that is ours; empty: there is none.
        invitation: the link for those who take the free seats, if there are any.
    """
    return render_page(
        "play.html",
        styles=[_BOARDS],
        scripts=[
            "board.js",
            "keys.js",
            "clicks.js",
            "play.js",
            *(["invite.js"] if invitation else []),
        ],
        asks=True,
        title=title,
        goal=goal,
        primer=Markup(primer),
        invitation=invitation,
        code=Markup(invitation.code if invitation else ""),
    )


def lobby_page(
    games: Sequence[LobbyGame],
    bots: Mapping[str, Sequence[tuple[str, str]]],
    matches: Sequence[LobbyMatch],
) -> str:
    """Return the page where matches begin.

    Args:
        games: those that there are.
        bots: the names of those to play against, and what to call each, by heads.
        matches: those with free seats.
    """
    pictures = {game.name: _data(game.picture) for game in games if game.picture}
    return render_page(
        "lobby.html",
        scripts=["lobby.js"],
        asks=True,
        games=games,
        bots=bots,
        matches=matches,
        pictures=pictures,
    )


def invitation_page(title: str, names: Sequence[str], free: int, goal: str, watch: str) -> str:
    """Return the page of the link that gives a free seat.

    Args:
        title: the game's.
        names: of those who play already.
        free: how many seats are free.
        goal: what the game is about.
        watch: where to watch.
    """
    return render_page(
        "invitation.html",
        scripts=["lobby.js"],
        asks=True,
        title=title,
        names=names,
        free=free,
        goal=goal,
        watch=watch,
    )


def rules_page(title: str, text: str) -> str:
    """Return the rules of a game as a page; ``text`` is HTML that is ours."""
    return render_page("rules.html", title=title, text=Markup(text))


def _data(picture: str) -> str:
    """Return a picture as an address; nothing runs in it, and it fetches nothing."""
    return f"data:image/svg+xml;base64,{b64encode(picture.encode()).decode()}"
