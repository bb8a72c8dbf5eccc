"""How commands print: tables and JSON to stdout; log lines and the state of a run to stderr."""

from __future__ import annotations

import contextlib
import json
import logging
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from arena.cli.stopping import heed_signals, say_stopped
from arena.cli.streams import say
from arena.untrusted import show, show_lines
from arena.words import count

if TYPE_CHECKING:
    from arena.runner import Progress

__all__ = [
    "LineHandler",
    "print_json",
    "print_rows",
    "run_view",
    "say_above_bar",
    "say_keys",
    "say_seed",
    "say_undecided",
    "work_bar",
]

SHOWN = 10  # ids of matches that are named
SHOW_SECONDS = 0.1  # between two states of a run that are shown


def print_json(value: object, *, lines: bool = True) -> None:
    """Print a value as JSON, on several lines or on one."""
    click.echo(json.dumps(value, indent=1 if lines else None))


def print_rows(
    rows: Sequence[Mapping[str, Any]], *, as_json: bool, nothing: str, **head: Any
) -> None:
    """Print a listing as a table of the rows' keys, or as JSON ``{**head, "rows": […]}``.

    ``nothing`` is said, to stderr, where there is no row to put into a table.
    """
    if as_json:
        print_json({**head, "rows": list(rows)})
        return
    if not rows:
        click.echo(nothing, err=True)
        return
    from arena.report.table import plain_table

    names = list(rows[0])
    click.echo(plain_table(names, [[row[name] for name in names] for row in rows]), nl=False)


def say_seed(seed: int | None) -> None:
    """Say which seed was secret until now, if one was."""
    if seed is not None:
        say(f"the seed, secret until now, was {seed}")


def say_keys(names: str) -> None:
    """Say which variables that look like keys are in what was written; ``names``: if any are."""
    if names:
        say(f"it holds the values of what look like keys: {names}")


def say_undecided(undecided: int, matches: Iterable[str] = ()) -> int:
    """Say that matches are undecided, naming some, and return the exit code."""
    named = ", ".join(list(matches)[:SHOWN])
    say(f"undecided, for no fault of a bot: {count(undecided, 'match')}{named and f': {named}'}")
    say("run the same command again to try again")
    return 3


@contextlib.contextmanager
def work_bar(unit: str) -> Iterator[Callable[[int, int], None]]:
    """Return a block of work with a bar on stderr, if that is a terminal; yields what moves it.

    What it yields is called with how much is done, and of how much. ``unit`` is what is counted.
    """
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    bar = _bar(unit)

    def progress(done: int, total: int) -> None:
        if bar.total != total:
            bar.total = total
            bar.refresh()
        bar.update(done - bar.n)

    try:
        yield progress
    finally:
        bar.close()


def _bar(unit: str, **settings: Any) -> Any:
    from tqdm import tqdm  # which takes 20 ms

    settings |= {"dynamic_ncols": True, "mininterval": 0.25, "leave": False}
    return tqdm(unit=unit, file=sys.stderr, **settings)


def say_above_bar(text: str) -> None:
    """Print a harmless text to stderr; a bar of work stays below it."""
    if sys.stderr.isatty():
        from tqdm import tqdm

        tqdm.write(text, file=sys.stderr)
    else:
        click.echo(text, err=True)


class LineHandler(logging.Handler):
    """Log records as lines, for ``write`` to show."""

    def __init__(self, write: Callable[[str], None]) -> None:
        super().__init__()
        self._write = write

    def emit(self, record: logging.LogRecord) -> None:
        """Write one record."""
        try:
            # what follows on lines of its own stays a part of the first
            self._write(show_lines(self.format(record)).replace("\n", "\n  "))
        except Exception:
            self.handleError(record)


@contextlib.contextmanager
def run_view(
    standing: Callable[[Sequence[Progress]], str],
    *,
    verbose: bool = False,
    quiet: bool = False,
    line: Callable[[Progress], str] = lambda progress: "",
) -> Iterator[Callable[[Progress], None]]:
    """Return a block in which a tournament runs, and is shown on stderr; yields what to tell.

    There is a bar of matches where stderr is a terminal, and with ``verbose`` a line a match. Log
    records are shown above them. A signal ends the command, and how to go on is said.

    Args:
        standing: what is said beside the bar after some matches, ten times a second at most.
        verbose: print a line a match, and what the arena logs as information.
        quiet: print nothing but warnings and errors.
        line: what is printed after a match where stderr is no terminal; empty: nothing.
    """
    heed_signals()
    from arena.logs import log_to

    view = _RunView(standing, verbose, quiet, line)
    handler = LineHandler(view.write)
    handler.setFormatter(logging.Formatter("arena: %(message)s"))
    try:
        with log_to([handler], logging.INFO if verbose else logging.WARNING):
            yield view.tell
    except KeyboardInterrupt as stopped:
        code = say_stopped(stopped, view.close, begun=view.begun)
        raise click.exceptions.Exit(code) from None
    finally:
        view.close()


class _RunView:
    """What is shown of a run; ``begun`` says whether it has come so far that it is stored."""

    def __init__(
        self,
        standing: Callable[[Sequence[Progress]], str],
        verbose: bool,
        quiet: bool,
        line: Callable[[Progress], str],
    ) -> None:
        self._standing, self._verbose, self._quiet = standing, verbose, quiet
        self._one_line = line
        self._bar: Any = None  # where stderr is a terminal
        self.begun = False
        self._told: list[Progress] = []  # since the state of the run was shown
        self._show_at = 0.0

    def tell(self, progress: Progress) -> None:
        """Take in how far the run is."""
        if self._quiet:
            self.begun = True
            return
        endless = progress.answer is not None and progress.answer.llr is not None
        total = None if endless else progress.total
        if not self.begun:
            self._begin(progress, total)
        if self._bar is not None and self._bar.total != total:
            self._bar.total = total  # there are more matches once the next round is planned
            self._bar.refresh()
        if not progress.match:
            return
        if self._bar is not None:
            self._told.append(progress)
            if time.monotonic() >= self._show_at or progress.settled == total:
                self._show_at = time.monotonic() + SHOW_SECONDS
                self._bar.set_postfix_str(show(self._standing(self._told)), refresh=False)
                self._bar.update(progress.settled - self._bar.n)
                self._told = []
        elif text := self._one_line(progress):
            self._line(text)
        if self._verbose:
            places = " ".join(map(str, progress.ranks)) or "-"
            of = "" if endless else f"/{progress.total}"
            seats = " - ".join(progress.seats)
            self._line(
                f"{progress.settled}{of} {progress.match} {seats}: {places} by {progress.by}"
            )

    def _begin(self, progress: Progress, total: int | None) -> None:
        self.begun = True
        if sys.stderr.isatty():
            self._bar = _bar("match", total=total, initial=progress.settled)
        if progress.seed_hash:
            self._line(
                f"arena: the seed is secret until the end; its SHA-256 is {progress.seed_hash}"
            )

    def _line(self, text: str) -> None:
        self.write(show(text, None))

    def write(self, text: str) -> None:
        """Write harmless text to stderr, above the bar if there is one."""
        if self._bar is None:
            click.echo(text, err=True)
        else:
            self._bar.write(text, file=sys.stderr)

    def close(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            bar, self._bar = self._bar, None
            bar.close()
