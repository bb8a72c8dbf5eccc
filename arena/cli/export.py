"""``arena export``: a tournament's records as JSON lines."""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path

import click

from arena.cli.options import home_option

__all__ = ["command"]


@click.command("export")
@click.argument("tournament", required=False)
@click.option("--all", "merged", is_flag=True, help="Those of every tournament of this home.")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), metavar="FILE", help="Where to.  [stdout]"
)
@home_option
def command(tournament: str | None, merged: bool, output: Path | None, home: Path) -> None:
    """Write the counted matches of TOURNAMENT, or of the one run last, in schedule order.

    While a tournament is unfinished the seed of each deal is null.

    \b
    Examples:
      arena export > records.jsonl
      arena export quickstart -o records.jsonl
    """
    from arena.standings import choose
    from arena.store import open_store
    from arena.store.shown import shown_texts

    with open_store(home, create=False) as store:
        edition = None if merged else choose(store, tournament)
        with closing(shown_texts(store, None if edition is None else edition.id)) as lines:
            if output is None:
                # click.echo writes out every line by itself, which takes 10 µs
                sys.stdout.writelines(f"{line}\n" for line in lines)
                sys.stdout.flush()
                return
            unfinished = output.with_name(output.name + ".part")
            try:
                with unfinished.open("w", encoding="utf-8") as file:
                    file.writelines(f"{line}\n" for line in lines)
                unfinished.replace(output)
            finally:
                unfinished.unlink(missing_ok=True)
