"""Submitted bots in memory, in place of those of a store."""

from __future__ import annotations

from collections.abc import Iterable

from arena.store.bots import Bots, BotVersion, ImportedVersion
from arena.store.entrants import Entry


class Submitted(Bots):
    """Submitted bots of which nothing is on disk."""

    def __init__(self, rows: Iterable[BotVersion] = ()) -> None:
        self.rows = list(rows)

    def all(self) -> list[BotVersion]:
        return sorted(self.rows, key=lambda row: (row.name, row.version))

    def versions(self, name: str) -> list[BotVersion]:
        return [row for row in self.rows if row.name == name]

    def imported(self) -> list[ImportedVersion]:
        return []


def version(name: str, number: int, digest: str = "", *, retired: bool = False) -> BotVersion:
    """Return a submitted version, written in C, for Leaves."""
    return BotVersion(name, number, digest, "c", ("leaves",), retired, "")


def pinned(*names: str, version: int = 1) -> dict[str, Entry]:
    """Return entrants that play a version of the bot that they are called after."""
    return {
        name: Entry(
            position, 1, name, name, version, f"{name}@{version}", (), position, "", False, ""
        )
        for position, name in enumerate(names)
    }
