"""A tournament and bot arena runner; this is its Python side.

Most of what the command ``arena`` does is one of these functions. They are found when first used,
so that importing ``arena`` costs nothing. What a function raises is a
child of ``arena.ArenaError``, or of ``engines.EngineError``.

>>> import arena
>>> tournament = arena.read_tournament("tournaments/quickstart.yaml")
>>> tournament.name
'quickstart'
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

from arena.values.version import __version__

if TYPE_CHECKING:
    from arena.bundle.export import Exported as Exported
    from arena.bundle.export import export_bundle as export_bundle
    from arena.bundle.merge import Imported as Imported
    from arena.bundle.merge import import_bundle as import_bundle
    from arena.bundle.verify import BundleCheck as BundleCheck
    from arena.bundle.verify import Rerun as Rerun
    from arena.bundle.verify import verify_bundle as verify_bundle
    from arena.check import check_bot as check_bot
    from arena.check.steps import CheckReport as CheckReport
    from arena.check.steps import Step as Step
    from arena.check.submit import Submitted as Submitted
    from arena.check.submit import submit as submit
    from arena.cluster.addresses import LocalCluster as LocalCluster
    from arena.cluster.addresses import Scheduler as Scheduler
    from arena.cluster.addresses import cluster_at as cluster_at
    from arena.doctor import doctor as doctor
    from arena.play.once import play as play
    from arena.play.once import play_once as play_once
    from arena.record.record import format_record as format_record
    from arena.record.record import parse_record as parse_record
    from arena.results.bracket import Bracket as Bracket
    from arena.results.bracket import read_bracket as read_bracket
    from arena.results.history import HistoryPoint as HistoryPoint
    from arena.results.history import bot_history as bot_history
    from arena.results.home import RemovedTournament as RemovedTournament
    from arena.results.home import TournamentRow as TournamentRow
    from arena.results.home import list_tournaments as list_tournaments
    from arena.results.home import remove_tournament as remove_tournament
    from arena.results.matches import list_matches as list_matches
    from arena.results.prune import PrunedBots as PrunedBots
    from arena.results.prune import prune_bots as prune_bots
    from arena.results.rate_files import RatedFiles as RatedFiles
    from arena.results.rate_files import rate_files as rate_files
    from arena.results.rows import load_records as load_records
    from arena.results.standings import RatingsCheck as RatingsCheck
    from arena.results.standings import Selection as Selection
    from arena.results.standings import check_ratings as check_ratings
    from arena.results.standings import read_crosstable as read_crosstable
    from arena.results.standings import read_leaderboard as read_leaderboard
    from arena.review.against import Deviation as Deviation
    from arena.review.against import Sitting as Sitting
    from arena.review.against import reproduce_against as reproduce_against
    from arena.review.explain import explain as explain
    from arena.review.log import MatchLog as MatchLog
    from arena.review.log import match_log as match_log
    from arena.review.reproduction import Reproduction as Reproduction
    from arena.review.reproduction import find_record as find_record
    from arena.review.reproduction import reproduce as reproduce
    from arena.review.reproduction import verify_all as verify_all
    from arena.run.dry_run import DryRun as DryRun
    from arena.run.dry_run import plan_tournament as plan_tournament
    from arena.run.preparation import RunOptions as RunOptions
    from arena.run.runner import Progress as Progress
    from arena.run.runner import Summary as Summary
    from arena.run.runner import run_tournament as run_tournament
    from arena.site.match_page import match_page as match_page
    from arena.site.report import Report as Report
    from arena.site.report import write_report as write_report
    from arena.studies.balance import BalanceReport as BalanceReport
    from arena.studies.balance import measure_balance as measure_balance
    from arena.studies.comparison import Compared as Compared
    from arena.studies.comparison import SprtOptions as SprtOptions
    from arena.studies.comparison import compare as compare
    from arena.studies.comparison import read_comparison as read_comparison
    from arena.tournament.from_python import tournament as tournament
    from arena.tournament.parse import read_tournament as read_tournament
    from arena.values.errors import ArenaError as ArenaError
    from arena.values.errors import BotBuildError as BotBuildError
    from arena.values.errors import BotError as BotError
    from arena.values.errors import BotRetired as BotRetired
    from arena.values.errors import BundleDiffers as BundleDiffers
    from arena.values.errors import BundleError as BundleError
    from arena.values.errors import CheckFailed as CheckFailed
    from arena.values.errors import MachineLacks as MachineLacks
    from arena.values.errors import MatchVoid as MatchVoid
    from arena.values.errors import RecordError as RecordError
    from arena.values.errors import RunnerBusy as RunnerBusy
    from arena.values.errors import StoreError as StoreError
    from arena.values.errors import StoreUnavailable as StoreUnavailable
    from arena.values.errors import TournamentChanged as TournamentChanged
    from arena.values.errors import TournamentFileError as TournamentFileError
    from arena.values.errors import UsageError as UsageError
    from arena.values.errors import WorkerError as WorkerError
    from arena.values.explained import Explained as Explained
    from arena.values.explained import Explanation as Explanation
    from arena.values.explained import LostMatch as LostMatch
    from arena.values.explained import LostMatches as LostMatches
    from arena.values.explained import Phase as Phase
    from arena.values.model import BotEntry as BotEntry
    from arena.values.model import Clock as Clock
    from arena.values.model import MatchResult as MatchResult
    from arena.values.model import Opening as Opening
    from arena.values.model import Record as Record
    from arena.values.model import Stop as Stop
    from arena.values.model import Tournament as Tournament
    from arena.values.tables import CrossRow as CrossRow
    from arena.values.tables import CrossTable as CrossTable
    from arena.values.tables import Leaderboard as Leaderboard
    from arena.values.tables import LeaderboardRow as LeaderboardRow
    from arena.values.tables import MatchRow as MatchRow

# where the functions of the API are, and then the values and options that they take and return
_HOMES = {
    name: f"arena.{module}"
    for module, names in (
        ("tournament.parse", "read_tournament"),
        ("tournament.from_python", "tournament"),
        ("run.runner", "run_tournament"),
        ("run.dry_run", "plan_tournament"),
        ("play.once", "play play_once"),
        ("studies.comparison", "compare read_comparison"),
        ("check", "check_bot"),
        ("check.submit", "submit"),
        ("results.bracket", "read_bracket"),
        ("results.standings", "read_leaderboard read_crosstable check_ratings"),
        ("results.home", "list_tournaments remove_tournament"),
        ("results.prune", "prune_bots"),
        ("results.matches", "list_matches"),
        ("results.rate_files", "rate_files"),
        ("results.rows", "load_records"),
        ("review.log", "match_log"),
        ("site.match_page", "match_page"),
        ("site.report", "write_report"),
        ("results.history", "bot_history"),
        ("review.reproduction", "find_record reproduce verify_all"),
        ("review.against", "reproduce_against"),
        ("review.explain", "explain"),
        ("studies.mistakes", "explain_lost"),
        ("studies.balance", "measure_balance"),
        ("bundle.export", "export_bundle"),
        ("bundle.verify", "verify_bundle"),
        ("bundle.merge", "import_bundle"),
        ("doctor", "doctor"),
        ("record.record", "format_record parse_record"),
        (
            "values.errors",
            "ArenaError BotBuildError BotError BotRetired BundleDiffers BundleError "
            "CheckFailed MachineLacks MatchVoid RecordError RunnerBusy StoreError StoreUnavailable "
            "TournamentChanged TournamentFileError UsageError WorkerError",
        ),
        ("values.model", "BotEntry Clock Record Tournament"),
        ("cluster.addresses", "cluster_at LocalCluster Scheduler"),
        ("run.preparation", "RunOptions"),
        ("run.runner", "Progress Summary"),
        ("run.dry_run", "DryRun"),
        ("studies.comparison", "Compared SprtOptions"),
        ("studies.balance", "BalanceReport"),
        ("check.steps", "CheckReport Step"),
        ("check.submit", "Submitted"),
        ("results.standings", "Selection RatingsCheck"),
        ("results.bracket", "Bracket"),
        ("results.home", "TournamentRow RemovedTournament"),
        ("results.prune", "PrunedBots"),
        ("results.rate_files", "RatedFiles"),
        ("results.history", "HistoryPoint"),
        ("review.log", "MatchLog"),
        ("review.reproduction", "Reproduction"),
        ("review.against", "Deviation Sitting"),
        ("site.report", "Report"),
        ("bundle.export", "Exported"),
        ("bundle.verify", "BundleCheck Rerun"),
        ("bundle.merge", "Imported"),
        ("values.explained", "Explanation Explained LostMatches LostMatch Phase"),
        ("values.tables", "Leaderboard LeaderboardRow CrossTable CrossRow MatchRow"),
        ("values.model", "MatchResult Opening Stop"),
    )
    for name in names.split()
}

__all__ = ["__version__", *_HOMES]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'arena' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)


class _Api(ModuleType):
    """This package: a function keeps its name where a module inside is called the same."""

    def __setattr__(self, name: str, value: object) -> None:
        if not (name in _HOMES and isinstance(value, ModuleType)):  # what importing it would set
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Api
