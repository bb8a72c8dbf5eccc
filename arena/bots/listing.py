"""All bots that have a name: the bundled ones, and every submitted version."""

from __future__ import annotations

from dataclasses import dataclass

from arena.bots.bundled import bundled_bots
from arena.bots.find import BUNDLED_VERSION
from arena.bots.program import Program
from arena.store.bots import Bots, BotVersion

__all__ = ["ListedBot", "list_bots"]


@dataclass(frozen=True, slots=True)
class ListedBot:
    """One version of a bot; ``origin`` is ``bundled`` or ``submitted``, ``games`` () for any.

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


def list_bots(store_bots: Bots) -> tuple[ListedBot, ...]:
    """Return the bundled bots by name, then the submitted ones by name and version."""
    rows = store_bots.all()
    submitted = {row.name for row in rows}
    found = []
    for program in bundled_bots():
        state = "hidden" if program.name in submitted else "active"
        found.append(_listed(program, BUNDLED_VERSION, "bundled", state))
    for row in rows:
        state = "retired" if row.retired else "active"
        found.append(_listed(row, row.version, "submitted", state))
    return tuple(found)


def _listed(bot: Program | BotVersion, version: int, origin: str, state: str) -> ListedBot:
    return ListedBot(bot.name, version, origin, state, bot.language, bot.games, bot.hash)
