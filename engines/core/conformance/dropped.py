"""What must hold when players leave a game for a fault, one after another."""

from __future__ import annotations

import itertools
import random

from engines.core.chance import shuffled
from engines.core.conformance.positions import check_shape
from engines.core.conformance.report import claim, ends, equal, note_on_error, raises
from engines.core.interface import State


def check_drops(state: State, rng: random.Random) -> None:
    """Check what becomes of a game whose players leave it one after another."""
    n, before = state.game.num_players, state.observation(None)
    for player in (-1, n):
        refused = raises(ValueError, state.drop_player, player)
        claim(refused, f"drop_player({player}): there is no such player", "ValueError", "a state")
    if " drop=" in before:
        return  # the rest is for games in which nobody is missing yet
    check_one_node(state, rng)
    for player in range(n):
        after, gone = state.drop_player(player), [player]
        equal(state.observation(None), before, "drop_player changed the state")
        equal(after != state, True, "a state is the same after a drop")
        _check_dropped(after, gone)
        equal(after.ranks()[player], n, f"the first one dropped ranks last: {after.ranks()}")
        ends(after.observation(None), f" drop={player}", "the drop is not shown last")
        if n > 2:
            after = _played_on(after, gone, rng)
        for other in shuffled(rng, (seat for seat in range(n) if seat != player)):
            after = after.drop_player(other)
            gone.append(other)
            _check_dropped(after, gone)
        equal(after.ranks()[gone[-1]], 1, "with nobody left the last ones share the best place")
        if n > 1 and not state.is_terminal():
            last = [after.ranks()[seat] for seat in gone[-2:]]
            equal(last, [1, 1], f"who is left last shares the place of the one before: {last}")


def check_one_node(state: State, rng: random.Random) -> None:
    """Check that players dropped at one simultaneous node share their place."""
    for one, two in itertools.permutations(state.players_to_act(), 2):
        others = [p for p in state.players_to_act() if p not in (one, two)]
        between = [other for other in others if rng.getrandbits(1)]
        after = state.drop_player(one)
        for other in between:
            if other in after.players_to_act():
                after = after.apply_action(other, after.sample_action(other, rng))
        after = after.drop_player(two)
        places = after.ranks()[one], after.ranks()[two]
        with note_on_error(f"at {after.observation(None)}"):
            sentence = f"players {one} and {two} were dropped at one node, but their ranks are"
            equal(places[1], places[0], f"{sentence} {places}")


def _check_dropped(state: State, gone: list[int]) -> None:
    with note_on_error(f"at {state.observation(None)}"):
        check_shape(state)
        n, ranks = state.game.num_players, state.ranks()
        for player in gone:
            equal(player in state.players_to_act(), False, f"{player} was dropped and still owes")
            refused = raises(ValueError, state.drop_player, player)
            claim(refused, f"{player} was dropped twice", "ValueError", "a state")
            above = all(ranks[p] < ranks[player] for p in range(n) if p not in gone)
            sentence = f"a dropped player ranks below all others: {ranks}"
            claim(above, sentence, f"player {player} below all who stayed", ranks)
        if len(gone) >= n - 1:
            equal(state.is_terminal(), True, "the game goes on with one player left")
        for viewer in range(n):
            mark = " " + state.observation(None).split(" ")[-1]
            sentence = "the last field of an observation says who was dropped"
            claim(mark.startswith(" drop="), sentence, " drop=...", mark)
            ends(state.observation(viewer), mark, f"{viewer} cannot see who was dropped")


def _played_on(state: State, gone: list[int], rng: random.Random) -> State:
    """Play a few random actions without the dropped player."""
    for _ in range(2 * state.game.num_players):
        players = state.players_to_act()
        if not players:
            break
        state = state.apply_action(players[0], state.sample_action(players[0], rng))
        _check_dropped(state, gone)
    return state
