"""What each viewer of a match holds of it: all that the rules show them, and nothing else."""

from __future__ import annotations

import json
import random
from types import SimpleNamespace
from typing import Any, cast

import pytest

from arena.match.course import Course
from arena.match.opening import deal_from
from arena.serve.sights import WATCH, Sight, StepsWriter
from engines import WATCHER, State, load_game

GAMES = ["the_tree", "the_tree(players=3)", "build_your_arboretum", "leaves", "connect_four"]
NAMES = ["oak", "elm", "fir"]


class Watched:
    """A match at random, with what its process writes taken by a value for each viewer."""

    def __init__(self, text: str, seed: int, people: list[int]) -> None:
        self.game = load_game(text)
        self.rng = random.Random(seed)
        self.lines: list[dict[str, Any]] = []
        viewers = (*people, WATCH)
        self.sights = {n: Sight(self.game, n, min(people) if n == WATCH else n) for n in viewers}
        deal = deal_from(self.game, seed)
        (self.state,) = deal.states
        self.actions: list[tuple[int, str | None]] = []
        self.writer = StepsWriter(deal, people, self._take)

    def _take(self, line: str) -> None:
        self.lines.append(json.loads(line))
        for viewer, step in self.lines[-1].items():
            self.sights[int(viewer)].add(*step)

    def node(self) -> tuple[list[tuple[int, str]], list[State]]:
        """Play one node; return its actions, and the state after each."""
        acts, states = [], []
        for player in self.state.players_to_act():
            acts.append((player, self.state.sample_action(player, self.rng)))
            self.state = self.state.apply_action(*acts[-1])
            states.append(self.state)
        self.actions += acts
        self.writer.look(cast(Course, SimpleNamespace(actions=self.actions)))
        return acts, states


@pytest.mark.parametrize("text", GAMES)
def test_every_viewer_sees_the_present_as_the_rules_show_it(text: str) -> None:
    """The board is the true one through the viewer's eyes; events and actions are theirs alone."""
    match = Watched(text, 5, [0, 1])
    while not match.state.is_terminal():
        acts, states = match.node()
        after = states[-1]
        for viewer, sight in match.sights.items():
            eyes = WATCHER if viewer == WATCH else viewer
            last = len(sight.steps) - 1
            seen = [(p, a if viewer == WATCH else after.action_seen(viewer, p, a)) for p, a in acts]
            assert sight.draw(last, NAMES) == after.draw(eyes, names=NAMES, last=seen[-1])
            events = [e.text for s in states for e in s.events() if e.player in (None, viewer)]
            assert match.lines[-1][str(viewer)][1:] == [[list(act) for act in seen], events]
    for sight in match.sights.values():
        assert len(sight.steps) == len(match.lines) > 5


def test_a_hand_is_in_no_line_for_others() -> None:
    """The tiles that a player of The Tree holds or draws reach that player's lines alone."""
    match = Watched("the_tree", 3, [0, 1])
    while not match.state.is_terminal():
        hands = match.state.observation(None).split(" ")[1].split("/")
        for viewer in (0, 1):
            hidden = set(hands[1 - viewer].split(","))
            observation, _, events = match.lines[-1][str(viewer)]
            shown = observation.split(" ")[1].split("/")
            assert set(shown[viewer].split(",")) == set(hands[viewer].split(","))
            assert not hidden & set(shown[1 - viewer].split(","))
            drawn = {e.split(" ")[1] for e in events if e.startswith("drew ")}
            assert not hidden & drawn
        assert not [e for e in match.lines[-1][str(WATCH)][2] if e.startswith(("drew ", "hand "))]
        match.node()


def test_a_bid_is_in_no_line_before_both_are_made() -> None:
    """Of a node where both decide at once, nothing is written before it is over."""
    match = Watched("build_your_arboretum", 4, [0, 1])
    match.node()  # who starts
    before = len(match.lines)
    player = match.state.players_to_act()[0]
    bid = match.state.sample_action(player, match.rng)
    assert bid.startswith("bid:")
    match.writer.look(cast(Course, SimpleNamespace(actions=match.actions)))
    assert len(match.lines) == before
    acts, _ = match.node()
    assert [tuple(act) for act in match.lines[-1][str(WATCH)][1]] == acts


def test_answer_to_step_before_is_not_drawn() -> None:
    """The step after an answer may be known before the answer is: the picture is the step's."""
    match = Watched("build_your_arboretum", 4, [0, 1])
    acts, _ = match.node()  # who starts
    for player, action in acts:
        sight = match.sights[player]
        assert sight.draw(-1, NAMES, answered=action) == sight.draw(-1, NAMES)


def test_a_player_who_leaves() -> None:
    """A drop is a step like any other."""
    match = Watched("connect_four", 1, [0])
    match.actions.append((1, None))
    match.writer.look(cast(Course, SimpleNamespace(actions=match.actions)))
    assert match.sights[0].steps[-1].actions == ((1, None),)
    assert match.sights[0].steps[-1].said == ("leaves the match",)
    assert match.sights[0].state is not None
    assert match.sights[0].state.is_terminal()
