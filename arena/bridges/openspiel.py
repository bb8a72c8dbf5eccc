"""The games of OpenSpiel as one game of the arena: ``openspiel(game=hex,board_size=5)``.

Every key but ``game`` is a parameter of that game of OpenSpiel. A position is the history of its
actions and chance outcomes, as OpenSpiel numbers them (``HISTORY PENDING``, and ``CHANCE`` where
there is any): ``4,0,8`` in turn, ``2+1`` at once, ``-`` for nothing; ``PENDING`` is what was chosen
of a simultaneous node that others still owe (``0=2``). Chance is drawn during play by a ``Stream``.

What a player of a game with hidden information sees is the history of a state that looks the same
to them. OpenSpiel's ``resample_from_infostate`` draws this state. Its seed depends only on the
information state, so the history gives the player no new information. A search draws more states.

Scores are OpenSpiel's returns. Of three or more players, one who was dropped goes on with the first
legal action, and ranks last.

Sources: OpenSpiel, ``open_spiel/spiel.h``; Lanctot et al., "OpenSpiel: A Framework for
Reinforcement Learning in Games", 2019.
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Mapping
from functools import lru_cache
from hashlib import sha256
from typing import Any, TypeAlias
from urllib.parse import quote

from engines.core.base import NO_DROPS, Drops, fields, natural, quoted
from engines.core.chance import Stream, pick
from engines.core.errors import BadParameter, BadSetup, IllegalAction, near_miss
from engines.core.interface import (
    WATCHER,
    Game,
    GameType,
    Parameter,
    State,
    View,
    check_player,
)

try:
    import pyspiel
except ImportError as error:
    lack = "games of OpenSpiel need it: pip install 'tree-arena[openspiel]'"
    lack += " (in a checkout '.[openspiel]')"
    raise ImportError(lack) from error

Node: TypeAlias = Any  # a pyspiel.State; what is given to a state of ours is never changed

KIND = pyspiel.GameType
FAILED = (pyspiel.SpielError, RuntimeError, ValueError, TypeError)  # what OpenSpiel raises
IN_WORDS = "()+=#,./:-"  # of an action, besides letters and digits; the rest is written %20
PARTS = 1 << 53  # chance outcomes are drawn to one part in so many


def game_names() -> tuple[str, ...]:
    """Return the games of OpenSpiel that can be loaded without parameters, sorted."""
    return tuple(sorted(t.short_name for t in pyspiel.registered_games() if t.default_loadable))


class OpenSpiel(Game):
    """One game of OpenSpiel."""

    name = "openspiel"
    title = "OpenSpiel"
    PARAMETERS = (GAME := Parameter("game", None, "its name in OpenSpiel", "hex"),)

    def __init__(self, parameters: Mapping[str, str] | None = None) -> None:
        given = dict(parameters or {})
        kind = _kind(given.get("game", "hex"))
        known = kind.parameter_specification
        theirs = [
            Parameter(k, None, f"of {kind.short_name}", _default(known[k])) for k in sorted(known)
        ]
        self.__dict__["PARAMETERS"] = (self.GAME, *theirs)  # which follow from the game's name
        self.theirs = _load(kind, given)
        super().__init__(given)

    def count_players(self) -> int:
        return int(self.theirs.num_players())

    def check_parameters(self) -> None:
        kind = self.theirs.get_type()
        called = f"openspiel(game={kind.short_name})"
        if kind.dynamics == KIND.Dynamics.MEAN_FIELD:
            raise BadParameter(f"{called} is played by a population, not by players in turn")
        if kind.chance_mode == KIND.ChanceMode.SAMPLED_STOCHASTIC:
            raise BadParameter(f"{called} draws its chance itself, so no match can be replayed")
        self.at_once = kind.dynamics == KIND.Dynamics.SIMULTANEOUS
        self.chance = kind.chance_mode != KIND.ChanceMode.DETERMINISTIC
        self.hides = kind.information == KIND.Information.IMPERFECT_INFORMATION
        if self.hides and not self._resamples():
            raise BadParameter(
                f"{called} hides things, and OpenSpiel has no resample_from_infostate for it, "
                "so nobody could search in it"
            )
        open_ = not (self.hides or self.chance or self.at_once)
        longest = self.theirs.max_game_length() * (self.num_players if self.at_once else 1)
        self.type = GameType(
            "simultaneous" if self.at_once else "sequential",
            "sampled" if self.chance else "deterministic",
            "perfect" if open_ else "imperfect",
            longest if longest > 0 else None,
        )

    def _resamples(self) -> bool:
        """Return whether OpenSpiel can draw what is hidden from players of this game."""
        node, _ = _settled(self, self.theirs.new_initial_state(), Stream.of(0), NO_DROPS)
        try:
            node.resample_from_infostate(max(node.current_player(), 0), random.Random(0).random)
        except FAILED:
            return False
        return True

    def setup(self, seed: int) -> str:
        stream = Stream.of(random.Random(seed).getrandbits(64))
        node, stream = _settled(self, self.theirs.new_initial_state(), stream, NO_DROPS)
        return SpielState(self, node, (), stream, NO_DROPS).observation(None)

    def read_left(self, text: str, drops: Drops) -> State:
        wanted = "HISTORY PENDING CHANCE" if self.chance else "HISTORY PENDING"
        history, owed, *chance = fields(text, len(wanted.split()), wanted)
        stream = Stream.read(chance[0]) if chance else Stream.of(0)
        node = self.theirs.new_initial_state()
        for step in history.split(",") if history != "-" else ():
            try:
                _replay(node, [int(number) for number in step.split("+")])
            except FAILED as error:
                raise BadSetup(f"{quoted(step)} of the history is not legal") from error
        pending = tuple(sorted(map(_choice, owed.split(",")))) if owed != "-" else ()
        for player, action in pending:
            if not node.is_simultaneous_node() or action not in node.legal_actions(player):
                raise BadSetup(f"{player}={action} is no choice that a player can have made")
        node, settled = _settled(self, node, stream, drops)
        state = SpielState(self, node, pending, settled, drops)
        waits = state.players_to_act() or _alone(self, drops)
        if len(dict(pending)) < len(pending) or (pending and not waits):
            raise BadSetup("PENDING: some who are to act have chosen, each once, and not all")
        if settled != stream or state.seen(None) != text:
            raise BadSetup(f"expected a position such as {quoted(state.seen(None))}")
        return state

    def sample_state(self, observation: str, player: int, rng: random.Random) -> State:
        """Draw a state that looks the same to the player, as OpenSpiel draws it.

        Of a simultaneous node, who has chosen is not known: nobody else has.
        """
        self.check_viewer(player)
        text = observation.replace("?", Stream.other(rng)) if self.chance else observation
        state = self.new_initial_state(text)
        assert isinstance(state, SpielState)
        drawn = state.resampled(player, rng) if self.hides else state
        if drawn.observation(player) != observation:
            raise BadSetup(f"no position looks like this to player {player}")
        return drawn


def _kind(short: str) -> Any:
    """Return what OpenSpiel says of a game; raises ``BadParameter``."""
    names = game_names()
    if short not in names:
        raise BadParameter(
            f"OpenSpiel has no game {quoted(short)} that can be loaded by its name"
            + near_miss(short, names)
        )
    return next(kind for kind in pyspiel.registered_games() if kind.short_name == short)


def _default(default: object) -> str:
    """Write a default of OpenSpiel as a value of the arena."""
    return str(default).lower() if isinstance(default, bool) else str(default) or "-"


def _load(kind: Any, given: Mapping[str, str]) -> Any:
    """Return a game of OpenSpiel; raises ``BadParameter``. Unknown keys are not looked at."""
    known = kind.parameter_specification
    read = {
        key: _value(f"{key}={text}", text, known[key])
        for key, text in given.items()
        if key in known
    }
    try:
        return pyspiel.load_game(kind.short_name, read)
    except FAILED as error:
        raise BadParameter(f"OpenSpiel: {' '.join(str(error).split())}") from error


def _value(shown: str, text: str, default: object) -> object:
    """Read a parameter's value as the kind that its default has; raises ``BadParameter``."""
    words = {"true": True, "false": False}
    kind = type(default)
    try:
        if kind is bool:
            return words[text.lower()]
        return kind(text) if kind in (int, float) else text
    except (KeyError, ValueError) as error:
        expected = "true or false" if kind is bool else "a number"
        raise BadParameter(f"{shown}: expected {expected}") from error


