"""What most games would write alike: a game then writes seven methods.

``setup`` and ``new_initial_state`` of its ``Game``; ``players_to_act``, ``legal_actions``,
``apply_action``, ``scores`` and ``observation`` of its ``State``. ``BaseState`` makes the rest of
them; ``ValueState`` also stores a position that is one value. What is given here may be
overridden: ``key`` and ``ranks`` where the text of a position is slow to make or says too little,
``without`` where a drop changes the position, ``text`` and ``svg`` to draw a board.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

from engines.core.drawing import Seat, frame, label, text
from engines.core.drops import NO_DROPS, Drops
from engines.core.errors import BadSetup
from engines.core.interface import (
    Event,
    Game,
    State,
    check_player,
    require_text,
    require_turn,
    standing,
)
from engines.core.text import fields, natural
from engines.core.typed import TYPE_CHECKING, Generic, NamedTuple, TypeVar

if TYPE_CHECKING:
    from typing import Self

P = TypeVar("P", bound=Hashable)

__all__ = [
    "NO_DROPS",
    "BaseState",
    "Drops",
    "ValueState",
    "View",
    "check_player",
    "fields",
    "joined",
    "natural",
    "numbers",
    "quoted",
    "require_text",
    "require_turn",
    "standing",
]


class View(NamedTuple):
    """How a board is to be drawn.

    Attributes:
        player: the index of the player that sees it; ``None``: the whole truth.
        names: what to call the players, any text; a player without one is ``player 0`` and so on.
        last: the action that led here as the viewer knows it (``action_seen``), after the index of
            the player that took it. One that cannot be read marks nothing.
        color: whether a terminal with colours (ANSI) shows it; they only repeat what the characters
            say.
        choices: legal actions of the player, of which a picture marks what to click
            (``State.to_svg``).
    """

    player: int | None = None
    names: Sequence[str] = ()
    last: tuple[int, str] | None = None
    color: bool = False
    choices: Sequence[str] = ()


class BaseState(State):
    """A state whose results, identity, drops and pictures follow from the rest.

    Attributes:
        game: the rules.
        drops: the players that were dropped.
    """

    __slots__ = ()

    drops: Drops

    def key(self) -> Hashable:
        """Return what makes two positions of one game equal; here their text, with the drops."""
        return self.observation(None)

    def without(self, player: int, drops: Drops) -> State:
        """Return the state after a drop.

        Args:
            player: the player that was dropped, who was not dropped before.
            drops: all that were dropped, with this one.
        """
        raise NotImplementedError(f"{type(self).__name__} does not say what a drop changes")

    def text(self, view: View) -> str:
        """Draw the board in text, no line feed at the end; here a line a field."""
        return self.observation(view.player).replace(" ", "\n")

    def svg(self, view: View) -> str:
        """Draw the board as one SVG element; here the text below the names."""
        lines = self.text(view._replace(color=False)).split("\n")
        # at a simultaneous node it is a secret who still owes an action
        acting = self.players_to_act() if self.game.type.dynamics == "sequential" else ()
        seats = [
            Seat(label(player, view.names), acts=player in acting)
            for player in range(self.game.num_players)
        ]
        status = "over" if self.is_terminal() else " ".join(f"player {p} to act" for p in acting)
        body = [text(0, 18 * n + 14, line, "ink mono") for n, line in enumerate(lines)]
        size = 9 * max(map(len, lines)), 18 * len(lines) + 14
        return frame(self.game.title, seats, status, size, body)

    def ranks(self) -> tuple[int, ...]:
        return self.drops.ranks(standing(self.scores()))

    def drop_player(self, player: int) -> State:
        check_player(self, player)
        # with one player left the game is over, and who is dropped then shares the place
        alone = self.game.num_players - self.drops.total() <= 1
        return self.without(player, self.drops.add(player, same_node=alone))

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return False
        assert isinstance(other, BaseState)
        return self.key() == other.key() and self.game == other.game

    def __hash__(self) -> int:
        return hash(self.key())

    def __str__(self) -> str:
        return self.text(View())

    def text_board(self, player: int | None) -> str:
        return self.text(View(player))

    def to_svg(self, player: int | None = None, choices: Sequence[str] = ()) -> str:
        return self.svg(View(player, choices=choices))

    def draw(
        self,
        player: int | None = None,
        *,
        names: Sequence[str] = (),
        last: tuple[int, str] | None = None,
        choices: Sequence[str] = (),
    ) -> str:
        return self.svg(View(player, names, last, choices=choices))

    def draw_text(
        self,
        player: int | None = None,
        *,
        names: Sequence[str] = (),
        last: tuple[int, str] | None = None,
        color: bool = False,
    ) -> str:
        return self.text(View(player, names, last, color))


class ValueState(BaseState, Generic[P]):
    """A state whose position is one value, such as a ``NamedTuple``, and never changes.

    Attributes:
        position: the value.
        news: the events on the way here.
    """

    __slots__ = ("drops", "game", "news", "position")

    def __init__(
        self, game: Game, position: P, drops: Drops = NO_DROPS, news: tuple[Event, ...] = ()
    ) -> None:
        self.game, self.position, self.drops, self.news = game, position, drops, news

    def key(self) -> Hashable:
        return self.position, self.drops

    def moved(self, position: P, *news: Event) -> Self:
        """Return the state with another position, after an action."""
        return type(self)(self.game, position, self.drops, news)

    def without(self, player: int, drops: Drops) -> Self:
        return type(self)(self.game, self.position, drops)

    def left(self) -> list[int]:
        """Return the players that were not dropped."""
        return [p for p in range(self.game.num_players) if not self.drops.has(p)]

    def events(self) -> tuple[Event, ...]:
        return self.news


def numbers(field: str, count: int | None = None) -> tuple[int, ...]:
    """Read whole numbers joined by commas, ``-`` for none; raises ``BadSetup``.

    >>> numbers("3,0,12"), numbers("-")
    ((3, 0, 12), ())
    """
    values = [natural(word) for word in field.split(",")] if field != "-" else []
    known = tuple(value for value in values if value is not None)
    if len(known) != len(values) or (count is not None and len(known) != count):
        wanted = "numbers" if count is None else f"{count} numbers"
        raise BadSetup(f"expected {wanted} joined by commas, found {quoted(field)}")
    return known


def joined(values: Iterable[object]) -> str:
    """Write values joined by commas, ``-`` for none: the inverse of ``numbers``."""
    return ",".join(map(str, values)) or "-"


def quoted(word: str, most: int = 40) -> str:
    """Quote a text that a bot or a person gave, for a reason: shortened, and in ASCII.

    >>> quoted("E4\\n"), quoted("x" * 50, most=3)
    ("'E4\\\\n'", "'xxx...'")
    """
    return ascii(word if len(word) <= most else word[:most] + "...")
