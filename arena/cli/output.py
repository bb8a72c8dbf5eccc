"""How commands take options that many share, and how they print: formats, progress, log lines."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from arena.untrusted import show, show_lines

__all__ = [
    "LineHandler",
    "Progress",
    "Whole",
    "format_option",
    "home_option",
    "json_option",
    "print_rows",
    "read_ids",
    "select_options",
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
    """Add ``--home``; the function gets the folder as ``home: Path``."""

    def callback(ctx: click.Context, _: click.Parameter, value: str | None) -> Path:
        import os

        return Path(value or ctx.find_root().obj or os.environ.get("ARENA_HOME") or ".arena")

    option = click.option(
        "--home", metavar="DIR", callback=callback, help="The arena's home, in this call."
    )
    return option(function)


def json_option(function: F) -> F:
    """Add ``--json``; the function gets ``as_json: bool``."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON.")(function)


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


def select_options(function: F) -> F:
    """Add ``--since`` and ``--bots``; the function gets ``since`` and ``bots: tuple[str, …]``."""

    def names(ctx: click.Context, _: click.Parameter, value: str | None) -> tuple[str, ...]:
        return tuple([name.strip() for name in value.split(",")]) if value else ()

    function = click.option(
        "--bots", metavar="A,B,…", callback=names, help="Only matches of these with one another."
    )(function)
    return click.option(
        "--since", metavar="TIME", help="Only matches that started then or later, in UTC."
    )(function)


def read_ids(lines: Iterable[str]) -> list[str]:
    """Return the ids of matches in a file: one a line, empty lines aside."""
    return [line.strip().strip('"') for line in lines if line.strip()]


def print_rows(
    rows: Sequence[Mapping[str, Any]], *, as_json: bool, nothing: str, **head: Any
) -> None:
    """Print a listing as a table of the rows' keys, or as JSON ``{**head, "rows": […]}``.

    ``nothing`` is said, to stderr, where there is no row to put into a table.
    """
    if as_json:
        click.echo(json.dumps({**head, "rows": list(rows)}, indent=1))
        return
    if not rows:
        click.echo(nothing, err=True)
        return
    from arena.report import plain_table

    names = list(rows[0])
    click.echo(plain_table(names, [[row[name] for name in names] for row in rows]), nl=False)


class LineHandler(logging.Handler):
    """Log records as lines on stderr, above the progress bar if there is one."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write one record."""
        from tqdm import tqdm

        try:
            # what follows on lines of its own stays a part of the first
            text = show_lines(self.format(record)).replace("\n", "\n  ")
            tqdm.write(text, file=sys.stderr)
        except Exception:
            self.handleError(record)


class Progress:
    """A bar of matches with a live standing, on stderr, only where that is a terminal.

    Without a ``total`` nobody knows how many there will be.
    """

    def __init__(self, total: int | None, done: int) -> None:
        from tqdm import tqdm

        self._bar = tqdm(
            total=total,
            initial=done,
            unit="match",
            disable=None,
            dynamic_ncols=True,
            mininterval=0.25,
            file=sys.stderr,
            leave=False,
        )

    def expect(self, total: int) -> None:
        """Take in how many matches there are, which is more once the next round is planned."""
        if self._bar.total != total:
            self._bar.total = total
            self._bar.refresh()

    def show(self, standing: str) -> None:
        """Count one more match, beside a line of text."""
        self._bar.set_postfix_str(show(standing), refresh=False)
        self._bar.update()

    def line(self, text: str) -> None:
        """Print a line above the bar."""
        self._bar.write(show(text, None), file=sys.stderr)

    def close(self) -> None:
        """Take the bar away."""
        self._bar.close()
