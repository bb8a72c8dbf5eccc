"""``arena serve``: a tournament in the browser, while it runs."""

from __future__ import annotations

import os
from pathlib import Path

import click

from arena.cli.options import Command, exclusive, flag, needs, sandbox_option
from arena.cli.web import host_options, print_address

PRIORITY = 10  # lower than that of a run, which is not to wait for those who look


@click.command("serve", cls=Command)
@click.argument("tournament", required=False)
@host_options
@flag("--public", help="Show the page to everybody: no token, and only what all may see.")
@flag("--play", help="Instead, let everybody who has the address play matches.")
@sandbox_option()
@exclusive("--play", "TOURNAMENT", "--public")
@needs("--sandbox", "--play")
def command(
    tournament: str | None, port: int, host: str, public: bool, play: bool, sandbox: str, home: Path
) -> None:
    """Show TOURNAMENT, or the one run last, in the browser, while it runs.

    The printed address opens the page: how far the run is, the leaderboard, and matches as they
    end. Anyone who knows the address can read the page, and nobody can change anything. The store
    is only read, and the run does not wait for the page. Ctrl-C ends the server.

    Without TOURNAMENT, the page follows the tournament that is run next. With --public it never
    does so: it shows only the edition that there is at the start.

    With --play the page starts matches between people and the bots of this home instead. These
    matches are not stored. Only people with the address can start matches; each match has links of
    its own, for those who play and those who watch.

    This command needs a few more packages: pip install "tree-arena[serve]"
    (in a checkout ".[serve]").

    \b
    Examples:
      arena serve
      arena serve quickstart --public
      arena serve --play --host 0.0.0.0
    """
    from arena.database.access import only_read
    from arena.serve.app import serve
    from arena.serve.play_app import serve_lobby
    from arena.serve.server import listen

    if play:
        from arena.bots.bundled import list_bots

        there = [bot.name for bot in list_bots(home) if bot.state != "retired" and not bot.bundle]
        listening = listen(host, port, public=False)
        print_address(listening.address)
        os._exit(128 + serve_lobby(home, sandbox, tuple(dict.fromkeys(there)), listening))
    tournament = _checked(home, tournament, public=public)
    only_read()
    listening = listen(host, port, public=public)
    os.nice(PRIORITY)
    print_address(listening.address)
    number = serve(home, tournament, listening, public=public)
    # a page that is being made would be waited for, and there is nothing to save
    os._exit(128 + number)


def _checked(home: Path, tournament: str | None, *, public: bool) -> str | None:
    """Make sure of the store and the tournament.

    For everybody it is one edition from the start: what is run next may not be meant for all.
    """
    from arena.results.standings import choose
    from arena.store import open_home

    with open_home(home) as store:
        if tournament is None and not public:
            return None
        edition = choose(store, tournament)
        return f"{edition.name}#{edition.edition}" if public else tournament
