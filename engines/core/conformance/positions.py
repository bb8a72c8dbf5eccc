"""What must hold of every position, whatever the game: shape, results, actions, counts."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterable

from engines.core.chance import shuffled
from engines.core.conformance.bad_texts import bad_texts, is_token
from engines.core.conformance.report import (
    LISTED,
    MAX_ACTION,
    BrokenPromise,
    claim,
    equal,
    line,
    listed,
    often,
    raises,
    short,
    token,
)
from engines.core.errors import IllegalAction
from engines.core.interface import Event, State

MAX_REASON = 1000  # characters of the reason why an action is illegal

_TRIED = 24  # legal actions applied at a node
_COUNTED = 300  # actions applied to count sequences the plain way
_DRAWN = 200  # actions drawn where few are legal
_FEW = 8  # legal actions that are few


def check_shape(state: State) -> None:
    """Check whatever is cheap enough for every node of a game."""
    game, players = state.game, state.players_to_act()
    seats = range(game.num_players)
    ascending = isinstance(players, tuple) and [*players] == sorted({*players})
    in_order = ascending and {*players} <= {*seats}
    sentence = f"players_to_act() is not in order: {players}"
    claim(in_order, sentence, f"a tuple of players of {[*seats]}, ascending", players)
    equal(state.is_terminal(), players == (), "a state is terminal only if nobody is to act")
    if game.type.dynamics == "sequential":
        sentence = f"dynamics are sequential, but players {players} are to act at once"
        claim(len(players) < 2, sentence, "one player to act", players)
    truth = state.observation(None)
    for viewer in (None, *seats):
        seen = state.observation(viewer)
        line(seen, "an observation")
        if game.type.information == "perfect":
            equal(seen, truth, f"information is perfect, but {viewer} does not see everything")
    _check_features(state)
    for event in state.events():
        claim(isinstance(event, Event), "an event is an Event", "an Event", event)
        known = event.player in (None, *seats)
        claim(known, "an event is for nobody", f"None or one of {[*seats]}", event)
        line(event.text, "an event")
        if game.type.information == "perfect" and game.num_players > 1:
            equal(event.player, None, "information is perfect, but an event is private")
    equal(state.events(), state.events(), "the events of a state differ from call to call")
    equal(repr(state), repr(state), "the repr of a state differs from call to call")
    again = game.new_initial_state(state.observation(None))
    check_same(state, again, "a state and its observation(None) as a setup")
    equal(again.events(), (), f"a state made from a position has no events: {again.events()}")
    _check_results(state)


def _check_features(state: State) -> None:
    """Check that a learner gets as many numbers as the game says."""
    for player in range(state.game.num_players):
        features = state.features(player)
        equal(len(features), state.game.num_features, f"features of {player} are {len(features)}")
        finite = all(isinstance(one, (int, float)) and math.isfinite(one) for one in features)
        claim(finite, "a feature is no finite number", "finite numbers", features[:8])


def _check_results(state: State) -> None:
    scores, ranks, returns = state.scores(), state.ranks(), state.returns()
    n = state.game.num_players
    lengths = [len(scores), len(ranks), len(returns)]
    equal(lengths, [n, n, n], "scores, ranks, returns: one a player")
    finite = all(map(math.isfinite, scores))
    claim(finite, f"scores are finite numbers, not {scores}", "finite numbers", scores)
    places = tuple(1 + sum(other < rank for other in ranks) for rank in ranks)
    equal(ranks, places, f"equal ranks are shared and the next ones skipped, unlike {ranks}")
    means = [rank + (ranks.count(rank) - 1) / 2 for rank in ranks]
    expected = [(n + 1 - 2 * mean) / (n - 1) if n > 1 else 0.0 for mean in means]
    equal([*returns], expected, f"ranks {ranks} give returns {expected}, not {returns}")
    if state.game.ranks_by_score and " drop=" not in state.observation(None):
        for one, two in itertools.permutations(range(n), 2):
            sentence = f"players {one} and {two}: ranks {ranks} go against the scores {scores}"
            follows = scores[one] <= scores[two] or ranks[one] < ranks[two]
            claim(follows, sentence, "a higher score ranks higher", ranks)


def check_same(one: State, two: State, what: str) -> None:
    equal(two == one, True, f"{what}: two states are not equal")
    equal(hash(two), hash(one), f"{what}: two states are not equal, by their hashes")
    equal(two.observation(None), one.observation(None), f"{what}: two observations")
    equal(two.players_to_act(), one.players_to_act(), f"{what}: others are to act")
    for player in one.players_to_act():
        counts = one.count_legal(player), two.count_legal(player)
        equal(counts[1], counts[0], f"{what}: {counts[0]} or {counts[1]} legal actions")
        if counts[0] <= LISTED:
            lists = one.legal_actions(player), two.legal_actions(player)
            equal(lists[1], lists[0], f"{what}: the legal actions differ")
    equal(two.scores(), one.scores(), f"{what}: the scores differ")
    equal(two.ranks(), one.ranks(), f"{what}: the ranks differ")


def check_actions(state: State, rng: random.Random, elsewhere: Iterable[str] = ()) -> None:
    """Check which actions are legal in a position, and what becomes of them.

    Args:
        state: the position.
        rng: draws what is tried.
        elsewhere: actions that were legal in other positions of the game; tried as well.
    """
    _check_legal(state, rng)
    _check_order(state, rng)
    _check_illegal(state, rng, elsewhere)
    _check_counts(state)


def _check_legal(state: State, rng: random.Random) -> None:
    """Check that what is said to be legal is accepted, and changes nothing but by a new state."""
    before, code = state.observation(None), hash(state)
    for player in range(state.game.num_players):
        count = state.count_legal(player)
        if player not in state.players_to_act():
            equal(count, 0, f"player {player} owes nothing but has {count} legal actions")
            equal(state.legal_actions(player), (), f"player {player} owes nothing")
            refused = raises(IllegalAction, state.sample_action, player, rng)
            sentence = f"an action was drawn for player {player}, who owes nothing"
            claim(refused, sentence, "IllegalAction", "an action")
            continue
        claim(count > 0, f"player {player} is to act without a legal action", "1 or more", count)
        actions = listed(state, player)
        if actions is not None:
            kind = type(actions).__name__
            claim(kind == "tuple", f"legal_actions({player}) is no tuple", "a tuple", f"a {kind}")
            equal(len(actions), count, f"{len(actions)} actions listed but {count} counted")
            equal(len({*actions}), count, "a legal action is listed twice")
            equal(state.legal_actions(player), actions, "two lists of legal actions differ")
        drawn = [state.sample_action(player, rng) for _ in range(8)]
        strange = [] if actions is None else sorted({*drawn} - {*actions})
        equal(strange, [], f"one of {drawn} is not legal")
        if actions is not None and 1 < len(actions) <= _FEW:
            _check_drawn(state, player, actions, rng)
        published = state.timeout_action(player)
        drawn += [] if published is None else [published]
        for action in sorted({*drawn, *shuffled(rng, actions or ())[:_TRIED]}):
            token(action, "an action")
            sentence = f"an action is too long: {short(action)}"
            claim(len(action) <= MAX_ACTION, sentence, f"{MAX_ACTION} or fewer", len(action))
            child, again = (state.apply_action(player, action) for _ in range(2))
            equal(child.game, state.game, "an action leads to a state of another game")
            sentence = f"{action} changed the state it was applied to"
            equal((state.observation(None), hash(state)), (before, code), sentence)
            check_same(child, again, f"{action} applied twice")
            equal(again.events(), child.events(), f"{action} applied twice gives other events")
            finished = finish_node(state, child, player, rng)
            _check_seen(finished, player, action)


def _check_drawn(state: State, player: int, actions: tuple[str, ...], rng: random.Random) -> None:
    """Check that the few legal actions are drawn equally often."""
    drawn = [state.sample_action(player, rng) for _ in range(_DRAWN)]
    often(drawn, [(action, 1 / len(actions)) for action in actions], "actions drawn are")


def finish_node(state: State, child: State, player: int, rng: random.Random) -> State:
    """Return the state after a whole node, of which ``player`` has acted already.

    Args:
        state: the position at the node's beginning.
        child: the position after the player's action.
        player: the index of the player that has acted.
        rng: draws the actions of the others.
    """
    for other in state.players_to_act():
        if other != player:
            child = child.apply_action(other, child.sample_action(other, rng))
    return child


def _check_seen(after: State, player: int, action: str) -> None:
    """Check what is seen of an action, asked of the state after its node."""
    for viewer in range(after.game.num_players):
        seen = after.action_seen(viewer, player, action)
        token(seen, "an action as it is seen")
        again = after.action_seen(viewer, player, action)
        equal(again, seen, f"what player {viewer} sees of {action} differs from call to call")
        if after.game.type.information == "perfect":
            sentence = f"information is perfect, but player {viewer} sees {action} as {seen}"
            equal(seen, action, sentence)
    own = after.action_seen(player, player, action)
    equal(own, action, f"player {player} sees the own action {action} as {own}")


def _check_order(state: State, rng: random.Random) -> None:
    """Check at a simultaneous node that players act unseen and in any order."""
    players = state.players_to_act()
    for one, two in itertools.permutations(players, 2):
        first, second = state.sample_action(one, rng), state.sample_action(two, rng)
        child = state.apply_action(one, first)
        others = tuple(player for player in players if player != one)
        equal(child.players_to_act(), others, f"after {one} alone has acted {others} still owe")
        looks = child.observation(two), state.observation(two)
        equal(*looks, f"player {two} sees that {one} has acted")
        crossed = state.apply_action(two, second).apply_action(one, first)
        equal(child.apply_action(two, second), crossed, "the order at one node matters")


def _check_illegal(state: State, rng: random.Random, elsewhere: Iterable[str]) -> None:
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
        legal = (listed(state, player) if owed else None) or ()
        for text in sorted({*good, *elsewhere, *bad_texts(good)} - {*legal}):
            if owed and not legal and is_token(text) and len(text) <= MAX_ACTION:
                continue  # unlisted, so perhaps legal
            try:
                state.apply_action(player, text)
            except IllegalAction as error:
                reason = str(error)
                fair = reason.isascii() and reason.isprintable() and 0 < len(reason) <= MAX_REASON
                sentence = f"the reason is no short line of ASCII: {short(reason)}"
                claim(fair, sentence, f"1 to {MAX_REASON} printable characters", reason)
            else:
                sentence = f"{short(text)} of player {player} was accepted but is not legal"
                raise BrokenPromise(sentence, "IllegalAction", "a state")
        equal((state.observation(None), hash(state)), (before, code), "the state has changed")


def _check_counts(state: State) -> None:
    """Check ``count_sequences`` against plain recursion, as deep as that is cheap."""
    equal(state.count_sequences(0), 1, "there is one sequence of length 0")
    for depth in (1, 2, 3):
        counted = _sequences(state, depth, [_COUNTED])
        if counted is None:
            return
        fast = state.count_sequences(depth)
        equal(fast, counted, f"perft({depth}) is {counted} by plain recursion, not {fast}")


def _sequences(state: State, depth: int, budget: list[int]) -> int | None:
    """Count by applying every legal action; ``None`` once the budget of states is used up."""
    if depth == 0:
        return 1
    if not state.players_to_act():
        return 0
    player = state.players_to_act()[0]
    actions = listed(state, player)
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
