"""``arena run``: run a tournament from its file, or go on with it."""

from __future__ import annotations

import dataclasses
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arena.cli import options
from arena.cli.options import PATH
from arena.terminal.output import print_found, print_json, print_seed, print_undecided, run_view
from arena.terminal.stopping import to_go_on
from arena.terminal.streams import print_message, terminal_columns
from arena.values.words import count

if TYPE_CHECKING:
    from arena.cluster.addresses import LocalCluster, Scheduler
    from arena.run.runner import Summary
    from arena.values.model import Tournament

DEFAULT_FILE = "tournament.yaml"
HOW = ("workers", "sandbox", "durability")  # options in place of what the file says
SHOWN_CAUSES = 5  # of why matches are undecided
# why a ladder has no further matches now, and what gives it some
_RESTS = {
    "rounds": "every bot has as many blocks as the file asks for; run the file again when its bots "
    "have newer versions",
    "repeats": "no block brought anything new for a long time; with an opening in the file "
    "every block begins differently",
    "alone": "too few bots are left to play",
}


@click.command("run", cls=options.BotCommand)
@click.argument("file", type=PATH, required=False)
@options.text("--game games", "G", "Without FILE: the game.", multiple=True)
@options.names("--bots", "BOT,BOT...", "Without FILE: the bots, by names or paths.")
@options.positive("-n --rounds", "N", "Without FILE: rounds.", show_default="1")
@options.natural("--seed", "S", "Without FILE: seed of deals and bots.", show_default="secret")
@options.positive("-j --workers", "N", "Worker processes.", show_default="the file's")
@options.cluster_options(
    "Run on a Dask cluster at tls://HOST:PORT, or on N local processes (local:N)."
)
@options.flag("--extend", help="Continue with more rounds or bots, or past a stop.")
@options.flag("--new", help="Start another edition: NAME#2 and so on.")
@options.text(
    "--upgrade",
    "NAME[@VERSION]",
    "Play a newer version in place of one that is entered.",
    multiple=True,
)
@options.flag("--follow", help="Look for new bots and versions until stopped (ladders).")
@options.text("--as-of", "DATE", "Play the versions that were the newest at DATE.")
@options.flag(
    "--bots-of-the-bundle", help="Play a bundle's programs although their names mean others here."
)
@options.ask_option
@options.sandbox_option(None, said="the file's")
@options.unsafe_option
@options.flag(
    "--trust", help="Run a file that others can change, and its bots with your own rights (ask)."
)
@options.durability_option(None, said="the file's")
@options.verbose_option
@options.flag("--dry-run", help="Only plan the run and try a few matches; keep nothing.")
@options.flag("-q", "--quiet", help="Print nothing but warnings and errors.")
@options.flag("--schema", help="Print the JSON Schema of FILE and exit.")
@options.exclusive(
    "FILE", "--game", "--bots", "--rounds", "--seed", why="a file says what is played"
)
@options.needs("--game", "--bots")
@options.needs("--bots --rounds --seed", "--game")
@options.needs("--ask", "--game", why="a file says itself who asks")
@options.exclusive("--quiet", "--verbose")
@options.exclusive("--new", "--extend", why="another edition has nothing to extend")
@options.exclusive("--follow", "--as-of", why="it looks for what is new")
@options.exclusive("--follow", "--dry-run", "--json", why="it ends when it is stopped")
@options.exclusive("--new", "--upgrade", why="another edition begins with the newest versions")
@options.exclusive("--new", "--bots-of-the-bundle", why="another edition has the bots of this home")
@options.exclusive("--cluster", "--workers", "--dry-run")
@options.exclusive("--dry-run", "--quiet", "--verbose", "--durability")
@options.exclusive("--quiet", "--json")
def command(
    file: Path | None,
    games: tuple[str, ...],
    bots: tuple[str, ...],
    named: options.NamedBots,
    rounds: int | None,
    seed: int | None,
    cluster: str | None,
    certificates: Path | None,
    insecure: bool,
    trust: bool,
    verbose: bool,
    quiet: bool,
    dry_run: bool,
    follow: bool,
    schema: bool,
    as_json: bool,
    home: Path,
    **chosen: Any,
) -> int:
    """Run the tournament in FILE; the same command again continues where it stopped.

    Without FILE the arena reads tournament.yaml in this folder; --game and --bots run a round-robin
    without a file. arena new tournament writes a file to start from. If there is no such file, FILE
    may be the name of a tournament that comes with the arena, such as quickstart.

    Progress goes to stderr (without a terminal, a line a minute), the leaderboard at the end to
    stdout. A bot that fails to start several times in a row (max_faults in the file) is suspended:
    none of its matches count.

    Bots are pinned when a tournament starts (with --as-of, to the versions of that date): what is
    submitted or retired later changes nothing. --upgrade NAME plays the newest version in place of
    the entered one, whose matches do not count any more. A ladder enters newer versions by itself
    between two batches of matches, until its stop or until every bot has its blocks (rounds in the
    file). With --follow, until you stop it, the ladder looks every 10 s for newer versions, and for
    new bots that match its patterns. A bot that the file names under "without" is out of the table,
    and plays no more matches.

    If the tournament is running already, its run reads FILE again and continues with that.

    A tournament that came in a bundle continues with the bundle's bots. If the name of one means
    another program here, the run is refused: --bots-of-the-bundle plays the bundle's program, with
    no other rights, and --new starts again with the bots of this home.

    --dry-run prints what a run would do: who plays, how many matches are left, how bots would be
    isolated, and how long the run would take, from a few matches that are played and not kept. If a
    bot fails in these matches, the reason is printed, and the exit code is 1.

    With --cluster ADDRESS the hosts of a cluster play the matches: a Dask scheduler runs at
    ADDRESS, and arena cluster worker ADDRESS runs on each host. local:N starts a cluster of N
    processes on this machine, and ends it after the run. The table is the same as without a
    cluster. Hosts are trusted to play by the rules; arena verify NAME proves that they did.

    \b
    Examples:
      arena run --game leaves --bots greedy,random --rounds 4
      arena run quickstart
      arena run cup.yaml --dry-run
      arena run cup.yaml --workers 4 --verbose
    """
    if schema:
        from arena.tournament.json_schema import file_schema

        print_json(file_schema())
        return 0
    with run_view(verbose=verbose, quiet=quiet) as progress:
        where: LocalCluster | Scheduler | None = None
        if cluster is not None:
            from arena.cluster.addresses import cluster_at

            where = cluster_at(cluster, certificates, insecure=insecure)
        # another process imports what workers need, and meanwhile we import what we need ourselves
        from arena.workers.fork_server import start_fork_server

        start_fork_server()
        tournament = _tournament(file, games, bots, rounds, named, seed, trust=trust)
        given = {key: how for key in HOW if (how := chosen.pop(key)) is not None}
        tournament = dataclasses.replace(tournament, **given)
        from arena.run.runner import run_tournament

        if dry_run:
            from arena.run.dry_run import plan_tournament

            planned = plan_tournament(tournament, home, **chosen)
        else:
            read = None if games or given else file or Path(DEFAULT_FILE)
            summary = run_tournament(
                tournament,
                home,
                progress=progress,
                cluster=where,
                file=read,
                follow=follow,
                **chosen,
            )
    if dry_run:
        from arena.run.plan_text import plan_remarks, plan_text

        rows = {"bots": [one._asdict() for one in planned.bots]}
        rows["failed"] = [one._asdict() for one in planned.failed]
        print_found(planned._asdict() | rows, plan_text(planned), as_json=as_json)
        for remark in plan_remarks(planned):
            print_message(remark)
        return 1 if planned.failed else 0
    if summary.handed_over:
        print_message(f"the run that goes on has read {read} again")
        return 0
    code = report(summary, home, quiet=quiet, as_json=as_json)
    if where is not None and summary.played:
        proof = f"arena verify {summary.edition.label} proves them"
        print_message(f"{count(summary.played, 'match')} came from hosts; {proof}")
    return code


