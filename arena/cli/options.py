"""Options and arguments that several commands take, and what they mean to all of them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from arena.errors import UsageError
from arena.untrusted import show

if TYPE_CHECKING:
    from arena.model import Clock

__all__ = [
    "Whole",
    "clock_option",
    "color_option",
    "durability_option",
    "format_option",
    "home_option",
    "json_option",
    "read_ids",
    "sandbox_option",
    "select_options",
    "tls_options",
    "tournament_options",
    "unsafe_option",
    "verbose_option",
]

F = TypeVar("F", bound=Callable[..., Any])


class Whole(click.IntRange):
    """A whole number from ``min`` on."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            expected = f"expected a whole number, {self.min} or more"
            self.fail(f'{expected}, found "{show(str(value), 60)}"', param, ctx)


def home_option(function: F) -> F:
    """Add ``--home``; the function gets the folder as ``home: Path``.

    Where a command of a group has none, that of the group holds, then that of ``arena`` itself.
    """

    def callback(ctx: click.Context, _: click.Parameter, value: str | None) -> Path:
        import os

        return Path(value or _of_group(ctx, "home") or os.environ.get("ARENA_HOME") or ".arena")

    option = click.option(
        "--home", metavar="DIR", callback=callback, help="The arena's home, in this call."
    )
    return option(function)


def json_option(function: F) -> F:
    """Add ``--json``; the function gets ``as_json: bool``. Said of a group it holds likewise."""

    def callback(ctx: click.Context, _: click.Parameter, value: bool) -> bool:
        return value or bool(_of_group(ctx, "as_json"))

    option = click.option("--json", "as_json", is_flag=True, callback=callback, help="Print JSON.")
    return option(function)


def _of_group(ctx: click.Context, name: str) -> Any:
    """Return the value that an option has in the nearest group of a command that has such one."""
    above = ctx.parent
    while above is not None and above.params.get(name) is None:
        above = above.parent
    return None if above is None else above.params[name]


def format_option(function: F) -> F:
    """Add ``--format`` and ``--json``; the function gets ``style: str``."""

    def as_json(ctx: click.Context, _: click.Parameter, value: bool) -> None:
        if value:
            ctx.params["style"] = "json"

    def chosen(ctx: click.Context, _: click.Parameter, value: str) -> str:
        earlier = ctx.params.get("style")
        return str(earlier) if earlier else value

    function = click.option(
        "--json",
        is_flag=True,
        expose_value=False,
        is_eager=True,
        callback=as_json,
        help="The same as --format json.",
    )(function)
    return click.option(
        "--format",
        "style",
        default="table",
        show_default=True,
        callback=chosen,
        type=click.Choice(["table", "json", "csv", "md"]),
        help="How to print.",
    )(function)


def color_option(function: F) -> F:
    """Add ``--color``; the function gets ``color: bool``."""

    def callback(ctx: click.Context, _: click.Parameter, value: str) -> bool:
        import os
        import sys

        if value != "auto":
            return value == "always"
        plain = os.environ.get("NO_COLOR") or os.environ.get("TERM", "dumb") == "dumb"
        return sys.stdout.isatty() and not plain

    return click.option(
        "--color",
        type=click.Choice(["auto", "always", "never"]),
        default="auto",
        callback=callback,
        help="Colour the boards.  [auto: on a terminal, unless NO_COLOR is set]",
    )(function)


def clock_option(function: F) -> F:
    """Add ``--clock``; the function gets ``clock: Clock | None``."""

    def callback(ctx: click.Context, _: click.Parameter, value: str | None) -> Clock | None:
        from arena.tournament.clocks import parse_clock

        return None if value is None else parse_clock(value)

    return click.option(
        "--clock", metavar="TEXT", callback=callback, help='Such as "move=1s,first=5s,margin=50ms".'
    )(function)


def sandbox_option(default: str | None = "auto", *, said: str = "auto") -> Callable[[F], F]:
    """Add ``--sandbox``; the function gets ``sandbox: str``, or ``None`` if that is the default.

    ``said`` is what the help says of the default.
    """

    def callback(ctx: click.Context, _: click.Parameter, value: str | None) -> str | None:
        from arena.tournament.supported import check_sandbox

        return None if value is None else check_sandbox(value)

    return click.option(
        "--sandbox",
        metavar="LEVEL",
        default=default,
        callback=callback,
        help=f"How bots are isolated.  [{said}]",
    )


def unsafe_option(function: F) -> F:
    """Add ``--allow-unsafe``; the function gets ``allow_unsafe: bool``."""
    return click.option(
        "--allow-unsafe", is_flag=True, help="Run untrusted bots even if not isolated."
    )(function)


def durability_option(default: str | None = "normal", *, said: str = "normal") -> Callable[[F], F]:
    """Add ``--durability``; arguments as for ``sandbox_option``."""
    return click.option(
        "--durability",
        type=click.Choice(["normal", "full"]),
        default=default,
        help=f"full: also a power cut loses no match.  [{said}]",
    )


def verbose_option(function: F) -> F:
    """Add ``--verbose``; the function gets ``verbose: bool``."""
    return click.option("-v", "--verbose", is_flag=True, help="Print a line a match to stderr.")(
        function
    )


def tls_options(function: F) -> F:
    """Add ``--certificates`` and ``--insecure``; as ``certificates: Path | None``, ``insecure``."""

    def callback(ctx: click.Context, _: click.Parameter, value: str | None) -> Path | None:
        import os

        named = value or os.environ.get("ARENA_CERTIFICATES")
        return Path(named) if named else None

    function = click.option(
        "--insecure", is_flag=True, help="Allow tcp:// to other machines, without TLS."
    )(function)
    return click.option(
        "--certificates",
        metavar="DIR",
        callback=callback,
        help="Of the cluster, for tls://.  [$ARENA_CERTIFICATES]",
    )(function)


def tournament_options(several: str) -> Callable[[F], F]:
    """Add the argument TOURNAMENT and ``--tournament``; the function gets ``tournament``.

    ``several`` is what the help says of the option.
    """

    def decorate(function: F) -> Any:
        @click.argument("tournament", required=False)
        @click.option("--tournament", "named", metavar="A,B,…", help=several)
        @functools.wraps(function)
        def command(*, tournament: str | None, named: str | None, **options: Any) -> Any:
            if tournament is not None and named is not None:
                raise UsageError("name the tournaments either as the argument or with --tournament")
            return function(tournament=tournament or named, **options)

        return command

    return decorate


def select_options(function: F) -> F:
    """Add ``--since`` and ``--bots``; the function gets ``since`` and ``bots: tuple[str, …]``."""

    def names(ctx: click.Context, _: click.Parameter, value: str | None) -> tuple[str, ...]:
        return tuple([name.strip() for name in value.split(",")]) if value else ()

    function = click.option(
        "--bots", metavar="A,B,…", callback=names, help="Only matches of these with one another."
    )(function)
    return click.option(
        "--since", metavar="TIME", help="Only matches that started then (in UTC) or later; 2h: ago."
    )(function)


def read_ids(lines: Iterable[str]) -> list[str]:
    """Return the ids of matches in a file: one a line, empty lines aside."""
    return [line.strip().strip('"') for line in lines if line.strip()]
