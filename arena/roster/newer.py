"""Newer versions of bots that are entered, for tournaments that take them up."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterable, Iterator, Mapping

from arena.model import BotEntry, Entrant
from arena.roster.find import StoreBots

__all__ = ["newer_entries", "taken_up"]


def newer_entries(
    entries: Iterable[BotEntry],
    newest: Mapping[str, str],
    entrants: Mapping[str, Entrant],
    out: Collection[str],
    submitted: StoreBots,
) -> Iterator[tuple[str, BotEntry]]:
    """Yield newer versions that were submitted, each with the name of the line that it is of.

    A line that names a version, or a file, means that one for good. Nothing newer is taken up of an
    entrant that a person took out.

    Args:
        entries: the lines of the file; none is a pattern.
        newest: by the name of each line, the entrant that plays for it now.
        entrants: all of them, by their names.
        out: those whom a person took out.
        submitted: where submitted bots are looked up.
    """
    playing = {(entrants[name].bot.hash, entrants[name].args) for name in newest.values()}
    for entry in entries:
        now = entrants[newest[entry.name]].bot
        if entry.ref is None or "@" in entry.ref or newest[entry.name] in out:
            continue
        rows = [row for row in submitted.versions(now.name) if not row.retired]
        last = max(rows, key=lambda row: row.version, default=None)
        if last is None or last.version <= now.version or (last.hash, entry.args) in playing:
            continue
        name = f"{entry.name}@{last.version}"
        if name not in entrants:
            ref = f"{last.name}@{last.version}"
            yield entry.name, dataclasses.replace(entry, name=name, ref=ref)


def taken_up(entries: Iterable[BotEntry], lines: Mapping[str, str]) -> tuple[BotEntry, ...]:
    """Return lines for the newer versions that were taken up before.

    Args:
        entries: the lines of the file.
        lines: the name of each newer version, and that of the line that it is of.
    """
    known = {entry.name: entry for entry in entries}
    return tuple(
        [
            dataclasses.replace(known[line], name=name)
            for name, line in lines.items()
            if line in known
        ]
    )
