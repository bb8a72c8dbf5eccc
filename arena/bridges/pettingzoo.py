"""The games of ``engines`` as environments of PettingZoo, and such environments as games.

An action is a number below ``max_actions``: the place of the action in ``State.legal_actions``, so
that its meaning changes with the position. With ``named=True`` it is the place in
``Game.action_names``, which never changes; Connect Four, Leaves and Treeblox have such names.

An observation is a dictionary: ``observation`` (the game's ``State.features``, float32; of a game
without features the text's bytes with zeros behind them), ``text`` (``State.observation``) and
``action_mask`` (1: legal; all 0 for who owes no action). ``infos[agent]["partial"]`` says that
more actions are legal than there are numbers; the first ones can then be played. Rewards are 0
until the end, then ``State.returns``. An action whose mask is 0 ends the episode: -1 for who chose
it and 0 for the others, as PettingZoo's ``TerminateIllegalWrapper`` has it.

``reset(seed=…)`` deals what the seed deals in the arena; ``options={"setup": TEXT}`` takes a
setup instead. A deal in which nobody can act is passed over.

The other way, ``game_of`` makes a game of an environment for one or two agents that hides nothing,
draws nothing after ``reset`` and can be copied. What it returns is the ``GAME`` of a plug-in.
"""

from __future__ import annotations

import copy
import random
import sys
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import engines
from engines import BadSetup, Game, IllegalAction, State
from engines.core.base import NO_DROPS, Drops, ValueState, joined, numbers, quoted
from engines.core.interface import GameType, View

try:
    import numpy as np
    from gymnasium import spaces
    from pettingzoo import AECEnv, ParallelEnv
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper
except ImportError as error:
    lack = "arena.bridges.pettingzoo needs PettingZoo: pip install 'tree-arena[pettingzoo]'"
    lack += " (in a checkout '.[pettingzoo]')"
    raise ImportError(lack) from error

HOW = "; arena help add-a-game-with-secrets shows how to write such a game"
MOST = {  # legal actions at a time, so that nearly all positions of random games fit
    "connect_four": 7,
    "leaves": 512,
    "treeblox": 256,
    "the_tree": 128,
    "arborius": 512,
    "build_your_arboretum": 4096,
}
MOST_OF_OTHERS = 1024
WIDTH = 4096  # characters of an observation; the longest seen of our games has 750
PRINTABLE = "".join(map(chr, range(32, 127)))

Observation = dict[str, Any]


def env(
    game: str | Game,
    *,
    max_actions: int | None = None,
    named: bool = False,
    render_mode: str | None = None,
) -> AECEnv[str, Observation, int | None]:
    """Return a game as an environment in which agents act one after another.

    Args:
        game: the game, e.g. ``"leaves(tree=plus)"``.
        max_actions: how many numbers an action has. By default as many as nearly all positions of
            random games need; with ``named`` all names.
        named: actions are places in ``Game.action_names``.
        render_mode: ``human`` prints the board, ``ansi`` returns it, ``svg`` returns a picture.

    Raises:
        engines.EngineError: there is no such game.
        ValueError: the game names no actions, or ``max_actions`` or ``render_mode`` is impossible.
    """
    return OrderEnforcingWrapper(InTurn(game, max_actions, named, render_mode))


def parallel_env(
    game: str | Game,
    *,
    max_actions: int | None = None,
    named: bool = False,
    render_mode: str | None = None,
) -> ParallelEnv[str, Observation, int]:
    """Return a game as an environment in which all agents act at each step; see ``env``.

    What an agent that owes no action answers counts for nothing.
    """
    return AtOnce(game, max_actions, named, render_mode)


