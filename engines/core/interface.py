"""What every engine promises: a ``Game`` (rules with their parameters fixed) and its ``State``s.

The words and their meaning are those of docs/rules/conventions.md. A new game is one module in
``engines/`` that ends in ``GAME = TheGameClass``; the registry finds it by its file name.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from engines.core.chance import pick
from engines.core.errors import BadParameter, BadSetup, IllegalAction, near_miss
from engines.core.text import natural, number_text
from engines.core.typed import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import random
    from typing import ClassVar, Literal


class GameType(NamedTuple):
    """Facts about a game with its parameters fixed, in the words of OpenSpiel.

    Attributes:
        dynamics: ``simultaneous`` if several players owe an action in any position.
        chance: ``sampled`` if the setup depends on the seed.
        information: ``imperfect`` if anything is hidden from any player in any position.
        max_game_length: the most actions of a game from the setup of any seed, those of all
            players together; ``None`` if no bound is known.
    """

    dynamics: Literal["sequential", "simultaneous"]
    chance: Literal["deterministic", "sampled"]
    information: Literal["perfect", "imperfect"]
    max_game_length: int | None


SHOWN = 100  # characters of a position's short form

# of a game that does not state its type: nothing is taken for granted
UNSTATED = GameType("simultaneous", "sampled", "imperfect", None)


class Event(NamedTuple):
    """One line that became known: to ``player`` alone, or to everyone if that is ``None``."""

    player: int | None
    text: str


class Parameter(NamedTuple):
    """One parameter of a game: its name, its values (the default first), what it means.

    ``values`` lists the words allowed, or is a ``range`` of whole numbers (``default`` then says
    which one is meant when it is left out), or ``None`` for any token, which the game checks.
    """

    name: str
    values: tuple[str, ...] | range | None
    meaning: str
    default: str | int | None = None

    def default_value(self) -> str | int:
        """Return the value that is meant when the parameter is left out."""
        if self.default is not None:
            return self.default
        assert self.values, f"parameter {self.name} needs a default"
        return self.values[0]

    def parse(self, text: str) -> str | int:
        """Read a value; raises ``BadParameter`` with the allowed values and a near miss."""
        if isinstance(self.values, range):
            value = natural(text)
            if value is None or value not in self.values:
                raise BadParameter(
                    f"{self.name}={text}: expected a whole number from "
                    f"{self.values[0]} to {self.values[-1]}"
                )
            return value
        if self.values is not None and text not in self.values:
            raise BadParameter(
                f"{self.name}={text}: expected one of {', '.join(self.values)}"
                + near_miss(text, self.values)
            )
        return text


class Game(ABC):
    """The rules of one game with their parameters fixed: immutable, hashable, equal by value.

    A subclass fills the class attributes and the abstract methods; checks between parameters go
    into ``check_parameters``. Where the type depends on the parameters, ``check_parameters`` sets
    ``self.type``.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    rules_version: ClassVar[int] = 1  # raised when the engine's behaviour changes
    PARAMETERS: ClassVar[tuple[Parameter, ...]] = ()
    ranks_by_score: ClassVar[bool] = True  # a higher score ranks higher; equal ones may rank apart

    type: GameType = UNSTATED
    num_players: int
    parameters: Mapping[str, str | int]

    def __init__(self, parameters: Mapping[str, str] | None = None) -> None:
        """Fix the parameters, given as text; those left out have their defaults.

        Raises:
            BadParameter: a name is unknown or a value is impossible.
        """
        given = dict(parameters or {})
        values: dict[str, str | int] = {}
        for parameter in self.PARAMETERS:
            text = given.pop(parameter.name, None)
            values[parameter.name] = (
                parameter.default_value() if text is None else parameter.parse(text)
            )
        for unknown in given:
            names = [parameter.name for parameter in self.PARAMETERS]
            expected = f"expected one of {', '.join(names)}" if names else "it has no parameters"
            raise BadParameter(
                f'{self.name} has no parameter "{unknown}": {expected}' + near_miss(unknown, names)
            )
        self.parameters = MappingProxyType(values)
        self.num_players = self.count_players()
        self.check_parameters()

    def count_players(self) -> int:
        """Return the number of players under ``self.parameters``: 2 unless overridden."""
        return 2

    def check_parameters(self) -> None:  # noqa: B027  # most games have nothing to check here
        """Raise ``BadParameter`` if the parameters do not go together.

        Attributes that follow from the parameters, such as ``type``, may be set here.
        """

    def __str__(self) -> str:
        """Return the canonical name: the parameters that differ from their defaults, in order."""
        shown = [
            f"{p.name}={self.parameters[p.name]}"
            for p in self.PARAMETERS
            if self.parameters[p.name] != p.default_value()
        ]
        return f"{self.name}({','.join(shown)})" if shown else self.name

    def __repr__(self) -> str:
        return f"load_game({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))

    if not TYPE_CHECKING:  # with it type checkers would take every attribute for allowed

        def __setattr__(self, name: str, value: object) -> None:
            """Set what is not set yet; one game is shared by all who load it, and never changes."""
            fixed = name in ("name", "title", "rules_version", "PARAMETERS")
            stated = name == "type" and type(self).type is not UNSTATED
            if fixed or stated or name in self.__dict__:
                raise AttributeError(f"a game never changes; load another to have another {name}")
            super().__setattr__(name, value)

        def __delattr__(self, name: str) -> None:
            raise AttributeError(f"a game never changes: {name} stays")

    def __reduce__(self) -> tuple[object, ...]:
        given = {name: str(value) for name, value in self.parameters.items()}
        return (type(self), (given,))

    @abstractmethod
    def setup(self, seed: int) -> str:
        """Return the setup (the deal) that belongs to a seed; the same on every platform."""

    @abstractmethod
    def new_initial_state(self, setup: str | None = None) -> State:
        """Return the position of a setup, or of the default one; raises ``BadSetup``."""

    def sample_state(self, observation: str, player: int, rng: random.Random) -> State:
        """Return a full state whose ``observation(player)`` equals the text.

        What the player cannot see is drawn uniformly, whatever happened before. Here, for games
        that hide nothing, it is the position itself.

        Raises:
            BadSetup: no position looks like this to the player, or there is no such player.
        """
        self.check_viewer(player)
        return self.new_initial_state(observation)

    def check_viewer(self, player: int) -> None:
        """Raise ``BadSetup`` unless there is a player of this index to see a position."""
        if not 0 <= player < self.num_players:
            raise BadSetup(f"there is no player {player}: expected 0 to {self.num_players - 1}")

    def decks(self) -> Mapping[str, tuple[str, ...]]:
        """Return the decks that come with the game: what is in each, by its name.

        Only games to which players bring a deck have any; those say so here and in ``deck_setups``.
        """
        return {}

    def deck_setups(self, text: str, source: str) -> Mapping[str, str]:
        """Turn a deck file into setups: the one of each deck, by its name, in the file's order.

        Args:
            text: the file's content.
            source: what to call it in errors, e.g. its path.

        Raises:
            BadSetup: something is wrong, each mistake on a line of its own, ``SOURCE:LINE: …``; or
                nobody brings a deck to this game.
        """
        raise BadSetup(f"{self.name} is played without decks, so there is no deck file to read")


