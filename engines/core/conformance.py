"""What every game must keep, checked on random games: one call for authors of engines.

``check_game("leaves(tree=plus)")`` returns if the game keeps every promise of
``engines.core.interface`` that can be seen from outside, and otherwise raises ``BrokenPromise``
with a sentence; notes on the error name the game and the position. That a game follows *its* rules
is for its own tests, perft counts and golden games to say.

``python -m engines.core.conformance "leaves(tree=plus)"`` does the same from the command line.
"""

from __future__ import annotations

import argparse
import itertools
import math
import pickle
import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from engines.core.bad_texts import bad_texts, is_line
from engines.core.chance import below, pick
from engines.core.claims import (
    BrokenPromise,
    claim,
    equal,
    line,
    listed,
    noted,
    raises,
    report,
    short,
    token,
)
from engines.core.errors import BadParameter, BadSetup, EngineError
from engines.core.interface import UNSTATED, Game, GameType, Parameter, State
from engines.core.position_checks import check_same, check_shape, check_state
from engines.core.registry import game_class, load_game

__all__ = [
    "BrokenPromise",
    "broken_promise",
    "check_game",
    "check_state",
    "chosen",
    "main",
    "variants",
]

_VARIANTS = 40  # parameter combinations of a game
_LARGEST = 64  # the largest last value of a range that is worth a game
_TREE = 1500  # nodes of a game's end that are walked through for its exact returns
_PLAYOUTS = 200  # playouts compared with them
_SEEDS = 64  # seeds whose setups are compared

_WORDS = (
    ("dynamics", ("sequential", "simultaneous")),
    ("chance", ("deterministic", "sampled")),
    ("information", ("perfect", "imperfect")),
)  # of a game's type


def variants(name: str) -> tuple[str, ...]:
    """Return the canonical names of a game's parameter combinations that are worth a check.

    All combinations if they are few, else those that differ from the defaults in at most two
    parameters, or in one. Of a range the first and last value count besides the default.
    """
    parameters = game_class(name).PARAMETERS
    choices = [_worth(parameter) for parameter in parameters]
    defaults = [choice[0] for choice in choices]
    everything = list(itertools.product(*choices))
    for width in (len(parameters), 2, 1):
        kept = [v for v in everything if sum(map(str.__ne__, v, defaults)) <= width]
        if len(kept) <= _VARIANTS:
            break
    names = []
    for values in kept:
        given = ",".join(f"{p.name}={v}" for p, v in zip(parameters, values, strict=True))
        try:
            names.append(str(load_game(f"{name}({given})" if given else name)))
        except BadParameter:  # values that do not go together
            continue
    return tuple(dict.fromkeys(names))


def check_game(
    text: str, *, seeds: Iterable[int] = (0, 1), plies: int = 400, setups: Iterable[str] = ()
) -> None:
    """Play one random game a seed (and a setup) and check what every engine promises on the way.

    Args:
        text: a game, e.g. ``leaves(tree=plus)``.
        seeds: of the deals and of the random actions.
        plies: the most actions of a game; longer games are broken off.
        setups: positions to begin at, besides the deals.

    Raises:
        BrokenPromise: the message is a sentence; notes say where, the innermost place first.
        UnknownGame: there is no such game.
        BadParameter: a parameter of it is impossible.
    """
    game = load_game(text)
    with noted(f"in {text}"):
        _check_text(game)
        _check_type(game)
        _check_setups(game)
        _check_chance(game)
        deals = [(seed, game.setup(seed)) for seed in seeds]
        dealt = []
        for number, (seed, setup) in enumerate([*deals, *enumerate(setups)]):
            with noted(f"with seed {seed} from {setup}"):
                rng = random.Random(seed)
                states = list(_walk(game.new_initial_state(setup), rng, plies))
                for state in _spread(states, rng):
                    check_state(state, rng)
                _check_playouts(states, rng)
                if number < len(deals):
                    _check_length(states)
                    dealt.append(states)
        _check_seen_of_type(game, dealt)


def broken_promise(text: str) -> str:
    """Check a game as ``check_game`` does: what it breaks, in lines for a person, "" if nothing.

    Whatever the game's own code raises is reported in the same way, with its place in that code.

    Raises:
        UnknownGame: there is no such game.
        BadParameter: a parameter of it is impossible.
    """
    game = load_game(text)
    try:
        check_game(text)
    except Exception as error:
        return "\n".join(report(game, error))
    return ""


