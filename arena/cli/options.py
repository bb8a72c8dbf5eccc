"""Options and arguments that several commands take, and which of them go together."""

from __future__ import annotations

import inspect
import os
import shlex
import sys
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from arena.values.errors import UsageError

if TYPE_CHECKING:
    from arena.values.model import BotEntry, Clock

F = TypeVar("F", bound=Callable[..., Any])
NamedBots = Callable[[Iterable[str]], "list[BotEntry]"]  # reads bots as people name them
PATH = click.Path(path_type=Path)


class Command(click.Command):
    """A command with rules of its options, and with those that its function takes of two more.

    These are ``--json`` as ``as_json: bool``, which of a group holds for its commands as well, and
    ``--home`` as ``home: Path``: the command's, else its group's, else that of ``arena`` itself.
    """

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        assert self.callback is not None
        takes = {*inspect.signature(self.callback).parameters} - {each.name for each in self.params}
        self.params += [option for option in _USUAL if option.name in takes]

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; raises ``click.UsageError`` if options do not go together."""
        typed = {
            name
            for param in self.params
            if ctx.get_parameter_source(str(param.name)) is click.core.ParameterSource.COMMANDLINE
            for name in (*param.opts, param.human_readable_name)
        }
        for rule in getattr(self.callback, "rules", ()):
            if wrong := rule.broken(typed):
                raise click.UsageError(wrong, ctx)
        return super().invoke(ctx)


class BotCommand(Command):
    """A command that starts bots, from a control group of its own if there is one."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        from arena.sandbox.cgroups.own_group import use_own_group

        use_own_group()
        return super().invoke(ctx)


class CommandGroup(Command, click.Group):
    """Commands below one, of which a message names that which may have been meant."""

    command_class = Command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that is named; raises ``click.UsageError``."""
        name, known = args[0], self.list_commands(ctx)
        if name not in known and not name.startswith("-"):
            from arena.values.errors import hint

            ctx.fail(f'there is no command "{name}"{hint(name, known)}')
        return super().resolve_command(ctx, args)


class WholeNumber(click.IntRange):
    """Whole numbers, which messages call so."""

    name = "whole number"


NATURAL, POSITIVE = WholeNumber(0), WholeNumber(1)


def flag(*names: str, **settings: Any) -> Callable[[F], F]:
    """Return an option that is given or not; ``settings`` are click's."""
    return click.option(*names, is_flag=True, **settings)


def text(names: str, metavar: str, said: str, **settings: Any) -> Callable[[F], F]:
    """Return an option with a text; ``names`` has spaces between them, ``said`` is its help."""
    return click.option(*names.split(), metavar=metavar, help=said, **settings)


def natural(names: str, metavar: str, said: str, **settings: Any) -> Callable[[F], F]:
    """Return an option with a number, 0 or more."""
    return text(names, metavar, said, type=NATURAL, **settings)


def positive(names: str, metavar: str, said: str, **settings: Any) -> Callable[[F], F]:
    """Return an option with a number, 1 or more."""
    return text(names, metavar, said, type=POSITIVE, **settings)


def file(names: str, metavar: str, said: str, **settings: Any) -> Callable[[F], F]:
    """Return an option with a path."""
    return text(names, metavar, said, type=PATH, **settings)


def names(option: str, metavar: str, said: str, **settings: Any) -> Callable[[F], F]:
    """Return an option with names, a comma between two, which may be given several times."""

    def split(ctx: click.Context, _: click.Parameter, texts: tuple[str, ...]) -> tuple[str, ...]:
        return tuple([name.strip() for text in texts for name in text.split(",")])

    return text(option, metavar, said, multiple=True, callback=split, **settings)


class Rule(NamedTuple):
    """How an option goes together with others, all as a person writes them.

    With ``together`` it needs at least one of them; otherwise it goes with none of them. A rule is
    about what a person has typed: defaults and environment variables break none. An option that
    another one makes useless is refused beside it, and is not ignored.
    """

    option: str
    others: tuple[str, ...]
    together: bool
    why: str = ""

    def broken(self, typed: set[str]) -> str:
        """Return what is wrong with options that were typed; empty if nothing is."""
        if self.option not in typed:
            return ""
        why = f": {self.why}" if self.why else ""
        there = [other for other in self.others if other in typed]
        if self.together:
            return "" if there else f"{self.option} needs {' or '.join(self.others)}{why}"
        return f"{self.option} and {there[0]}: expected one of them{why}" if there else ""


