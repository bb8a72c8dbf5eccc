"""``arena run``: run a tournament from its file, or go on with it."""

from __future__ import annotations

import dataclasses
import logging
import shlex
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import click

from arena.cli.output import LineHandler, Progress, Whole, home_option
from arena.cli.stopping import heed_signals, say_stopped

__all__ = ["command"]

SHOWN_CAUSES = 5  # of why matches are undecided
# why a ladder has no further matches now, and what gives it some
_RESTS = {
    "rounds": "everybody has as many blocks as the file asks for; run it again when there are "
    "newer versions of its bots",
    "repeats": "no block brought anything new for a long time; with an opening in the file, "
    "every block begins differently",
    "alone": "too few are left to play",
}


@click.command("run")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--workers", type=Whole(1), metavar="N", help="Worker processes.  [the file's]")
@click.option("--extend", is_flag=True, help="Go on with more rounds or bots, or past a stop.")
@click.option("--new", is_flag=True, help="Start another edition: NAME#2 and so on.")
@click.option("--without", multiple=True, metavar="NAME", help="Take an entrant out.  [the file's]")
@click.option("--with", "back", multiple=True, metavar="NAME", help="Put it back in.")
@click.option("--sandbox", metavar="LEVEL", help="How bots are isolated.  [the file's]")
@click.option("--allow-unsafe", is_flag=True, help="Run untrusted bots even if not isolated.")
@click.option(
    "--durability",
    type=click.Choice(["normal", "full"]),
    help="full: also a power cut loses no match.  [the file's]",
)
@click.option("-v", "--verbose", is_flag=True, help="Print a line a match to stderr.")
@click.option("-q", "--quiet", is_flag=True, help="Print nothing but warnings and errors.")
@click.option(
    "--schema",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=lambda context, _, wanted: _print_schema(context) if wanted else None,
    help="Print the JSON Schema of FILE and exit.",
)
@home_option
def command(
    file: Path,
    workers: int | None,
    extend: bool,
    new: bool,
    without: tuple[str, ...],
    back: tuple[str, ...],
    sandbox: str | None,
    allow_unsafe: bool,
    durability: str | None,
    verbose: bool,
    quiet: bool,
    home: Path,
) -> int:
    """Run the tournament in FILE; the same command again goes on where it stopped.

    Progress goes to stderr, the leaderboard at the end to stdout. A bot that fails to start
    several times in a row (max_faults of the file) is suspended: none of its matches counts.

    Bots are pinned when a tournament starts: what is submitted or retired later changes nothing.
    Only a ladder takes up newer versions of its bots, between two batches of matches, whenever it
    is run: it goes on as long as somebody lacks blocks (rounds of the file), or until its stop.
    --without takes an entrant out of the table and of what is still to be played, --with puts it
    back in; both may be given several times, and what was said last holds for later runs.

    \b
    Examples:
      arena run tournaments/quickstart.yaml
      arena run tournaments/quickstart.yaml --workers 4 --verbose
    """
    if verbose and quiet:
        raise click.UsageError("--verbose and --quiet: expected one of them")
    heed_signals()
    from arena.logs import log_to
    from arena.runner import run_tournament
    from arena.tournament.parse import read_tournament
    from arena.tournament.supported import check_sandbox

    tournament = read_tournament(file)
    tournament = dataclasses.replace(
        tournament,
        workers=workers or tournament.workers,
        sandbox=tournament.sandbox if sandbox is None else check_sandbox(sandbox),
        durability=durability or tournament.durability,
    )
    show = _Show(verbose)
    handler = LineHandler()
    handler.setFormatter(logging.Formatter("arena: %(message)s"))
    try:
        with log_to([handler], logging.INFO if verbose else logging.WARNING):
            summary = run_tournament(
                tournament,
                home,
                extend=extend,
                new=new,
                without=without,
                back=back,
                allow_unsafe=allow_unsafe,
                tell=_show_nothing if quiet else show.tell,
            )
    except KeyboardInterrupt as stopped:
        return say_stopped(stopped, show.close)
    finally:
        show.close()
    if not quiet:
        _print_board(summary.edition.label, home)
        _say_answer(summary.edition.label, home)
    if summary.seed is not None and not quiet:
        click.echo(f"arena: the seed, secret until now, was {summary.seed}", err=True)
    if summary.rests is not None and not quiet:
        click.echo(f"arena: the ladder rests: {_RESTS[summary.rests.value]}", err=True)
    if summary.suspended:
        _tell_suspended(summary.suspended)
    if summary.undecided:
        shown = ", ".join(summary.undecided[:10])
        click.echo(
            f"arena: {len(summary.undecided)} matches are undecided, for no fault of a bot: "
            f"{shown}; run the same command again to try them again",
            err=True,
        )
        for cause, count in Counter(summary.causes.values()).most_common(SHOWN_CAUSES):
            click.echo(f"arena: {count} of them: {cause}", err=True)
        return 3
    return 0


def _print_schema(context: click.Context) -> None:
    import json

    from arena.tournament.schema import file_schema

    click.echo(json.dumps(file_schema(), indent=2))
    context.exit()


def _print_board(label: str, home: Path) -> None:
    from arena.report import leaderboard_text
    from arena.standings import read_leaderboard

    board = read_leaderboard(home, label)
    click.echo(leaderboard_text(board, "table"), nl=False)
    if any(row.reached for row in board.rows):
        from arena.report.bracket_text import bracket_text
        from arena.standings import read_bracket

        click.echo("\n" + bracket_text(read_bracket(home, label).rounds), nl=False)


def _say_answer(label: str, home: Path) -> None:
    """Say what a comparison came to."""
    from arena.comparison import read_comparison

    compared = read_comparison(home, label)
    if compared is not None:
        click.echo(f"arena: {compared.sentence}", err=True)


def _tell_suspended(suspended: Mapping[str, str]) -> None:
    """Say who is suspended, and how to go on."""
    for name, why in suspended.items():
        click.echo(f"arena: {name} is suspended: {why}; none of its matches counts", err=True)
    again = [word for word in sys.argv[1:] if word not in ("--new", "--extend")]
    click.echo(
        "arena: once what does not start is fixed, start another edition with: "
        + shlex.join(["arena", *again, "--new"]),
        err=True,
    )


def _show_nothing(progress: object) -> None:
    """Take in how far the run is, and show nothing of it."""


class _Show:
    """Shows a run while it goes on: a bar with a live standing, or a line a match."""

    def __init__(self, verbose: bool) -> None:
        self._verbose = verbose
        self._bar: Progress | None = None
        self._points: dict[str, float] = {}
        self._games: dict[str, int] = {}

    def tell(self, progress: object) -> None:
        """Take in how far the run is."""
        from arena.runner import Progress as Told

        assert isinstance(progress, Told)
        if self._bar is None:
            endless = progress.answer is not None and progress.answer.llr is not None
            self._bar = Progress(None if endless else progress.total, progress.settled)
            if progress.seed_hash:
                self._bar.line(
                    f"arena: the seed is secret until the end; its SHA-256 is {progress.seed_hash}"
                )
        self._bar.expect(progress.total)
        if not progress.match:
            return
        self._count(progress.seats, progress.ranks)
        self._bar.show(self._standing())
        if self._verbose:
            places = " ".join(map(str, progress.ranks)) or "-"
            self._bar.line(
                f"{progress.settled}/{progress.total} {progress.match} "
                f"{' - '.join(progress.seats)}: {places} by {progress.by}"
            )

    def close(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            bar, self._bar = self._bar, None
            bar.close()

    def _count(self, seats: tuple[str, ...], ranks: tuple[int, ...]) -> None:
        for name, rank in zip(seats, ranks, strict=False):
            beaten = sum(other > rank for other in ranks)
            shared = ranks.count(rank) - 1
            rivals = max(1, len(ranks) - 1)
            points = (beaten + shared / 2) / rivals
            self._points[name] = self._points.get(name, 0.0) + points
            self._games[name] = self._games.get(name, 0) + 1

    def _standing(self) -> str:
        rate = {name: self._points[name] / games for name, games in self._games.items()}
        best = sorted(rate, key=lambda name: (-rate[name], name))[:3]
        return " · ".join(f"{name} {rate[name]:.0%}" for name in best)