def _tournament(
    file: Path | None,
    games: tuple[str, ...],
    bots: tuple[str, ...],
    rounds: int | None,
    named: options.NamedBots,
    seed: int | None,
    *,
    trust: bool,
) -> Tournament:
    """Return the tournament of a file, or what options say of one."""
    if games:
        from arena.tournament.from_python import check_given
        from arena.tournament.two_bots import name_of_bots, usual_opening
        from arena.values.model import Tournament
        from engines import load_game

        entries = tuple(named(bots))
        name = name_of_bots(games, [*bots])
        opening = max((usual_opening(load_game(game)) for game in games), key=lambda o: o.plies)
        said = Tournament(name, games, entries, rounds=rounds or 1, seed=seed, opening=opening)
        return check_given(said)
    from arena.tournament.parse import read_tournament

    if file is None:
        file = Path(DEFAULT_FILE)
        if not file.exists():
            raise click.UsageError(f"expected FILE, or --game and --bots; there is no {file} here")
    return read_tournament(_found(file), trust=trust)


def _found(file: Path) -> Path:
    """Return a tournament's file; where it is not here, the shipped one of that name."""
    from arena.values.shipped import shipped_tournaments

    if file.exists():
        return file
    for suffix in (".yaml", ".yml"):
        if file.suffix != suffix and (near := Path(f"{file}{suffix}")).exists():
            raise click.UsageError(f'{file}: there is no such file; did you mean "{near}"?')
    shipped = shipped_tournaments().get(str(file))
    if shipped is None:
        return file
    print_message(f"{file} is the tournament that comes with the arena")
    return shipped


