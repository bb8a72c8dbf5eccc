"""Newer versions of bots that are entered, for tournaments that take them up."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from arena.bots.find import choose_version, parse_ref, pin_of
from arena.store.bots import Bots, BotVersion
from arena.store.entrants import Entry
from arena.values.errors import BotError, UsageError, hint
from arena.values.model import BotEntry, Entrant

log = logging.getLogger(__name__)


@dataclass
class FindNewer:
    """Finds newer versions of the bots of a tournament, and makes them ready to play.

    Attributes:
        entries: the lines of the file; none is a pattern.
        entrants: all of them, by their names; it grows by those that are taken up.
        submitted: where submitted bots are looked up.
        enter: makes the bot of a line ready; raises ``BotError`` or ``UsageError`` if it cannot
            play here.
        out: returns those whom a person took out.
        refused: the names of newer versions that cannot play.
    """

    entries: Collection[BotEntry]
    entrants: Mapping[str, Entrant]
    submitted: Bots
    enter: Callable[[BotEntry], Entrant]
    out: Callable[[], Collection[str]]
    refused: set[str] = field(default_factory=set, init=False)

    def __call__(self, newest: Mapping[str, str]) -> list[tuple[str, Entrant]]:
        """Return each with the name of its line; instead of one that cannot play, the one before.

        Who cannot play is named once. ``newest`` has by the name of each line the entrant that
        plays for it.
        """
        found: dict[str, Entrant] = {}
        while left := [each for each in self.there_are(newest) if each[0] not in found]:
            for line, entry in left:
                try:
                    found[line] = self.enter(entry)
                except (BotError, UsageError) as error:
                    self.refused.add(entry.name)
                    log.warning("%s is not taken up: %s", entry.name, error)
        return list(found.items())

    def there_are(self, newest: Mapping[str, str]) -> list[tuple[str, BotEntry]]:
        """Return lines that would enter newer versions, each with the name of the line it is of.

        A line that names a version, or a file, means that one for good. Nothing newer is taken up
        while a person has taken out the line's entrant, or the version that plays for it; and none
        that cannot play.
        """
        out = self.out()
        playing = [self.entrants[name] for name in newest.values()]
        # another bot may have the same content
        programs = {(each.bot.name, each.bot.hash, each.args) for each in playing}
        found = []
        for entry in self.entries:
            now = self.entrants[newest[entry.name]].bot
            if entry.name in out or newest[entry.name] in out:
                continue
            last = _newest(entry, now.name, now.version, self.submitted, self.refused)
            if last is None or (last.name, last.hash, entry.args) in programs:
                continue
            name = f"{entry.name}@{last.version}"
            if name not in self.entrants:
                ref = f"{last.name}@{last.version}"
                found.append((entry.name, replace(entry, name=name, ref=ref)))
        return found


def taken_up(entries: Iterable[BotEntry], versions: Iterable[Entry]) -> tuple[BotEntry, ...]:
    """Return lines for the other versions that were taken up before.

    Args:
        entries: the lines of the file.
        versions: the entrants that are other versions of them.

    Raises:
        BotError: a line has the name of one of them.
    """
    known = {entry.name: entry for entry in entries}
    found = []
    for name, line, bot, version in [(e.name, e.line, e.bot, e.version) for e in versions]:
        if name in known:
            where = f"{known[name].where}: " if known[name].where else ""
            raise BotError(
                f'{where}"{name}" plays already, as the newer version of "{line}"; '
                "give this line a name of its own"
            )
        if line in known:
            found.append(replace(known[line], name=name, ref=f"{bot}@{version}"))
    return tuple(found)


def upgrade_lines(
    asked: Iterable[str],
    entries: Collection[BotEntry],
    newest: Mapping[str, str],
    entrants: Mapping[str, Entrant],
    submitted: Bots,
) -> list[tuple[str, BotEntry]]:
    """Return lines that enter the versions that a person asked for, with the names they are for.

    What plays already is left out. The version that a line began with has the line's own name.

    Args:
        asked: each ``NAME``, for its newest version, or ``NAME@VERSION``.
        entries: the lines of the file.
        newest: by the name of each line the entrant that plays for it, if the tournament started.
        entrants: all of them, by their names.
        submitted: where submitted bots are looked up.

    Raises:
        UsageError: nobody is called so, or none was submitted.
        BotError: there is no such version.
    """
    playing = {line.name: entrants[newest.get(line.name, line.name)].bot for line in entries}
    found = {}
    for text in asked:
        name, version = parse_ref(text)
        named = [entry for entry in entries if entry.name == name]
        named = named or [entry for entry in entries if playing[entry.name].name == name]
        if not named:
            near = hint(name, [entry.name for entry in entries])
            raise UsageError(f'--upgrade: no entrant is called "{name}"{near}')
        for entry in named:
            now = playing[entry.name]
            rows = {row.version: row for row in submitted.versions(now.name) if now.version}
            if not rows:
                raise UsageError(f"--upgrade: no version of {now.name} was submitted")
            wanted = choose_version(now.name, version, rows).version
            if wanted == now.version:
                continue
            ref = f"{now.name}@{wanted}"
            first = entrants[entry.name].bot
            is_first = (first.name, first.version) == (now.name, wanted)
            called = entry.name if is_first else f"{entry.name}@{wanted}"
            found[entry.name] = replace(entry, name=called, ref=ref)
    return list(found.items())


def newer_versions(
    entries: Iterable[BotEntry],
    entrants: Mapping[str, Entrant],
    pins: Mapping[str, Entry],
    submitted: Bots,
    *,
    upgrades: bool,
) -> Iterator[str]:
    """Yield a sentence for each entrant whose bot has a newer version, which does not play.

    Args:
        entries: the lines of the file.
        entrants: all of them, by their names.
        pins: the entrant that plays for each line.
        submitted: where submitted bots are looked up.
        upgrades: whether one may play in place of the other.
    """
    playing = {(entrant.bot.name, entrant.bot.hash) for entrant in entrants.values()}
    for entry in entries:
        if (pin := pin_of(entry, pins)) is None:
            continue
        newest = _newest(entry, pin.bot, pin.version, submitted)
        if newest is None or (newest.name, newest.hash) in playing:
            continue
        new = f"{pin.bot}@{newest.version}"
        beside = f"in a file {{name: {entry.name}-{newest.version}, bot: {new}}} and --extend"
        instead = f"in place of it: --upgrade {entry.name}; " if upgrades else ""
        yield (
            f"{new} is newer than {pin.bot}@{pin.version}, which plays here; to enter it "
            f"{instead}beside the old one: {beside}"
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
