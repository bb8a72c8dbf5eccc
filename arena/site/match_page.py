"""Matches as pages for a browser: each is one file that needs nothing else."""

from __future__ import annotations

from arena.report.replay_page import replay_page
from arena.report.site_links import NO_LINKS, MatchLinks
from arena.review.log import MatchLog, log_of, log_to_show
from arena.review.reproduction import positions
from arena.values.arguments import PathLike
from arena.values.explained import Explanation
from arena.values.model import MatchResult


def match_page(match: PathLike, home: PathLike, *, player: int | None = None) -> str:
    """Return a page of HTML that steps through a match: boards, actions, times, what bots said.

    Args:
        match: an id, the beginning of one, or a record file, which has only the last words of a
            bot at fault.
        home: the arena's home.
        player: shown is what this player could know, and nothing else is in the page; ``None``:
            everything.

    Where the words of the bots are stored damaged, the page is without them and says so.

    Raises:
        RecordError: there is no such match, or the rules do not accept its record.
        UsageError: there is no such player.
    """
    return log_page(log_to_show(match, home), player)


def explained_page(match: PathLike, home: PathLike, explanation: Explanation) -> str:
    """Return the page of a match, everything shown, with what a search found of its decisions."""
    return log_page(log_to_show(match, home), explanation=explanation)


def page_of(result: MatchResult) -> str:
    """Return the HTML page of a match from its result, without reading it from a home."""
    return log_page(log_of(result))


def log_page(
    log: MatchLog,
    player: int | None = None,
    *,
    explanation: Explanation | None = None,
    links: MatchLinks = NO_LINKS,
) -> str:
    """Return the page of a match with just these words of its bots; ``player`` as above."""
    return replay_page(
        log.record,
        positions(log.record),
        log.passages,
        player=player,
        explanation=explanation,
        damaged=log.damaged,
        links=links,
    )
