"""Random games of one game, and all checks of what is met on the way."""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Iterator, Sequence

from engines.core.chance import below, pick
from engines.core.conformance.dropped import check_drops
from engines.core.conformance.games import check_rules, check_seen_of_type
from engines.core.conformance.pictures import check_pictures, check_words
from engines.core.conformance.playouts import check_end, check_playouts
from engines.core.conformance.positions import check_actions, check_shape
from engines.core.conformance.report import claim, equal, note_on_error, report, token
from engines.core.conformance.second_process import check_second_process
from engines.core.conformance.told import (
    check_deals_vary,
    check_draws_vary,
    check_parallel,
    check_samples,
)
from engines.core.interface import Game, State
from engines.core.registry import load_game

_WHOLE = 2  # games of which many positions are checked; of those after them fewer are
_ELSEWHERE = 40  # actions legal in other positions that are tried where they are illegal


def check_game(
    text: str,
    *,
    seeds: Iterable[int] = (0, 1),
    plies: int = 400,
    setups: Iterable[str] = (),
    max_length: int | None = None,
    seconds: float | None = None,
) -> None:
    """Play one random game a seed (and a setup) and check what every engine promises on the way.

    Args:
        text: a game, e.g. ``leaves(tree=plus)``.
        seeds: of the deals and of the random actions; the next one is asked for when the game of
            the last one was checked.
        plies: the most actions of a game that are looked at; the rest is only played.
        setups: positions to begin at, besides the deals.
        max_length: the most actions of a game; ``None`` for what its type states, or 10,000.
        seconds: after how long what was not checked is left out; ``None`` for never.

    Raises:
        BrokenPromise: the message is a sentence; notes say where, the innermost place first.
        UnknownGame: there is no such game.
        BadParameter: a parameter of it is impossible.
    """
    game = load_game(text)
    deadline = None if seconds is None else time.monotonic() + seconds
    with note_on_error(f"in {text}"):
        chance = random.getstate()
        check_rules(game)
        games = _Games(plies, max_length, deadline)
        dealt = []
        for seed in seeds:
            if games.late():
                break
            setup = game.setup(seed)
            with note_on_error(f"with seed {seed} from {setup}"):
                dealt.append(games.check(game.new_initial_state(setup), random.Random(seed)))
        check_seen_of_type(game, dealt)
        games.check_names(game)
        if game.type.information == "imperfect":
            check_deals_vary(game, random.Random(0))
        for seed, setup in enumerate(setups):
            with note_on_error(f"with seed {seed} from {setup}"):
                games.check(game.new_initial_state(setup), random.Random(seed))
        sentence = "the game draws from the random numbers that the whole program shares"
        claim(random.getstate() == chance, sentence, "a generator of its own", "random.random")


def check_state(state: State, rng: random.Random, elsewhere: Iterable[str] = ()) -> None:
    """Check what one position promises, without playouts; see ``check_game``.

    Args:
        state: the position.
        rng: draws what is tried.
        elsewhere: actions that were legal in other positions of the game; tried as well.
    """
    with note_on_error(f"at {state.observation(None)}"):
        check_shape(state)
        check_actions(state, rng, elsewhere)
        check_samples(state, rng)
        check_drops(state, rng)
        check_pictures(state)
        check_words(state)


def broken_promise(
    text: str,
    *,
    seeds: Iterable[int] = (0, 1),
    max_length: int | None = None,
    seconds: float | None = None,
) -> str:
    """Check a game as ``check_game`` does, and in a second process: what it breaks, if anything.

    Whatever the game's own code raises is reported in the same way, with its place in that code.

    Returns:
        Lines for a person, "" if no promise is broken.

    Raises:
        UnknownGame: there is no such game.
        BadParameter: a parameter of it is impossible.
    """
    game, begun = load_game(text), time.monotonic()
    try:
        check_game(text, seeds=seeds, max_length=max_length, seconds=seconds)
        if seconds is None or time.monotonic() < begun + seconds:
            check_second_process(text)
    except Exception as error:
        return "\n".join(report(game, error))
    return ""


