"""A tournament as a static site: its pages, one after the other, into a folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Literal, NamedTuple

from arena.report.crosstable_text import crosstable_square
from arena.report.site_bot import bot_page
from arena.report.site_index import BEST, index_page
from arena.report.site_links import CROSS, INDEX, MatchLinks, bot_files, match_file
from arena.report.site_values import Site
from arena.results.standings import check_home
from arena.review.log import MatchLog, log_to_show
from arena.site.collect import gather
from arena.site.folder import check_folder, write_folder
from arena.site.match_page import log_page
from arena.site.tally import MatchPages
from arena.values.arguments import PathLike, path_of
from arena.values.errors import ArenaError, UsageError
from engines import EngineError

MOST_BYTES = 20_000_000  # of the pages of all matches, with ``auto``
SAMPLE = 10  # pages after which twice as much is enough to leave all out


class Report(NamedTuple):
    """What was written: of which tournament, where, how many pages of bots and of matches."""

    tournament: str
    folder: Path
    bots: int
    matches: int


def write_report(
    home: PathLike,
    folder: PathLike,
    tournament: str | None = None,
    *,
    public: bool = False,
    pages: MatchPages | Literal["auto"] = "auto",
    anchor: Mapping[str, float] | None = None,
) -> Report:
    """Write a static site of a tournament into a folder.

    >>> made = arena.write_report(".arena", "site", "quickstart", pages=2)
    >>> made.tournament, made.bots, made.matches
    ('quickstart', 4, 2)

    Args:
        home: the arena's home.
        folder: where to; a new one, or that of an earlier report.
        tournament: ``NAME``, ``NAME#2``, or the one run last.
        public: leave out what is not for everybody: what bots wrote, what they are started with,
            and the details of faults, in which either may stand.
        pages: which matches have a page of their own, as ``match_page`` makes it: ``all``, those
            with ``faults``, or the last so many of the schedule. ``auto`` is all if they have at
            most 20 MB together, and else none.
        anchor: the bot whose Elo is fixed; see ``Selection``.

    Raises:
        UsageError: there is no such tournament or bot, the folder is not one of a report, or
            ``pages`` is none of these.
        RecordError: a match is to have a page, and the rules do not accept its record.
        StoreError: the store cannot be read.
    """
    home, folder = check_home(home, tournament, None), path_of(folder, "folder")
    counts = isinstance(pages, int) and not isinstance(pages, bool) and pages >= 0
    if not counts and pages not in ("auto", "all", "faults"):
        raise UsageError(f'pages: expected "auto", "all", "faults" or a number, found {pages!a}')
    check_folder(folder)  # before the store is read, which may take long
    chosen: MatchPages = "all" if pages == "auto" else pages
    site = gather(home, tournament, public=public, pages=chosen, anchor=anchor)
    made = site_pages(site, home)
    if pages == "auto" and site.tally.pages:
        small = _small([match_file(match) for match in site.tally.pages], made)
        if small is None:
            site = site._replace(tally=site.tally._replace(pages={}), left_out=True)
            made = site_pages(site, home)
        else:
            made |= small
    write_folder(folder, made)
    return Report(site.label, folder, len(site.bots), len(site.tally.pages))


def _small(
    files: Sequence[str], pages: Mapping[str, Callable[[], str]]
) -> dict[str, Callable[[], str]] | None:
    """Return pages that are made; ``None``: they are too large together, or one cannot be made."""
    texts: dict[str, Callable[[], str]] = {}
    size = 0
    for file in files:
        try:
            text = pages[file]()
        except (ArenaError, EngineError):
            return None
        texts[file] = partial(str, text)
        size += len(text)
        soon = len(texts) == SAMPLE and size * len(files) > 2 * SAMPLE * MOST_BYTES
        if soon or size > MOST_BYTES:
            return None
    return texts


def site_pages(site: Site, home: Path) -> dict[str, Callable[[], str]]:
    """Return what makes each page, by its file; none is held longer than it takes to write it."""
    files = bot_files([bot.name for bot in site.bots])
    ids = ["", *site.tally.pages, ""]
    pages: dict[str, Callable[[], str]] = {}
    for (match, bots), before, after in zip(site.tally.pages.items(), ids, ids[2:], strict=False):
        theirs = tuple([files.get(bot, "") for bot in bots])
        links = MatchLinks(site.label, theirs, before, after)
        make = partial(match_text, match, home, public=site.public, links=links)
        pages[match_file(match)] = make
    pages |= {files[bot.name]: partial(bot_page, site, bot) for bot in site.bots}
    if len(site.bots) > BEST:
        pages[CROSS] = partial(crosstable_square, site.cross)
    return {**pages, INDEX: partial(index_page, site)}


def match_text(match: str, home: Path, *, public: bool, links: MatchLinks) -> str:
    """Return the page of a match; ``public`` as for ``write_report``."""
    log = log_to_show(match, home, words=not public)
    return log_page(_without_words(log) if public else log, links=links)


def _without_words(log: MatchLog) -> MatchLog:
    """Return a match without what its bots wrote, except their actions and numbers."""
    decisions = [
        one._replace(info=tuple([(k, v) for k, v in one.info if not isinstance(v, str)]))
        for one in log.record.decisions
    ]
    faults = [replace(fault, detail="", stderr="") for fault in log.record.faults]
    record = replace(log.record, decisions=tuple(decisions), faults=tuple(faults))
    return replace(log, record=record, passages=())
