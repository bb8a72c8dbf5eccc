"""``open_home``: the functions of the package that take a home, as methods of one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from arena.bundle.export import Exported, export_bundle
from arena.check.submit import Submitted, submit
from arena.play.once import play
from arena.results.history import HistoryPoint, bot_history
from arena.results.home import TournamentRow, list_tournaments
from arena.results.matches import list_matches
from arena.results.rows import load_records
from arena.results.standings import read_crosstable, read_leaderboard
from arena.review.explain import explain
from arena.review.log import MatchLog, match_log
from arena.review.reproduction import find_record, verify_all
from arena.run.preparation import RunOptions
from arena.run.runner import Summary, run_tournament
from arena.site.report import Report, write_report
from arena.studies.balance import BalanceReport, measure_balance
from arena.studies.comparison import Comparison, Given, compare
from arena.terminal.output import work_bar
from arena.tournament.from_python import tournament
from arena.tournament.parse import read_tournament
from arena.values.arguments import PathLike, path_of
from arena.values.explained import Explanation
from arena.values.model import MatchResult, Record, Tournament
from arena.values.tables import CrossTable, Leaderboard, MatchRow


def open_home(path: PathLike = ".arena") -> OpenHome:
    """Return a home as one object; nothing is made before something is played.

    >>> open_home("league")
    OpenHome('league')
    """
    return OpenHome(path_of(path, "path"))


class OpenHome:
    """A home: where tournaments, bots and matches are kept.

    Each method calls the function of the package that its first line names, with this home, and
    takes the other arguments of that function.

    Attributes:
        path: the folder.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def __repr__(self) -> str:
        return f"OpenHome({str(self.path)!r})"

    def run(self, given: Tournament | PathLike | None = None, **keys: Any) -> Summary:
        """Run a tournament to its end, with a bar: ``run_tournament``.

        Args:
            given: a tournament, or the path of its file; without it, ``keys`` say what is played.
            keys: of the tournament, as for ``arena.tournament``, and those of ``RunOptions``, such
                as ``new=True``; where ``given`` is there, the options of ``run_tournament``.
        """
        if given is None:
            options = {key: keys.pop(key) for key in RunOptions.__annotations__ if key in keys}
            played = tournament(**keys)
        else:
            played = given if isinstance(given, Tournament) else read_tournament(given)
            options = keys
        with work_bar("match") as move:
            return run_tournament(
                played, self.path, progress=lambda now: move(now.settled, now.total), **options
            )

    def play(self, game: str, *bots: Any, **options: Any) -> MatchResult:
        """Play one match, which is kept nowhere: ``play``."""
        return play(game, *bots, home=self.path, **options)

    def compare(self, first: Given, other: Given, game: str, **options: Any) -> Comparison:
        """Find out which of two bots is stronger, with a bar: ``compare``."""
        with work_bar("match") as move:
            options["progress"] = lambda now: move(now.settled, now.total)
            return compare(first, other, game, self.path, **options)

    def balance(self, *games: str, **options: Any) -> BalanceReport:
        """Measure how fair games are: ``measure_balance``."""
        return measure_balance(games, self.path, **options)

    def leaderboard(self, name: str | None = None, **options: Any) -> Leaderboard:
        """Return the leaderboard of a tournament, or the newest: ``read_leaderboard``."""
        return read_leaderboard(self.path, name, **options)

    def crosstable(self, name: str | None = None, **options: Any) -> CrossTable:
        """Return how each bot did against each: ``read_crosstable``."""
        return read_crosstable(self.path, name, **options)

    def tournaments(self) -> list[TournamentRow]:
        """Return what is in this home: ``list_tournaments``."""
        return list_tournaments(self.path)

    def matches(self, name: str | None = None, **options: Any) -> list[MatchRow]:
        """Return the matches of a tournament: ``list_matches``."""
        return list_matches(self.path, name, **options)[1]

    def records(self, name: str | None = None, **options: Any) -> list[dict[str, Any]]:
        """Return the matches as plain rows, for a data frame: ``load_records``."""
        return [*load_records(self.path, name, **options)]

    def record(self, match: str) -> Record:
        """Return the record of a match: ``find_record``."""
        return find_record(match, self.path)

    def log(self, match: str, **options: Any) -> MatchLog:
        """Return what bots wrote in a match: ``match_log``."""
        return match_log(match, self.path, **options)

    def explain(self, match: str, **options: Any) -> Explanation:
        """Return what each decision of a match was worth: ``explain``."""
        return explain(match, self.path, **options)

    def verify(self, *matches: str) -> Iterator[tuple[str, list[str]]]:
        """Referee matches again: ``verify_all``."""
        return verify_all(matches, self.path)

    def history(self, bot: str) -> list[HistoryPoint]:
        """Return how a bot's rating went: ``bot_history``."""
        return bot_history(self.path, bot)

    def submit(self, path: PathLike, name: str, **options: Any) -> Submitted:
        """Check a bot and keep it: ``submit``."""
        return submit(path, name, self.path, **options)

    def report(self, folder: PathLike, name: str | None = None, **options: Any) -> Report:
        """Write pages: ``write_report``."""
        return write_report(self.path, folder, name, **options)

    def bundle(
        self, file: PathLike | None = None, name: str | None = None, **options: Any
    ) -> Exported:
        """Write a tournament into one file: ``export_bundle``."""
        return export_bundle(self.path, file, name, **options)