class _OneGame:
    """What both kinds of environments share: the position, its spaces, how it looks."""

    def __init__(
        self, game: str | Game, max_actions: int | None, named: bool, render_mode: str | None
    ) -> None:
        self.game = engines.load_game(game) if isinstance(game, str) else game
        self.metadata: dict[str, Any] = {
            "name": f"{self.game.name}_v{self.game.rules_version}",
            "render_modes": ["human", "ansi", "svg"],
            "is_parallelizable": False,
        }
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"render_mode={render_mode!r}: expected human, ansi, svg or None")
        names = self.game.action_names() if named else None
        if named and names is None:
            raise ValueError(f"{self.game} names no actions: leave named=True out")
        most = MOST.get(self.game.name, MOST_OF_OTHERS) if names is None else len(names)
        if max_actions is not None and (named or max_actions < 1):
            raise ValueError("max_actions: expected 1 or more, and not together with named=True")
        self.render_mode = render_mode
        self.possible_agents = [f"player_{n}" for n in range(self.game.num_players)]
        self._numbers = None if names is None else {name: n for n, name in enumerate(names)}
        self._most = most if max_actions is None else max_actions
        if self.game.num_features:
            seen = spaces.Box(-np.inf, np.inf, (self.game.num_features,), np.float32)
        else:
            seen = spaces.Box(0, 255, (WIDTH,), np.uint8)
        self._spaces = {
            agent: spaces.Dict(
                {
                    "observation": seen,
                    "text": spaces.Text(WIDTH, charset=PRINTABLE),
                    "action_mask": spaces.Box(0, 1, (self._most,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self._actions = {agent: spaces.Discrete(self._most) for agent in self.possible_agents}
        self.position: State = self.game.new_initial_state()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self._spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self._actions[agent]

    def deal(self, seed: int | None, options: Mapping[str, Any] | None) -> None:
        """Begin with the deal of a seed, or one of the next where nobody can act in it."""
        setup = (options or {}).get("setup")
        number = random.SystemRandom().getrandbits(62) if seed is None else seed
        while True:
            deal = self.game.setup(number) if setup is None else setup
            self.position = self.game.new_initial_state(deal)
            if self.position.players_to_act():
                return
            if setup is not None or self.game.type.chance == "deterministic":
                raise ValueError(f"nobody can act in the setup {deal!r}")
            number += 1

    def words(self, agent: str) -> Mapping[int, str]:
        """Return what an agent's numbers stand for now: the actions that it can play."""
        legal = self.position.legal_actions(self.possible_agents.index(agent))
        if self._numbers is None:
            return dict(enumerate(legal[: self._most]))
        return {self._numbers[action]: action for action in legal}

    def info(self, agent: str) -> dict[str, Any]:
        count = self.position.count_legal(self.possible_agents.index(agent))
        return {"partial": count > self._most}

    def observe(self, agent: str) -> Observation:
        """Return what an agent may know of the position."""
        player = self.possible_agents.index(agent)
        text = self.position.observation(player)
        if len(text) > WIDTH:
            raise ValueError(f"an observation of {self.game} has {len(text)} of {WIDTH} characters")
        if self.game.num_features:
            seen = np.array(self.position.features(player), np.float32)
        else:
            seen = np.zeros(WIDTH, np.uint8)
            seen[: len(text)] = np.frombuffer(text.encode("ascii"), np.uint8)
        mask = np.zeros(self._most, np.int8)
        mask[list(self.words(agent))] = 1
        return {"observation": seen, "text": text, "action_mask": mask}

    def act(self, agent: str, number: int) -> bool:
        """Play an agent's action; return whether it was one that it could play."""
        action = self.words(agent).get(int(number))
        if action is None:
            return False
        player = self.possible_agents.index(agent)
        self.position = self.position.apply_action(player, action)
        return True

    def rewards_now(self) -> dict[str, float]:
        """Return what each agent is given for the position: nothing before the end."""
        over = self.position.is_terminal()
        returns = self.position.returns() if over else (0.0,) * self.game.num_players
        return dict(zip(self.possible_agents, returns, strict=True))

    def rewards_of_illegal(self, agent: str) -> dict[str, float]:
        return {other: -1.0 if other == agent else 0.0 for other in self.possible_agents}

    def render(self) -> str | None:
        """Draw the whole truth; with ``human`` it is printed."""
        if self.render_mode == "svg":
            return self.position.to_svg()
        if self.render_mode == "human":
            sys.stdout.write(f"{self.position}\n")
        return str(self.position) if self.render_mode == "ansi" else None


class InTurn(_OneGame, AECEnv[str, Observation, "int | None"]):
    """A game in which one agent acts at a time; who owes an action with others acts in order."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.deal(seed, options)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._turn()

    def _turn(self) -> None:
        """Select the first agent that owes an action, or player_0 when the game is over."""
        self.infos = {agent: self.info(agent) for agent in self.agents}
        owed = self.position.players_to_act() or (0,)
        self.agent_selection = self.possible_agents[owed[0]]

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        legal = action is not None and self.act(agent, action)
        self.rewards = self.rewards_now() if legal else self.rewards_of_illegal(agent)
        if not legal or self.position.is_terminal():
            self.terminations = dict.fromkeys(self.agents, True)
        self._turn()
        self._accumulate_rewards()


class AtOnce(_OneGame, ParallelEnv[str, Observation, int]):
    """A game in which every agent answers at each step, and those who owe an action play."""

    agents: list[str]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        self.deal(seed, options)
        self.agents = self.possible_agents[:]
        return self._seen()

    def _seen(self) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        agents = self.possible_agents
        return {a: self.observe(a) for a in agents}, {a: self.info(a) for a in agents}

    def step(
        self, actions: dict[str, int]
    ) -> tuple[
        dict[str, Observation],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        rewards, over = None, False
        for player in self.position.players_to_act():
            agent = self.possible_agents[player]
            if not self.act(agent, actions[agent]):
                rewards, over = self.rewards_of_illegal(agent), True
                break
        observations, infos = self._seen()
        rewards = self.rewards_now() if rewards is None else rewards
        over = over or self.position.is_terminal()
        if over:
            self.agents = []
        ended = dict.fromkeys(self.possible_agents, over)
        return observations, rewards, ended, dict.fromkeys(self.possible_agents, False), infos


Environment: TypeAlias = Any  # an AECEnv; PettingZoo ships no types
Position = tuple[int, tuple[int, ...]]  # the seed of ``reset``, and the actions since then

TRIED = 24  # actions of each of the games by which an environment is tried
STORIES = 4  # of these games
STARTS = range(50)  # seeds whose starts are compared


def game_of(make: Callable[[], Environment], name: str, title: str = "") -> type[Game]:
    """Return the class of a game that plays copies of an environment.

    A setup is the seed of ``reset`` and the numbers of the actions since then (``17 4,0,8``), and
    everybody sees it. Scores are the sums of the rewards.

    Args:
        make: makes the environment, e.g. ``tictactoe_v3.env``.
        name: what the game is called; the entry point of the plug-in has this name, too.
        title: its name for people.

    Raises:
        ValueError: why the environment can be no game of the arena.
    """
    refused = f"{name} can be no game of the arena: "
    first = make()
    first.reset(seed=0)
    agents = tuple(first.possible_agents)
    if len(agents) > 2:
        raise ValueError(f"{refused}it has {len(agents)} agents, and without one it cannot go on")
    for agent in agents:
        if not isinstance(first.action_space(agent), spaces.Discrete):
            raise ValueError(f"{refused}its actions are {first.action_space(agent)}, not numbers")
    try:
        copy.deepcopy(first)
    except Exception as error:  # whatever a part of it that cannot be copied raises
        raise ValueError(f"{refused}it cannot be copied ({error})") from error
    _try(make, refused)

    words = {"name": name, "title": title or name, "make": staticmethod(make), "agents": agents}
    return type("Copied", (CopiedGame,), words)


def _try(make: Callable[[], Environment], refused: str) -> None:
    """Raise ``ValueError`` if what agents see does not follow from what they saw and did."""
    known: dict[tuple[int, str], str] = {}
    alike: dict[str, list[int]] = {}
    for seed in STARTS:
        (start,) = _story(make, seed, 1)
        whole = repr(start)
        alike.setdefault(whole, []).append(seed)
        for place, own in enumerate(start):
            if known.setdefault((place, repr(own)), whole) != whole:
                raise ValueError(f"{refused}it hides things: one agent sees more{HOW}")
    stories = set[str]()
    for seed in max(alike.values(), key=len)[:STORIES]:
        told, again = (repr(_story(make, seed, TRIED)) for _ in range(2))
        if told != again:
            raise ValueError(f"{refused}one seed and the same actions lead to two games")
        stories.add(told)
    if len(stories) > 1:
        raise ValueError(
            f"{refused}it hides things or draws them later: two seeds look alike at the start and "
            f"go on differently{HOW}"
        )


def _story(make: Callable[[], Environment], seed: int, positions: int) -> list[list[object]]:
    """Play a game by its seed and the same random choices; return what each agent sees in it."""
    played, rng, story = make(), random.Random(1), list[list[object]]()
    played.reset(seed=seed)
    while True:
        story.append([_plain(played.observe(agent)) for agent in played.agents])
        legal = _legal(played)
        if not legal or len(story) == positions:
            return story
        played.step(rng.choice(legal))


def _plain(seen: Any) -> object:
    """Return an observation as lists, which are compared and written whole."""
    if isinstance(seen, Mapping):
        return {key: _plain(value) for key, value in seen.items()}
    return seen.tolist() if isinstance(seen, np.ndarray) else seen


def _legal(played: Environment) -> tuple[int, ...]:
    """Return the numbers that the agent to act can play; () at the end."""
    if not played.agents:
        return ()
    seen, _, ended, cut, info = played.last()
    if ended or cut:
        return ()
    mask = seen.get("action_mask") if isinstance(seen, Mapping) else info.get("action_mask")
    space = played.action_space(played.agent_selection)
    allowed = range(int(space.n)) if mask is None else np.flatnonzero(mask).tolist()
    return tuple(int(number) for number in allowed)


class CopiedGame(Game):
    """What ``game_of`` makes a class below of: the environment, and who acts in it."""

    type = GameType("sequential", "sampled", "perfect", None)
    make: Callable[[], Environment]
    agents: tuple[str, ...]

    def count_players(self) -> int:
        return len(self.agents)

    def __reduce__(self) -> tuple[object, ...]:
        return engines.load_game, (str(self),)  # its class has no place of its own in a module

    def setup(self, seed: int) -> str:
        return str(seed % 10**9)  # every environment takes such a seed

    def read(self, text: str) -> State:
        seed, _, taken = text.partition(" ")
        (first,) = numbers(seed, 1)
        played = self.make()
        played.reset(seed=first)
        state = CopiedState(self, (first, ()), played, (0.0,) * len(self.agents))
        for number in numbers(taken) if taken else ():
            try:
                state = state.after(0, str(number))
            except IllegalAction as error:
                raise BadSetup(f"action {number} of {quoted(text)} is not legal") from error
        if state.seen(None) != text:
            expected = quoted(state.seen(None))
            raise BadSetup(f"expected a seed and actions such as {expected}, found {quoted(text)}")
        return state


class CopiedState(ValueState[Position]):
    """A position of ``game_of``: an environment that nobody but this state has.

    Attributes:
        played: the environment.
        totals: the sums of the rewards so far, one an agent.
    """

    __slots__ = ("played", "totals")

    def __init__(
        self,
        game: Game,
        position: Position,
        played: Environment,
        totals: tuple[float, ...],
        drops: Drops = NO_DROPS,
    ) -> None:
        super().__init__(game, position, drops)
        self.played, self.totals = played, totals

    def players_to_act(self) -> tuple[int, ...]:
        agents = self.played.possible_agents
        return (agents.index(self.played.agent_selection),) if _legal(self.played) else ()

    def legal_actions(self, player: int) -> tuple[str, ...]:
        return tuple(map(str, _legal(self.played)))

    def after(self, player: int, action: str) -> CopiedState:
        legal = tuple(map(str, _legal(self.played)))
        if action not in legal:
            raise IllegalAction(f"expected one of {' '.join(legal[:20])}, found {quoted(action)}")
        played = copy.deepcopy(self.played)
        played.step(int(action))
        given = [float(played.rewards.get(agent, 0.0)) for agent in played.possible_agents]
        totals = tuple(total + reward for total, reward in zip(self.totals, given, strict=True))
        seed, taken = self.position
        position = seed, (*taken, int(action))
        return CopiedState(self.game, position, played, totals, self.drops)

    def without(self, player: int, drops: Drops) -> CopiedState:
        return CopiedState(self.game, self.position, self.played, self.totals, drops)

    def scores(self) -> tuple[float, ...]:
        return self.totals

    def seen(self, player: int | None) -> str:
        seed, taken = self.position
        return f"{seed} {joined(taken)}" if taken else str(seed)

    def text(self, view: View) -> str:
        drawn = self.played.render() if self.played.render_mode == "ansi" else None
        return drawn if isinstance(drawn, str) else super().text(view)
