"""What every game must keep, checked on random games: one call for whoever writes an engine.

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
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from xml.etree import ElementTree

from engines.core.bad_texts import bad_texts, is_line, is_token
from engines.core.chance import below, pick, shuffled
from engines.core.errors import BadParameter, BadSetup, EngineError, IllegalAction
from engines.core.interface import UNSTATED, Event, Game, GameType, Parameter, State
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

MAX_ACTION = 200  # characters of an action
MAX_REASON = 1000  # characters of the reason why an action is illegal
LISTED = 3000  # where more actions are legal, the list is left alone

_TRIED = 24  # legal actions applied at a node
_VARIANTS = 40  # parameter combinations of a game
_LARGEST = 64  # the largest last value of a range that is worth a game
_COUNTED = 300  # actions applied to count sequences the plain way
_TREE = 1500  # nodes of a game's end that are walked through for its exact returns
_PLAYOUTS = 200  # playouts compared with them
_SEEDS = 64  # seeds whose setups are compared

_WORDS = (
    ("dynamics", ("sequential", "simultaneous")),
    ("chance", ("deterministic", "sampled")),
    ("information", ("perfect", "imperfect")),
)  # of a game's type

_NAMES = ("<script>\"'&]]>", "\x1b[2J\u202e\n")  # of bots, at worst

_SHOWN = 120  # characters of what was expected and of what came
_CORE = Path(__file__).parent


class BrokenPromise(AssertionError):
    """A game does not keep a promise; ``str(error)`` is a sentence that says which.

    Attributes:
        expected: what the game should have given.
        came: what it gave instead.
    """

    def __init__(self, sentence: str, expected: str, came: str) -> None:
        super().__init__(sentence)
        self.expected = expected
        self.came = came


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
    with _noted(f"in {text}"):
        _check_text(game)
        _check_type(game)
        _check_setups(game)
        _check_chance(game)
        deals = [(seed, game.setup(seed)) for seed in seeds]
        dealt = []
        for number, (seed, setup) in enumerate([*deals, *enumerate(setups)]):
            with _noted(f"with seed {seed} from {setup}"):
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
        return "\n".join(_report(game, error))
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


def check_state(state: State, rng: random.Random) -> None:
    """Check what one position promises, without playouts; see ``check_game``."""
    with _noted(f"at {state.observation(None)}"):
        _check_shape(state)
        _check_legal(state, rng)
        _check_order(state, rng)
        _check_illegal(state, rng)
        _check_counts(state)
        _check_samples(state, rng)
        _check_drops(state, rng)
        _check_pictures(state)


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
    _token(str(game), "the name of a game")
    given = {name: str(value) for name, value in game.parameters.items()}
    for other in (load_game(str(game)), type(game)(given), pickle.loads(pickle.dumps(game))):
        _equal(other, game, f"{other} is not equal to {game}")
        _equal(hash(other), hash(game), f"{other} and {game} have different hashes")
        _equal(str(other), str(game), f"{game} becomes {other} on a round trip")
    _equal(game != str(game), True, "a game is equal to its own name")
    _claim(game.num_players >= 1, "a game has at least one player", "1 or more", game.num_players)
    names = [p.name for p in game.PARAMETERS]
    _equal([*given], names, "a game has values for all parameters")


def _check_type(game: Game) -> None:
    """Check that the game states its type, in the words there are."""
    kind = game.type
    stated = isinstance(kind, GameType) and kind is not UNSTATED
    _claim(stated, "the game does not state its type", "type = GameType(...)", "no type")
    for field, words in _WORDS:
        word = getattr(kind, field)
        _claim(word in words, f"{field} is {word!r}", " or ".join(words), word)
    most = kind.max_game_length
    counted = most is None or (type(most) is int and most >= 0)
    _claim(counted, f"max_game_length is {most!r}", "None, or a number of actions", most)


def _check_chance(game: Game) -> None:
    """Check that setups differ if the type says so, and only then."""
    differ = len({game.setup(seed) for seed in range(_SEEDS)}) > 1
    if differ:
        sentence = "chance is deterministic, but the setup depends on the seed"
        _equal(game.type.chance, "sampled", sentence)
    else:
        sentence = f"chance is sampled, but {_SEEDS} seeds give one setup"
        _equal(game.type.chance, "deterministic", sentence)


def _check_setups(game: Game) -> None:
    for seed in (0, 1, 2**63 - 1):
        setup = game.setup(seed)
        _line(setup, "a setup")
        _equal(game.setup(seed), setup, f"setup({seed}) differs from one call to the next")
        with _noted(f"at {setup}"):
            _check_same(game.new_initial_state(setup), game.new_initial_state(setup), "a setup")
    state = game.new_initial_state()
    _check_same(state, game.new_initial_state(None), "no setup")
    rng = random.Random(0)
    for text in bad_texts({game.setup(0), state.observation(None), state.observation(0)}):
        # a distorted setup may be another good one; what it may not do is raise anything else
        refused = _raises(BadSetup, game.new_initial_state, text)
        sentence = f"{_short(text)} was accepted as a setup"
        _claim(refused or is_line(text), sentence, "BadSetup", "a state")
        _raises(BadSetup, game.sample_state, text, 0, rng)


# Random games.


def _walk(state: State, rng: random.Random, plies: int) -> Iterator[State]:
    yield state
    for _ in range(plies):
        players = state.players_to_act()
        if not players:
            return
        player = pick(rng, players)
        with _noted(f"at {state.observation(None)}"):
            before, code = state.observation(None), hash(state)
            action = state.sample_action(player, rng)
            child = state.apply_action(player, action)
            sentence = f"{action} changed the state it was applied to"
            _equal((state.observation(None), hash(state)), (before, code), sentence)
            changed = child.observation(None) != before
            _equal(child != state, changed, "states differ only if their texts do")
        with _noted(f"at {child.observation(None)}"):
            _check_shape(child)
        yield child
        state = child


def _check_length(states: Sequence[State]) -> None:
    """Check that a game from a deal has no more actions than its type allows."""
    played, most = len(states) - 1, states[0].game.type.max_game_length
    sentence = f"a game has {played} actions or more, but max_game_length is {most}"
    _claim(most is None or played <= most, sentence, f"{most} or fewer", played)


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
        _claim(together, sentence, "a position in which several players are to act", "none")
    if game.type.information == "imperfect":
        hidden = any(_hides(state) for state in played)
        sentence = "information is imperfect, but nothing is hidden from anybody"
        _claim(hidden, sentence, "a position of which a player sees less than all", "none")


def _hides(state: State) -> bool:
    truth = state.observation(None)
    return any(state.observation(player) != truth for player in range(state.game.num_players))


def _spread(states: Sequence[State], rng: random.Random) -> list[State]:
    """Return the first and the last states, and some between."""
    chosen = {0, 1, 2, len(states) - 3, len(states) - 2, len(states) - 1}
    chosen |= {below(rng, len(states)) for _ in range(5)}
    return [states[i] for i in sorted(chosen) if 0 <= i < len(states)]


# One position.


def _check_shape(state: State) -> None:
    """Check whatever is cheap enough for every node of a game."""
    game, players = state.game, state.players_to_act()
    seats = range(game.num_players)
    ascending = isinstance(players, tuple) and [*players] == sorted({*players})
    in_order = ascending and {*players} <= {*seats}
    sentence = f"players_to_act() is not in order: {players}"
    _claim(in_order, sentence, f"a tuple of players of {[*seats]}, ascending", players)
    _equal(state.is_terminal(), players == (), "a state is terminal only if nobody is to act")
    if game.type.dynamics == "sequential":
        sentence = f"dynamics are sequential, but players {players} are to act at once"
        _claim(len(players) < 2, sentence, "one player to act", players)
    truth = state.observation(None)
    for viewer in (None, *seats):
        seen = state.observation(viewer)
        _line(seen, "an observation")
        if game.type.information == "perfect":
            _equal(seen, truth, f"information is perfect, but {viewer} does not see everything")
    for event in state.events():
        _claim(isinstance(event, Event), "an event is an Event", "an Event", event)
        known = event.player in (None, *seats)
        _claim(known, "an event is for nobody", f"None or one of {[*seats]}", event)
        _line(event.text, "an event")
    again = game.new_initial_state(state.observation(None))
    _check_same(state, again, "a state and its observation(None) as a setup")
    _equal(again.events(), (), f"a state made from a position has no events: {again.events()}")
    _check_results(state)


def _check_results(state: State) -> None:
    scores, ranks, returns = state.scores(), state.ranks(), state.returns()
    n = state.game.num_players
    lengths = [len(scores), len(ranks), len(returns)]
    _equal(lengths, [n, n, n], "scores, ranks, returns: one a player")
    finite = all(map(math.isfinite, scores))
    _claim(finite, f"scores are finite numbers, not {scores}", "finite numbers", scores)
    places = tuple(1 + sum(other < rank for other in ranks) for rank in ranks)
    _equal(ranks, places, f"equal ranks are shared and the next ones skipped, unlike {ranks}")
    means = [rank + (ranks.count(rank) - 1) / 2 for rank in ranks]
    expected = [(n + 1 - 2 * mean) / (n - 1) if n > 1 else 0.0 for mean in means]
    _equal([*returns], expected, f"ranks {ranks} give returns {expected}, not {returns}")


def _check_same(one: State, two: State, what: str) -> None:
    _equal(two == one, True, f"{what}: two states are not equal")
    _equal(hash(two), hash(one), f"{what}: two states are not equal, by their hashes")
    _equal(two.observation(None), one.observation(None), f"{what}: two observations")
    _equal(two.players_to_act(), one.players_to_act(), f"{what}: others are to act")
    for player in one.players_to_act():
        counts = one.count_legal(player), two.count_legal(player)
        _equal(counts[1], counts[0], f"{what}: {counts[0]} or {counts[1]} legal actions")
        if counts[0] <= LISTED:
            lists = one.legal_actions(player), two.legal_actions(player)
            _equal(lists[1], lists[0], f"{what}: the legal actions differ")
    _equal(two.scores(), one.scores(), f"{what}: the scores differ")
    _equal(two.ranks(), one.ranks(), f"{what}: the ranks differ")


def _check_legal(state: State, rng: random.Random) -> None:
    """Check that what is said to be legal is accepted, and changes nothing but by a new state."""
    before, code = state.observation(None), hash(state)
    for player in range(state.game.num_players):
        count = state.count_legal(player)
        if player not in state.players_to_act():
            _equal(count, 0, f"player {player} owes nothing but has {count} legal actions")
            _equal(state.legal_actions(player), (), f"player {player} owes nothing")
            continue
        _claim(count > 0, f"player {player} is to act without a legal action", "1 or more", count)
        actions = _listed(state, player)
        if actions is not None:
            kind = type(actions).__name__
            _claim(kind == "tuple", f"legal_actions({player}) is no tuple", "a tuple", f"a {kind}")
            _equal(len(actions), count, f"{len(actions)} actions listed but {count} counted")
            _equal(len({*actions}), count, "a legal action is listed twice")
            _equal(state.legal_actions(player), actions, "two lists of legal actions differ")
        drawn = [state.sample_action(player, rng) for _ in range(8)]
        strange = [] if actions is None else sorted({*drawn} - {*actions})
        _equal(strange, [], f"one of {drawn} is not legal")
        published = state.timeout_action(player)
        drawn += [] if published is None else [published]
        for action in {*drawn, *shuffled(rng, actions or ())[:_TRIED]}:
            _token(action, "an action")
            sentence = f"an action is too long: {_short(action)}"
            _claim(len(action) <= MAX_ACTION, sentence, f"{MAX_ACTION} or fewer", len(action))
            child = state.apply_action(player, action)
            _equal(child.game, state.game, "an action leads to a state of another game")
            sentence = f"{action} changed the state it was applied to"
            _equal((state.observation(None), hash(state)), (before, code), sentence)
            _check_seen(_node_finished(state, child, player, rng), player, action)


def _node_finished(state: State, child: State, player: int, rng: random.Random) -> State:
    """Return the state after a whole node, of which ``player`` has acted already."""
    for other in state.players_to_act():
        if other != player:
            child = child.apply_action(other, child.sample_action(other, rng))
    return child


def _check_seen(after: State, player: int, action: str) -> None:
    """Check what is seen of an action, asked of the state after its node."""
    for viewer in range(after.game.num_players):
        seen = after.action_seen(viewer, player, action)
        _token(seen, "an action as it is seen")
    own = after.action_seen(player, player, action)
    _equal(own, action, f"player {player} sees the own action {action} as {own}")


def _check_order(state: State, rng: random.Random) -> None:
    """Check at a simultaneous node that players act unseen and in any order."""
    players = state.players_to_act()
    for one, two in itertools.permutations(players, 2):
        first, second = state.sample_action(one, rng), state.sample_action(two, rng)
        child = state.apply_action(one, first)
        others = tuple(player for player in players if player != one)
        _equal(child.players_to_act(), others, f"after {one} alone has acted {others} still owe")
        looks = child.observation(two), state.observation(two)
        _equal(*looks, f"player {two} sees that {one} has acted")
        crossed = state.apply_action(two, second).apply_action(one, first)
        _equal(child.apply_action(two, second), crossed, "the order at one node matters")


def _check_illegal(state: State, rng: random.Random) -> None:
    """Check that whatever is not legal raises ``IllegalAction``, and nothing else."""
    before, code = state.observation(None), hash(state)
    seats = range(state.game.num_players)
    begin = state.game.new_initial_state()
    good = [
        node.sample_action(player, rng)
        for node in (begin, state)
        for player in node.players_to_act()
    ]
    for player in (*seats, -1, len(seats), 99):
        owed = player in state.players_to_act()
        legal = (_listed(state, player) if owed else None) or ()
        for text in {*good, *bad_texts(good)} - {*legal}:
            if owed and not legal and is_token(text) and len(text) <= MAX_ACTION:
                continue  # unlisted, so perhaps legal
            try:
                state.apply_action(player, text)
            except IllegalAction as error:
                reason = str(error)
                fair = reason.isascii() and reason.isprintable() and 0 < len(reason) <= MAX_REASON
                sentence = f"the reason is no short line of ASCII: {_short(reason)}"
                _claim(fair, sentence, f"1 to {MAX_REASON} printable characters", reason)
            else:
                sentence = f"{_short(text)} of player {player} was accepted but is not legal"
                raise BrokenPromise(sentence, "IllegalAction", "a state")
        _equal((state.observation(None), hash(state)), (before, code), "the state has changed")


def _check_counts(state: State) -> None:
    """Check ``count_sequences`` against plain recursion, as deep as that is cheap."""
    _equal(state.count_sequences(0), 1, "there is one sequence of length 0")
    for depth in (1, 2, 3):
        counted = _sequences(state, depth, [_COUNTED])
        if counted is None:
            return
        fast = state.count_sequences(depth)
        _equal(fast, counted, f"perft({depth}) is {counted} by plain recursion, not {fast}")


def _sequences(state: State, depth: int, budget: list[int]) -> int | None:
    """Count by applying every legal action; ``None`` once the budget of states is used up."""
    if depth == 0:
        return 1
    if not state.players_to_act():
        return 0
    player = state.players_to_act()[0]
    actions = _listed(state, player)
    budget[0] -= 1 if actions is None or depth == 1 else len(actions)
    if actions is None or budget[0] < 0:
        return None
    if depth == 1:
        return len(actions)
    total = 0
    for action in actions:
        below_it = _sequences(state.apply_action(player, action), depth - 1, budget)
        if below_it is None:
            return None
        total += below_it
    return total


def _check_samples(state: State, rng: random.Random) -> None:
    """Check that an observation is enough: states drawn from it look and play the same."""
    for player in range(state.game.num_players):
        seen = state.observation(player)
        drawn = state.game.sample_state(seen, player, rng)
        _equal(drawn.observation(player), seen, f"a drawn state looks different to {player}")
        _check_shape(drawn)
        pictures = drawn.to_svg(player), state.to_svg(player)
        _equal(*pictures, f"the picture tells {player} more")
        boards = drawn.text_board(player), state.text_board(player)
        _equal(*boards, f"the text board tells {player} more")
        if state.game.type.information == "imperfect":  # else how it came there is no secret
            last = _any_action(state)
            pictures = drawn.draw(player, last=last), state.draw(player, last=last)
            _equal(*pictures, f"the picture with the last action tells {player} more")
            texts = drawn.draw_text(player, last=last), state.draw_text(player, last=last)
            _equal(*texts, f"the text with the last action tells {player} more")
        owed = player in state.players_to_act()
        _equal(player in drawn.players_to_act(), owed, f"{player} owes an action in one only")
        if owed:
            counts = drawn.count_legal(player), state.count_legal(player)
            _equal(*counts, "other legal actions")
            lists = _listed(drawn, player), _listed(state, player)
            _equal(*lists, f"{player} cannot know the legal actions")


def _check_drops(state: State, rng: random.Random) -> None:
    """Check what becomes of a game whose players leave it one after another."""
    n, before = state.game.num_players, state.observation(None)
    for player in (-1, n):
        refused = _raises(ValueError, state.drop_player, player)
        _claim(refused, f"drop_player({player}): there is no such player", "ValueError", "a state")
    if " drop=" in before:
        return  # the rest is for games in which nobody is missing yet
    for player in range(n):
        after, gone = state.drop_player(player), [player]
        _equal(state.observation(None), before, "drop_player changed the state")
        _equal(after != state, True, "a state is the same after a drop")
        _check_dropped(after, gone)
        _equal(after.ranks()[player], n, f"the first one dropped ranks last: {after.ranks()}")
        _ends(after.observation(None), f" drop={player}", "the drop is not shown last")
        if n > 2:
            after = _played_on(after, gone, rng)
        for other in shuffled(rng, (seat for seat in range(n) if seat != player)):
            after = after.drop_player(other)
            gone.append(other)
            _check_dropped(after, gone)
        _equal(after.ranks()[gone[-1]], 1, "with nobody left the last ones share the best place")
        if n > 1 and not state.is_terminal():
            last = [after.ranks()[seat] for seat in gone[-2:]]
            _equal(last, [1, 1], f"who is left last shares the place of the one before: {last}")


def _check_dropped(state: State, gone: list[int]) -> None:
    _check_shape(state)
    n, ranks = state.game.num_players, state.ranks()
    for player in gone:
        _equal(player in state.players_to_act(), False, f"{player} was dropped and still owes")
        refused = _raises(ValueError, state.drop_player, player)
        _claim(refused, f"{player} was dropped twice", "ValueError", "a state")
        above = all(ranks[p] < ranks[player] for p in range(n) if p not in gone)
        sentence = f"a dropped player ranks below all others: {ranks}"
        _claim(above, sentence, f"player {player} below all who stayed", ranks)
    if len(gone) >= n - 1:
        _equal(state.is_terminal(), True, "the game goes on with one player left")
    for viewer in range(n):
        mark = " " + state.observation(None).split(" ")[-1]
        sentence = "the last field of an observation says who was dropped"
        _claim(mark.startswith(" drop="), sentence, " drop=...", mark)
        _ends(state.observation(viewer), mark, f"{viewer} cannot see who was dropped")


def _played_on(state: State, gone: list[int], rng: random.Random) -> State:
    """Play a few random actions without the dropped player."""
    for _ in range(2 * state.game.num_players):
        players = state.players_to_act()
        if not players:
            break
        state = state.apply_action(players[0], state.sample_action(players[0], rng))
        _check_dropped(state, gone)
    return state


def _check_pictures(state: State) -> None:
    _equal(state.text_board(None), str(state), "text_board(None) shows what str() shows")
    _equal(state._repr_svg_(), state.to_svg(), "notebooks show another picture")
    for viewer in (None, *range(state.game.num_players)):
        text = state.text_board(viewer)
        ended = text != "" and text == text.rstrip("\n")
        sentence = "the text board ends without a line feed"
        _claim(ended, sentence, "a text that ends in no line feed", text[-_SHOWN:])
        _check_printable(text)
        _equal(state.text_board(viewer), text, "two text boards of one state differ")
        svg = state.to_svg(viewer)
        _equal(state.to_svg(viewer), svg, "two pictures of one state differ")
        _check_svg(svg)
        _equal(state.draw(viewer), svg, "draw without names draws another picture than to_svg")
        plain = state.draw_text(viewer)
        _equal(plain, text, "draw_text without names draws another board than text_board")
        for last in (None, (0, "?"), _any_action(state)):
            _check_svg(state.draw(viewer, names=_NAMES, last=last))
            _check_printable(state.draw_text(viewer, names=_NAMES, last=last))


def _any_action(state: State) -> tuple[int, str]:
    """Return an action of the position, which a picture may be asked to mark as the last one."""
    for player in state.players_to_act():
        if actions := _listed(state, player):
            return player, actions[-1]
    return 0, "]]>"


def _check_printable(text: str) -> None:
    odd = [c for c in text if c != "\n" and not c.isprintable()]
    _equal(odd, [], "the text board has unprintable characters")


def _check_svg(svg: str) -> None:
    """Check that a picture is one element that draws and does nothing else."""
    try:
        root = ElementTree.fromstring(svg)
    except ElementTree.ParseError as error:
        raise BrokenPromise(
            f"the picture is not well-formed XML: {error}",
            "well-formed XML",
            _text(svg[-_SHOWN:]),
        ) from None
    _equal(root.tag, "{http://www.w3.org/2000/svg}svg", f"the picture is a {root.tag}")
    _claim("viewBox" in root.attrib, "the picture has no viewBox", "viewBox", [*root.attrib])
    for element in root.iter():
        script = element.tag.endswith("script")
        _claim(not script, "the picture contains a script", "no script", element.tag)
        for key, value in element.attrib.items():
            outside = key.endswith("href") and not value.startswith("#")
            sentence = f"the picture refers to {value}"
            _claim(not outside, sentence, "references within the picture", value)


# Playouts.


def _check_playouts(states: Sequence[State], rng: random.Random) -> None:
    """Check playouts of a game's states: fair shape anywhere, exact shares near the end."""
    for state in (states[0], pick(rng, states), states[-1]):
        before, seed = state.observation(None), rng.getrandbits(32)
        first = state.random_playout(random.Random(seed))
        _equal(state.random_playout(random.Random(seed)), first, "a seeded playout varies")
        _equal(state.observation(None), before, "a playout changed the state")
        _equal(len(first), state.game.num_players, "a playout returns one number a player")
        _claim(abs(sum(first)) < 1e-9, f"returns add up to 0, unlike {first}", "a sum of 0", first)
    if states[-1].is_terminal():
        last = states[-1]
        _equal(last.random_playout(rng), last.returns(), "the playout of an ended game differs")
    for state in states[-2:-5:-1]:
        exact = _shares(state, [_TREE])
        if exact is None:
            break
        with _noted(f"at {state.observation(None)}"):
            _check_shares(state, exact, rng)


