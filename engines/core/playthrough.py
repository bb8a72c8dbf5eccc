"""The golden text of one random game: everything an engine says on the way, node by node.

``python -m engines.core.playthrough "leaves" --seed 1`` prints it. The same engine always prints
the same text, so a kept copy pins the rules; the text is laid out to be read against them. Every
tenth node, the first and the last show the board and whole observations; the nodes between show
which words of the observation changed. The first line is the command that makes the text again.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import shlex
import sys
from collections.abc import Iterator, Sequence

from engines.core.chance import pick
from engines.core.errors import EngineError
from engines.core.interface import Game, State
from engines.core.registry import load_game
from engines.core.text import number_text

_COMMAND = ("python", "-m", "engines.core.playthrough")
_SHOWN_ALL = 12  # a list of actions up to this length is shown whole
_SHOWN_FEW = 8  # of a longer one, its first actions and its last
_SHOWN_WHOLE = 10  # of so many nodes, one shows the board and the observations whole
_LISTED = 20_000  # where more actions are legal, they are counted and one is drawn unlisted


def playthrough(text: str, *, seed: int, setup: str | None = None, plies: int | None = None) -> str:
    """Play one game at random and write down what the engine says at every node.

    Args:
        text: a game, e.g. ``leaves(tree=plus)``.
        seed: fixes the actions, and the deal if no setup is given.
        setup: where to begin; ``None`` for the deal of the seed.
        plies: the most actions to play; ``None`` for no limit.

    Returns:
        Lines, the last one ended too.
    """
    game = load_game(text)
    words = [*_COMMAND, text, "--seed", str(seed)]
    words += [] if setup is None else ["--setup", setup]
    words += [] if plies is None else ["--plies", str(plies)]
    begin = game.setup(seed) if setup is None else setup
    lines = [f"# {shlex.join(words)}", *_head(game, begin)]
    state, rng, played = game.new_initial_state(begin), random.Random(seed), 0
    lines += ["", "--- node 0 ---", *_whole(state)]
    node: list[tuple[int, str]] = []  # what was played at the node that is open
    while (players := state.players_to_act()) and (plies is None or played < plies):
        player = players[0]
        action = _choose(state, player, rng)
        node.append((player, action))
        before, state, played = state, state.apply_action(player, action), played + 1
        whole = state.is_terminal() or played == plies or played % _SHOWN_WHOLE == 0
        lines += [""] if whole else []
        lines.append(f"--- node {played}: player {player} played {action} ---")
        if len(players) == 1:  # the last one of its node
            lines += _seen(state, node)
            node.clear()
        lines += _whole(state) if whole else _changes(before, state)
    lines += _end(state) if state.is_terminal() else [f"stopped at node {played}"]
    return "\n".join(lines) + "\n"


def replay(golden: str) -> str:
    """Make a golden text again from its first line; it equals the text unless something changed.

    Raises:
        ValueError: the first line is not the command of a golden text.
    """
    first = golden.partition("\n")[0]
    words = shlex.split(first.removeprefix("# "))
    if tuple(words[: len(_COMMAND)]) != _COMMAND or not first.startswith("# "):
        raise ValueError(f'expected a first line "# {" ".join(_COMMAND)} …", found "{first}"')
    options = _options().parse_args(words[len(_COMMAND) :])
    return playthrough(options.game, seed=options.seed, setup=options.setup, plies=options.plies)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a golden text; 2 and a sentence on stderr if the game or setup is none."""
    options = _options().parse_args(arguments)
    try:
        text = playthrough(
            options.game, seed=options.seed, setup=options.setup, plies=options.plies
        )
    except EngineError as error:
        print(error, file=sys.stderr)
        return 2
    print(text, end="")
    return 0


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=" ".join(_COMMAND), description="Print the golden text of one random game."
    )
    parser.add_argument("game", help='a game, e.g. "leaves(tree=plus)"')
    parser.add_argument("--seed", type=int, default=1, help="of the deal and the actions")
    parser.add_argument("--setup", help="begin here instead of at the deal of the seed")
    parser.add_argument("--plies", type=int, help="the most actions to play")
    return parser


