"""``arena submit``: check a bot, keep a copy of it, and give it a version."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arena.cli.options import PATH, BotCommand, file, flag, heavy_options, text
from arena.machine.untrusted_files import make_private
from arena.terminal.output import print_above_bar, print_rows, work_bar
from arena.terminal.result_file import result_file
from arena.terminal.streams import print_message
from arena.values.untrusted import show, show_lines

if TYPE_CHECKING:
    from arena.check.submit import HandIn

REFUSAL = 4000  # characters of a line that says why a bot was not taken
GIVE = (("path", 24), ("why", 24), ("path", 8))  # room on a terminal


@click.command("submit", cls=BotCommand)
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=PATH)
@text("--name", "NAME", "Name of the bot.", show_default="as its file or folder")
@file("--names", "FILE", "CSV that says who handed in what: pattern,name,person,group.")
@file("--feedback", "DIR", "Write a text for each person into DIR.")
@text(
    "--game",
    "GAME",
    "Try the bot in this game.",
    show_default="the first of its bot.yaml, else leaves",
)
@flag("--again", help="Also try what was refused before.")
@heavy_options
@flag("--allow-unsafe", help="Try the bot even if nothing isolates it.")
def command(
    paths: tuple[Path, ...], as_json: bool, home: Path, feedback: Path | None, **options: Any
) -> int:
    """Check the bot at PATH and keep it as the next version of NAME.

    PATH is a file, a folder, or an archive of one (.zip, .tar, .tar.gz). The bot is built, greeted
    and asked, and plays a whole game in each seat against random: these are the first steps of
    arena check. The same content again is the same version. If the bot breaks the protocol, the
    exit code is 1, and the step that failed is shown, with how to fix it. A bot that arena bots
    retire took out of play stays out.

    Several bots are tried at the same time, and a table shows which were taken. Give them as they
    come from Moodle, Canvas, Gradescope or GitHub Classroom, or as one folder or archive with all
    of them. A bot gets a plain name, made from that of its file or folder. If several bots have the
    same name, none of them is taken. The exit code is 0 if all bots were taken, 1 if some were not,
    and 2 if none could be read.

    \b
    Examples:
      arena submit my_bot.py --name mine
      arena submit my_bot.py --name other --game "leaves(tree=u)"
      arena submit handed-in/* --names course.csv --feedback answers
    """
    from arena.check.submit import submit_all

    found: list[HandIn] = []
    try:
        with work_bar("bot") as progress:
            for answer in submit_all(paths, home, progress=progress, **options):
                found.append(answer)
                if feedback is not None:
                    _write_feedback(feedback, answer)
                if answer.refusal:
                    said = f"arena: {answer.path}: {_refusal(answer)}"
                    print_above_bar(show_lines(said, REFUSAL))
    finally:  # however it ends: those that were taken are kept
        _print(sorted(found, key=lambda answer: (answer.missing, answer.place)), as_json)
    return _exit_code(found)


def _exit_code(found: Sequence[HandIn]) -> int:
    """Return 0 if all were taken, 1 if some were not, 2 if none could be read; 3: not our fault."""
    codes = {answer.exit_code for answer in found if not answer.missing}
    return max(codes, default=0) if len(codes) <= 1 or 3 in codes else 1


def _print(found: Sequence[HandIn], as_json: bool) -> None:
    """Print what became of each."""
    if found and (as_json or len(found) > 1):
        rows = [_row(answer, whole=as_json) for answer in found]
        print_rows(rows, as_json=as_json, give=GIVE)
    elif found and (done := found[0].submitted) is not None:
        click.echo(f"{done.name} version {done.version} {_said(found[0])}")
    if len(found) > 1 and not as_json:
        states = Counter(answer.state for answer in found)
        print_message(", ".join(f"{number} {state}" for state, number in states.items()))


def _refusal(answer: HandIn) -> str:
    return "\n".join(filter(None, (answer.refusal, answer.before)))


def _row(answer: HandIn, *, whole: bool) -> dict[str, Any]:
    done = answer.submitted
    return {
        "path": answer.path,
        "name": answer.name,
        "person": answer.person,
        "version": None if done is None else done.version,
        "state": answer.state,
        "why": (whole and _refusal(answer)) or _said(answer),
    }


def _said(answer: HandIn) -> str:
    """Say in a line what became of a hand-in."""
    done = answer.submitted
    if answer.missing:
        return f"missing: {answer.person or answer.name or answer.path}"
    if done is None:
        return f"not taken: {show(answer.reason.splitlines()[0], REFUSAL)}"
    said = f"is submitted ({done.hash[:19]})" if done.new else "has this content already"
    if done.plays != done.version:
        said += f"; version {done.plays} plays until arena bots retire {done.name}@{done.plays}"
    if answer.same:
        said += f"; same content as {', '.join(answer.same)}"
    for name in answer.older:
        said += f"; {name} of the same person plays too, until arena bots retire {name}"
    return said


def _write_feedback(folder: Path, answer: HandIn) -> None:
    """Write a text for one person, in place of that of before."""
    if answer.missing:
        return
    done = answer.submitted
    lines = [f"Handed in: {show(Path(answer.path).name, None)}"]
    if answer.others:  # the refusal names them
        lines += ["It was not taken, as its owner is not clear. Ask the organiser of the course."]
    elif done is None:
        lines += ["It was not taken:", "", show_lines(answer.refusal, REFUSAL)]
    else:
        lines += [f"It was taken as {done.name}, version {done.version}."]
    make_private(folder)
    with result_file(folder / answer.feedback, private=True) as file:
        file.write("\n".join([*lines, ""]))
