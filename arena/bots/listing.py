"""All bots that have a name: the bundled ones, and every submitted version."""

from __future__ import annotations

from dataclasses import dataclass

from arena.bots.bundled import bundled_bots
from arena.bots.find import BUNDLED_VERSION
from arena.store.bots import Bots

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
    rows = sorted(store_bots.all(), key=lambda row: (row.name, row.version))
    submitted = {row.name for row in rows}
    bundled = [
        ListedBot(
            name=program.name,
            version=BUNDLED_VERSION,
            origin="bundled",
            state="hidden" if program.name in submitted else "active",
            language=program.language,
            games=program.games,
            hash=program.hash,
        )
        for program in bundled_bots()
    ]
    return (
        *bundled,
        *(
            ListedBot(
                name=row.name,
                version=row.version,
                origin="submitted",
                state="retired" if row.retired else "active",
                language=row.language,
                games=tuple(row.games),
                hash=row.hash,
            )
            for row in rows
        ),
    )
