"""A tournament and bot arena runner; this is its Python side.

What the command ``arena`` does with tournaments, matches and bots is one of these functions. They
are found when first used, so that importing ``arena`` costs nothing. What a function raises is a
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

from arena.version import __version__

if TYPE_CHECKING:
    from arena.against import reproduce_against as reproduce_against
    from arena.balance import measure_balance as measure_balance
    from arena.bundle.export import export_bundle as export_bundle
    from arena.bundle.merge import import_bundle as import_bundle
    from arena.bundle.verify import verify_bundle as verify_bundle
    from arena.check import check_bot as check_bot
    from arena.comparison import compare as compare
    from arena.comparison import read_comparison as read_comparison
    from arena.doctor import doctor as doctor
    from arena.dry_run import plan_tournament as plan_tournament
    from arena.errors import ArenaError as ArenaError
    from arena.errors import BotBuildError as BotBuildError
    from arena.errors import BotError as BotError
    from arena.errors import BotRetired as BotRetired
    from arena.errors import BundleDiffers as BundleDiffers
    from arena.errors import BundleError as BundleError
    from arena.errors import CheckFailed as CheckFailed
    from arena.errors import MachineLacks as MachineLacks
    from arena.errors import MatchVoid as MatchVoid
    from arena.errors import RecordError as RecordError
    from arena.errors import RunnerBusy as RunnerBusy
    from arena.errors import StoreError as StoreError
    from arena.errors import StoreUnavailable as StoreUnavailable
    from arena.errors import TournamentChanged as TournamentChanged
    from arena.errors import TournamentFileError as TournamentFileError
    from arena.errors import UsageError as UsageError
    from arena.errors import WorkerError as WorkerError
    from arena.explanation.explain import explain as explain
    from arena.history import bot_history as bot_history
    from arena.home import list_tournaments as list_tournaments
    from arena.home import remove_tournament as remove_tournament
    from arena.match.record import format_record as format_record
    from arena.match.record import parse_record as parse_record
    from arena.match_log import match_log as match_log
    from arena.matches import list_matches as list_matches
    from arena.model import BotEntry as BotEntry
    from arena.model import Clock as Clock
    from arena.model import Record as Record
    from arena.model import Tournament as Tournament
    from arena.pages import match_page as match_page
    from arena.play import play_once as play_once
    from arena.reproduction import find_record as find_record
    from arena.reproduction import reproduce as reproduce
    from arena.reproduction import verify_all as verify_all
    from arena.rows import load_records as load_records
    from arena.runner import run_tournament as run_tournament
    from arena.site.report import write_report as write_report
    from arena.standings import check_ratings as check_ratings
    from arena.standings import read_bracket as read_bracket
    from arena.standings import read_crosstable as read_crosstable
    from arena.standings import read_leaderboard as read_leaderboard
    from arena.submit import submit as submit
    from arena.tournament.parse import read_tournament as read_tournament

# where the functions and values of the API are
_HOMES = {
    name: f"arena.{module}"
    for module, names in {
        "tournament.parse": "read_tournament",
        "runner": "run_tournament",
        "dry_run": "plan_tournament",
        "play": "play_once",
        "comparison": "compare read_comparison",
        "check": "check_bot",
        "submit": "submit",
        "standings": "read_leaderboard read_bracket read_crosstable check_ratings",
        "home": "list_tournaments remove_tournament",
        "matches": "list_matches",
        "rows": "load_records",
        "match_log": "match_log",
        "pages": "match_page",
        "site.report": "write_report",
        "history": "bot_history",
        "reproduction": "find_record reproduce verify_all",
        "against": "reproduce_against",
        "explanation.explain": "explain",
        "balance": "measure_balance",
        "bundle.export": "export_bundle",
        "bundle.verify": "verify_bundle",
        "bundle.merge": "import_bundle",
        "doctor": "doctor",
        "match.record": "format_record parse_record",
        "errors": "ArenaError BotBuildError BotError BotRetired BundleDiffers BundleError "
        "CheckFailed MachineLacks MatchVoid RecordError RunnerBusy StoreError StoreUnavailable "
        "TournamentChanged TournamentFileError UsageError WorkerError",
        "model": "BotEntry Clock Record Tournament",
    }.items()
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
