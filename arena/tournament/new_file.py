"""A tournament file with comments, to begin from."""

from __future__ import annotations

import json
from collections.abc import Sequence

from arena.tournament.names import name_of_text

TEXT = """\
# A tournament: `arena run {file}` plays it, and goes on with it if it was stopped.
# All keys: `arena help tournament-file`

name: {name}
game: {game}          # `arena games` lists them; `games: [A, B]` for several
format: round-robin   # or swiss, knockout, gauntlet, ladder
rounds: 10            # how often each pair meets, from every seat
bots:{bots}
# - my_bot                             # a submitted or bundled bot, by its name
# - ./my_bot.py                        # a program, by its path
# - {{name: deep, bot: mcts, args: [--simulations, "400"]}}

clock: {{move: 1s, first: 5s}}     # for each action; 5 s for the first of a match
{opening}# seed: 1            # without one it is drawn, and secret until the end
# workers: 4         # else all cores; one less with `processes: reuse`
"""
OPENING = "opening: {plies: 2}             # two random actions, so that games differ\n"


def new_file(file: str, game: str, bots: Sequence[str], *, alike: bool) -> str:
    """Return the text of a tournament file.

    Args:
        file: what it will be called.
        game: what is played.
        bots: who plays: names and paths with a ``/``, or only the word ``all``.
        alike: do all matches of the game begin alike? Then they open with random actions.
    """
    stem = file.rpartition("/")[2].rpartition(".")[0] or file
    name = "-".join(name_of_text(stem).split()).replace("/", "_")
    listed = " all" if list(bots) == ["all"] else "".join(f"\n  - {json.dumps(b)}" for b in bots)
    quoted = game if game.isidentifier() else json.dumps(game)
    return TEXT.format(
        file=file, name=json.dumps(name), game=quoted, bots=listed, opening=OPENING if alike else ""
    )
