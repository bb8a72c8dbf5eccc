"""How commands print: tables and JSON to stdout; log lines and the state of a run to stderr."""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import json
import logging
import shlex
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from arena.machine.safe_path import safe_path
from arena.terminal.stopping import set_last_words, to_go_on
from arena.terminal.streams import print_message, terminal_columns
from arena.values.untrusted import show, show_lines
from arena.values.words import count, duration, pace

if TYPE_CHECKING:
    from arena.run.runner import Progress

SHOWN = 10  # ids of matches that are named
KEPT = "what was played is kept"
NOTEBOOK = "ipykernel"  # what runs the programs of a notebook
MINUTE_S = 60.0


def print_json(value: object) -> None:
    """Print a value as JSON: one line of ASCII."""
    click.echo(json.dumps(value, separators=(",", ":")))


def print_found(value: object, text: str, *, as_json: bool) -> None:
    """Print what a command has found: as JSON, or in words."""
    if as_json:
        print_json(value)
    elif text:
        click.echo(text, nl=not text.endswith("\n"))


def print_rows(
    rows: Sequence[Mapping[str, Any]],
    *,
    as_json: bool = False,
    nothing: str = "",
    give: Iterable[tuple[str, int]] = (),
    **head: Any,
) -> None:
    """Print a listing as a table of the rows' keys, or as JSON ``{**head, "rows": […]}``.

    A column in which nothing stands is left out of a table. ``nothing`` is said, to stderr, where
    there is no row to put into one. ``give`` says what gives room on a terminal, as for
    ``table.fit``.
    """
    if as_json:
        print_json({**head, "rows": list(rows)})
        return
    if not rows:
        click.echo(nothing, err=True, nl=bool(nothing))
        return
    from arena.report.table import listing

    click.echo(listing(rows, terminal_columns(), give), nl=False)


def print_seed(seed: int | None) -> None:
    """Say which seed the arena has drawn, if it is shown now."""
    if seed is not None:
        print_message(f"the seed was {seed}")


def print_keys(names: str) -> None:
    """Say which variables that look like keys are in what was written; ``names``: if any are."""
    if names:
        print_message(
            f"what was written holds the values of variables that look like keys: {names}"
        )


def print_undecided(undecided: int, matches: Iterable[str] = ()) -> int:
    """Say that matches are undecided, naming some, and return the exit code."""
    named = ", ".join(list(matches)[:SHOWN])
    print_message(
        f"{count(undecided, 'match')} undecided, by no fault of a bot{named and f': {named}'}"
    )
    print_message("the same command plays them again")
    return 3


@contextlib.contextmanager
def work_bar(unit: str) -> Iterator[Callable[[int, int], None]]:
    """Return a block of work with a bar on stderr; yields what moves it.

    There is none where stderr is no terminal, except in a notebook.

    What it yields is called with how much is done, and of how much. ``unit`` is what is counted.
    """
    bar = _bar(unit) if sys.stderr.isatty() or NOTEBOOK in sys.modules else None

    try:
        yield lambda done, total: None if bar is None else _move(bar, done, total)
    finally:
        if bar is not None:
            bar.close()


def _bar(unit: str, **settings: Any) -> Any:
    # a notebook shows a bar by ipywidgets, where they are installed; tqdm takes 20 ms
    drawn = NOTEBOOK in sys.modules and importlib.util.find_spec("ipywidgets") is not None
    module = importlib.import_module("tqdm.auto" if drawn else "tqdm")
    settings |= {"dynamic_ncols": True, "mininterval": 0.25, "leave": False}
    with safe_path():
        return module.tqdm(unit=f" {unit}", file=sys.stderr, **settings)


def _move(bar: Any, done: int, total: int | None) -> None:
    if bar.total != total:  # there is more to do than was known
        bar.total = total
        bar.refresh()
    bar.update(done - bar.n)


def print_above_bar(text: str) -> None:
    """Print a harmless text to stderr; a bar of work stays below it."""
    if sys.stderr.isatty():  # so tqdm has its lock: made elsewhere, that would start a process
        from tqdm import tqdm

        tqdm.write(text, file=sys.stderr)
    else:
        click.echo(text, err=True)


def shown_log(write: Callable[[str], None], *, verbose: bool) -> AbstractContextManager[None]:
    """Return a block in which ``write`` shows what the arena logs; ``verbose``: information too."""
    from arena.machine.logs import log_to

    return log_to([_LineHandler(write)], logging.INFO if verbose else logging.WARNING)


