"""What must hold of a game as a whole: its name, type, parameters and setups."""

from __future__ import annotations

import itertools
import pickle
import random
from collections.abc import Sequence

from engines.core.conformance.bad_texts import bad_texts, is_line
from engines.core.conformance.positions import check_same
from engines.core.conformance.report import (
    claim,
    equal,
    line,
    note_on_error,
    one_line,
    raises,
    short,
    token,
)
from engines.core.drawing import PLAYERS
from engines.core.errors import BadParameter, BadSetup
from engines.core.interface import UNSTATED, Game, GameType, Parameter, State
from engines.core.registry import game_class, load_game

_VARIANTS = 40  # parameter combinations of a game
_LARGEST = 64  # the largest last value of a range that is worth a game
_SEEDS = 64  # seeds whose setups are compared
_EDGES = (0, 1, 2**63 - 1, 2**63, 2**64 - 1)  # seeds are below 2^64

_WORDS = (
    ("dynamics", ("sequential", "simultaneous")),
    ("chance", ("deterministic", "sampled")),
    ("information", ("perfect", "imperfect")),
)  # of a game's type


def check_rules(game: Game) -> None:
    """Check what can be seen of a game before it is played."""
    _check_text(game)
    _check_type(game)
    _check_setups(game)
    _check_chance(game)


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


def chosen(text: str, *, every_variant: bool) -> tuple[str, ...]:
    """Return the canonical name of a game, or those of all its variants worth a check.

    Raises:
        UnknownGame: there is no such game.
        BadParameter: a parameter of it is impossible.
    """
    game = load_game(text)
    return variants(game.name) if every_variant else (str(game),)


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
    most = f"1 to {PLAYERS}"
    claim(1 <= game.num_players <= PLAYERS, "each player has a colour", most, game.num_players)
    titled = isinstance(game.title, str) and game.title != "" and one_line(game.title) == game.title
    claim(titled, "the title is one printable line", "a name for people", game.title)
    version = game.rules_version
    counted = type(version) is int and version >= 1
    claim(counted, "rules_version is a whole number from 1 on", "1 or more", version)
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
    for seed in _EDGES:
        setup = game.setup(seed)
        line(setup, "a setup")
        equal(game.setup(seed), setup, f"setup({seed}) differs from one call to the next")
        with note_on_error(f"at {setup}"):
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


def check_seen_of_type(game: Game, dealt: Sequence[Sequence[State]]) -> None:
    """Check that whole games show what the type says they have.

    That they show nothing else is checked at each position, in ``check_shape``.
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