def _replay(node: Node, step: list[int]) -> None:
    """Play one step of a history; raises one of ``FAILED`` if it is not legal."""
    if node.is_terminal():
        raise ValueError("the game is over")
    if node.is_simultaneous_node():
        if len(step) != node.num_players():
            raise ValueError("an action for each player is expected")
        for player, action in enumerate(step):
            if action not in (node.legal_actions(player) or [0]):
                raise ValueError("this is not legal")
        node.apply_actions(step)
    else:
        (action,) = step
        if action not in node.legal_actions():
            raise ValueError("this is not legal")
        node.apply_action(action)


def _choice(text: str) -> tuple[int, int]:
    player, _, action = text.partition("=")
    chosen = natural(player), natural(action)
    if chosen[0] is None or chosen[1] is None:
        raise BadSetup(f"expected PLAYER=ACTION, found {quoted(text)}")
    return chosen[0], chosen[1]


def _settled(game: OpenSpiel, node: Node, stream: Stream, drops: Drops) -> tuple[Node, Stream]:
    """Draw chance, and play for who was dropped, until somebody is to act; changes ``node``."""
    while not node.is_terminal() and not _alone(game, drops):
        if node.is_chance_node():
            stream = _drawn(node, stream)
        elif node.is_simultaneous_node():
            owed = [p for p in range(game.num_players) if node.legal_actions(p)]
            if any(not drops.has(player) for player in owed):
                break
            node.apply_actions([_first(node, p) for p in range(game.num_players)])
        elif drops.has(node.current_player()):
            node.apply_action(node.legal_actions()[0])
        else:
            break
    return node, stream