class _LineHandler(logging.Handler):
    """Log records as lines, for ``write`` to show."""

    def __init__(self, write: Callable[[str], None]) -> None:
        super().__init__()
        self._write = write
        self.setFormatter(logging.Formatter("arena: %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        """Write one record."""
        try:
            # what follows on lines of its own stays a part of the first
            self._write(show_lines(self.format(record)).replace("\n", "\n  "))
        except Exception:
            self.handleError(record)


@contextlib.contextmanager
def run_view(
    what: str | None = None, *, verbose: bool = False, quiet: bool = False
) -> Iterator[Callable[[Progress], None]]:
    """Return a block in which a tournament runs, and is shown on stderr; yields what to tell.

    There is a bar of matches where stderr is a terminal, and elsewhere a line a minute; with
    ``verbose`` a line a match. Log records are shown above the bar. A signal ends the command, and
    how to go on is said.

    Args:
        what: what runs, for a command that runs several.
        verbose: print a line a match, and what the arena logs as information.
        quiet: print nothing but warnings and errors.
    """
    set_last_words(f"{KEPT}. Go on with: {shlex.join(['arena', *sys.argv[1:]])}")
    view = _RunView(what, verbose, quiet)
    try:
        with shown_log(view.write, verbose=verbose):
            yield view.show
    finally:
        view.close()


class SoFar:
    """How fast a run is, what it has found so far, and when it will end.

    ``before``: how many matches were settled when it began.
    """

    def __init__(self, before: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._begun, self._before = clock, clock(), before
        self._next = self._begun + MINUTE_S

    def found(self, progress: Progress) -> str:
        """Return who met; of a comparison its answer, and about how long it takes yet."""
        if progress.answer is None:
            return f"{' - '.join(progress.seats)} in {progress.game}"
        from arena.report.comparison_text import comparison_state, time_left

        how_far = (progress.settled, progress.total, self._clock() - self._begun)
        left = time_left(progress.answer, *how_far, progress.settled - self._before)
        ends = "" if left is None else f" · {duration(round(left))} left"
        return comparison_state(progress.answer) + ends

    def line(self, progress: Progress) -> str:
        """Return a line once a minute, and nothing meanwhile."""
        if (now := self._clock()) < self._next:
            return ""
        self._next = now + MINUTE_S
        done, passed = progress.settled - self._before, now - self._begun
        speed = pace(60 * done / passed)
        if progress.answer is not None:
            return f"arena: {count(progress.settled, 'match')}, {speed}: {self.found(progress)}"
        left = progress.total - progress.settled
        ends = (
            f"ends in about {duration(round(left * passed / done))}" if done else "no match ended"
        )
        counted = f"{progress.settled} of {progress.total} matches"
        return f"arena: {counted}, {speed}, {left} left, {ends}"


@dataclass(slots=True)
class _RunView:
    """The view of a run on stderr; ``so_far`` is set as soon as the run is in the store."""

    what: str | None
    verbose: bool
    quiet: bool
    bar: Any = None  # where stderr is a terminal
    so_far: SoFar | None = None

    def show(self, progress: Progress) -> None:
        """Take in how far the run is."""
        endless = progress.answer is not None and progress.answer.llr is not None
        total = None if endless else progress.total
        first = self.so_far is None
        so_far = self.so_far = self.so_far or SoFar(progress.settled - bool(progress.match))
        if first:
            set_last_words(f"{KEPT}. Go on with: {to_go_on()}")
        if self.quiet:
            return
        if first and sys.stderr.isatty():
            self.bar = _bar("match", desc=self.what, total=total, initial=progress.settled)
        if first and progress.seed_hash:
            self.write(
                f"arena: the seed's SHA-256 is {progress.seed_hash}; at the end the seed is shown"
            )
        if self.bar is not None:
            if progress.match:
                self.bar.set_postfix_str(show(so_far.found(progress)), refresh=False)
            _move(self.bar, progress.settled, total)
        if not progress.match:
            return
        if self.verbose:
            places = " ".join(map(str, progress.ranks)) or "-"
            of = "" if endless else f"/{progress.total}"
            match = f"{progress.match} {' - '.join(progress.seats)}: {places} by {progress.by}"
            self.write(show(f"{progress.settled}{of} {match}", None))
        elif self.bar is None and (text := so_far.line(progress)):
            self.write(text)

    def write(self, text: str) -> None:
        """Write harmless text to stderr, above the bar if there is one."""
        if self.bar is None:
            click.echo(text, err=True)
        else:
            self.bar.write(text, file=sys.stderr)

    def close(self) -> None:
        """Take the bar away."""
        if self.bar is not None:
            self.bar.close()
            self.bar = None
