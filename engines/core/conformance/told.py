"""What must hold of hidden things: an observation is enough, and nothing shows more than it does.

What a player is told are the events, the actions as they are seen, the legal actions, the reasons
of refusals and the pictures. None of it may depend on what the player cannot know. So the true
position is compared with positions drawn from the player's observation, and both are played on
with the same actions for as long as they look alike.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence

from engines.core.chance import pick, shuffled
from engines.core.conformance.pictures import any_action
from engines.core.conformance.positions import check_shape, finish_node
from engines.core.conformance.report import claim, equal, listed, note_on_error
from engines.core.errors import IllegalAction, NoView
from engines.core.interface import WATCHER, Game, State

_DRAWS = 24  # states drawn from one observation
_DEALS = 64  # deals of which some may look alike to a player
_APART = 6  # actions of one player compared two by two
_REFUSED = ("?", "-", "0", "a:b", "no-such-action")  # hardly legal anywhere


def check_samples(state: State, rng: random.Random) -> None:
    """Check that an observation is enough: states drawn from it look and play the same."""
    hides = state.game.type.information == "imperfect"
    last = any_action(state) if hides else None  # else the last action is no secret
    for player in range(state.game.num_players):
        seen = state.observation(player)
        drawn = state.game.sample_state(seen, player, rng)
        equal(drawn.observation(player), seen, f"a drawn state looks different to {player}")
        check_shape(drawn)
        shown = zip(_shown(drawn, player, last), _shown(state, player, last), strict=True)
        for (theirs, sentence), (ours, _) in shown:
            equal(theirs, ours, sentence)
    if hides:
        _check_hidden_actions(state, rng)


def _shown(state: State, player: int, last: tuple[int, str] | None) -> Iterator[tuple[object, str]]:
    """Yield each thing that a player is shown, and the sentence to report if it shows too much."""
    yield state.to_svg(player), f"the picture shows player {player} something hidden"
    yield state.text_board(player), f"the text board shows player {player} something hidden"
    if last:
        sentence = f"with the last action shows player {player} something hidden"
        yield state.draw(player, last=last), f"the picture {sentence}"
        yield state.draw_text(player, last=last), f"the text {sentence}"
    yield state.features(player), f"the features show player {player} something hidden"
    yield _watched(state), f"a watcher sees what {player} cannot know"
    owed = player in state.players_to_act()
    yield owed, f"{player} owes an action in one only"
    if owed:
        yield state.count_legal(player), "other legal actions"
        actions = listed(state, player)
        yield actions, f"{player} cannot know the legal actions"
        yield state.prompt(player, ()), f"what player {player} is asked shows something hidden"
        yield (
            state.to_svg(player, actions or ()),
            f"the picture with choices shows player {player} something hidden",
        )
        for text in _REFUSED if last else ():
            sentence = f"the reason why {text} is refused shows player {player} something hidden"
            yield _refusal(state, player, text), sentence


def _watched(state: State) -> tuple[str, ...]:
    """Return what somebody sees who does not play, () where the game does not say it."""
    try:
        return state.observation(WATCHER), state.text_board(WATCHER), state.to_svg(WATCHER)
    except NoView:
        return ()


def _refusal(state: State, player: int, text: str) -> str:
    try:
        state.apply_action(player, text)
    except IllegalAction as error:
        return str(error)
    return "accepted"


def _told(state: State, viewer: int) -> list[str]:
    """Return the texts of the events that a player is told."""
    return [event.text for event in state.events() if event.player in (None, viewer)]


def _check_hidden_actions(state: State, rng: random.Random) -> None:
    """Check that actions whose effects look alike to a player are seen alike.

    Of a node, one player's action is changed. Where the two positions after it differ, but look
    alike to another player who was told the same events, then that player cannot know which action
    it was, so ``action_seen`` may not say it.
    """
    for player, viewer in itertools.product(state.players_to_act(), range(state.game.num_players)):
        actions = shuffled(rng, listed(state, player) or ())[:_APART]
        seed = rng.getrandbits(32)
        if player == viewer:
            continue
        known: dict[tuple[str, ...], tuple[str, str, str]] = {}
        for action in actions:
            child = state.apply_action(player, action)
            after = finish_node(state, child, player, random.Random(seed))
            looks = (after.observation(viewer), *_told(after, viewer))
            truth, seen = after.observation(None), after.action_seen(viewer, player, action)
            other, other_truth, other_seen = known.setdefault(looks, (action, truth, seen))
            if truth != other_truth:
                equal(
                    seen,
                    other_seen,
                    f"{other} and {action} of player {player} look alike to player {viewer} in "
                    "the observation and the events, but action_seen tells them apart",
                )


def check_parallel(state: State, viewer: int, rng: random.Random, plies: int) -> None:
    """Play a position and one drawn from a player's observation side by side.

    Both get the same actions. As long as both look alike to the player, all that the player is
    told must be alike.

    Args:
        state: the true position, at the beginning of a node.
        viewer: the player's index.
        rng: draws the other position and the actions.
        plies: the most actions.
    """
    twin = state.game.sample_state(state.observation(viewer), viewer, rng)
    played = 0
    while state.players_to_act() and played < plies:
        equal(twin.players_to_act(), state.players_to_act(), f"{viewer} cannot know who is to act")
        node = _shared_node(state, twin, rng)
        before = state
        for player, action in node:
            state, twin = state.apply_action(player, action), twin.apply_action(player, action)
            played += 1
        if not node or state.observation(viewer) != twin.observation(viewer):
            return
        with note_on_error(f"at {before.observation(None)}"):
            _check_alike(state, twin, viewer, node)


def _check_alike(state: State, twin: State, viewer: int, node: Sequence[tuple[int, str]]) -> None:
    """Check that two states that look alike to a player were reached with the same words."""
    sentence = f"player {viewer} is told more by the events than the observation shows"
    equal(_told(twin, viewer), _told(state, viewer), sentence)
    for player, action in node:
        seen = [s.action_seen(viewer, player, action) for s in (twin, state)]
        sentence = f"player {viewer} sees {action} of player {player} in two ways"
        equal(seen[0], seen[1], sentence)
    # at the end all may be shown
    if state.players_to_act() and twin.players_to_act():
        equal(
            twin.to_svg(viewer),
            state.to_svg(viewer),
            f"the picture shows player {viewer} something hidden",
        )
        boards = twin.text_board(viewer), state.text_board(viewer)
        equal(*boards, f"the text board shows player {viewer} something hidden")


def _shared_node(state: State, twin: State, rng: random.Random) -> list[tuple[int, str]]:
    """Draw an action for each player to act that is legal in both; none if there is none."""
    node = []
    for player in state.players_to_act():
        ours, theirs = listed(state, player), listed(twin, player)
        if ours is None or theirs is None:
            return []
        shared = [action for action in ours if action in {*theirs}]
        if not shared:
            return []
        node.append((player, pick(rng, shared)))
    return node


def check_draws_vary(states: Sequence[State], rng: random.Random) -> None:
    """Check that ``sample_state`` draws, in positions at which a node begins.

    Where a drawn position is not the true one there are two that look alike, so many draws
    cannot all be the same.
    """
    for state, player in itertools.product(states, range(states[0].game.num_players)):
        truth, seen = state.observation(None), state.observation(player)
        if seen == truth:
            continue
        drawn = _draws(state.game, seen, player, rng)
        with note_on_error(f"at {truth}"):
            sentence = f"{_DRAWS} states drawn from what player {player} sees are all the same"
            claim(len(drawn) > 1 or drawn == {truth}, sentence, "different ones", [*drawn])


def check_deals_vary(game: Game, rng: random.Random) -> None:
    """Check that ``sample_state`` draws from deals that look alike to a player."""
    for player in range(game.num_players):
        known: dict[str, str] = {}
        for seed in range(_DEALS):
            state = game.new_initial_state(game.setup(seed))
            seen, truth = state.observation(player), state.observation(None)
            if known.setdefault(seen, truth) != truth:
                drawn = _draws(game, seen, player, rng)
                sentence = f"states drawn from what player {player} sees in two deals are the same"
                with note_on_error(f"at {truth}"):
                    claim(len(drawn) > 1, sentence, "different ones", [*drawn])
                break


def _draws(game: Game, seen: str, player: int, rng: random.Random) -> set[str]:
    return {game.sample_state(seen, player, rng).observation(None) for _ in range(_DRAWS)}