def exclusive(option: str, *others: str, why: str = "") -> Callable[[F], F]:
    """Refuse a command line with ``option`` and one of the others, which one of the two ignores.

    An argument is named as the help shows it. ``why`` may say what to do instead.
    """
    return _ruled(Rule(option, others, together=False, why=why))


def needs(options: str, *others: str, why: str = "") -> Callable[[F], F]:
    """Refuse a command line that has an option but none of the others, which the option needs.

    ``options`` names one option or several, with spaces between them.
    """
    return _ruled(*[Rule(each, others, together=True, why=why) for each in options.split()])


def _ruled(*rules: Rule) -> Callable[[F], F]:
    def decorate(function: F) -> F:
        vars(function)["rules"] = [*rules, *getattr(function, "rules", ())]
        return function

    return decorate


def read_as(read: Callable[[str], Any]) -> Callable[..., Any]:
    """Return a callback that has the text of an option read; what is wrong is a usage error."""

    def callback(ctx: click.Context, param: click.Parameter, value: str | None) -> Any:
        try:
            return None if value is None else read(value)
        except UsageError as error:
            raise click.BadParameter(str(error)) from None

    return callback


def set_home(ctx: click.Context, _: click.Parameter, value: str | None) -> Path:
    """Return the home: as this command names it, else its group, else ``arena`` itself."""
    ctx.obj = home = Path(value or ctx.obj)
    return home


def named_home(home: Path) -> str:
    """Return the end of a command that a person may type: its home, unless that is the usual."""
    usual = Path(os.environ.get("ARENA_HOME") or ".arena")
    return "" if home == usual else f" --home {shlex.quote(str(home))}"


def _json(ctx: click.Context, _: click.Parameter, value: bool) -> bool:
    of_group: bool = ctx.meta.setdefault(__name__, value)
    return value or of_group


def _style(ctx: click.Context, _: click.Parameter, value: str) -> str:
    return "json" if ctx.params.pop("as_json") else value


def _color(ctx: click.Context, _: click.Parameter, value: str) -> bool:
    if value != "auto":
        return value == "always"
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM", "dumb") == "dumb"
    return sys.stdout.isatty() and not plain


def _clock(text: str) -> Clock:
    from arena.tournament.clocks import parse_clock

    return parse_clock(text)


def _anchor(text: str) -> dict[str, float]:
    name, _, elo = text.rpartition("=")
    try:
        return {name: float(elo)}
    except ValueError:
        raise UsageError(f'expected NAME=ELO, such as greedy=1500, found "{text}"') from None


def _sandbox(text: str) -> str:
    from arena.tournament.supported import check_sandbox

    return check_sandbox(text)


def _since(text: str) -> str:
    from arena.results.standings import since_time

    return since_time(text)


_USUAL = (
    click.Option(["--json", "as_json"], is_flag=True, callback=_json, help="Print JSON."),
    click.Option(
        ["--home"], metavar="DIR", callback=set_home, help="The arena's home for this command."
    ),
)

# ``color: bool``
color_option = click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    callback=_color,
    show_default="on a terminal, unless NO_COLOR is set",
    help="Colour the boards.",
)
# ``anchor: dict[str, float] | None``
anchor_option = text(
    "--anchor",
    "NAME=ELO",
    "Fix the Elo of this bot; intervals are of differences from this bot.",
    callback=read_as(_anchor),
)
# ``clock: Clock | None``
clock_option = text(
    "--clock", "TEXT", 'Such as "move=1s,first=5s,margin=50ms".', callback=read_as(_clock)
)
# ``memory: str | None``
memory_option = text("--memory", "SIZE", "Memory limit of a bot.", show_default="1GiB")


def heavy_options(function: F) -> F:
    """Add ``--memory``, ``--start``, ``--bot-size``; all are texts."""
    size = text("--bot-size", "SIZE", "Limit of a bot's folder.", show_default="256MiB")
    start = text("--start", "TIME", "How long a bot may take to start.", show_default="10s")
    return memory_option(start(size(function)))


# ``allow_unsafe: bool``
unsafe_option = flag("--allow-unsafe", help="Run untrusted bots even if they are not isolated.")
# ``workers: int | None``
workers_option = positive("-j --workers", "N", "Worker processes.", show_default="cores")
# ``verbose: bool``
verbose_option = flag("-v", "--verbose", help="Print a line for each match to stderr.")


def format_option(function: F) -> F:
    """Add ``--format`` and ``--json``; the function gets ``style: str``."""
    function = exclusive("--json", "--format")(function)
    function = flag("--json", "as_json", is_eager=True, help="The same as --format json.")(function)
    return click.option(
        "-f",
        "--format",
        "style",
        default="table",
        callback=_style,
        type=click.Choice(["table", "json", "csv", "md"]),
        help="How to print.",
    )(function)


