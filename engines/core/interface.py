"""What every engine promises: a ``Game`` (rules with their parameters fixed) and its ``State``s.

The words and their meaning are those of docs/rules/conventions.md. A new game is one module in
``engines/`` that ends in ``GAME = TheGameClass``; the registry finds it by its file name.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Mapping, Sequence
from types import MappingProxyType

from engines.core.chance import pick
from engines.core.drawing import Seat, frame, label, text
from engines.core.drops import NO_DROPS, Drops
from engines.core.errors import BadParameter, BadSetup, IllegalAction, NoView, near_miss
from engines.core.text import natural, number_text
from engines.core.typed import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import random
    from typing import ClassVar, Literal

    from engines.core.knowledge import Knowledge


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

    num_features: int = 0  # numbers of ``State.features``; 0: there are none

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

    def new_initial_state(self, setup: str | None = None) -> State:
        """Return the position of a setup, or of the default one; raises ``BadSetup``."""
        setup = self.setup(0) if setup is None else setup
        text, drops = Drops.split(setup, self.num_players)
        return self.read_left(text, drops) if drops.groups else self.read(text)

    def read(self, text: str) -> State:
        """Return the position of a setup in which nobody was dropped; raises ``BadSetup``.

        A game that reads others in the same way need only write ``read_left``.
        """
        if type(self).read_left is Game.read_left:
            raise NotImplementedError(f"{type(self).__name__} reads no setup")
        return self.read_left(text, NO_DROPS)

    def read_left(self, text: str, drops: Drops) -> State:
        """Return the position of a setup without its last field, which says who was dropped."""
        state = self.read(text)
        state.drops = drops  # type: ignore[misc]  # the slot is a subclass's
        return state

    def sample_state(self, observation: str, player: int, rng: random.Random) -> State:
        """Return a full state whose ``observation(player)`` equals the text.

        What the player cannot see is drawn uniformly, whatever happened before. Here, for games
        that hide nothing, it is the position itself.

        Raises:
            BadSetup: no position looks like this to the player, or there is no such player.
        """
        self.check_viewer(player)
        return self.new_initial_state(observation)

    def knowledge(self) -> Knowledge | None:
        """Return what may guide a search in this game; ``None``: nothing is known.

        Here it is ``KNOWLEDGE`` of the module ``knowledge`` beside the game's, if there is one.
        """
        from importlib import import_module, util  # only those who search need it

        beside = f"{type(self).__module__.rpartition('.')[0]}.knowledge"
        if beside[0] == "." or util.find_spec(beside) is None:
            return None
        found: Knowledge = import_module(beside).KNOWLEDGE
        return found

    def check_viewer(self, player: int) -> None:
        """Raise ``BadSetup`` unless there is a player of this index to see a position."""
        if not 0 <= player < self.num_players:
            raise BadSetup(f"there is no player {player}: expected 0 to {self.num_players - 1}")

    def action_names(self) -> tuple[str, ...] | None:
        """Return every action that can be legal in a game from the setup of any seed, for learners.

        The place of an action here is its number. ``None``: they are too many, or not known.
        """
        return None

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


class Watcher:
    """A viewer who is no player, and is shown what everybody may know: ``WATCHER``."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "WATCHER"

    def __reduce__(self) -> str:
        return "WATCHER"


WATCHER = Watcher()

if TYPE_CHECKING:
    from typing import TypeAlias

    Viewer: TypeAlias = int | Watcher | None  # a player, a watcher; ``None`` for the whole truth


