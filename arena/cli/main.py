"""The command ``arena``: finds a subcommand when it is asked for, and turns errors into exit codes.

A command is one file of this folder, imported when it is called, so that ``arena --help`` is quick.
"""

from __future__ import annotations

import atexit
import errno
import gc
import importlib
import io
import sys
from pathlib import Path
from typing import NoReturn

import click

from arena.cli.options import CommandGroup, set_home, text
from arena.terminal.stopping import heed_signals, stopped
from arena.terminal.streams import forget, open_streams, print_message
from arena.values.version import __version__

MESSAGE_LINE = 4000  # characters of one line of an error message
NEW_OBJECTS = 20_000  # before cycles among them are looked for; Python says 700
SETTINGS = {"help_option_names": ["-h", "--help"], "show_default": True}
FAILED = 3  # the exit code that says that the arena failed
# what is wrong with a file that a person named; all other errors of the system are the arena's
THEIRS = frozenset(
    (
        errno.ENOENT, errno.EACCES, errno.EPERM, errno.EROFS,
        errno.EISDIR, errno.ENOTDIR, errno.EEXIST, errno.ENOTEMPTY,
        errno.ELOOP, errno.ENAMETOOLONG, errno.EINVAL, errno.ENXIO, errno.ENODEV,
    )
)  # fmt: skip

# by group and in the order of a user's way; name: the line in the list of commands
GROUPS = {
    "Play": {
        "demo": "Run a small tournament of bundled bots, to see how it goes.",
        "play": "Play one match, which is not rated.",
        "run": "Run a tournament, or continue it.",
        "compare": "Is one bot stronger than another? Play until the answer is known.",
    },
    "Bots": {
        "init": "Make a working bot to start from.",
        "check": "Walk a bot through the protocol; name the step that failed.",
        "rank": "How strong is a bot? Play it against the bundled ones.",
        "submit": "Check a bot, keep a copy of it, and give it a version.",
        "bots": "List the bundled and submitted bots and their versions.",
        "environments": "Name folders whose programs may start bots.",
    },
    "Tournaments": {
        "new": "Write a commented tournament file to start from.",
        "tournaments": "List the tournaments of this home; end or remove one.",
        "leaderboard": "Show ratings, results and faults of a tournament.",
        "rate": "Rate results from elsewhere: CSV, PGN or JSON lines.",
        "report": "Write a tournament as a site: tables, charts, a page for each bot.",
        "serve": "Show a tournament in the browser, while it runs.",
    },
    "Matches": {
        "matches": "List matches.",
        "show": "Step through a match, board by board.",
        "explain": "Show why a match was lost: the costliest decisions, and better ones.",
        "log": "Show what the bots of a match wrote, decision by decision.",
        "reproduce": "Play a match again and compare it, action by action.",
        "verify": "Check recorded matches by the rules, or rate them again.",
    },
    "Share": {
        "bundle": "Write a whole tournament as one file; verify or import such a file.",
        "export": "Write a tournament's records as JSON lines.",
        "backup": "Write all of a home as one file, for your own disk.",
        "restore": "Make a home from a backup.",
    },
    "Machines": {
        "doctor": "Show what this machine offers, and what would help.",
        "cluster": "Prepare the machines of a cluster.",
    },
    "Games": {
        "games": "List the games, or show the parameters and rules of one.",
        "balance": "Measure whether games are fair, variants side by side.",
        "perft": "Count the action sequences of a game.",
        "conformance": "Check an engine against what every engine promises.",
    },
    "Help": {"help": "Print the help of a command, or a page of the documentation."},
}
COMMANDS = {name: said for group in GROUPS.values() for name, said in group.items()}


class _Arena(CommandGroup):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"arena.cli.{name}").command
        command.short_help = COMMANDS[name]  # which shells show when they complete it
        if ctx.resilient_parsing:  # a shell completes a line
            from arena.cli.completion import complete_names

            for each in (command, *getattr(command, "commands", {}).values()):
                complete_names(each)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for group, commands in GROUPS.items():
            with formatter.section(group):
                formatter.write_dl(list(commands.items()), col_spacing=4)


