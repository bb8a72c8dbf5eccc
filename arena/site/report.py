"""A tournament as a static site: its pages, one after the other, into a folder."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

from arena.arguments import PathLike, path_of
from arena.report.site_bot import bot_page
from arena.report.site_index import index_page
from arena.report.site_links import INDEX, bot_files
from arena.report.site_values import Site
from arena.site.folder import check_folder, write_folder
from arena.site.gather import gather

__all__ = ["Report", "write_report"]


class Report(NamedTuple):
    """What was written: of which tournament, where, how many pages of bots and of matches."""

    tournament: str
    folder: Path
    bots: int
    matches: int


def write_report(
    home: PathLike, folder: PathLike, tournament: str | None = None, *, public: bool = False
) -> Report:
    """Write a static site of a tournament into a folder.

    Args:
        home: the arena's home.
        folder: where to; a new one, or that of an earlier report.
        tournament: ``NAME``, ``NAME#2``, or the one run last.
        public: leave out what is not for everybody: what bots wrote, and what they are started with.

    Raises:
        UsageError: there is no such tournament, or the folder is not one of a report.
        StoreError: the store cannot be read.
    """
    home, folder = path_of(home, "home"), path_of(folder, "folder")
    check_folder(folder)  # before the store is read, which may take long
    site = gather(home, tournament, public=public)
    write_folder(folder, _pages(site))
    return Report(site.label, folder, len(site.bots), len(site.replays))


def _pages(site: Site) -> dict[str, Callable[[], str]]:
    """Return what makes each page; none is held longer than it takes to write it."""
    files = bot_files([bot.name for bot in site.bots])
    pages = {files[bot.name]: partial(bot_page, site, bot) for bot in site.bots}
    return {**pages, INDEX: partial(index_page, site)}
