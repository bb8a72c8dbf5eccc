"""A submitted bot is forgotten: its programs, and whose they were; matches keep its hash."""

from __future__ import annotations

from typing import NamedTuple

from arena.bots.build import forget_copies
from arena.bots.bundled import bundled_bots
from arena.bots.snapshots import forget
from arena.store import Store, copies_lock, open_store
from arena.store.waiting import patiently
from arena.values.arguments import PathLike, path_of, require
from arena.values.errors import UsageError


class ForgottenBot(NamedTuple):
    """What was forgotten: a bot's name, its versions, and how many copies of them are gone.

    ``shared`` are the bots with the content of one of them, whose copy stays.
    """

    bot: str
    versions: tuple[int, ...]
    copies: int
    shared: tuple[str, ...] = ()


def forget_bot(home: PathLike, name: str) -> ForgottenBot:
    """Remove all versions of a bot, also those that bundles brought, and whose they were.

    A copy that another bot has as well stays. Matches, and what bots said in them, stay too. It
    waits for runs and submissions that have their bots ready. If it is interrupted, the same call
    goes on with it.

    >>> arena.forget_bot(".arena", "mine")
    Traceback (most recent call last):
    arena.values.errors.UsageError: no bot "mine" was submitted

    Args:
        home: the arena's home.
        name: of the bot, without a version.

    Raises:
        UsageError: there is no such bot, or a tournament that is not over needs it.
        StoreError: the store cannot be read or written.
    """
    home = path_of(home, "home")
    require(name, str, "name", 'a text like "mine"')
    with (
        open_store(home, create=False, change=True) as store,
        copies_lock(home, removing=True),
    ):
        versions = store.bots.versions_there(name)
        _refuse_if_needed(store, name)
        own = set(store.bots.only_of(name)) - {program.hash for program in bundled_bots()}
        hashes = {one.hash for one in store.bots.versions(name)}
        others = {one.name for one in store.bots.all() if one.hash in hashes} - {name}
        copies = 0
        for digest in sorted(own):
            copies += forget(home, digest)
            forget_copies(digest)
        patiently(f'"{name}"', store.bots.remove, name)
        return ForgottenBot(name, versions, copies, tuple(sorted(others)))


def _refuse_if_needed(store: Store, name: str) -> None:
    entered = {
        entry.tournament
        for entry in store.tournaments.entries(None)
        if entry.bot == name and entry.version
    }
    for edition in store.tournaments.all():
        if edition.id in entered and edition.ended is None:
            raise UsageError(
                f'"{name}" is entered in {edition.label}, which is not over and needs the program, '
                f"even if the bot is taken out; arena tournaments end {edition.label} ends it"
            )
