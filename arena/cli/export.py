"""``arena export``: a tournament's records as JSON lines."""

from __future__ import annotations

import sys
from contextlib import closing, nullcontext
from pathlib import Path

import click

from arena.cli import options
from arena.terminal.output import print_keys
from arena.terminal.result_file import result_file, write_result


@click.command("export", cls=options.Command)
@options.tournament_options
@options.file("-o --output", "FILE", "File to write.", show_default="stdout")
@options.file(
    "--marks", "FILE", "Instead write a CSV line for each entrant, with its person, into FILE."
)
@options.file("--names", "FILE", "Also a line for each person of this list without an entrant.")
@options.anchor_option
@options.exclusive("--marks", "--all", "-o")
@options.needs("--anchor --names", "--marks")
def command(
    tournament: str | None,
    merged: bool,
    output: Path | None,
    marks: Path | None,
    names: Path | None,
    anchor: dict[str, float] | None,
    home: Path,
) -> None:
    """Write the counted matches of TOURNAMENT, or of the one run last, in schedule order.

    While a tournament is unfinished, the seed of each deal is null. A plain FILE is replaced when
    all is written; a pipe, a device or a link is written into; - is stdout. What the tournament's
    file gives bots (args and env) is written as it is; a warning names variables that look like
    keys.

    --marks writes name, person, group, version, rank, Elo with the ends of its 95 % interval,
    games, faults, and why an entrant is out. A text that a spreadsheet would take for a formula
    gets a ' before it. Persons and groups are those of arena submit --names; with the same list
    here, those who have no entrant follow.

    \b
    Examples:
      arena export > records.jsonl
      arena export quickstart -o records.jsonl
      arena export quickstart --marks marks.csv --anchor greedy=1500
    """
    if marks is not None:
        from arena.check.intake import read_names
        from arena.report.table import csv_table
        from arena.results.marks import Mark, read_marks

        rows = read_marks(home, tournament, anchor=anchor)
        there = {word for row in rows for word in (row.name, row.person)} - {""}
        for line in [] if names is None else read_names(names):
            who = {line.name, line.person} - {""}
            if who and there.isdisjoint(who):
                there |= who
                rows.append(Mark(line.name, line.person, line.group, out="nothing is entered"))
        write_result(marks, csv_table(Mark._fields, rows), private=True)
        return
    from arena.results.standings import choose
    from arena.store import open_home
    from arena.tournament.secret_variables import keys_in_config

    where = nullcontext(sys.stdout) if output in (None, Path("-")) else result_file(output)
    with where as file, open_home(home) as store:
        edition = None if merged else choose(store, tournament)
        for one in store.tournaments.all() if edition is None else [edition]:
            print_keys(keys_in_config(one.config))
        with closing(store.shown_texts(None if edition is None else edition.id)) as lines:
            # click.echo writes out every line by itself, which takes 10 µs
            file.writelines(f"{line}\n" for line in lines)
            file.flush()
