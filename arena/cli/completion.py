"""What a shell completes an argument by: games, bots, tournaments, and the ids of matches."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

import click
from click.shell_completion import CompletionItem

from arena.values.errors import ArenaError

LAST = 50  # matches whose ids are offered

Names = Callable[[Path], Iterable[str]]


def _games(home: Path) -> Iterable[str]:
    from engines import game_names

    return game_names()


def _bots(home: Path) -> Iterable[str]:
    from arena.bots.bundled import list_bots

    return dict.fromkeys(f"{b.name}@{b.version}" if b.bundle else b.name for b in list_bots(home))


def _tournaments(home: Path) -> Iterable[str]:
    from arena.store import open_store

    with open_store(home, create=False) as store:
        return [edition.label for edition in store.tournaments.all(removed=True)]


def _matches(home: Path) -> Iterable[str]:
    from arena.results.matches import list_matches

    return [row.id for row in list_matches(home, merged=True, limit=LAST)[1]]


# by the names of arguments
KINDS: dict[str, tuple[Names, ...]] = {
    **dict.fromkeys(("game", "games"), (_games,)),
    **dict.fromkeys(("bot", "first", "other"), (_bots,)),
    "words": (_games, _bots),
    "tournament": (_tournaments,),
    "match": (_matches,),
    "matches": (_tournaments, _matches),
}


def complete_names(command: click.Command) -> None:
    """Have the arguments of a command completed by the names that they may have."""
    for param in command.params:
        if isinstance(param, click.Argument) and param.name in KINDS:
            # what click.Argument(shell_complete=…) sets; so no command imports what completes
            param._custom_shell_complete = partial(_complete, KINDS[param.name])


def _complete(
    kinds: tuple[Names, ...], ctx: click.Context, _: click.Parameter, begun: str
) -> list[CompletionItem]:
    home = Path(ctx.obj or os.environ.get("ARENA_HOME", ".arena"))
    found: list[CompletionItem] = []
    for kind in kinds:
        with contextlib.suppress(ArenaError):  # nothing is offered of a home that cannot be read
            found += [CompletionItem(name) for name in kind(home) if name.startswith(begun)]
    return found or [CompletionItem(begun, type="file")]