def _head(game: Game, setup: str) -> Iterator[str]:
    yield f"game: {game}"
    yield f"title: {game.title}"
    parameters = " ".join(f"{name}={value}" for name, value in game.parameters.items())
    yield f"parameters: {parameters or 'none'}"
    yield f"players: {game.num_players}"
    yield f"rules version: {game.rules_version}"
    yield f"setup: {setup}"


def _whole(state: State) -> Iterator[str]:
    yield from _events(state)
    truth = state.observation(None)
    yield f"observation: {truth}"
    for player in range(state.game.num_players):
        if (seen := state.observation(player)) != truth:
            yield f"observation of {player}: {seen}"
    for line in str(state).split("\n"):
        yield f"  | {line}".rstrip()
    yield from _all_legal(state)


def _changes(before: State, state: State) -> Iterator[str]:
    yield from _events(state)
    truth = _difference(before.observation(None), state.observation(None))
    yield f"changed: {truth}"
    for player in range(state.game.num_players):
        seen = _difference(before.observation(player), state.observation(player))
        if seen != truth:
            yield f"changed for {player}: {seen}"
    yield from _all_legal(state)


def _difference(before: str, after: str) -> str:
    """Return the words that differ, each with its place; all of ``after`` if words came or went.

    What a word has in common with the one before, at its start and at its end, is left out.
    """
    old, new = before.split(" "), after.split(" ")
    if len(old) != len(new):
        return after
    places = [i for i in range(len(new)) if old[i] != new[i]]
    return " ".join(f"[{i}] {_middles(old[i], new[i])}" for i in places) or "nothing"


def _middles(old: str, new: str) -> str:
    least = min(len(old), len(new))
    start = next((i for i in range(least) if old[i] != new[i]), least)
    least -= start
    end = next((i for i in range(least) if old[-1 - i] != new[-1 - i]), least)
    first, last = "…" if start else "", "…" if end else ""
    was, now = old[start : len(old) - end], new[start : len(new) - end]
    return f"{first}{was}{last} → {first}{now}{last}"


def _events(state: State) -> Iterator[str]:
    for event in state.events():
        yield f"event to {'all' if event.player is None else event.player}: {event.text}"


def _all_legal(state: State) -> Iterator[str]:
    for player in state.players_to_act():
        yield _legal(state, player)


def _legal(state: State, player: int) -> str:
    count = state.count_legal(player)
    if count > _LISTED:
        return f"legal for {player}: {count}, too many to list"
    actions = state.legal_actions(player)
    if count <= _SHOWN_ALL:
        return f"legal for {player}: {count}: {' '.join(actions)}"
    # the digest pins the spelling and order of those that are not shown
    digest = hashlib.sha256(" ".join(actions).encode()).hexdigest()[:8]
    few = " ".join(actions[:_SHOWN_FEW])
    return f"legal for {player}: {count}: {few} ... {actions[-1]} (all: {digest})"


def _choose(state: State, player: int, rng: random.Random) -> str:
    # drawn from the list, so that a faster sample_action does not change golden texts
    if state.count_legal(player) > _LISTED:
        return state.sample_action(player, rng)
    return pick(rng, state.legal_actions(player))


def _seen(after: State, node: Sequence[tuple[int, str]]) -> Iterator[str]:
    """Yield how the actions of a whole node are seen, where that is not what was played."""
    for player, action in node:
        for viewer in range(after.game.num_players):
            if (seen := after.action_seen(viewer, player, action)) != action:
                whose = "" if len(node) == 1 else f"{action} of player {player} "
                yield f"{whose}seen by {viewer} as {seen}"


def _end(state: State) -> Iterator[str]:
    yield ""
    yield "--- over ---"
    yield f"scores: {' '.join(map(number_text, state.scores()))}"
    yield f"ranks: {' '.join(map(str, state.ranks()))}"
    yield f"returns: {' '.join(map(number_text, state.returns()))}"


if __name__ == "__main__":
    sys.exit(main())