def report(summary: Summary, home: Path, *, quiet: bool = False, as_json: bool = False) -> int:
    """Print the result of a run, and return the exit code."""
    if not quiet:
        _print_results(summary, home, "json" if as_json else "table")
    if failing := ", ".join(sorted(summary.suspended.keys() - summary.spent)):
        again = f"then start another edition: {to_go_on('--new')}"
        print_message(f"{failing}: fix the faults, {again}")
    if summary.spent:
        names = ", ".join(sorted(summary.spent))
        print_message(f"{names} used up its most: to continue, raise it in the file: {to_go_on()}")
    if summary.waits:
        print_message(
            f"{summary.waits}, or write without: [{', '.join(summary.unable)}] into the file"
        )
    if not summary.undecided:
        return 3 if summary.waits else 0
    code = print_undecided(len(summary.undecided), summary.undecided)
    for cause, matches in Counter(summary.causes.values()).most_common(SHOWN_CAUSES):
        print_message(f"{matches} of them: {cause}")
    return code


def _print_results(summary: Summary, home: Path, style: str) -> None:
    """Print the leaderboard, with the bracket of a knockout, and what else the run gave."""
    from arena.report.leaderboard_text import leaderboard_text
    from arena.results.standings import read_leaderboard
    from arena.studies.comparison import read_comparison

    label = summary.edition.label
    board = read_leaderboard(home, label)
    click.echo(leaderboard_text(board, style, width=terminal_columns()), nl=False)
    if style == "table" and any(row.reached for row in board.rows):
        from arena.report.bracket_text import bracket_text
        from arena.results.bracket import read_bracket

        click.echo("\n" + bracket_text(read_bracket(home, label).rounds), nl=False)
    compared = read_comparison(home, label)
    if compared is not None:
        print_message(f"{compared.sentence}\narena: {compared.numbers}")
    print_seed(summary.seed)
    if summary.rests is not None:
        print_message(f"the ladder rests: {_RESTS[summary.rests.value]}")
