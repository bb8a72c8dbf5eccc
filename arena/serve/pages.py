"""The pages of one tournament: those of its matches, and of its report as of lately."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from arena.report.site_links import INDEX, MatchLinks
from arena.report.site_values import NewsSeen
from arena.results.standings import choose
from arena.serve.live import Live, files_of
from arena.site.collect import gather
from arena.site.published import may_be_public
from arena.site.report import match_text, site_pages
from arena.store import open_store
from arena.values.errors import RecordError
from arena.values.untrusted import show

KEPT = 64  # pages, for the next who ask for them
REPORT_SHARE = 20  # of the time, for one part in which what reports show is gathered


_kept = lru_cache(KEPT)(match_text)


def match_of(home: Path, tournament: str, match: str, *, public: bool) -> str:
    """Return the page of a match; those asked for last are kept.

    Args:
        home: the arena's home.
        tournament: the one that it must be of, as ``NAME#1``; others are nobody's business.
        match: its whole id.
        public: leave out what is not for everybody.

    Raises:
        RecordError: there is no such match, or it may not be public yet.
        StoreError: the store cannot be read.
    """
    if not re.fullmatch("[0-9a-f]{16}", match):
        raise RecordError("that is no id of a match")
    with open_store(home, create=False) as store:
        edition = choose(store, tournament)
        number = store.matches.number_of(edition.id, match)
        if number is None:
            raise RecordError("there is no such match in this tournament")
        may_show = may_be_public(store, edition) if public else lambda number, game: True
        ends = (edition.id, number - 2), (edition.id, number + 2)
        near = store.matches.read(edition.id, after=ends[0], before=ends[1])
        rows = {row.number: row for row in near if may_show(row.number, row.game)}
        entries = store.tournaments.entries(edition.id)
    if number not in rows:
        raise RecordError("somebody has still to meet its deal")
    before, after = (rows[n].id if n in rows else "" for n in (number - 1, number + 1))
    files = files_of(entries)
    bots = tuple([files.get(bot, "") for bot in rows[number].entrants])
    links = MatchLinks(edition.label, bots, before, after, live=True)
    return _kept(match, home, public=public, links=links)


class ReportPages:
    """The report of a tournament, made again when there are new matches, but not too often.

    It takes 0.1 ms a match.
    """

    def __init__(self, home: Path, *, public: bool) -> None:
        self._home, self._public = home, public
        self._mark: tuple[object, ...] | None = None
        self._name = ""
        self._again_at = 0.0
        self._pages: dict[str, Callable[[], str]] = {}
        self._made: Callable[[str], str] = str

    def page(self, live: Live, name: str = INDEX) -> str:
        """Return a page by the name of its file.

        Args:
            live: the tournament as of now.
            name: as in a report.

        Raises:
            RecordError: there is no such page.
            StoreError: the store cannot be read.
            UsageError: there is no tournament.
        """
        due = live.mark != self._mark and time.monotonic() >= self._again_at
        if due or live.name != self._name:
            begun = time.monotonic()
            site = gather(self._home, live.name, public=self._public, pages="all")
            seen = NewsSeen(show(live.label), live.state or "", live.matches)
            self._pages = pages = site_pages(site._replace(seen=seen), self._home)
            self._made = lru_cache(KEPT)(lambda file: pages[file]())
            self._mark, self._name = live.mark, live.name
            self._again_at = time.monotonic() + REPORT_SHARE * (time.monotonic() - begun)
        if name not in self._pages:
            raise RecordError("the report has no such page")
        return self._made(name)
