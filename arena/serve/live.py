"""A tournament as of now, as its live page shows it: all that can be read while it is running.

Known are the matches that were stored, how many there are in all, whether a runner is at work, and
of the matches that are being played what ``running.py`` finds.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any

from arena.report.leaderboard_text import leaderboard_text
from arena.report.match_text import figures
from arena.report.matches_text import match_json
from arena.report.site_links import bot_files
from arena.report.templates import linked, render_page
from arena.results.home import edition_row
from arena.results.matches import Listing
from arena.results.standings import board_of, choose
from arena.serve.running import running_matches
from arena.site.published import may_be_public
from arena.store import open_store
from arena.store.entrants import Entry, plainly_named
from arena.values.errors import UsageError
from arena.values.running import RunningMatch
from arena.values.tables import EditionState, Leaderboard, MatchRow
from arena.values.words import duration, pace

LAST = 50  # matches that are listed
_COLUMNS = (
    "rank", "bot", "sandbox", "score", "mean_score", "low", "high", "games", "wins", "draws",
    "losses", "faults",
)  # fmt: skip
_RUNNING = ("id", "game", "bots", "decisions")


@dataclass(frozen=True, slots=True)
class Live:
    """What is known of a tournament at a moment.

    Attributes:
        label: what it is called; empty: none was run in this home yet.
        name: the same as ``NAME#1``, which is no other one's when there is a newer edition.
        state: how far it is; ``None`` where there is none.
        matches: how many were played.
        of: how many there are in all, where that is known.
        undecided: how many were given up.
        rate: matches a minute, of late; ``None`` unless it is running.
        left: about how many seconds it goes on, where that is known.
        board: the leaderboard.
        rows: the newest matches, the newest first.
        running: some of those that are being played.
        pages: ids of those that have a page, and scores that may be shown.
        files: the file of each bot in the report, by its name.
    """

    label: str = ""
    name: str = ""
    state: EditionState | None = None
    matches: int = 0
    of: int | None = None
    undecided: int = 0
    rate: float | None = None
    left: float | None = None
    board: Leaderboard | None = None
    rows: tuple[MatchRow, ...] = ()
    running: tuple[RunningMatch, ...] = ()
    pages: frozenset[str] = frozenset()
    files: Mapping[str, str] = field(default_factory=dict)

    @property
    def mark(self) -> tuple[object, ...]:
        """What changes whenever a table of the tournament may."""
        newest_row = self.rows[0].arrived if self.rows else 0
        return (self.name, self.state, self.matches, self.undecided, newest_row)

    def as_json(self) -> dict[str, Any]:
        """Return it ready for JSON; of matches and bots what is for everybody."""
        board = self.board and leaderboard_text(self.board, "json", columns=_COLUMNS)
        found = [
            row._replace(imported=None, scores=row.scores if row.id in self.pages else None)
            for row in self.rows
        ]
        return {
            "label": self.label,
            "state": self.state or "",
            "matches": self.matches,
            "of": self.of,
            "undecided": self.undecided,
            "rate": None if self.rate is None else round(self.rate, 1),
            "left": None if self.left is None else round(self.left),
            "board": json.loads(board)["rows"] if board else [],
            "rows": [match_json(row) for row in found],
            "running": [{key: getattr(one, key) for key in _RUNNING} for one in self.running],
        }


def live_page(live: Live, *, public: bool) -> str:
    """Return the page as it is now; its script takes the next one's place when there is news.

    Args:
        live: what is known now.
        public: say that it is for everybody.
    """
    return render_page(
        "live.html",
        scripts=["live.js"],
        asks=True,
        frames=True,
        live=live,
        figures=figures,
        pace=pace,
        duration=duration,
        names=linked(live.files, "report/"),
        public=public,
    )


def look(
    home: Path, tournament: str | None, before: Live, board: bool, *, public: bool = False
) -> Live:
    """Look at a tournament; what has not changed since ``before`` is not read again.

    Args:
        home: the arena's home.
        tournament: which; ``None``: the one run last.
        before: what was seen last.
        board: bring the leaderboard up to date, which takes longer the more matches are new.
        public: leave out what is not for everybody.

    Raises:
        StoreError: the store cannot be read.
    """
    with open_store(home, create=False) as store:
        try:
            edition = choose(store, tournament)
        except UsageError:  # none was run yet, or it was removed
            return Live()
        name = f"{edition.name}#{edition.edition}"
        known = {(row.arrived, row.position): row for row in before.rows}
        listing = Listing(store)
        rows = [
            known.get((row.arrived, row.position)) or listing.row(row, scores=True)
            for row in islice(store.matches.read(edition.id, newest=True), LAST)
        ]
        may_show = may_be_public(store, edition) if public else lambda number, game: True
        files = files_of(store.tournaments.entries(edition.id))
        now = edition_row(store, name)
        kept = before.board if before.name == name else None
        found = board_of(store, name) if board or kept is None else kept
    runs = now.state is EditionState.RUNNING
    rate = per_minute(rows, now.last_run) if runs else None
    missing = None if now.of is None else max(0, now.of - now.matches - now.undecided)
    over = {row.id for row in rows}  # what was stored meanwhile
    running = running_matches(home, now.tournament) if runs else ()
    return Live(
        label=now.tournament,
        name=name,
        state=now.state,
        matches=now.matches,
        of=now.of,
        undecided=now.undecided,
        rate=rate,
        left=60 * missing / rate if rate and missing is not None else None,
        board=found,
        rows=tuple(rows),
        running=tuple([match for match in running if match.id not in over]),
        pages=frozenset([row.id for row in rows if may_show(row.number, row.game)]),
        files=files,
    )


def files_of(entries: Sequence[Entry]) -> dict[str, str]:
    """Return the file of the page of each entrant that is not out, by its name in records."""
    pairs = zip(entries, plainly_named(entries), strict=True)
    names = {one.name: plain.name for one, plain in pairs if not one.is_out}
    files = bot_files(names.values())
    return {name: files[plain] for name, plain in names.items()}


def per_minute(rows: Sequence[MatchRow], since: str) -> float | None:
    """Return how many matches began a minute, of those that began after a time (UTC).

    ``None``: there are too few to say.
    """
    begin = datetime.fromisoformat(since)
    moments = [datetime.fromisoformat(row.started) for row in rows if row.started]
    moments = [moment for moment in moments if moment >= begin]
    if len(moments) < 2:
        return None
    seconds = (max(moments) - min(moments)).total_seconds()
    return 60 * (len(moments) - 1) / seconds if seconds else None
