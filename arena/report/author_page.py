"""A page for the author of one bot: what became of it in a tournament, and how to look further."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from arena.report.templates import Markup, render_page
from arena.values.tables import LeaderboardRow


class AuthorVersion(NamedTuple):
    """A version that was submitted: all of them passed the check then; ``taken`` is UTC."""

    version: int
    taken: str
    retired: bool


class AuthorRow(NamedTuple):
    """An entrant: its row of the leaderboard, or (``None``) why it is ``out``."""

    name: str
    version: int
    row: LeaderboardRow | None
    out: str = ""


class AuthorMatch(NamedTuple):
    """A match that shows the author something.

    Attributes:
        id: its id.
        seat: the bot's.
        bots: all, by seats.
        by: the code of the bot's fault; empty: it lost by the rules.
        decision: of the bot, counted from 1, at which the fault was.
        detail: what was wrong.
        stderr: the last lines that the bot wrote.
        alike: how many more of the matches had the same fault.
        explained: what a search found of the bot's decisions.
        record: what ``arena reproduce`` needs, with nothing of other programs; empty: not yet.
    """

    id: str
    seat: int
    bots: tuple[str, ...]
    by: str = ""
    decision: int = 0
    detail: str = ""
    stderr: str = ""
    alike: int = 0
    explained: str = ""
    record: str = ""

    @property
    def link(self) -> Markup:
        """The record as a file to save, within the page."""
        data = base64.b64encode(self.record.encode("ascii")).decode()
        return Markup(f"data:application/json;base64,{data}")


class AuthorPage(NamedTuple):
    """What one page shows.

    Attributes:
        bot: what the bot is called.
        label: what the tournament is called.
        state: how far it is.
        of: how many are in the leaderboard.
        versions: those submitted, the oldest first; none: it was not submitted here.
        rows: its entrants.
        counts: how many faults of each code there were.
        faults: the last ones, each kind once.
        lost: the last matches that it lost by the rules, except those that are not to be shown.
    """

    bot: str
    label: str
    state: str
    of: int
    versions: Sequence[AuthorVersion]
    rows: Sequence[AuthorRow]
    counts: Mapping[str, int]
    faults: Sequence[AuthorMatch] = ()
    lost: Sequence[AuthorMatch] = ()


def author_page(page: AuthorPage) -> str:
    """Return the page, one file that links to nothing."""
    shown = next((match for match in (*page.faults, *page.lost) if match.record), None)
    return render_page("author.html", page=page, shown=shown)