def _check_shares(
    state: State, exact: dict[tuple[float, ...], Fraction], rng: random.Random
) -> None:
    played = Counter(state.random_playout(rng) for _ in range(_PLAYOUTS))
    sentence = f"a playout returns {[*played]}, possible are {[*exact]}"
    _claim({*played} <= {*exact}, sentence, f"some of {[*exact]}", [*played])
    for returns, share in exact.items():
        mean = float(_PLAYOUTS * share)
        off = abs(played[returns] - mean)
        # six standard deviations, and what rare events add to that: never by chance
        fair = off <= 6 * math.sqrt(mean * float(1 - share)) + 6
        sentence = f"{played[returns]} of {_PLAYOUTS} playouts return {returns}, not {mean:.1f}"
        _claim(fair, sentence, f"about {mean:.1f} of {_PLAYOUTS}", played[returns])


def _shares(state: State, budget: list[int]) -> dict[tuple[float, ...], Fraction] | None:
    """Return how likely each returns is under uniform play, exactly, if the tree is small."""
    budget[0] -= 1
    players = state.players_to_act()
    if not players:
        return {state.returns(): Fraction(1)}
    actions = _listed(state, players[0])
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


# How a check speaks.


def _claim(kept: bool, sentence: str, expected: str, came: object) -> None:
    # an assert statement would be silent under python -O
    if not kept:
        raise BrokenPromise(sentence, expected, _from(0, _text(came)))


