"""A position as every engine shows it: actions, observations and results in public words."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from engines.arborius.actions import Action
from engines.arborius.cast import bits
from engines.arborius.moves import (
    count,
    if_capped,
    judged,
    nth,
    play,
    refusal,
    to_act,
)
from engines.arborius.picture import draw_text, summary, tally, tiles_of
from engines.arborius.playout import play_out, random_action
from engines.arborius.position import Basics, Position
from engines.arborius.svg import draw_svg
from engines.arborius.text import action_text, read_action, texts_of, write
from engines.arborius.words import action_words, event_words, prompt
from engines.core.drawing import Seat, label, with_outcomes
from engines.core.drops import NO_DROPS, Drops
from engines.core.errors import IllegalAction
from engines.core.interface import Event, Game, State, View, require_turn
from engines.core.typed import TYPE_CHECKING

if TYPE_CHECKING:
    import random


_SCORES = {"w": (1, -1), "b": (-1, 1), "draw": (0, 0)}


def result_of_drops(drops: Drops) -> str:
    """Return who wins when players have left: the other one, or nobody."""
    return "draw" if drops.total() == 2 else "b" if drops.has(0) else "w"


class ArboriusState(State):
    """One position of one game; the position inside is never changed."""

    __slots__ = ("_before", "_judged", "_key", "_legal", "_listed", "_pos", "drops", "game")

    game: Game

    def __init__(
        self,
        game: Game,
        pos: Position,
        drops: Drops = NO_DROPS,
        before: Position | None = None,
    ) -> None:
        """Take a position that nobody changes any more, and the one that an action was done in."""
        self.game, self._pos, self.drops, self._before = game, pos, drops, before
        self._legal: tuple[str, ...] | None = None
        self._judged: Basics | None = None  # once they were counted or listed
        self._listed: list[str] = []  # their texts, by their numbers
        self._key: tuple[object, ...] | None = None

    def players_to_act(self) -> tuple[int, ...]:
        player = to_act(self._pos)
        return () if player is None else (player,)

    def legal_actions(self, player: int) -> tuple[str, ...]:
        """Return the legal actions sorted as ASCII text."""
        if player != to_act(self._pos):
            return ()
        if self._legal is None:
            self._judged = self._judged or judged(self._pos)
            self._listed = texts_of(self._pos.cast, self._judged)
            self._legal = tuple(sorted(self._listed))
        return self._legal

    def count_legal(self, player: int) -> int:
        if player != to_act(self._pos):
            return 0
        self._judged = self._judged or judged(self._pos)
        return count(self._judged)

    def sample_action(self, player: int, rng: random.Random) -> str:
        require_turn(self, player)
        action = random_action(self._pos, rng)
        assert action is not None, "a position that is not over has a legal action"
        return action_text(self._pos.cast, action)

    def after(self, player: int, action: str) -> ArboriusState:
        if self._judged and action in self._listed:
            done = nth(self._judged, self._listed.index(action))
        else:
            done = read_action(self._pos.cast, action)
            reason = refusal(self._pos, done)
            if reason:
                raise IllegalAction(f"{action}: {reason}")
        pos = self._pos.copy()
        play(pos, done)
        return ArboriusState(self.game, pos, before=self._pos)

    def scores(self) -> tuple[float, ...]:
        """Return +1 and -1, or 0 twice for a draw; before the end as if the cap were reached."""
        result = self._pos.result
        return _SCORES[if_capped(self._pos) if result == "-" else result]

    def seen(self, player: int | None) -> str:
        return write(self._pos)

    def events(self) -> tuple[Event, ...]:
        return _news(self._before, self._pos) if self._before else ()

    def without(self, player: int, drops: Drops) -> ArboriusState:
        after = self._pos.copy()
        after.result = result_of_drops(drops)
        return ArboriusState(self.game, after, drops)

    def random_playout(self, rng: random.Random) -> tuple[float, ...]:
        pos = self._pos.copy()
        play_out(pos, rng)
        return ArboriusState(self.game, pos, self.drops).returns()

    def count_sequences(self, depth: int) -> int:
        return _count(self._pos, depth)

    def prompt(self, player: int, clicks: Sequence[str]) -> str:
        return prompt(self._pos, clicks)

    def called(self, action: str) -> str:
        read = self._read((0, action))
        return action_words(self._pos, read[1]) if read else super().called(action)

    def tell(self, event: str) -> str:
        return event_words(self._pos, event)

    def text(self, view: View) -> str:
        called = [label(0, view.names), label(1, view.names)] if view.names else None
        return draw_text(self._pos, called, self._read(view.last), color=view.color)

    def svg(self, view: View) -> str:
        """Draw the boards with the players' names and the last action marked; all see all."""
        pos, called = self._pos, (label(0, view.names), label(1, view.names))
        notes = [tally(pos, who) for who in (0, 1)]
        if self.is_terminal():
            notes = with_outcomes(notes, self.ranks())
        acting = self.players_to_act()
        seats = [Seat(called[who], notes[who], who in acting) for who in (0, 1)]
        done = self._read(view.last)
        marked = (done[0], tiles_of(pos, done[1])) if done else None
        return draw_svg(pos, seats, summary(pos, called), marked, view.choices)

    def _read(self, last: tuple[int, str] | None) -> tuple[int, Action] | None:
        """Return an action just taken, after who took it; ``None`` if it cannot be read."""
        if last is None or last[0] not in (0, 1):
            return None
        try:
            return last[0], read_action(self._pos.cast, last[1])
        except IllegalAction:
            return None

    def key(self) -> Hashable:
        if self._key is None:
            self._key = (self._pos.key(), self.drops)
        return self._key


def _news(before: Position, after: Position) -> tuple[Event, ...]:
    """Return what happened: tiles that died, a turn that began, the end."""
    ids = after.cast.ids
    events = [Event(None, f"dead {ids[tile]}") for tile in bits(after.dead & ~before.dead)]
    if after.result != "-":
        events.append(Event(None, f"over {after.result}"))
    elif after.turn != before.turn:
        events.append(Event(None, f"turn {after.turn} {after.actor}"))
    return tuple(events)


def _count(pos: Position, depth: int) -> int:
    if depth == 0:
        return 1
    if pos.result != "-":
        return 0
    found, total = judged(pos), 0
    if depth == 1:
        return count(found)
    for index in range(count(found)):
        after = pos.copy()
        play(after, nth(found, index))
        total += _count(after, depth - 1)
    return total