def sandbox_option(default: str | None = "auto", *, said: str | bool = True) -> Callable[[F], F]:
    """Add ``--sandbox``; the function gets ``sandbox: str``, or ``None`` if that is the default.

    ``said`` is what the help says of the default; ``True``: what it is.
    """
    return text(
        "--sandbox",
        "LEVEL",
        "How bots are isolated.",
        default=default,
        show_default=said,
        callback=read_as(_sandbox),
    )


def durability_option(
    default: str | None = "normal", *, said: str | bool = True
) -> Callable[[F], F]:
    """Add ``--durability``; arguments as for ``sandbox_option``."""
    return click.option(
        "--durability",
        type=click.Choice(["normal", "full"]),
        default=default,
        show_default=said,
        help="With full, even a power cut loses no match.",
    )


def ask_option(function: F) -> F:
    """Add ``--ask`` and ``--secret``; the function gets ``named``, which reads bots by them."""
    function = text(
        "--secret secrets",
        "VARIABLE",
        "A variable of yours for the bots of --ask; its value is hidden in what they write.",
        multiple=True,
        is_eager=True,
    )(needs("--secret", "--ask")(function))
    return text(
        "--ask named",
        "NAME=PATH",
        "The bot NAME is the program at PATH, with your own rights (network, files).",
        multiple=True,
        callback=lambda ctx, _, asks: partial(_named, asks, ctx.params.pop("secrets")),
    )(function)


def _named(asks: tuple[str, ...], secrets: tuple[str, ...], texts: Iterable[str]) -> list[BotEntry]:
    """Return the bots that texts name; raises ``UsageError`` if one that asks is not named."""
    from arena.bots.find import parse_bot

    programs: dict[str, str] = {}
    for text in asks:
        name, _, programs[name] = text.partition("=")
        if not (name and programs[name]):
            raise click.UsageError(f'--ask: expected NAME=PATH, found "{text}"')
    entries = [parse_bot(text, programs, secrets) for text in texts]
    found = {entry.run for entry in entries if entry.asks}
    for name, path in programs.items():
        if str(Path.cwd() / path) not in found:
            raise UsageError(f'--ask {name}={path}: no bot is called "{name}"')
    return entries


def tls_options(function: F) -> F:
    """Add ``--certificates`` and ``--insecure``; as ``certificates: Path | None``, ``insecure``."""
    function = flag("--insecure", help="Allow tcp:// to other machines, without TLS.")(function)
    return file(
        "--certificates",
        "DIR",
        "Folder with the cluster's certificates, for tls://.",
        envvar="ARENA_CERTIFICATES",
        show_envvar=True,
    )(function)


def cluster_options(said: str) -> Callable[[F], F]:
    """Add ``--cluster``, of which the help says ``said``, and what a scheduler needs for TLS."""

    def decorate(function: F) -> F:
        function = tls_options(needs("--insecure --certificates", "--cluster")(function))
        return text("--cluster", "ADDRESS", said)(function)

    return decorate


def tournament_options(function: F) -> F:
    """Add TOURNAMENT and ``--all``; as ``tournament`` and ``merged``."""
    function = exclusive("--all", "TOURNAMENT")(function)
    said = "Take the matches of all tournaments of this home together."
    function = flag("--all", "merged", help=said)(function)
    return click.argument("tournament", required=False)(function)


def select_options(function: F) -> F:
    """Add ``--since`` and ``--bots``; the function gets ``since`` and ``bots: tuple[str, …]``."""
    said = "Only matches of these bots with one another."
    function = names("--bots", "A,B,…", said)(function)
    return text(
        "--since",
        "TIME",
        "Only matches that started at TIME or later: 2h is 2 hours ago; a time without a zone "
        "is in that of this machine, as in tables.",
        callback=read_as(_since),
    )(function)


def read_ids(path: Path) -> list[str]:
    """Return the ids of matches in a file: one a line, empty lines aside; ``-``: standard input.

    Raises:
        TournamentFileError: it is no plain file, cannot be read, or is too large.
    """
    from arena.machine.untrusted_files import MOST_OF_RECORDS
    from arena.tournament.text_files import read_text

    if str(path) == "-":  # what is no text there is the id of no match
        text = sys.stdin.buffer.read().decode(errors="replace")
    else:
        text = read_text(path, MOST_OF_RECORDS)
    return [line.strip().strip('"') for line in text.splitlines() if line.strip()]