class State(ABC):
    """One position of one game: never changed after construction; equal positions are equal.

    >>> import engines
    >>> state = engines.load_game("leaves").new_initial_state()
    >>> state
    <leaves, player 0 to act: #/#/#/#/# 0 10,10 1 *>
    >>> state.legal_actions(0)[:3]
    ('N1', 'E1', 'E2')
    >>> state.apply_action(0, "N1").players_to_act()
    (1,)

    The defaults here list the legal actions; a game overrides what it can do without listing.
    """

    __slots__ = ()

    game: Game

    @abstractmethod
    def players_to_act(self) -> tuple[int, ...]:
        """Return who owes an action, ascending: several at a simultaneous node, () at the end."""

    @abstractmethod
    def legal_actions(self, player: int) -> tuple[str, ...]:
        """Return the player's legal actions in the documented order, () if none is owed."""

    @abstractmethod
    def apply_action(self, player: int, action: str) -> State:
        """Return the state after an action; raises ``IllegalAction`` and nothing else."""

    @abstractmethod
    def scores(self) -> tuple[float, ...]:
        """Return one number a player: the score if the game ended now."""

    @abstractmethod
    def ranks(self) -> tuple[int, ...]:
        """Return one rank a player, 1 is best, equal ranks are shared; the dropped come last."""

    @abstractmethod
    def observation(self, player: int | None) -> str:
        """Return what a player may know, or for ``None`` the whole truth, as a setup."""

    @abstractmethod
    def drop_player(self, player: int) -> State:
        """Return the state after a player has left the game for a fault.

        Players dropped at the same node, or after nobody but one was left, share their place.
        Raises ``ValueError`` if there is no such player, or it was dropped before.
        """

    @abstractmethod
    def __str__(self) -> str:
        """Draw the board for a person, in text: the whole truth, no line feed at the end."""

    def __repr__(self) -> str:
        """Return a short line for a person: the game, who is to act or the scores, the position."""
        players = self.players_to_act()
        if players:
            who = f"player {' and '.join(map(str, players))} to act"
        else:
            who = f"over: {' - '.join(map(number_text, self.scores()))}"
        line = f"<{self.game}, {who}: {self.observation(None)}"
        return f"{line if len(line) < SHOWN else f'{line[: SHOWN - 2]}…'}>"

    @abstractmethod
    def to_svg(self, player: int | None = None, choices: Sequence[str] = ()) -> str:
        """Draw the board for a person as one SVG element, as ``player`` (or everyone) sees it.

        With choices it marks what to click to build one of them. An element of the picture with
        ``data-choices="1:0,3,7 2:4"`` is the first click of the actions 0, 3 and 7 and the second
        one of action 4, and its ``aria-label`` says in short words what it is. Clicking one element
        for each step, 1 and 2 and so on, builds an action: after each click, those are left whose
        element it is, and in the end one is. Steps that have no place on the board are buttons
        below it. Elements with the class ``pick`` are not seen. A game that draws no board of its
        own marks nothing.

        Args:
            player: who sees it; ``None``: the whole truth.
            choices: legal actions of the player, at most 10,000; the numbers are indices into them.
        """

    @abstractmethod
    def __eq__(self, other: object) -> bool: ...

    @abstractmethod
    def __hash__(self) -> int: ...

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return not self.players_to_act()

    def count_legal(self, player: int) -> int:
        """Return the number of legal actions."""
        return len(self.legal_actions(player))

    def sample_action(self, player: int, rng: random.Random) -> str:
        """Draw a legal action uniformly; raises ``IllegalAction`` if the player owes none."""
        require_turn(self, player)
        return pick(rng, self.legal_actions(player))

    def returns(self) -> tuple[float, ...]:
        """Return (n + 1 - 2 × mean rank) / (n - 1) a player: +1 … -1; alone 0."""
        ranks = self.ranks()
        n = len(ranks)
        if n == 1:
            return (0.0,)
        return tuple((n + 1 - 2 * (r + (ranks.count(r) - 1) / 2)) / (n - 1) for r in ranks)

    def events(self) -> tuple[Event, ...]:
        """Return what became known on the way into this state; no part of equality."""
        return ()

    def action_seen(self, viewer: int, player: int, action: str) -> str:
        """Return what ``viewer`` may know of an action just taken; ``?`` if nothing.

        This is asked of the state *after* the action; of a simultaneous node's actions, of the
        state after the last of them. A player always knows their own action.
        """
        return action

    def text_board(self, player: int | None) -> str:
        """Draw the board in text as ``player`` may see it; ``None`` sees all, as ``__str__`` does.

        Where something is hidden from the player, this is no drawing but the line that
        ``observation`` gives: a game with hidden things overrides it to draw what is left.
        """
        truth = self.observation(None)
        seen = truth if player is None else self.observation(player)
        return str(self) if seen == truth else seen

    def draw(
        self,
        player: int | None = None,
        *,
        names: Sequence[str] = (),
        last: tuple[int, str] | None = None,
        choices: Sequence[str] = (),
    ) -> str:
        """Draw the board as ``to_svg`` does, with the players' names and the last action marked.

        A game need not override this: here it is the picture without either.

        Args:
            player: who sees it; ``None``: the whole truth.
            names: what to call the players, any text; who has none is ``player 0`` and so on.
            last: the action that led here as the viewer knows it (``action_seen``), after who took
                it. One that cannot be read marks nothing.
            choices: as for ``to_svg``.
        """
        return self.to_svg(player, choices)

    def draw_text(
        self,
        player: int | None = None,
        *,
        names: Sequence[str] = (),
        last: tuple[int, str] | None = None,
        color: bool = False,
    ) -> str:
        """Draw the board as ``text_board`` does, with names, the last action, and in colour.

        A game need not override this: here it is the board without any of them.

        Args:
            player: who sees it; ``None``: the whole truth.
            names: as for ``draw``.
            last: as for ``draw``.
            color: whether it is shown by a terminal with colours (ANSI); they only repeat what
                the characters say.
        """
        return self.text_board(player)

    def timeout_action(self, player: int) -> str | None:
        """Return what the published rules play for a player out of time, or ``None``."""
        return None

    def random_playout(self, rng: random.Random) -> tuple[float, ...]:
        """Play uniformly random actions to the end; the returns. See ``engines.playout``."""
        state: State = self
        while players := state.players_to_act():
            for player in players:
                state = state.apply_action(player, state.sample_action(player, rng))
        return state.returns()

    def count_sequences(self, depth: int) -> int:
        """Count the action sequences of exactly this length. See ``engines.perft``."""
        if depth == 0:
            return 1
        players = self.players_to_act()
        if not players:
            return 0
        player = players[0]
        if depth == 1:
            return self.count_legal(player)
        return sum(
            self.apply_action(player, action).count_sequences(depth - 1)
            for action in self.legal_actions(player)
        )

    def _repr_svg_(self) -> str:
        return self.to_svg()


