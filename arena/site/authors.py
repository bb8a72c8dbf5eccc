"""A page for the author of each bot, under a name that nobody can guess, and a list of them."""

from __future__ import annotations

import base64
import contextlib
import csv
import io
import re
import secrets
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from arena.bots.taken import is_of_an_older_arena
from arena.machine.untrusted_files import make_private, read_regular
from arena.record.record import format_record
from arena.report.explanation_text import explanation_text
from arena.report.table import csv_table
from arena.report.templates import Markup, render_page
from arena.results.home import state_at_rest
from arena.results.marks import NOBODY, whose
from arena.results.standings import board_of, check_home, choose
from arena.review.explain import explain, usual_simulations
from arena.review.reproduction import find_record
from arena.site.folder import write_file
from arena.site.published import may_be_public
from arena.store import Edition, Store, open_home
from arena.store.bots import BotVersion
from arena.store.entrants import Entry, plainly_named
from arena.values.arguments import PathLike, path_of
from arena.values.errors import RecordError, UsageError
from arena.values.model import Fault, Record
from arena.values.tables import MatchRow
from arena.values.untrusted import csv_text, show
from engines import EngineError

LIST, PAGES = "index.csv", "pages"
HEADS = ("bot", "person", "group", "page")
PAGE = re.compile(rf"{PAGES}/[0-9a-f]{{32}}\.html")
MAX_LIST = 16 << 20  # bytes
FAULTS = 20  # that a page shows, where no two are alike
LOST = 3  # matches whose decisions it shows
SHARE = 30  # of the simulations that ``arena explain`` has for a match: one of so many


class AuthorPages(NamedTuple):
    """What was written: of which tournament, where, and how many pages."""

    tournament: str
    folder: Path
    pages: int


class AuthorMatch(NamedTuple):
    """A match that shows the author something.

    Attributes:
        id: its id.
        seat: the bot's.
        bots: all, by seats.
        fault: the bot's; ``None``: it lost by the rules.
        alike: how many more of the matches had the same fault.
        explained: what a search found of the bot's decisions.
        record: what ``arena reproduce`` needs, with nothing of other programs; empty: not yet.
    """

    id: str
    seat: int
    bots: tuple[str, ...]
    fault: Fault | None
    alike: int = 0
    explained: str = ""
    record: str = ""

    @property
    def link(self) -> Markup:
        """The record as a file to save, within the page."""
        data = base64.b64encode(self.record.encode("ascii")).decode()
        return Markup(f"data:application/json;base64,{data}")


