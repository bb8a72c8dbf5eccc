"""``arena demo``: a small tournament of bundled bots, to see how it goes."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli import options
from arena.terminal.output import run_view

GAME, BOTS, ROUNDS, SEED = "leaves", ("careful", "greedy", "random"), 4, 1
NEXT = {  # with the beginning of an id
    "matches": "list all matches",
    "show {} --html match.html": "step through one of them in a browser",
    "report -o site": "write the tournament as pages",
    "init mybot": "make a working bot of your own",
    f"rank ./mybot {GAME}": "compare your bot with the bundled ones",
    f"new tournament cup.yaml --game {GAME}": "write a tournament file",
}


@click.command("demo", cls=options.BotCommand)
def command(home: Path) -> int:
    """Run a small tournament of bundled bots, to see how it goes.

    Three bots of different strength play 24 matches of Leaves, as processes of their own, isolated
    if this machine can do that. The matches are kept in the home. At the end the leaderboard is
    printed, and what to type next.

    \b
    Examples:
      arena demo
    """
    with run_view() as progress:
        from arena.cli.run import report
        from arena.results.matches import list_matches
        from arena.run.runner import run_tournament
        from arena.tournament.from_python import tournament

        demo = tournament(
            name="demo", game=GAME, bots=list(BOTS), rounds=ROUNDS, seed=SEED, opening={"plies": 2}
        )
        summary = run_tournament(demo, home, progress=progress)
    code = report(summary, home)
    _, (last,) = list_matches(home, summary.edition.label, limit=1)
    match, where = last.id[:8], options.named_home(home)
    lines = {f"arena {words.format(match)}{where}": said for words, said in NEXT.items()}
    width = max(map(len, lines))
    click.echo("\nWhat to type next:")
    for line, said in lines.items():
        click.echo(f"  {line:{width}}  {said}")
    return code
