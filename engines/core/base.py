"""What authors of games import: a state whose position is one value, and texts of fields.

A game then writes ``setup`` and ``read`` of its ``Game``; ``players_to_act``, ``legal_actions``,
``after``, ``scores`` and ``seen`` of its ``State``. What is given here may be overridden: ``key``
and ``ranks`` where the text of a position is slow to make or says too little, ``without`` where a
drop changes the position, ``text`` and ``svg`` to draw a board.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from functools import wraps

from engines.core.drops import NO_DROPS, Drops
from engines.core.errors import BadSetup
from engines.core.interface import Event, Game, State, View, check_player, require_turn, standing
from engines.core.text import fields, natural, quoted
from engines.core.typed import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from typing import Self

P = TypeVar("P", bound=Hashable)

__all__ = [
    "NO_DROPS",
    "Drops",
    "ValueState",
    "View",
    "check_player",
    "fields",
    "joined",
    "natural",
    "numbers",
    "quoted",
    "require_turn",
    "standing",
]


class ValueState(State, Generic[P]):
    """A state whose position is one value, such as a ``NamedTuple``, and never changes.

    The position knows nothing of drops: a game ends when one player is left, and before that who
    was dropped is passed over. ``players_to_act`` says who would act if nobody had been, and
    ``legal_actions`` is asked of a player who acts only.

    Attributes:
        position: the value.
        news: the events on the way here.
    """

    __slots__ = ("_to_act", "drops", "game", "news", "position")

    def __init_subclass__(cls) -> None:
        """Take turns and drops off what a game writes."""
        for name, within in (("players_to_act", _of_those_left), ("legal_actions", _in_turn)):
            if own := vars(cls).get(name):
                setattr(cls, name, within(own))

    def __init__(
        self, game: Game, position: P, drops: Drops = NO_DROPS, news: tuple[Event, ...] = ()
    ) -> None:
        self.game, self.position, self.drops, self.news = game, position, drops, news
        self._to_act: tuple[int, ...] | None = None  # before any drop, once it was asked

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


def _of_those_left(own: Callable[[ValueState[P]], tuple[int, ...]]) -> Callable[..., object]:
    """Return a ``players_to_act`` that knows drops; the next in order acts for who was dropped."""

    @wraps(own)
    def players_to_act(self: ValueState[P]) -> tuple[int, ...]:
        if not self.drops.groups:
            if self._to_act is None:
                self._to_act = own(self)
            return self._to_act
        players = own(self)
        if not players:
            return ()
        n, left = self.game.num_players, self.left()
        if len(left) < min(n, 2):
            return ()
        if self.game.type.dynamics == "sequential":
            return (min(left, key=lambda player: (player - players[0]) % n),)
        return tuple([player for player in players if player in left])

    return players_to_act


def _in_turn(own: Callable[[ValueState[P], int], tuple[str, ...]]) -> Callable[..., object]:
    """Return a ``legal_actions`` that is () for players who owe none."""

    @wraps(own)
    def legal_actions(self: ValueState[P], player: int) -> tuple[str, ...]:
        return own(self, player) if player in self.players_to_act() else ()

    return legal_actions


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