def main(arguments: Sequence[str] | None = None) -> int:
    """Check games and say so: 0 if they keep their promises, 1 if not, 2 if there is none such."""
    parser = argparse.ArgumentParser(
        prog="python -m engines.core.conformance",
        description="Check that an engine keeps what the interface promises.",
    )
    parser.add_argument("game", help='a game, e.g. "leaves(tree=plus)"')
    parser.add_argument(
        "--variants", action="store_true", help="check all combinations of parameters worth it"
    )
    options = parser.parse_args(arguments)
    try:
        for name in chosen(options.game, every_variant=options.variants):
            if found := broken_promise(name):
                print(found)
                return 1
            print(f"{name} keeps its promises", flush=True)
    except EngineError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def chosen(text: str, *, every_variant: bool) -> tuple[str, ...]:
    """Return the canonical name of a game, or those of all its variants worth a check.

    Raises:
        UnknownGame: there is no such game.
        BadParameter: a parameter of it is impossible.
    """
    game = load_game(text)
    return variants(game.name) if every_variant else (str(game),)


# The game as a value, and its setups.


def _worth(parameter: Parameter) -> tuple[str, ...]:
    values = [parameter.default_value()]
    if isinstance(parameter.values, range):
        ends = (parameter.values[0], parameter.values[-1])
        values += [value for value in ends if value <= _LARGEST]
    elif parameter.values is not None:
        values += parameter.values
    return tuple(dict.fromkeys(map(str, values)))


def _check_text(game: Game) -> None:
    token(str(game), "the name of a game")
    given = {name: str(value) for name, value in game.parameters.items()}
    for other in (load_game(str(game)), type(game)(given), pickle.loads(pickle.dumps(game))):
        equal(other, game, f"{other} is not equal to {game}")
        equal(hash(other), hash(game), f"{other} and {game} have different hashes")
        equal(str(other), str(game), f"{game} becomes {other} on a round trip")
    equal(game != str(game), True, "a game is equal to its own name")
    claim(game.num_players >= 1, "a game has at least one player", "1 or more", game.num_players)
    names = [p.name for p in game.PARAMETERS]
    equal([*given], names, "a game has values for all parameters")


def _check_type(game: Game) -> None:
    """Check that the game states its type, in the words there are."""
    kind = game.type
    stated = isinstance(kind, GameType) and kind is not UNSTATED
    claim(stated, "the game does not state its type", "type = GameType(...)", "no type")
    for field, words in _WORDS:
        word = getattr(kind, field)
        claim(word in words, f"{field} is {word!r}", " or ".join(words), word)
    most = kind.max_game_length
    counted = most is None or (type(most) is int and most >= 0)
    claim(counted, f"max_game_length is {most!r}", "None, or a number of actions", most)


def _check_chance(game: Game) -> None:
    """Check that setups differ if the type says so, and only then."""
    differ = len({game.setup(seed) for seed in range(_SEEDS)}) > 1
    if differ:
        sentence = "chance is deterministic, but the setup depends on the seed"
        equal(game.type.chance, "sampled", sentence)
    else:
        sentence = f"chance is sampled, but {_SEEDS} seeds give one setup"
        equal(game.type.chance, "deterministic", sentence)


def _check_setups(game: Game) -> None:
    for seed in (0, 1, 2**63 - 1):
        setup = game.setup(seed)
        line(setup, "a setup")
        equal(game.setup(seed), setup, f"setup({seed}) differs from one call to the next")
        with noted(f"at {setup}"):
            check_same(game.new_initial_state(setup), game.new_initial_state(setup), "a setup")
    state = game.new_initial_state()
    check_same(state, game.new_initial_state(None), "no setup")
    rng = random.Random(0)
    for text in bad_texts({game.setup(0), state.observation(None), state.observation(0)}):
        # a distorted setup may be another good one; what it may not do is raise anything else
        refused = raises(BadSetup, game.new_initial_state, text)
        sentence = f"{short(text)} was accepted as a setup"
        claim(refused or is_line(text), sentence, "BadSetup", "a state")
        raises(BadSetup, game.sample_state, text, 0, rng)


# Random games.


def _walk(state: State, rng: random.Random, plies: int) -> Iterator[State]:
    yield state
    for _ in range(plies):
        players = state.players_to_act()
        if not players:
            return
        player = pick(rng, players)
        with noted(f"at {state.observation(None)}"):
            before, code = state.observation(None), hash(state)
            action = state.sample_action(player, rng)
            child = state.apply_action(player, action)
            sentence = f"{action} changed the state it was applied to"
            equal((state.observation(None), hash(state)), (before, code), sentence)
            changed = child.observation(None) != before
            equal(child != state, changed, "states differ only if their texts do")
        with noted(f"at {child.observation(None)}"):
            check_shape(child)
        yield child
        state = child


