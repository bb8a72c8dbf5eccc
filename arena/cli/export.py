"""``arena export``: a tournament's records as JSON lines."""

from __future__ import annotations

import sys
from contextlib import closing, nullcontext
from pathlib import Path

import click

from arena.cli import options
from arena.cli.options import PATH
from arena.terminal.output import say_keys
from arena.terminal.result_file import result_file
from arena.terminal.streams import say
from arena.values.words import count

__all__ = ["command"]


@click.command("export")
@click.argument("tournament", required=False)
@click.option("--all", "merged", is_flag=True, help="Those of every tournament of this home.")
@click.option("-o", "--output", type=PATH, metavar="FILE", show_default="stdout", help="Where to.")
@click.option(
    "--bundle", type=PATH, metavar="FILE", help="Write all of it as one file, with the bots."
)
@click.option("--no-bots", is_flag=True, help="Leave the bots' programs out of the bundle.")
@options.exclusive("--all", "TOURNAMENT", "--bundle")
@options.exclusive("--bundle", "--output")
@options.needs("--no-bots", "--bundle")
@options.home_option
def command(
    tournament: str | None,
    merged: bool,
    output: Path | None,
    bundle: Path | None,
    no_bots: bool,
    home: Path,
) -> None:
    """Write the counted matches of TOURNAMENT, or of the one run last, in schedule order.

    While a tournament is unfinished the seed of each deal is null. A plain FILE is replaced once
    all is written; a pipe, a device or a link is written into. What the tournament's file gives
    bots (args and env) is written as it is; a warning names variables that look like keys.

    With --bundle the whole tournament is written as one file, which another machine can verify
    (arena verify FILE), take in (arena import FILE) and go on with: what the tournament's file
    says, its seed, all records and planned rounds, and the programs of its bots.

    \b
    Examples:
      arena export > records.jsonl
      arena export quickstart -o records.jsonl
      arena export quickstart --bundle quickstart.arena
    """
    if bundle is not None:
        _write_bundle(home, bundle, tournament, bots=not no_bots)
        return
    from arena.results.standings import choose
    from arena.store import open_store
    from arena.tournament.secret_variables import keys_in_config

    where = nullcontext(sys.stdout) if output is None else result_file(output)
    with where as file, open_store(home, create=False) as store:
        edition = None if merged else choose(store, tournament)
        for one in store.tournaments.all() if edition is None else [edition]:
            say_keys(keys_in_config(one.config))
        with closing(store.shown_texts(None if edition is None else edition.id)) as lines:
            # click.echo writes out every line by itself, which takes 10 µs
            file.writelines(f"{line}\n" for line in lines)
            file.flush()


def _write_bundle(home: Path, file: Path, tournament: str | None, *, bots: bool) -> None:
    from arena.bundle.export import export_bundle

    written = export_bundle(home, file, tournament, bots=bots)
    if written.holds_secret_seed:
        say(
            f"{written.tournament} is not over, and the bundle holds its secret seed, from "
            "which every deal follows: only the machine that goes on with it should get the file"
        )
    if written.lacks_setups:
        say(
            f"the setups that {written.tournament} begins from are not in this home: who "
            "goes on with it needs their file as well"
        )
    say_keys(written.keys)
    programs = count(written.bots, "bot") if bots else "no bots"
    click.echo(
        f"{written.tournament}: {count(written.matches, 'match')} and {programs} written to {file}",
        err=True,
    )
