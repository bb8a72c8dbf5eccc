"""Entrants of a bundle that have the name of a bot of this home, and are another program."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from arena.bots.bundled import BUNDLED_VERSION, bundled_bots
from arena.store.bots import Bots
from arena.store.entrants import Entry

EVER = Path(__file__).with_name("bundled_ever.txt")


class TakenName(NamedTuple):
    """An entrant that is another program than its name means in this home.

    Attributes:
        tournament: ``Edition.id``.
        entrant: its name in the tournament.
        program: what the bundle calls the program: ``NAME@VERSION``, or the name alone if the bot
            was a file.
        here: what the name means in this home.
        older: whether it is a bundled bot as an older arena had it, which is trusted as ours are.
        plays: whether a line of a file that has this name would play it.
    """

    tournament: int
    entrant: str
    program: str
    here: str
    older: bool = False
    plays: bool = False


@cache
def _ever() -> frozenset[tuple[str, str]]:
    lines = EVER.read_text(encoding="ascii").splitlines()
    pairs = (line.split() for line in lines if not line.startswith("#"))
    return frozenset((name, digest) for name, digest in pairs)


def is_of_an_older_arena(name: str, digest: str) -> bool:
    """Return whether a program of this hash and name came with some arena, this one or an older."""
    return (name, digest) in _ever()


def is_ours(name: str, digest: str) -> bool:
    """Return whether a program came with this arena, under any name, or with an older one."""
    older = is_of_an_older_arena(name, digest)
    return older or any(program.hash == digest for program in bundled_bots())


def taken_names(entries: Iterable[Entry], store_bots: Bots) -> tuple[TakenName, ...]:
    """Return those of a bundle's entrants whose name means another program in this home.

    A name of this home is taken in any version: who chose the bundle's numbers is not known.

    Args:
        entries: the entrants of an edition that came from a bundle.
        store_bots: what was submitted here.
    """
    bundled = {program.name: program.hash for program in bundled_bots()}
    found = []
    for entry in entries:
        # a bot that was a file has no name but the entrant's
        names = (entry.bot, entry.name.partition("@")[0]) if entry.version else (entry.name,)
        others = ((name, _other(name, entry, store_bots, bundled)) for name in names)
        name, here = next(((name, here) for name, here in others if here), ("", ""))
        if not here:
            continue
        called = f"{entry.bot}@{entry.version}" if entry.version else entry.bot
        plays = name == entry.bot and entry.version > 0
        older = here == f"the bundled {name}" and plays and entry.version == BUNDLED_VERSION
        older = older and is_of_an_older_arena(name, entry.hash)
        found.append(
            TakenName(entry.tournament, entry.name, called, here, older, plays and not older)
        )
    return tuple(found)


def _other(name: str, entry: Entry, store_bots: Bots, bundled: Mapping[str, str]) -> str:
    """Return what a name means here, if an entrant is another program; else nothing."""
    rows = {row.version: row.hash for row in store_bots.versions(name)}
    if not rows:
        return f"the bundled {name}" if bundled.get(name, entry.hash) != entry.hash else ""
    version = entry.version if entry.version in rows else max(rows)
    ours = {rows[version]} if version == entry.version else {*rows.values()}
    return "" if entry.hash in ours else f"your {name}@{version}"


def taken_text(taken: TakenName, bundle: str) -> str:
    """Return in words which program of a bundle an entrant is."""
    if taken.older:
        return f"{taken.entrant}: {taken.program} is the one of an older arena"
    return f"{taken.entrant}: {taken.program} is a program of {bundle}, not {taken.here}"
