"""Newer versions of bots that are entered, for tournaments that take them up."""

from __future__ import annotations

import dataclasses
import logging
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from arena.bots.find import pin_of
from arena.errors import BotError, UsageError
from arena.model import BotEntry, Entrant
from arena.store.bots import Bots, BotVersion
from arena.store.entrants import Entry

__all__ = ["FindNewer", "newer_entries", "newer_versions", "taken_up"]

log = logging.getLogger(__name__)


class FindNewer:
    """Finds newer versions of the bots of a tournament, and makes them ready to play."""

    def __init__(
        self,
        entries: Collection[BotEntry],
        entrants: Mapping[str, Entrant],
        submitted: Bots,
        *,
        ready: Callable[[BotEntry], Entrant],
        out: Callable[[], Collection[str]],
    ) -> None:
        """Know where to look.

        Args:
            entries: the lines of the file; none is a pattern.
            entrants: all of them, by their names; it grows by those that are taken up.
            submitted: where submitted bots are looked up.
            ready: makes the bot of a line ready; raises ``BotError`` or ``UsageError`` if it cannot
                play here.
            out: returns those whom a person took out.
        """
        self._entries = entries
        self._entrants = entrants
        self._submitted = submitted
        self._ready = ready
        self._out = out
        self._refused: set[str] = set()

    def __call__(self, newest: Mapping[str, str]) -> list[tuple[str, Entrant]]:
        """Return each with the name of its line; instead of one that cannot play, the one before.

        Who cannot play is named once. ``newest`` has by the name of each line the entrant that
        plays for it.
        """
        found: dict[str, Entrant] = {}
        while left := [each for each in self.there_are(newest) if each[0] not in found]:
            for line, entry in left:
                try:
                    found[line] = self._ready(entry)
                except (BotError, UsageError) as error:
                    self._refused.add(entry.name)
                    log.warning("%s is not taken up: %s", entry.name, error)
        return list(found.items())

    def there_are(self, newest: Mapping[str, str]) -> list[tuple[str, BotEntry]]:
        """Return their names' lines, and lines that would enter them; none that cannot play."""
        known = (self._entrants, self._out(), self._submitted, self._refused)
        return list(newer_entries(self._entries, newest, *known))


def newer_entries(
    entries: Iterable[BotEntry],
    newest: Mapping[str, str],
    entrants: Mapping[str, Entrant],
    out: Collection[str],
    submitted: Bots,
    refused: Collection[str] = (),
) -> Iterator[tuple[str, BotEntry]]:
    """Yield newer versions that were submitted, each with the name of the line that it is of.

    A line that names a version, or a file, means that one for good. Nothing newer is taken up
    while a person has taken out the line's entrant, or the version that plays for it.

    Args:
        entries: the lines of the file; none is a pattern.
        newest: by the name of each line, the entrant that plays for it now.
        entrants: all of them, by their names.
        out: those whom a person took out.
        submitted: where submitted bots are looked up.
        refused: the names that newer versions would have that cannot play.
    """
    playing = {(entrants[name].bot.hash, entrants[name].args) for name in newest.values()}
    for entry in entries:
        now = entrants[newest[entry.name]].bot
        if entry.name in out or newest[entry.name] in out:
            continue
        last = _newest(entry, now.name, now.version, submitted, refused)
        if last is None or (last.hash, entry.args) in playing:
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

    Raises:
        BotError: a line has the name of one of them.
    """
    known = {entry.name: entry for entry in entries}
    for name in lines:
        if name in known:
            where = f"{known[name].where}: " if known[name].where else ""
            raise BotError(
                f'{where}"{name}" plays already, as the newer version of "{lines[name]}"; '
                "give this line a name of its own"
            )
    return tuple(
        [
            dataclasses.replace(known[line], name=name)
            for name, line in lines.items()
            if line in known
        ]
    )


def newer_versions(
    entries: Iterable[BotEntry],
    entrants: Mapping[str, Entrant],
    pins: Mapping[str, Entry],
    submitted: Bots,
) -> Iterator[str]:
    """Yield a sentence for each entrant whose bot has a newer version, which does not play."""
    playing = {entrant.bot.hash for entrant in entrants.values()}
    for entry in entries:
        if (pin := pin_of(entry, pins)) is None:
            continue
        newest = _newest(entry, pin.bot, pin.version, submitted)
        if newest is None or newest.hash in playing:
            continue
        new = f"{pin.bot}@{newest.version}"
        yield (
            f"{new} is newer than {pin.bot}@{pin.version}, which plays here; to enter it beside "
            f"the old one: {{name: {entry.name}-{newest.version}, bot: {new}}} and --extend"
        )


def _newest(
    entry: BotEntry, bot: str, than: int, submitted: Bots, refused: Collection[str] = ()
) -> BotVersion | None:
    """Return the newest version of the bot of a line, if the line means it, and there is one."""
    if entry.ref is None or "@" in entry.ref:
        return None
    rows = [
        row
        for row in submitted.versions(bot)
        if row.version > than and not row.retired and f"{entry.name}@{row.version}" not in refused
    ]
    return max(rows, key=lambda row: row.version, default=None)
