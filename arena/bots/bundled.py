"""The bots that come with the arena, and with them all bots that have a name."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from arena.bots.bot_yaml import FILE_NAME
from arena.bots.program import Program, describe
from arena.store import open_store
from arena.store.bots import Bots, BotVersion, ImportedVersion
from arena.values.shipped import shipped_folder

BUNDLED_VERSION = 1


def bundled_folder() -> Path:
    """Return the folder ``bots``: inside the package when installed, else beside it."""
    return shipped_folder("bots")


def bundled_bots() -> tuple[Program, ...]:
    """Return every bundled bot, sorted by name; they run from where they are.

    Those that are there when a process first asks are there for it from then on.
    """
    return _described(bundled_folder())


@lru_cache(maxsize=1)  # all of them are read, which takes a tenth of a second
def _described(folder: Path) -> tuple[Program, ...]:
    found = [describe(manifest.parent) for manifest in folder.glob(f"*/{FILE_NAME}")]
    found = [replace(one, version=BUNDLED_VERSION, origin="bundled") for one in found]
    return tuple(sorted(found, key=lambda program: program.name))


@dataclass(frozen=True, slots=True)
class ListedBot:
    """One version of a bot; ``games`` are () for any.

    ``origin`` is ``bundled``, ``submitted`` or ``imported``: it came in the file ``bundle``, and is
    meant by ``NAME@VERSION`` in full alone.

    ``state`` is ``active``; ``retired``: no plain name means it; ``hidden``: bundled, but its name
    was submitted before the arena brought it, and means the submitted bot.
    """

    name: str
    version: int
    origin: str
    state: str
    language: str
    games: tuple[str, ...]
    hash: str
    bundle: str = ""


def list_bots(home: Path) -> tuple[ListedBot, ...]:
    """Return the bundled bots by name, then the others by name and version: first the submitted."""
    with open_store(home, create=False) as store:
        rows, imported = store.bots.all(), imported_bots(store.bots)
    submitted = {row.name for row in rows}
    found = []
    for program in bundled_bots():
        state = "hidden" if program.name in submitted else "active"
        found.append(_listed(program, program.origin, state))
    for row in rows:
        state = "retired" if row.retired else "active"
        found.append(_listed(row, "submitted", state))
    found += [
        ListedBot(name, version, "imported", "active", "", (), digest, bundle)
        for name, version, digest, bundle in imported
    ]
    return tuple(found)


def imported_bots(store_bots: Bots) -> list[ImportedVersion]:
    """Return the versions that bundles brought under names that mean nothing else here."""
    found = store_bots.imported()
    bundled = {program.name for program in bundled_bots()} if found else set[str]()
    return [one for one in found if one.name not in bundled]


def _listed(bot: Program | BotVersion, origin: str, state: str) -> ListedBot:
    return ListedBot(bot.name, bot.version, origin, state, bot.language, bot.games, bot.hash)
