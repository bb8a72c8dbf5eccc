"""``arena submit``: check a bot, keep a copy of it, and give it a version."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arena.cli.options import PATH, flag, heavy_options, home_option, json_option
from arena.terminal.output import print_above_bar, print_json, print_rows, work_bar
from arena.terminal.stopping import heed_signals
from arena.terminal.streams import terminal_columns
from arena.values.untrusted import show, show_lines

if TYPE_CHECKING:
    from arena.check.submit import HandIn, Submitted

__all__ = ["command"]

REFUSAL = 4000  # characters of a line that says why a bot was not taken
SHOWN = 60  # of them in the table on a terminal


@click.command("submit")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=PATH)
@click.option(
    "--name", metavar="NAME", show_default="as its file or folder", help="What to call it."
)
@click.option(
    "--game",
    metavar="GAME",
    show_default="its bot.yaml's first, leaves",
    help="Try it in this game.",
)
@heavy_options
@flag("--allow-unsafe", help="Try it even if nothing isolates it.")
@json_option
@home_option
def command(
    paths: tuple[Path, ...], name: str | None, as_json: bool, home: Path, **options: Any
) -> int:
    """Check the bot at PATH and keep it as the next version of NAME.

    PATH is a file, a folder, or an archive of one (.zip, .tar, .tar.gz). The bot is built, greeted,
    asked, and plays a whole game in each seat against random: the first steps of arena check. The
    same content again is the same version. Exit code 1 if it breaks the protocol; the step that
    failed is shown, with how to fix it. What arena bots retire took out of play stays out.

    Several bots are named after their files or folders, and a table says which were accepted. One
    that is refused does not affect the others; the exit code is then 1 or 2.

    \b
    Examples:
      arena submit my_bot.py --name mine
      arena submit my_bot.py --name other --game "leaves(tree=u)"
      arena submit handed-in/*
    """
    heed_signals()
    if len(paths) > 1:
        if name is not None:
            raise click.UsageError("--name: of several bots, each is called as its file or folder")
        return _submit_all(paths, as_json, home, **options)
    from arena.check.submit import HandIn, name_of, submit
    from arena.values.errors import ArenaError

    name = name_of(paths[0]) if name is None else name
    try:
        done = submit(paths[0], name, home, **options)
    except ArenaError as error:
        if as_json:
            print_rows([_row(HandIn(paths[0], name, refusal=error))], as_json=True, nothing="")
        raise
    if as_json:
        found = {"bot": done.name, "version": done.version, "hash": done.hash}
        print_json({**found, "new": done.new, "plays": done.plays})
    elif done.new:
        click.echo(f"{done.name} version {done.version} is submitted ({done.hash[:19]})")
    else:
        click.echo(f"{done.name} version {done.version} has this content already{_newer(done)}")
    return 0


def _submit_all(paths: tuple[Path, ...], as_json: bool, home: Path, **options: Any) -> int:
    """Submit several bots, print what became of each, and return the exit code."""
    from arena.check.submit import submit_all

    rows: list[dict[str, Any]] = []
    code = 0
    with _printed(rows, as_json), work_bar("bot") as progress:
        progress(0, len(paths))
        for answer in submit_all(paths, home, **options):
            refusal = answer.refusal
            if refusal is not None:
                code = max(code, refusal.exit_code)
                said = f"arena: {answer.path}: {_without_path(str(refusal), answer.path)}"
                print_above_bar(show_lines(said, REFUSAL))
            row = _row(answer)
            rows.append(row if as_json else _in_words(row, answer))
            progress(len(rows), len(paths))
    return code


def _row(answer: HandIn) -> dict[str, Any]:
    done, refusal = answer.submitted, answer.refusal
    return {
        "path": str(answer.path),
        "bot": answer.name,
        "version": None if done is None else done.version,
        "hash": None if done is None else done.hash,
        "new": done is not None and done.new,
        "plays": None if done is None else done.plays,
        "refusal": None if refusal is None else str(refusal),
    }


@contextlib.contextmanager
def _printed(rows: list[dict[str, Any]], as_json: bool) -> Iterator[None]:
    """Print the rows there are at the end of a block, however it ends: those bots are kept."""
    try:
        yield
    finally:
        if rows:
            print_rows(rows, as_json=as_json, nothing="")


def _in_words(row: dict[str, Any], answer: HandIn) -> dict[str, Any]:
    """Return what the table says of an answer; why a bot was not taken stands above it, whole."""
    if answer.refusal is not None:
        reason = getattr(answer.refusal, "reason", "") or str(answer.refusal)
        line = _without_path(reason, answer.path).splitlines()[0]
        said = "not taken: " + show(line, REFUSAL if terminal_columns() is None else SHOWN)
    elif answer.submitted is not None:
        said = "submitted" if row["new"] else f"has this content already{_newer(answer.submitted)}"
    return {"path": row["path"], "bot": row["bot"], "version": row["version"], "answer": said}


def _newer(done: Submitted) -> str:
    """Say which version plays instead of an older one, and how to go back to that."""
    if done.plays == done.version:
        return ""
    return f"; version {done.plays} plays until arena bots retire {done.name}@{done.plays}"


def _without_path(message: str, path: Path) -> str:
    """Return a message without the path that it begins with, which is said before it."""
    for start in (path, path.absolute()):
        message = message.removeprefix(f"{start}: ")
    return message
