"""``arena tournaments``: what is in this home, how far it is; one of them ended or removed."""

from __future__ import annotations

import re
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arena.cli.options import CommandGroup, flag
from arena.terminal.output import print_found, print_rows, print_seed
from arena.terminal.streams import print_message
from arena.values.untrusted import show
from arena.values.words import count, local_time

if TYPE_CHECKING:
    from arena.results.home import TournamentRow

MEGABYTE = 1_000_000
WORTH_SAYING = 10 * MEGABYTE
# the name of a comparison that a person gave none, and what of it is enough
MADE_NAME = re.compile(r"compare-.*-([0-9a-f]{10})")
GIVE = (("games", 8), ("bots", 15), ("format", 8), ("tournament", 10))  # room on a terminal


@click.group(
    "tournaments",
    cls=CommandGroup,
    invoke_without_command=True,
    subcommand_metavar="[COMMAND [ARGS]…]",
)
@flag("--shipped", help="List the tournaments that come with the arena.")
@click.pass_context
def command(ctx: click.Context, shipped: bool, as_json: bool, home: Path) -> None:
    """List the tournaments of this home in the order of their start, and how far each is.

    \b
    running     it is being played
    finished    all matches are played
    decided     its test gave an answer, so it ended early
    ended       a person ended it before all was played
    resting     it is a ladder without further matches, until there are newer versions
    unfinished  the command that started it continues it
    removing    a part of it is removed: arena tournaments remove removes the rest

    The column matches counts those that were played, and all if their number is known. Times are
    local; --json prints UTC. Comparisons come last: other commands take their id as TOURNAMENT.

    \b
    Examples:
      arena tournaments
      arena tournaments --json
      arena tournaments --shipped
    """
    if ctx.invoked_subcommand is not None:
        return
    if shipped:
        _print_shipped(as_json=as_json)
        return
    from arena.results.home import list_tournaments

    found = list_tournaments(home)
    if as_json:
        print_rows([row._asdict() for row in found], as_json=True)
        return
    year = time.localtime().tm_year
    lines = [_as_line(row, year) for row in sorted(found, key=lambda row: bool(row.compared))]
    from arena.store.above import home_above

    print_rows(lines, nothing=f"There is no tournament in this home{home_above(home)}.", give=GIVE)
    for row in found:
        if row.damage:
            name = show(row.tournament)
            print_message(f"{name}: {row.damage}; arena tournaments remove {name} completes that")


def _print_shipped(*, as_json: bool) -> None:
    """Print what ``arena run NAME`` plays where no such file is."""
    from arena.tournament.parse import read_tournament
    from arena.values.shipped import shipped_tournaments

    rows: list[dict[str, Any]] = []
    for name, file in shipped_tournaments().items():
        found = read_tournament(file, trust=True)
        size = {"format": found.format, "bots": len(found.bots), "games": found.games}
        rows.append({"tournament": name, **size})
    print_rows(rows, as_json=as_json, give=GIVE)


@command.command("remove", short_help="Remove all that was kept of a tournament.")
@click.argument("tournament", metavar="NAME[#E]")
@flag("-y", "--yes", help="Do not ask.")
@flag("--shrink", help="Give the store's free space back to the disk.")
def remove(tournament: str, yes: bool, shrink: bool, as_json: bool, home: Path) -> None:
    """Remove a tournament: its matches, tables, rounds, seed, and what its bots wrote.

    NAME is its newest edition, NAME#1 the first. The removal cannot be undone; before, arena export
    can write the records. On a terminal you are asked first. A tournament that is running cannot be
    removed; others can run meanwhile. If the removal is interrupted, the same command completes it.
    Copies of the tournament's bots are removed too, except submitted bots and those that another
    tournament needs.

    The store's file does not get smaller, but has room for what is stored next. --shrink gives this
    room back to the disk. It writes the rest of the store again, which takes room on the disk, and
    is refused while any tournament of this home is running.

    \b
    Example:
      arena tournaments remove quickstart --yes
    """
    from arena.results.home import find_edition, remove_tournament

    row = find_edition(home, tournament)
    question = f"Remove {show(row.tournament)} with {count(row.matches, 'match')}?"
    if not yes and sys.stdin.isatty() and not click.confirm(question, err=True):
        raise click.exceptions.Exit(1)
    # this edition, even if there is a newer one by now
    label = row.tournament if "#" in row.tournament else f"{row.tournament}#1"
    gone = remove_tournament(home, label, shrink=shrink)
    what = f"{count(gone.matches, 'match')} and {count(gone.bots, 'copied bot')}"
    text = f"removed {show(gone.tournament)}: {what}"
    print_found(gone._asdict(), text, as_json=as_json)
    if gone.free_bytes >= WORTH_SAYING:
        print_message(
            f"{gone.free_bytes / MEGABYTE:,.0f} MB of the store are free for what is stored "
            "next; --shrink gives them back to the disk"
        )


@command.command("end", short_help="Play no more of a tournament, and show its secret seed.")
@click.argument("tournament", metavar="NAME[#E]")
def end(tournament: str, as_json: bool, home: Path) -> None:
    """End a tournament before all of it is played.

    No more matches are played. The blocks before the first block that lacks a match count, and a
    secret seed is shown. A running tournament cannot be ended. arena run FILE --extend opens the
    tournament again if its games hide nothing, or if its file gives the seed.

    \b
    Example:
      arena tournaments end course
    """
    from arena.results.home import end_tournament

    ended = end_tournament(home, tournament)
    counted = f"{ended.counted} of {count(ended.matches, 'match')} count"
    text = f"ended {show(ended.tournament)}: {counted}"
    print_found(ended._asdict(), text, as_json=as_json)
    print_seed(None if ended.seed is None else int(ended.seed))


def _as_line(row: TournamentRow, year: int) -> dict[str, Any]:
    made = MADE_NAME.fullmatch(row.tournament)
    return {
        "tournament": row.tournament if made is None else made[1],
        "state": row.state if row.pid is None else f"{row.state} ({row.pid})",
        "format": row.format,
        "games": row.games,
        "bots": row.bots if row.compared is None else " - ".join(row.compared),
        "matches": f"{row.matches}" if row.of is None else f"{row.matches}/{row.of}",
        "void": row.void or None,
        "undecided": row.undecided or None,
        "last run": local_time(row.last_run, year),
    }