class View(NamedTuple):
    """How a board is to be drawn.

    Attributes:
        player: the index of the player that sees it; ``None``: the whole truth; or ``WATCHER``.
        names: what to call the players, any text; a player without one is ``player 0`` and so on.
        last: the action that led here as the viewer knows it (``action_seen``), after the index of
            the player that took it. One that cannot be read marks nothing.
        color: whether a terminal with colours (ANSI) shows it; they only repeat what the characters
            say.
        choices: legal actions of the player, at most 10,000, of which a picture marks what to click
            (``State.svg``).
    """

    player: Viewer = None
    names: Sequence[str] = ()
    last: tuple[int, str] | None = None
    color: bool = False
    choices: Sequence[str] = ()


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

    A game writes ``players_to_act``, ``legal_actions``, ``after``, ``scores``, ``seen`` and
    ``without``; what checks turns, drops and viewers is here. The defaults list the legal actions;
    a game overrides what it can do without listing.

    Attributes:
        game: the rules.
        drops: the players that were dropped.
    """

    __slots__ = ()

    game: Game
    drops: Drops

    @abstractmethod
    def players_to_act(self) -> tuple[int, ...]:
        """Return who owes an action, ascending: several at a simultaneous node, () at the end."""

    @abstractmethod
    def legal_actions(self, player: int) -> tuple[str, ...]:
        """Return the player's legal actions in the documented order, () if none is owed."""

    def apply_action(self, player: int, action: str) -> State:
        """Return the state after an action; raises ``IllegalAction`` and nothing else."""
        if player not in self.players_to_act():
            require_turn(self, player)
        if not isinstance(action, str):
            raise IllegalAction(f"an action is a text, not {type(action).__name__}")
        return self.after(player, action)

    def after(self, player: int, action: str) -> State:
        """Return the state after an action of a player who owes one, as ``apply_action`` does.

        Raises:
            IllegalAction: the text is no legal action.
        """
        raise NotImplementedError(f"{type(self).__name__} does not say what an action does")

    @abstractmethod
    def scores(self) -> tuple[float, ...]:
        """Return one number a player: the score if the game ended now."""

    def ranks(self) -> tuple[int, ...]:
        """Return one rank a player, 1 is best, equal ranks are shared; the dropped come last."""
        ranks = standing(self.scores())
        return self.drops.ranks(ranks) if self.drops.groups else ranks

    def observation(self, player: Viewer) -> str:
        """Return what a player may know, or for ``None`` the whole truth, as a setup.

        For ``WATCHER`` it is what everybody may know; raises ``NoView`` if the game has no such.
        """
        if isinstance(player, Watcher):
            seen = self.public()
        else:
            if player is not None:
                check_player(self, player)
            seen = self.seen(player)
        drops = self.drops
        return seen + drops.field(self.game.num_players) if drops.groups else seen

    def seen(self, player: int | None) -> str:
        """Return the observation of a player of this game, or the truth, without the drops."""
        raise NotImplementedError(f"{type(self).__name__} does not say what a player sees")

    def public(self) -> str:
        """Return what everybody may know, as an observation without the drops.

        Here that is everything, if nothing is hidden. A game that hides things says what it shows
        to a watcher, in ``text`` and ``svg`` as well; else ``NoView`` is raised.
        """
        if self.game.type.information == "perfect":
            return self.seen(None)
        raise NoView(f"{self.game.name} does not say what somebody sees who does not play")

    def drop_player(self, player: int) -> State:
        """Return the state after a player has left the game for a fault.

        Players dropped at the same node, or after nobody but one was left, share their place.
        Raises ``ValueError`` if there is no such player, or it was dropped before.
        """
        check_player(self, player)
        # with one player left the game is over, and who is dropped then shares the place
        alone = self.game.num_players - self.drops.total() <= 1
        return self.without(player, self.drops.add(player, same_node=alone))

    def without(self, player: int, drops: Drops) -> State:
        """Return the state after a drop.

        Args:
            player: the player that was dropped, who was not dropped before.
            drops: all that were dropped, with this one.
        """
        raise NotImplementedError(f"{type(self).__name__} does not say what a drop changes")

    def key(self) -> Hashable:
        """Return what makes two positions of one game equal; here their text, with the drops."""
        return self.observation(None)

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return False
        assert isinstance(other, State)
        return self.key() == other.key() and self.game == other.game

    def __hash__(self) -> int:
        return hash(self.key())

    def __repr__(self) -> str:
        """Return a short line for a person: the game, who is to act or the scores, the position."""
        players = self.players_to_act()
        if players:
            who = f"player {' and '.join(map(str, players))} to act"
        else:
            who = f"over: {' - '.join(map(number_text, self.scores()))}"
        line = f"<{self.game}, {who}: {self.observation(None)}"
        return f"{line if len(line) < SHOWN else f'{line[: SHOWN - 2]}…'}>"

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

    def timeout_action(self, player: int) -> str | None:
        """Return what the published rules play for a player out of time, or ``None``."""
        return None

    def features(self, player: int) -> tuple[float, ...]:
        """Return what a player sees as ``Game.num_features`` numbers, for learners."""
        return ()

    # Sentences for people. ``{0}``, ``{1}`` stand for players (``engines.core.drawing.named``).

    def prompt(self, player: int, clicks: Sequence[str]) -> str:
        """Say what a person is to choose next.

        Args:
            player: the player who owes an action.
            clicks: what was clicked of the action so far, as the picture calls it (``aria-label``).
        """
        return "Choose how to go on." if clicks else "Choose an action."

    def called(self, action: str) -> str:
        """Say what an action does, asked of the state before it; without who does it."""
        return f"plays {'something hidden' if action == '?' else action}"

    def tell(self, event: str) -> str:
        """Return an event as a sentence in the past tense."""
        return event

    # Boards for people: a game draws by ``text`` and ``svg``, and the rest follows.

    def text(self, view: View) -> str:
        """Draw the board in text, no line feed at the end; here a line a field."""
        return self.observation(view.player).replace(" ", "\n")

    def svg(self, view: View) -> str:
        """Draw the board as one SVG element; here the text below the names.

        With choices it marks what to click to build one of them. An element of the picture with
        ``data-choices="1:0,3,7 2:4"`` is the first click of the actions 0, 3 and 7 and the second
        one of action 4 (indices into the choices), and its ``aria-label`` says in short words what
        it is. Clicking one element for each step, 1 and 2 and so on, builds an action: after each
        click, those are left whose element it is, and in the end one is. Steps that have no place
        on the board are buttons below it. Elements with the class ``pick`` are not seen. A game
        that draws no board of its own marks nothing.
        """
        lines = self.text(view._replace(color=False)).split("\n")
        # at a simultaneous node it is a secret who still owes an action
        acting = self.players_to_act() if self.game.type.dynamics == "sequential" else ()
        called = [label(player, view.names) for player in range(self.game.num_players)]
        seats = [Seat(name, acts=player in acting) for player, name in enumerate(called)]
        status = "over" if self.is_terminal() else " ".join(f"{called[p]} to act" for p in acting)
        body = [text(0, 18 * n + 14, line, "ink mono") for n, line in enumerate(lines)]
        size = 9 * max(map(len, lines)), 18 * len(lines) + 14
        return frame(self.game.title, seats, status, size, body)

    def draw(
        self,
        player: Viewer = None,
        *,
        names: Sequence[str] = (),
        last: tuple[int, str] | None = None,
        choices: Sequence[str] = (),
    ) -> str:
        """Draw the board as one SVG element; see ``View`` for the arguments."""
        return self.svg(self._view(View(player, names, last, choices=choices)))

    def draw_text(
        self,
        player: Viewer = None,
        *,
        names: Sequence[str] = (),
        last: tuple[int, str] | None = None,
        color: bool = False,
    ) -> str:
        """Draw the board in text, no line feed at the end; see ``View`` for the arguments."""
        return self.text(self._view(View(player, names, last, color)))

    def _view(self, view: View) -> View:
        """Check the viewer; raises ``NoView`` if the game shows a watcher nothing."""
        if isinstance(view.player, Watcher):
            self.public()
        elif view.player is not None:
            check_player(self, view.player)
        return view

    def to_svg(self, player: Viewer = None, choices: Sequence[str] = ()) -> str:
        """Draw the board as one SVG element, as a viewer sees it; see ``svg`` for the choices."""
        return self.draw(player, choices=choices)

    def text_board(self, player: Viewer) -> str:
        """Draw the board in text as a viewer sees it; ``None`` sees all, as ``__str__`` does."""
        return self.draw_text(player)

    def __str__(self) -> str:
        return self.text(View())

    def _repr_svg_(self) -> str:
        return self.to_svg()

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


def require_turn(state: State, player: int) -> None:
    """Raise ``IllegalAction`` unless the player owes an action."""
    owed = state.players_to_act()
    if player not in owed:
        whose = ", ".join(map(str, owed))
        raise IllegalAction(
            f"it is not player {player}'s turn but player {whose}'s" if owed else "the game is over"
        )


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
    return tuple([1 + sum([other > value for other in values]) for value in values])