def _alone(game: OpenSpiel, drops: Drops) -> bool:
    """Return whether too few are left to go on."""
    return bool(drops.groups) and game.num_players - drops.total() < min(game.num_players, 2)


def _drawn(node: Node, stream: Stream) -> Stream:
    """Apply a random outcome to the chance node ``node``; return the stream for later draws."""
    number, stream = stream.draw(PARTS)
    part = number / PARTS
    for outcome, chance in node.chance_outcomes():
        drawn = outcome  # at last the last one, where what they add up to is not quite 1
        part -= chance
        if part < 0:
            break
    node.apply_action(drawn)
    return stream


def _first(node: Node, player: int) -> int:
    """Return a player's first action, or what OpenSpiel takes from who owes none."""
    legal = node.legal_actions(player)
    return int(legal[0]) if legal else 0


class SpielState(State):
    """A position: a state of OpenSpiel that nobody changes, and what the arena adds to it.

    Attributes:
        node: the state of OpenSpiel; no chance node.
        pending: who has chosen what at a simultaneous node, ascending.
        stream: the chance to come.
    """

    __slots__ = ("_names", "drops", "game", "node", "pending", "stream")

    game: OpenSpiel

    def __init__(
        self,
        game: OpenSpiel,
        node: Node,
        pending: tuple[tuple[int, int], ...],
        stream: Stream,
        drops: Drops,
    ) -> None:
        self.game, self.node, self.pending = game, node, pending
        self.stream, self.drops = stream, drops
        self._names: dict[int, dict[str, int]] = {}

    def key(self) -> Hashable:
        return self._history(), self.pending, self.stream, self.drops

    def _history(self) -> str:
        """Return the history as text: one number a step, several where several acted at once."""
        if not self.game.at_once:
            return ",".join(map(str, self.node.history())) or "-"
        steps: list[list[int]] = []
        for player, action in [(step.player, step.action) for step in self.node.full_history()]:
            if player > 0 and steps and len(steps[-1]) == player:
                steps[-1].append(action)
            else:
                steps.append([action])
        return ",".join("+".join(map(str, step)) for step in steps) or "-"

    def players_to_act(self) -> tuple[int, ...]:
        node, drops, n = self.node, self.drops, self.game.num_players
        if node.is_terminal() or _alone(self.game, drops):
            return ()
        if not node.is_simultaneous_node():
            return (node.current_player(),)
        chosen = dict(self.pending)
        return tuple(
            p for p in range(n) if p not in chosen and not drops.has(p) and node.legal_actions(p)
        )

    def names(self, player: int) -> dict[str, int]:
        """Return a player's legal actions: OpenSpiel's numbers by the words of the arena.

        A word that OpenSpiel gives to several numbers has the number behind it.
        """
        if player not in self._names:
            legal, called = self.node.legal_actions(player), self.node.action_to_string
            words = [_word(called(player, number)) for number in legal]
            names = dict(zip(words, legal, strict=True))
            if len(names) < len(words):
                names = {
                    f"{word}#{number}" if words.count(word) > 1 else word: number
                    for word, number in zip(words, legal, strict=True)
                }
            self._names[player] = names
        return self._names[player]

    def legal_actions(self, player: int) -> tuple[str, ...]:
        return tuple(self.names(player)) if player in self.players_to_act() else ()

    def after(self, player: int, action: str) -> SpielState:
        number = self.names(player).get(action)
        if number is None:
            some = " ".join(list(self.names(player))[:10])
            raise IllegalAction(f"{quoted(action)} is not legal: expected one of {some}")
        if not self.node.is_simultaneous_node():
            return self._next([number], self.drops)
        return self._chosen({**dict(self.pending), player: number}, self.drops)

    def _chosen(self, chosen: Mapping[int, int], drops: Drops) -> SpielState:
        """Go on if nobody owes an action of this node any longer."""
        pending = tuple(sorted(chosen.items()))
        waiting = SpielState(self.game, self.node, pending, self.stream, drops)
        if waiting.players_to_act() or waiting.node.is_terminal():
            return waiting
        n = self.game.num_players
        return self._next([chosen.get(p, _first(self.node, p)) for p in range(n)], drops)

    def _next(self, step: list[int], drops: Drops) -> SpielState:
        node = self.node.clone()
        if len(step) > 1 or node.is_simultaneous_node():
            node.apply_actions(step)
        else:
            node.apply_action(step[0])
        node, stream = _settled(self.game, node, self.stream, drops)
        return SpielState(self.game, node, (), stream, drops)

    def drop_player(self, player: int) -> SpielState:
        """Drop a player; one who is dropped while others still choose has chosen something."""
        check_player(self, player)
        chosen = dict(self.pending)
        here = bool(self.drops.groups) and all(p in chosen for p in self.drops.groups[-1])
        alone = self.game.num_players - self.drops.total() <= 1
        return self.without(player, self.drops.add(player, same_node=alone or here))

    def without(self, player: int, drops: Drops) -> SpielState:
        if _alone(self.game, drops):
            return SpielState(self.game, self.node, self.pending, self.stream, drops)
        if self.node.is_simultaneous_node():
            return self._chosen({player: _first(self.node, player), **dict(self.pending)}, drops)
        node, stream = _settled(self.game, self.node.clone(), self.stream, drops)
        return SpielState(self.game, node, (), stream, drops)

    def scores(self) -> tuple[float, ...]:
        try:
            return tuple(map(float, self.node.returns()))
        except FAILED:  # some games know none before the end
            return (0.0,) * self.game.num_players

    def seen(self, player: int | None) -> str:
        if player is None:
            owed = ",".join(f"{p}={action}" for p, action in self.pending) or "-"
            return self._text(owed, hidden=False)
        own = ",".join(f"{p}={action}" for p, action in self.pending if p == player) or "-"
        if not self.game.hides:
            return self._text(own, hidden=True)
        alike = self.node.information_state_string(player)
        seed = int.from_bytes(sha256(alike.encode()).digest()[:8], "big")
        return self.resampled(player, random.Random(seed))._text(own, hidden=True)

    def _text(self, owed: str, *, hidden: bool) -> str:
        chance = f" {self.stream.text(hidden=hidden)}" if self.game.chance else ""
        return f"{self._history()} {owed}{chance}"

    def resampled(self, player: int, rng: random.Random) -> SpielState:
        """Draw a state that looks the same to a player."""
        if self.node.is_terminal():
            return self
        node = self.node.resample_from_infostate(player, rng.random)
        own = tuple(choice for choice in self.pending if choice[0] == player)
        return SpielState(self.game, node, own, self.stream, self.drops)

    def public(self) -> str:
        return super().public() if self.game.hides else self._text("-", hidden=True)

    def action_seen(self, viewer: int, player: int, action: str) -> str:
        return "?" if self.game.hides and viewer != player else action

    def text(self, view: View) -> str:
        player, shown = view.player, self.node
        if player is not None and self.game.hides:
            assert player is not WATCHER
            kind, node = self.game.theirs.get_type(), self.node
            observes = kind.provides_observation_string
            shown = (node.observation_string if observes else node.information_state_string)(player)
        return str(shown).rstrip() or "(nothing yet)"

    def random_playout(self, rng: random.Random) -> tuple[float, ...]:
        """Play at random on one copy of OpenSpiel's state."""
        if self.pending or self.drops.groups:
            return super().random_playout(rng)
        node, stream = self.node.clone(), self.stream
        while not node.is_terminal():
            if node.is_chance_node():
                stream = _drawn(node, stream)
            elif node.is_simultaneous_node():
                players = range(self.game.num_players)
                node.apply_actions([pick(rng, node.legal_actions(p) or [0]) for p in players])
            else:
                node.apply_action(pick(rng, node.legal_actions()))
        return SpielState(self.game, node, (), self.stream, self.drops).returns()


@lru_cache(maxsize=100_000)
def _word(text: str) -> str:
    """Return what OpenSpiel calls an action, as one token.

    >>> _word("B a1"), _word("f2–f4")
    ('B_a1', 'f2%E2%80%93f4')
    """
    return quote(text.replace(" ", "_"), safe=IN_WORDS) or "-"