def _line(text: str, what: str) -> None:
    sentence = f"{what} is one line of single-spaced ASCII, not {_short(text)}"
    _claim(is_line(text), sentence, "one line of single-spaced ASCII", text)


def _token(text: str, what: str) -> None:
    _claim(
        is_token(text), f"{what} is one ASCII token, not {_short(text)}", "one ASCII token", text
    )


def _ends(text: str, end: str, sentence: str) -> None:
    _claim(text.endswith(end), sentence, f'a text that ends in "{end}"', text[-_SHOWN:])


def _equal(came: object, expected: object, sentence: str) -> None:
    if came != expected:
        raise BrokenPromise(sentence, *_apart(_text(expected), _text(came)))


def _report(game: Game, error: Exception) -> Iterator[str]:
    """Yield the lines that report a failed check: the sentence, where, what was expected."""
    notes = getattr(error, "__notes__", [])
    if isinstance(error, BrokenPromise):
        yield f"{game} breaks a promise: {_printable(str(error))}"
        expected, came = error.expected, error.came
    else:
        raised = traceback.format_exception_only(error)[0].strip()
        yield f"{game} breaks a promise: it raises {type(error).__name__}"
        expected = "no error here"
        came = f"{_printable(raised)}, {_place(error)}"
    positions = [note.removeprefix("at ") for note in notes if note.startswith("at ")]
    begins = [note for note in notes if note.startswith("with seed ")]
    if positions:
        yield f"  position: {positions[0]}"
    if begins:
        yield f"  game:     {begins[0]}"
    yield f"  expected: {expected}"
    yield f"  came:     {came}"