def require_turn(state: State, player: int) -> None:
    """Raise ``IllegalAction`` unless the player owes an action."""
    owed = state.players_to_act()
    if player not in owed:
        whose = ", ".join(map(str, owed))
        raise IllegalAction(
            f"it is not player {player}'s turn but player {whose}'s" if owed else "the game is over"
        )


def require_text(action: object) -> None:
    """Raise ``IllegalAction`` unless an action is a text."""
    if not isinstance(action, str):
        raise IllegalAction(f"an action is a text, not {type(action).__name__}")


def check_player(state: State, player: int) -> None:
    """Raise ``ValueError`` unless a game has this player.

    >>> from engines import load_game
    >>> check_player(load_game("leaves").new_initial_state(), 2)
    Traceback (most recent call last):
    ValueError: there is no player 2: expected 0 to 1
    """
    players = state.game.num_players
    if type(player) is not int or not 0 <= player < players:
        raise ValueError(f"there is no player {player!r}: expected 0 to {players - 1}")


def standing(scores: Iterable[float]) -> tuple[int, ...]:
    """Turn scores into ranks: the highest score is rank 1, equal scores share.

    >>> standing([3, 5, 3])
    (2, 1, 2)
    """
    values = tuple(scores)
    return tuple(1 + sum(other > value for other in values) for value in values)
