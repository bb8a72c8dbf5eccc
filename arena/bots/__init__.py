"""Bots from the names and paths people write, to entrants that are ready to start.

``describe`` looks at a file or folder, ``snapshot`` keeps a copy of it, ``make_ready`` builds it
and finds its programs; ``find_bot``, ``enter`` and ``enter_all`` do all of it for a name, a
tournament's line, and all of its lines.
"""

from __future__ import annotations

from arena.bots.build import BuildOutcome, BuildRunner
from arena.bots.bundled import bundled_bots, bundled_folder, kits
from arena.bots.confined import build_at
from arena.bots.find import (
    StoreBots,
    SubmittedBot,
    check_plays,
    check_submission_name,
    enter,
    enter_all,
    find_bot,
    parse_bot,
    parse_ref,
    recall,
)
from arena.bots.imports import imports_for, with_imports
from arena.bots.isolation import level_for
from arena.bots.listing import AllBots, ListedBot, list_bots
from arena.bots.manifest import Manifest, parse_manifest
from arena.bots.newer import FindNewer, newer_entries, taken_up
from arena.bots.pins import expand, newer_versions
from arena.bots.probe import probe_language
from arena.bots.program import Program, describe
from arena.bots.ready import make_ready
from arena.bots.snapshots import keep, kept_names, snapshot, snapshot_folder
from arena.bots.unpack import unpacked

__all__ = [
    "bundled_bots",
    "find_bot",
    "enter",
    "enter_all",
    "expand",
    "FindNewer",
    "newer_entries",
    "newer_versions",
    "taken_up",
    "check_plays",
    "imports_for",
    "with_imports",
    "recall",
    "list_bots",
    "AllBots",
    "ListedBot",
    "parse_bot",
    "parse_ref",
    "check_submission_name",
    "StoreBots",
    "SubmittedBot",
    "describe",
    "keep",
    "kept_names",
    "snapshot",
    "snapshot_folder",
    "make_ready",
    "build_at",
    "level_for",
    "unpacked",
    "Program",
    "BuildOutcome",
    "BuildRunner",
    "Manifest",
    "parse_manifest",
    "bundled_folder",
    "kits",
    "probe_language",
]
