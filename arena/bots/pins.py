"""Which bots the lines of a tournament mean: pinned when it starts, for good.

What is submitted or retired later, and what an upgrade of the arena brings, changes no tournament
that is under way. A pattern such as ``s*`` means the same bots from its first use on, too.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase

from arena.bots.bundled import bundled_bots
from arena.store.bots import Bots
from arena.store.entrants import Entry
from arena.values.errors import BotError
from arena.values.model import BotEntry
from arena.values.untrusted import show


def expand(
    entries: Iterable[BotEntry],
    submitted: Bots,
    pins: Mapping[str, Entry] | None = None,
    *,
    extend: bool = False,
) -> tuple[tuple[BotEntry, ...], tuple[str, ...]]:
    """Return the lines with every pattern replaced by the submitted bots that it means.

    A bot that has a line of its own is not meant by a pattern. In a tournament that is under way a
    pattern means those that were entered by it; bots that it would mean as well by now are entered
    with ``extend`` only, and otherwise named.

    Args:
        entries: the lines of a file.
        submitted: where submitted bots are looked up.
        pins: the entrants of the tournament that is under way; ``None``: none is.
        extend: whether it may grow.

    Returns:
        The lines, and a sentence for each pattern with newcomers.

    Raises:
        BotError: a pattern means no bot.
    """
    entries = tuple(entries)
    if not any(entry.is_pattern for entry in entries):
        return entries, ()
    rows = submitted.all()
    active = {row.name for row in rows if not row.retired}
    # a pattern means no bundled bot, and may mean one that was imported: it is entered, and no more
    known = {row.name for row in rows}
    bundled = {program.name for program in bundled_bots()} - known
    pinned = [pin for pin in (pins or {}).values() if pin.version and pin.name == pin.bot]
    entered = {pin.name for pin in pinned} - bundled
    taken = {entry.name for entry in entries if not entry.is_pattern}
    expanded: list[BotEntry] = []
    messages: list[str] = []
    for entry in entries:
        if not entry.is_pattern:
            expanded.append(entry)
            continue
        assert entry.ref is not None
        said = "all" if entry.ref == "*" else entry.name
        then = {name for name in entered if fnmatchcase(name, entry.ref)} - taken
        now = {name for name in active if fnmatchcase(name, entry.ref)} - taken
        new = sorted(now - then)
        if pins is not None and not extend and new:
            messages.append(
                f'"{said}" also means {", ".join(new)}, submitted since this tournament '
                f"started; --extend enters {'it' if len(new) == 1 else 'them'}"
            )
        meant = then if pins is not None and not extend else then | now
        if not meant:
            names = ", ".join(sorted(active)[:20])
            there = f"; submitted are {names}" if active else ": none is; arena submit takes some"
            where = f"{entry.where}: " if entry.where else ""
            raise BotError(f'{where}no submitted bot fits "{show(said)}"{there}')
        taken |= meant
        expanded += [dataclasses.replace(entry, name=name, ref=name) for name in sorted(meant)]
    return tuple(expanded), tuple(messages)