class _Games:
    """The random games of one check: what they share, and how much is tried."""

    def __init__(self, plies: int, max_length: int | None, deadline: float | None) -> None:
        self._plies, self._max_length, self._deadline = plies, max_length, deadline
        self._checked = 0
        self._met: dict[State, str] = {}
        self._legal: dict[str, None] = {}  # actions met, in their order

    def late(self) -> bool:
        """Return whether the time for all games is over."""
        return self._deadline is not None and time.monotonic() > self._deadline

    def check(self, state: State, rng: random.Random) -> list[State]:
        """Play one game and check it: the states that were looked at."""
        states = []
        begins = []  # states at which a node begins
        owing = 0
        for met in self._walk(state, rng):
            states.append(met)
            begins += [met] if owing <= 1 else []
            owing = len(met.players_to_act())
        with note_on_error(f"at {states[-1].observation(None)}"):
            length = check_end(states[-1], len(states) - 1, self._max_length, rng)
        _check_length(states[0], length, self._max_length)
        chosen = _spread(states, rng)
        if self._checked >= _WHOLE:
            chosen = [pick(rng, states)]
        elsewhere = [*self._legal][:_ELSEWHERE]
        for one in chosen:
            if not self.late():
                check_state(one, rng, elsewhere)
        if not self.late():
            check_playouts(states, rng)
        if state.game.type.information == "imperfect" and not self.late():
            check_draws_vary(begins, rng)
            for viewer in range(state.game.num_players):
                check_parallel(pick(rng, begins), viewer, rng, self._plies)
                check_parallel(begins[0], viewer, rng, self._plies)
        self._checked += 1
        return states

    def check_names(self, game: Game) -> None:
        """Check the list of all actions that a game may give to learners."""
        names = game.action_names()
        if names is not None:
            for name in names:
                token(name, "an action's name")
            known = {*names}
            equal(len(known), len(names), "an action is named twice")
            strange = [action for action in self._legal if action not in known]
            equal(strange, [], "actions that were legal have no name")

    def _walk(self, state: State, rng: random.Random) -> Iterator[State]:
        self._meet(state)
        yield state
        for _ in range(self._plies):
            players = state.players_to_act()
            if not players or self.late():
                return
            player = pick(rng, players)
            with note_on_error(f"at {state.observation(None)}"):
                before, code = state.observation(None), hash(state)
                action = state.sample_action(player, rng)
                child = state.apply_action(player, action)
                sentence = f"{action} changed the state it was applied to"
                equal((state.observation(None), hash(state)), (before, code), sentence)
                changed = child.observation(None) != before
                equal(child != state, changed, "states differ only if their texts do")
            self._legal.setdefault(action)
            with note_on_error(f"at {child.observation(None)}"):
                check_shape(child)
                self._meet(child)
            yield child
            state = child

    def _meet(self, state: State) -> None:
        """Check that states of different games that are equal have the same text."""
        text = state.observation(None)
        sentence = "two positions are equal, but their texts are not"
        equal(text, self._met.setdefault(state, text), sentence)


def _check_length(first: State, played: int, allowed: int | None) -> None:
    """Check that a game from a deal has no more actions than its type, or the caller, allows."""
    most = first.game.type.max_game_length
    sentence = f"a game has {played} actions, but max_game_length is {most}"
    claim(most is None or played <= most, sentence, f"{most} or fewer", played)
    sentence = f"a game has {played} actions"
    claim(allowed is None or played <= allowed, sentence, f"{allowed} or fewer", played)


def _spread(states: Sequence[State], rng: random.Random) -> list[State]:
    """Return the first and the last states, and some between."""
    chosen = {0, 1, 2, len(states) - 3, len(states) - 2, len(states) - 1}
    chosen |= {below(rng, len(states)) for _ in range(5)}
    return [states[i] for i in sorted(chosen) if 0 <= i < len(states)]