def _place(error: Exception) -> str:
    """Name the last line of code outside of this package's core that an error came through."""
    frames = traceback.extract_tb(error.__traceback__)
    outside = [frame for frame in frames if Path(frame.filename).parent != _CORE] or frames
    return f"{outside[-1].filename}:{outside[-1].lineno}, in {outside[-1].name}"


def _text(value: object) -> str:
    return _printable(value) if isinstance(value, str) else ascii(value)


def _printable(text: str) -> str:
    """Write a text on one line: what a terminal might not print is escaped."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def _apart(one: str, two: str) -> tuple[str, str]:
    """Shorten two texts to where they first differ."""
    if max(len(one), len(two)) <= _SHOWN:
        return one, two
    pairs = enumerate(zip(one, two, strict=False))
    first = next((i for i, (a, b) in pairs if a != b), min(len(one), len(two)))
    start = max(0, first - _SHOWN // 3)
    return _from(start, one), _from(start, two)


def _from(start: int, text: str) -> str:
    before, after = "..." * (start > 0), "..." * (len(text) > start + _SHOWN)
    return before + text[start : start + _SHOWN] + after


@contextmanager
def _noted(note: str) -> Iterator[None]:
    try:
        yield
    except Exception as error:
        error.add_note(note)
        raise


def _raises(kind: type[Exception], call: Callable[..., object], *args: object) -> bool:
    """Return whether the call raises exactly this kind; anything else it raises goes on."""
    try:
        call(*args)
    except kind as error:
        _claim(str(error) != "", "an error says what was wrong", "a sentence", "no text")
        return True
    return False


def _listed(state: State, player: int) -> tuple[str, ...] | None:
    return state.legal_actions(player) if state.count_legal(player) <= LISTED else None


def _short(text: str) -> str:
    return ascii(text if len(text) <= MAX_ACTION else text[:40] + "..." + text[-40:])


if __name__ == "__main__":
    sys.exit(main())
