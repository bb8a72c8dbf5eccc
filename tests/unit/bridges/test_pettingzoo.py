"""Our games as environments of PettingZoo, by PettingZoo's own tests; and an environment as a game.

They are skipped without the extra ``pettingzoo``, which a user need not have.
"""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, ClassVar

import pytest

import engines
from engines.core.conformance import check_game

pytest.importorskip("pettingzoo", reason="the extra pettingzoo is not installed")

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.test import api_test, parallel_api_test, render_test, seed_test

from arena.bridges.pettingzoo import env, game_of, parallel_env

GAMES = ("connect_four", "leaves", "treeblox", "the_tree", "arborius", "build_your_arboretum")


@pytest.fixture(autouse=True)
def _their_warnings() -> Iterator[None]:
    """Let PettingZoo say what it would rather see: its own games with a mask are told as much."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@pytest.mark.parametrize("game", GAMES)
def test_pettingzoo_finds_nothing(game: str) -> None:
    """PettingZoo's own tests of the interface, of seeds and of pictures pass."""
    api_test(env(game), num_cycles=100)
    seed_test(partial(env, game), num_cycles=50)
    render_test(partial(env, game))
    parallel_api_test(parallel_env(game), num_cycles=100)


def test_an_episode_is_the_game_of_the_arena() -> None:
    """A seed deals the arena's deal; numbers are places among the legal actions; who wins has 1."""
    played = env("connect_four")
    played.reset(seed=5)
    state = engines.load_game("connect_four").new_initial_state()
    for column in (0, 1, 0, 1, 0, 1, 0):  # four in column a
        seen = played.observe(played.agent_selection)
        player = state.players_to_act()[0]
        assert seen["text"] == state.observation(player)
        assert seen["observation"].tolist() == list(state.features(player))
        assert seen["action_mask"].tolist() == [1] * 7
        played.step(column)
        state = state.apply_action(player, state.legal_actions(player)[column])
    assert played.terminations == {"player_0": True, "player_1": True}
    assert played.rewards == {"player_0": 1.0, "player_1": -1.0}


def test_names_are_numbers_that_never_change() -> None:
    """With ``named`` an action has the number of its name, whatever else is legal."""
    game = engines.load_game("leaves")
    names = game.action_names()
    assert names is not None
    played = env("leaves", named=True)
    played.reset(seed=1)
    mask = played.observe("player_0")["action_mask"]
    legal = game.new_initial_state(game.setup(1)).legal_actions(0)
    assert {names[n] for n in np.flatnonzero(mask)} == set(legal)


def test_more_actions_than_numbers_are_said() -> None:
    """Above the bound the first ones can be played, and ``infos`` says that there are more."""
    played = env("connect_four", max_actions=3)
    played.reset()
    assert played.infos["player_0"] == {"partial": True}
    assert played.observe("player_0")["action_mask"].tolist() == [1, 1, 1]
    played = env("connect_four")
    played.reset()
    assert played.infos["player_0"] == {"partial": False}


@pytest.mark.parametrize("parallel", [False, True])
def test_an_illegal_action_ends_the_episode(parallel: bool) -> None:
    """Who chooses an action whose mask is 0 gets -1 and the others 0."""
    setup = {"setup": engines.load_game("connect_four").setup(0)}
    if parallel:
        both = parallel_env("connect_four", max_actions=9)
        both.reset(options=setup)
        _, rewards, ended, _, _ = both.step({"player_0": 8, "player_1": 0})
        assert both.agents == []
    else:
        played = env("connect_four", max_actions=9)
        played.reset(options=setup)
        played.step(8)
        rewards, ended = played.rewards, played.terminations
    assert rewards == {"player_0": -1.0, "player_1": 0.0}
    assert ended == {"player_0": True, "player_1": True}


