"""``arena serve``: a tournament in the browser, while it runs."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from arena.cli.options import WholeNumber, home_option
from arena.terminal.streams import say

__all__ = ["command"]

PRIORITY = 10  # lower than that of a run, which is not to wait for those who look
# what the extra brings, with what that needs itself
PACKAGES = ("starlette", "uvicorn", "anyio", "h11")


@click.command("serve")
@click.argument("tournament", required=False)
@click.option(
    "--port",
    type=WholeNumber(0, 65535),
    default=0,
    show_default="any free one",
    metavar="N",
    help="Port to listen on.",
)
@click.option(
    "--host", default="127.0.0.1", metavar="ADDRESS", help="Where to listen; 0.0.0.0: everywhere."
)
@click.option(
    "--public", is_flag=True, help="For everybody: no token, and only what is fit for all to see."
)
@home_option
def command(tournament: str | None, port: int, host: str, public: bool, home: Path) -> None:
    """Show TOURNAMENT, or the one run last, in the browser, while it runs.

    The address that is printed opens the page: how far the run is, the leaderboard, and matches as
    they end. Anyone who knows the address can read; nothing can be changed. The store is only read
    from, and the run is not kept waiting. Ctrl-C ends it.

    Without TOURNAMENT, the page goes over to the one that is run next. With --public it never does:
    the edition that there is at the start is the only one that is shown.

    It needs two packages: pip install "tree-arena[serve]".

    \b
    Examples:
      arena serve
      arena serve quickstart --public
    """
    from arena.database.access import only_read
    from arena.values.errors import UsageError

    try:
        from arena.serve.app import listen, serve
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in PACKAGES:
            raise
        raise UsageError(
            'arena serve needs two more packages: pip install "tree-arena[serve]"'
        ) from None
    tournament = _checked(home, tournament, public=public)
    only_read()
    listening = listen(host, port, public=public)
    os.nice(PRIORITY)
    click.echo(listening.address)
    say("open that address in a browser; Ctrl-C ends it")
    sys.stdout.flush()
    number = serve(home, tournament, listening, public=public)
    # a page that is being made would be waited for, and there is nothing to save
    os._exit(128 + number)


def _checked(home: Path, tournament: str | None, *, public: bool) -> str | None:
    """Make sure of the store and the tournament.

    For everybody it is one edition from the start: what is run next may not be meant for all.
    """
    from arena.results.standings import choose
    from arena.store import open_store

    with open_store(home, create=False) as store:
        if tournament is None and not public:
            return None
        edition = choose(store, tournament)
        return f"{edition.name}#{edition.edition}" if public else tournament