class _Author:
    """The entrants of one author, the last of their matches, and how many faults there were."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.versions: Sequence[BotVersion] = ()
        self.counts = Counter[str]()
        self.faults: deque[tuple[MatchRow, int]] = deque(maxlen=FAULTS)
        self.lost: deque[tuple[MatchRow, int]] = deque(maxlen=LOST)


def write_authors(
    home: PathLike,
    folder: PathLike,
    tournament: str | None = None,
    *,
    anchor: Mapping[str, float] | None = None,
    simulations: int | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> AuthorPages:
    """Write a page for the author of each bot that did not come with the arena.

    A page is in ``pages/`` under a random name, which it keeps when the folder is written again,
    as long as it is the same person's; ``index.csv`` says whose it is. All versions of one bot are
    on one page, two bots never.

    >>> arena.write_authors(".arena", "feedback", "quickstart").pages
    0

    Args:
        home: the arena's home.
        folder: where to; a new one, or that of an earlier call.
        tournament: ``NAME``, ``NAME#2``, or the one run last.
        anchor: the bot whose Elo is fixed; see ``Selection``.
        simulations: for each of the matches that are explained; 0: none is. Left out, what takes
            some two seconds.
        progress: called with how many pages are written, and how many there will be.

    Raises:
        UsageError: there is no such tournament or bot, or the folder is somebody else's.
        StoreError: the store cannot be read.
    """
    home, folder = check_home(home, tournament, None), path_of(folder, "folder")
    names = _names(folder)
    with open_home(home) as store:
        edition = choose(store, tournament)
        entries = plainly_named(store.tournaments.entries(edition.id))
        authors = defaultdict[str, _Author](_Author)
        for entry in entries:
            if not is_of_an_older_arena(entry.bot, entry.hash):
                bot = entry.bot if entry.version else f"{entry.name} (file)"
                authors[bot].entries.append(entry)
        people, may_show = whose(store, entries), may_be_public(store, edition)
        board = board_of(store, edition.label, anchor=anchor)
        state = state_at_rest(store, edition)
        _look(store, edition, authors, may_show)
    out = {(row.bot, row.version): row.reason for row in board.out}
    rows = []
    for bot, author in authors.items():
        person = next((people[one.id] for one in author.entries if one.id in people), NOBODY)
        name, whose_it_was = names.get(_as_cell(bot), ("", ""))
        if not name or whose_it_was not in ("", _as_cell(person.person)):
            name = f"{PAGES}/{secrets.token_hex(16)}.html"  # the old one's owner knows that name
        else:
            del names[_as_cell(bot)]
        rows.append((bot, person.person, person.team, name))
    make_private(folder / PAGES)
    # first, so that no page is without an owner if this is stopped
    old = [("", "", "", name) for name, _ in names.values()]
    write_file(folder / LIST, csv_table(HEADS, [*rows, *old]), private=True)
    write_file(folder / PAGES / "index.html", "")  # so that a server does not list the pages
    for done, (bot, *_, name) in enumerate(rows):
        progress(done, len(rows))
        author = authors[bot]
        author.entries.sort(key=lambda one: (one.name, one.version) in out)
        faults = _kinds([_match(*one, home, may_show, 0) for one in reversed(author.faults)])
        lost = [_match(*one, home, may_show, simulations) for one in reversed(author.lost)]
        page = render_page(
            "author.html",
            bot=bot,
            label=edition.label,
            state=state,
            author=author,
            board={(row.bot, row.version): row for row in board.rows},
            out=out,
            faults=faults,
            lost=lost,
            shown=next((match for match in (*faults, *lost) if match.record), None),
        )
        write_file(folder / name, page)
    for name, _ in names.values():
        (folder / name).unlink(missing_ok=True)
    write_file(folder / LIST, csv_table(HEADS, rows), private=True)
    return AuthorPages(edition.label, folder, len(rows))


def _names(folder: Path) -> dict[str, tuple[str, str]]:
    """Return the page and the person of each bot in an earlier list, by what stands there.

    A new folder has none.

    Raises:
        UsageError: the folder is somebody else's.
    """
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return {}
    rows: list[list[str]] = []
    with contextlib.suppress(OSError, ValueError, csv.Error):
        text = read_regular(folder / LIST, MAX_LIST).decode("utf-8-sig")
        rows = list(csv.reader(io.StringIO(text)))
    if not rows or tuple(rows[0]) != HEADS or (folder / PAGES).is_symlink():
        raise UsageError(
            f"--authors {show(str(folder))}: the folder holds no earlier pages, whose {LIST} "
            f'begins with "{",".join(HEADS)}"; name a new folder'
        )
    pages = {row[3]: row for row in reversed(rows) if len(row) == 4 and PAGE.fullmatch(row[3])}
    return {bot or page: (page, person) for bot, person, _, page in pages.values()}


def _as_cell(text: str) -> str:
    """Return what a text is in a list that was read."""
    return next(csv.reader([f"{csv_text(text)},"]))[0]


def _look(
    store: Store,
    edition: Edition,
    authors: Mapping[str, _Author],
    may_show: Callable[[int, str], bool],
) -> None:
    """Find what the store has of each author."""
    for bot, author in authors.items():
        versions = store.bots.versions(bot)
        if {one.hash for one in author.entries} & {version.hash for version in versions}:
            author.versions = versions  # else they are of a bundle, or forgotten
    owner = {one.id: author for author in authors.values() for one in author.entries}
    with closing(store.matches.read(edition.id)) as matches:
        for match in matches:
            wrong = dict(match.faults)
            for seat, entrant in enumerate(match.seats):
                if entrant not in owner:
                    continue
                if seat in wrong:
                    owner[entrant].counts[wrong[seat]] += 1
                    owner[entrant].faults.append((match, seat))
                elif (match.by, match.ranks[seat] > 1) == ("rules", True) and may_show(
                    match.number, match.game
                ):
                    owner[entrant].lost.append((match, seat))


def _match(
    match: MatchRow,
    seat: int,
    home: Path,
    may_show: Callable[[int, str], bool],
    simulations: int | None,
) -> AuthorMatch:
    """Return what the author of the bot in a seat may see of a match; explain it if asked."""
    record = find_record(match.id, home, shown=True)
    fault = next((one for one in record.faults if one.player == seat), None)
    if not may_show(match.number, match.game):  # what the bot wrote may say what it held
        hidden = None if fault is None else replace(fault, detail="", stderr="")
        return AuthorMatch(match.id, seat, match.entrants, hidden)
    shown = AuthorMatch(match.id, seat, match.entrants, fault)
    if simulations != 0:
        with contextlib.suppress(EngineError, RecordError):  # it is not played so any more
            few = max(1, usual_simulations(record.game) // SHARE)
            found = explain(match.id, home, player=seat, simulations=simulations or few)
            shown = shown._replace(explained=explanation_text(record, found))
    return shown._replace(record=format_record(_without_others(record, seat)))


def _kinds(faults: Iterable[AuthorMatch]) -> list[AuthorMatch]:
    """Return the first fault of each kind, with how many more there are."""
    found: dict[Fault | None, AuthorMatch] = {}
    for one in faults:
        kind = one.fault and replace(one.fault, player=0, decision=0)
        first = found.setdefault(kind, one)
        found[kind] = first._replace(alike=first.alike + (first.id != one.id))
    return [*found.values()]


def _without_others(record: Record, seat: int) -> Record:
    """Return a record that has of other programs only their names, versions and actions."""
    players = [
        replace(player, args=(), env=(), packages="", hash=player.hash * (at == seat))
        for at, player in enumerate(record.players)
    ]
    decisions = [
        decision if player == seat else decision._replace(info=())
        for (player, _), decision in zip(record.actions, record.decisions, strict=True)
    ]
    faults = [
        fault if fault.player == seat else replace(fault, detail="", stderr="")
        for fault in record.faults
    ]
    return replace(
        record,
        players=tuple(players),
        decisions=tuple(decisions),
        faults=tuple(faults),
        host="",
    )