def _check_length(states: Sequence[State]) -> None:
    """Check that a game from a deal has no more actions than its type allows."""
    played, most = len(states) - 1, states[0].game.type.max_game_length
    sentence = f"a game has {played} actions or more, but max_game_length is {most}"
    claim(most is None or played <= most, sentence, f"{most} or fewer", played)


def _check_seen_of_type(game: Game, dealt: Sequence[Sequence[State]]) -> None:
    """Check that whole games show what the type says they have.

    That they show nothing else is checked at each position, in ``_check_shape``.
    """
    if not dealt or not all(states[-1].is_terminal() for states in dealt):
        return  # it may come later than these games were played
    played = [state for states in dealt for state in states]
    if game.type.dynamics == "simultaneous":
        together = any(len(state.players_to_act()) > 1 for state in played)
        sentence = "dynamics are simultaneous, but only one player at a time acts"
        claim(together, sentence, "a position in which several players are to act", "none")
    if game.type.information == "imperfect":
        hidden = any(_hides(state) for state in played)
        sentence = "information is imperfect, but nothing is hidden from anybody"
        claim(hidden, sentence, "a position of which a player sees less than all", "none")


def _hides(state: State) -> bool:
    truth = state.observation(None)
    return any(state.observation(player) != truth for player in range(state.game.num_players))


def _spread(states: Sequence[State], rng: random.Random) -> list[State]:
    """Return the first and the last states, and some between."""
    chosen = {0, 1, 2, len(states) - 3, len(states) - 2, len(states) - 1}
    chosen |= {below(rng, len(states)) for _ in range(5)}
    return [states[i] for i in sorted(chosen) if 0 <= i < len(states)]


# Playouts.


def _check_playouts(states: Sequence[State], rng: random.Random) -> None:
    """Check playouts of a game's states: fair shape anywhere, exact shares near the end."""
    for state in (states[0], pick(rng, states), states[-1]):
        before, seed = state.observation(None), rng.getrandbits(32)
        first = state.random_playout(random.Random(seed))
        equal(state.random_playout(random.Random(seed)), first, "a seeded playout varies")
        equal(state.observation(None), before, "a playout changed the state")
        equal(len(first), state.game.num_players, "a playout returns one number a player")
        claim(abs(sum(first)) < 1e-9, f"returns add up to 0, unlike {first}", "a sum of 0", first)
    if states[-1].is_terminal():
        last = states[-1]
        equal(last.random_playout(rng), last.returns(), "the playout of an ended game differs")
    for state in states[-2:-5:-1]:
        exact = _shares(state, [_TREE])
        if exact is None:
            break
        with noted(f"at {state.observation(None)}"):
            _check_shares(state, exact, rng)


def _check_shares(
    state: State, exact: dict[tuple[float, ...], Fraction], rng: random.Random
) -> None:
    played = Counter(state.random_playout(rng) for _ in range(_PLAYOUTS))
    sentence = f"a playout returns {[*played]}, possible are {[*exact]}"
    claim({*played} <= {*exact}, sentence, f"some of {[*exact]}", [*played])
    for returns, share in exact.items():
        mean = float(_PLAYOUTS * share)
        off = abs(played[returns] - mean)
        # six standard deviations, and what rare events add to that: never by chance
        fair = off <= 6 * math.sqrt(mean * float(1 - share)) + 6
        sentence = f"{played[returns]} of {_PLAYOUTS} playouts return {returns}, not {mean:.1f}"
        claim(fair, sentence, f"about {mean:.1f} of {_PLAYOUTS}", played[returns])


def _shares(state: State, budget: list[int]) -> dict[tuple[float, ...], Fraction] | None:
    """Return how likely each returns is under uniform play, exactly, if the tree is small."""
    budget[0] -= 1
    players = state.players_to_act()
    if not players:
        return {state.returns(): Fraction(1)}
    actions = listed(state, players[0])
    if actions is None or len(actions) > budget[0]:
        return None
    total: dict[tuple[float, ...], Fraction] = {}
    for action in actions:
        shares = _shares(state.apply_action(players[0], action), budget)
        if shares is None:
            return None
        for returns, share in shares.items():
            total[returns] = total.get(returns, Fraction(0)) + share / len(actions)
    return total


if __name__ == "__main__":
    sys.exit(main())
