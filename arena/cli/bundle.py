"""``arena bundle``: a whole tournament as one file, written, verified and imported."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arena.cli import options
from arena.cli.options import PATH, BotCommand, CommandGroup
from arena.cli.reproduce import again_data, again_lines
from arena.terminal.output import print_found, print_json, print_keys, work_bar
from arena.terminal.streams import print_message
from arena.values.untrusted import show
from arena.values.words import count

if TYPE_CHECKING:
    from arena.bundle.verify import BundleCheck


@click.group("bundle", cls=CommandGroup)
def command() -> None:
    """Take a tournament to another machine as one file, to verify, import or continue it there.

    The file holds what the tournament's file says, the seed, all records and planned rounds, and
    the programs of the bots.

    \b
    Examples:
      arena bundle create quickstart
      arena bundle verify quickstart.arena
      arena bundle import quickstart.arena
    """


@command.command("create", short_help="Write a tournament as one file.")
@click.argument("tournament", required=False)
@options.file("-o --output", "FILE", "File to write.", show_default="TOURNAMENT.arena")
@options.flag("--no-bots", help="Leave the bots' programs out.")
def create(tournament: str | None, output: Path | None, no_bots: bool, home: Path) -> None:
    """Write TOURNAMENT (NAME or NAME#2), or the one run last, as one file.

    The tournament may be unfinished. What its file gives bots (args and env) is written as it is;
    a warning names variables that look like keys.

    \b
    Examples:
      arena bundle create
      arena bundle create quickstart -o results.arena --no-bots
    """
    from arena.bundle.export import export_bundle

    written = export_bundle(home, output, tournament, bots=not no_bots)
    if written.holds_secret_seed:
        print_message(
            f"{written.tournament} is not over, and the bundle holds its secret seed, from "
            "which every deal follows: give the file only to the machine that continues it"
        )
    if written.lacks_setups:
        print_message(
            f"the setups that {written.tournament} begins from are not in this home: to "
            "continue it elsewhere takes their file as well"
        )
    print_keys(written.keys)
    programs = "no bots" if no_bots else count(written.bots, "bot")
    matches = count(written.matches, "match")
    click.echo(
        f"{written.tournament}: {matches} and {programs} written to {written.file}", err=True
    )


@command.command("verify", cls=BotCommand)
@click.argument("file", type=PATH)
@options.natural(
    "--rerun",
    "N",
    "Also play N of the matches again, with the bundle's bots.",
    default=0,
    show_default=False,
)
@options.natural("--seed", "S", "Seed by which these matches are drawn.", show_default="random")
@options.sandbox_option()
@options.needs("--seed", "--rerun")
@options.needs("--sandbox", "--rerun", why="nothing else starts a bot")
def verify(
    file: Path, rerun: int, seed: int | None, sandbox: str, as_json: bool, home: Path
) -> int:
    """Check all of FILE; this home does not change.

    The check covers the hashes, every match by the rules, the schedule, the seeds and the bots.
    With --rerun some matches are also played again, in the sandbox.

    The exit code is 1 if anything differs, and 2 if FILE is damaged or no bundle.

    \b
    Examples:
      arena bundle verify quickstart.arena
      arena bundle verify quickstart.arena --rerun 5
    """
    from arena.bundle.verify import verify_bundle

    with work_bar("match") as progress:
        check = verify_bundle(
            file, rerun=rerun, seed=seed, sandbox=sandbox, home=home, progress=progress
        )
    if as_json:
        print_json(_row(check))
        return 0 if check.is_right else 1
    for where, sentences in check.differences.items():
        for sentence in sentences:
            click.echo(f"{show(where)}: {show(sentence, 500)}")
    for again in check.reruns:
        for line in again_lines(again):
            click.echo(f"{show(again.old.id)}: played again: {line}")
    secret = "; it holds a seed that is secret" if check.holds_secret_seed else ""
    click.echo(
        f"{show(check.tournament)}, {'finished' if check.finished else 'unfinished'}, "
        f"{check.bots} bots, written by arena {show(check.arena, 40)}{secret}"
    )
    from arena.results.extent import extent_text

    if check.extent is not None and (text := extent_text(check.extent)):
        click.echo(text)
    result = f", {check.differing} differ" if check.differing else ": all right"
    click.echo(f"{count(check.matches, 'match')} verified{result}")
    if check.seed is not None:
        click.echo(f"{len(check.reruns)} played again, drawn with --seed {check.seed}")
    return 0 if check.is_right else 1


def _row(check: BundleCheck) -> dict[str, Any]:
    extent, wrong = check.extent, check.differences.items()
    names = ("tournament", "bundle", "arena", "bots", "finished", "holds_secret_seed")
    return {
        "verified": check.matches,
        "rows": [{"id": match, "differences": list(sentences)} for match, sentences in wrong],
        **{name: getattr(check, name) for name in names},
        "rerun_seed": check.seed,
        "rerun": [{"match": again.old.id, **again_data(again)} for again in check.reruns],
        **{name: getattr(extent, name, None) for name in ("of", "undecided", "out")},
    }


@command.command("import")
@click.argument("file", type=PATH)
@options.flag("--keep", help="Where matches differ, keep those of this home.")
@options.flag("--trust", help="Import a bundle whose bots run with your own rights (ask).")
def import_(file: Path, keep: bool, trust: bool, as_json: bool, home: Path) -> int:
    """Verify FILE, and put its tournament into this home.

    The home gets the matches that it lacks, and copies of the bots; nothing is built or run. A
    match that is here already is not stored twice. If a match went another way here, nothing is
    imported and the exit code is 1, unless --keep is given.

    To continue the tournament, run its file as on the other machine: the bots are those of the
    bundle. If the names of some mean other programs here, these are listed, and arena run asks for
    --bots-of-the-bundle.

    \b
    Examples:
      arena bundle import quickstart.arena
      arena bundle import league.arena --home merged
    """
    from arena.bundle.merge import import_bundle

    with work_bar("match") as progress:
        found = import_bundle(file, home, keep=keep, trust=trust, progress=progress)
    shown = ("entrant", "program", "here", "older")
    taken = [{key: getattr(one, key) for key in shown} for one in found.taken]
    there = f", {found.there} were here already" if found.there else ""
    kept = f", {len(found.kept)} went another way here and were kept" if found.kept else ""
    state = "finished" if found.finished else "unfinished"
    text = f"{found.tournament}: {count(found.added, 'match')} imported{there}{kept}; it is {state}"
    print_found({**found._asdict(), "taken": taken}, text, as_json=as_json)
    from arena.bots.taken import taken_text

    for one in found.taken:
        print_message(taken_text(one, found.bundle))
    print_message(f"the author of {found.bundle} knows the seed of {found.tournament}")
    return 1 if found.kept else 0