@click.command(cls=_Arena, context_settings=SETTINGS)
@text(
    "--home",
    "DIR",
    "Where the arena keeps everything.",
    envvar="ARENA_HOME",
    default=".arena",
    show_default=False,
    callback=set_home,
)
@click.version_option(__version__, "-V", "--version", prog_name="arena")
def arena(home: Path) -> None:
    """A tournament and bot arena runner.

    Bots are programs in any language that read and write lines. The home is --home, else
    $ARENA_HOME, else ./.arena.

    \b
    Examples:
      arena demo
      arena play leaves greedy random --seed 1 --watch
      arena run --game leaves --bots greedy,random --rounds 4
    """


def main(args: list[str] | None = None) -> NoReturn:
    """Run the command line and leave with its exit code.

    0 done, 1 the answer is no, 2 usage or a bad file, 3 the arena failed, 130 interrupted (143 by
    SIGTERM, 129 by SIGHUP).
    """
    # modules are many objects: to look for cycles among them as often as Python does, and again at
    # the end, takes a tenth of a short command
    gc.set_threshold(NEW_OBJECTS)
    atexit.register(gc.freeze)
    open_streams()
    heed_signals()
    sys.exit(_without_strays(_run(args)))


def _run(args: list[str] | None) -> int:
    """Run the command line and return its exit code; every error is one."""
    try:
        _check_text(sys.argv[1:] if args is None else args)
        code = arena.main(args=args, prog_name="arena", standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        said = io.StringIO()
        error.show(said)
        click.echo(_plain(said.getvalue()), err=True, nl=False)
        return error.exit_code
    except click.Abort as error:  # which click raises from what it was
        if isinstance(error.__cause__, EOFError):  # which nobody handled
            return _explain(error.__cause__)
        return stopped(error.__cause__)
    except KeyboardInterrupt as error:
        return stopped(error)
    except BrokenPipeError:
        _forget_stdout()
        return 0
    except SystemExit as stop:  # click's own answer to a reader that has gone away is exit code 1
        _forget_stdout()
        return stop.code if isinstance(stop.code, int) and stop.code != 1 else 0
    except Exception as error:
        return _explain(error)
    return code if isinstance(code, int) else 0


def _without_strays(code: int) -> int:
    """Say what of a bot could not be ended: then the exit code is 3."""
    if "arena.process.stop_all" not in sys.modules:
        return code  # no bot was started
    from arena.machine.procfs import is_dead
    from arena.process.stop_all import not_ended

    left = [pid for pid in not_ended if not is_dead(pid)]
    if not left:
        return code
    named = " ".join(map(str, sorted(left)))
    print_message(f"what a bot left behind cannot be ended; try: kill -9 {named}")
    return max(code, FAILED)


def _explain(error: Exception) -> int:
    """Say what went wrong in a sentence and return the exit code; our own bugs are loud."""
    from arena.values.errors import ArenaError, system_error
    from arena.values.extras import missing_extra
    from engines.core.errors import EngineError

    if isinstance(error, (ArenaError, EngineError)):
        click.echo(_plain(f"arena: {error}"), err=True)
        return error.exit_code if isinstance(error, ArenaError) else 2
    if isinstance(error, ModuleNotFoundError) and (what := missing_extra(error)):
        click.echo(f"arena: {what}", err=True)
        return 2
    if isinstance(error, OSError):
        click.echo(_plain(f"arena: {system_error(error)}"), err=True)
        if error.filename is None:
            _forget_stdout()
        return 2 if error.filename is not None and error.errno in THEIRS else 3
    import traceback

    click.echo(_plain("".join(traceback.format_exception(error))), err=True, nl=False)
    print_message("this is a fault of the arena itself; nothing that was stored is lost")
    return 3


def _plain(message: str) -> str:
    """Return a message fit for a terminal, whatever file, bot or argument it quotes."""
    from arena.values.untrusted import show_lines

    return show_lines(message, MESSAGE_LINE)


def _check_text(args: list[str]) -> None:
    for arg in args:
        try:
            arg.encode()
        except UnicodeEncodeError:
            shown = arg.encode("utf-8", "backslashreplace").decode()
            raise click.UsageError(f'"{shown}" is not UTF-8') from None


def _forget_stdout() -> None:
    """Let nothing more be written to a reader that has gone away."""
    forget(sys.stdout.fileno())
