"""``arena import``: a bundle of another machine verified, and taken into this home."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.options import PATH, home_option, json_option
from arena.terminal.output import print_json, work_bar
from arena.values.words import count

__all__ = ["command"]


@click.command("import")
@click.argument("file", type=PATH)
@click.option("--keep", is_flag=True, help="Where matches differ, keep those that are here.")
@json_option
@home_option
def command(file: Path, keep: bool, as_json: bool, home: Path) -> int:
    """Verify the bundle FILE, and take its tournament into this home.

    Everything in the bundle is verified first, as arena verify FILE does it. Then the home gets the
    matches that it lacks, and copies of the bots; nothing is built or run. A match that is here
    already is not stored twice. If one went another way here, nothing is taken in and exit code 1
    says so, unless --keep is given.

    To go on with the tournament, run its file as on the other machine: its bots are those of the
    bundle.

    \b
    Examples:
      arena import quickstart.arena
      arena import part-2.arena --home merged
    """
    from arena.bundle.merge import import_bundle

    with work_bar("match") as tell:
        found = import_bundle(file, home, keep=keep, tell=tell)
    if as_json:
        print_json({**found._asdict(), "kept": list(found.kept)})
        return 1 if found.kept else 0
    there = f", {found.there} were here already" if found.there else ""
    kept = f", {len(found.kept)} went another way here and were kept" if found.kept else ""
    state = "finished" if found.finished else "unfinished"
    click.echo(
        f"{found.tournament}: {count(found.added, 'match')} imported{there}{kept}; it is {state}"
    )
    return 1 if found.kept else 0