def test_who_owes_an_action_with_others_acts_at_once() -> None:
    """At a simultaneous node the mask of each is open, and both answers count in one step."""
    both = parallel_env("build_your_arboretum")
    seen, _ = both.reset(seed=3)
    for _ in range(40):
        owed = [agent for agent, what in seen.items() if what["action_mask"].any()]
        assert owed
        chosen = {agent: int(what["action_mask"].argmax()) for agent, what in seen.items()}
        seen, rewards, ended, _, _ = both.step(chosen)
        if len(owed) == 2:
            break
    else:
        pytest.fail("nobody owed an action with another in 40 steps")
    assert not any(ended.values())
    assert set(rewards.values()) == {0.0}


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"named": True}, "names no actions"),
        ({"max_actions": 0}, "max_actions"),
        ({"render_mode": "rgb"}, "human, ansi, svg"),
    ],
)
def test_invalid_options_are_refused(options: dict[str, Any], words: str) -> None:
    """Options that an environment cannot have are a ``ValueError`` with the reason."""
    with pytest.raises(ValueError, match=words):
        env("arborius", **options)


# environments as games


class Nim(AECEnv[str, Any, int]):  # type: ignore[misc]
    """Take one or two of five stones; who takes the last has won."""

    metadata: ClassVar = {"name": "nim"}
    render_mode = None
    begin = 5

    def __init__(self, agents: int = 2) -> None:
        self.possible_agents = [f"player_{n}" for n in range(agents)]

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return spaces.Discrete(10)

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return spaces.Discrete(2)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.agents = self.possible_agents[:]
        self.left = self.begin
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self.seed = seed or 0

    def observe(self, agent: str) -> dict[str, Any]:
        mask = np.array([1, self.left > 1], np.int8)
        return {"observation": self.left, "action_mask": mask}

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        self.left -= self.taken(action)
        if self.left <= 0:
            self.rewards = {other: 1.0 if other == agent else -1.0 for other in self.agents}
            self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.agents[1 - self.agents.index(agent)]

    def taken(self, action: int) -> int:
        return int(action) + 1


class Hiding(Nim):
    """What a seed decides is seen only when somebody takes two."""

    def taken(self, action: int) -> int:
        return int(action) + 1 + (self.seed % 2 and action == 1)


class Dealt(Nim):
    """Each player sees a card of its own."""

    def observe(self, agent: str) -> dict[str, Any]:
        cards = random.Random(self.seed).sample(range(6), 2)
        return {**super().observe(agent), "card": cards[agent == "player_1"]}


class Rolling(Hiding):
    """The start shows a part of what the seed decides."""

    def observe(self, agent: str) -> dict[str, Any]:
        return {**super().observe(agent), "begun": self.seed % 9}


class Locked(Nim):
    def __init__(self) -> None:
        super().__init__()
        self.file = open(__file__)  # noqa: SIM115  # what cannot be copied

    def __del__(self) -> None:
        self.file.close()


class Large(Nim):
    def action_space(self, agent: str) -> spaces.Space[Any]:
        return spaces.Box(0, 1, (3,))


@pytest.fixture
def nim(install: Callable[..., None]) -> None:
    """Install Nim as a package with an entry point brings it."""
    module = (
        "from arena.bridges.pettingzoo import game_of\n"
        f"from {__name__} import Nim\n"
        'GAME = game_of(Nim, "zoo_nim", "Nim of a zoo")\n'
    )
    install("zoo-games", "zoo_nim = zoo_games:GAME", zoo_games=module)


@pytest.mark.usefixtures("nim")
def test_an_environment_is_a_game() -> None:
    """It keeps what every game promises; five stones, one at a time, are won by the first."""
    check_game("zoo_nim", seeds=range(2), plies=30)
    state = engines.load_game("zoo_nim").new_initial_state("7 0,0,0,0")
    assert (state.players_to_act(), state.legal_actions(0)) == ((0,), ("0",))
    state = state.apply_action(0, "0")
    assert (state.scores(), state.ranks()) == ((1.0, -1.0), (1, 2))
    with pytest.raises(engines.BadSetup, match="action 1"):
        state.game.new_initial_state("7 0,0,0,0,1")


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (partial(Nim, 3), "3 agents"),
        (Large, "not numbers"),
        (Locked, "cannot be copied"),
        (Hiding, "hides things"),
        (Dealt, "hides things"),
        (Rolling, "hides things"),
    ],
)
def test_unsuitable_environment_is_refused(make: Any, words: str) -> None:
    """An environment that can be no game is a ``ValueError`` with the reason."""
    with pytest.raises(ValueError, match=f"x can be no game of the arena: .*{words}"):
        game_of(make, "x")
