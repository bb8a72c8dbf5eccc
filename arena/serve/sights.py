"""What each viewer of a match may know of it, step by step, from the process that plays it.

That process alone knows the position. After every node it writes one line with what each person's
seat and a watcher may know; from there on each viewer has its own values, and nothing else is known
in the server. Whatever is drawn or said is made from a position that the viewer cannot tell from
the true one.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from arena.match.course import Course
from arena.match.opening import Deal
from arena.record.replay import nodes
from arena.values.untrusted import show
from engines import WATCHER, EngineError, Game, State

WATCH = -1  # a viewer who does not play
HIDDEN = "?"


class SeenStep(NamedTuple):
    """What a viewer knows of one node.

    Attributes:
        observation: the position after it; a watcher has that of a person, and is shown less of it.
        actions: who did what; ``None``: left the match, ``?``: something hidden.
        said: the same in words without who; ``{0}``, ``{1}`` stand for players.
        told: what became known, in sentences.
    """

    observation: str
    actions: tuple[tuple[int, str | None], ...]
    said: tuple[str, ...]
    told: tuple[str, ...]


class StepsWriter:
    """Writes a line a node of a match, first those of its deal and opening.

    Args:
        deal: where the match begins.
        people: the seats of people.
        write: takes a line.
    """

    def __init__(self, deal: Deal, people: Sequence[int], write: Callable[[str], object]) -> None:
        self._people = people
        self._write = write
        self._done = 0  # actions of the course
        self._state = deal.states[0]
        opening, states = deal.opening, deal.states
        self._tell([], states[:1])
        for start, end in nodes(opening, states):
            self._tell(opening[start:end], states[start + 1 : end + 1])

    def look(self, course: Course) -> None:
        """Write what was done since the last look."""
        done = course.actions[self._done :]
        self._done += len(done)
        states: list[State] = []
        for player, action in done:
            state = states[-1] if states else self._state
            if action is None:
                states.append(state.drop_player(player))
            else:
                states.append(state.apply_action(player, action))
        if done:
            self._tell(done, states)

    def _tell(self, actions: Sequence[tuple[int, str | None]], states: Sequence[State]) -> None:
        self._state = after = states[-1]

        def seen(viewer: int, player: int, action: str | None) -> str | None:
            return None if action is None else after.action_seen(viewer, player, action)

        every = range(after.game.num_players)
        line = {}
        for viewer in (*self._people, WATCH):
            known = []
            for player, action in actions:
                found = {seen(v, player, action) for v in (every if viewer == WATCH else [viewer])}
                known.append((player, found.pop() if len(found) == 1 else HIDDEN))
            events = [e.text for s in states for e in s.events() if e.player in (None, viewer)]
            eyes = min(self._people) if viewer == WATCH else viewer
            line[viewer] = [after.observation(eyes), known, events]
        self._write(json.dumps(line) + "\n")


class Sight:
    """What one viewer has seen of a match.

    Args:
        game: the rules.
        viewer: a person's seat, or ``WATCH``.
        eyes: the seat of the person whose observations these are.

    Attributes:
        steps: what was seen, from the deal on.
    """

    def __init__(self, game: Game, viewer: int, eyes: int) -> None:
        self.steps: list[SeenStep] = []
        self._states: list[State | None] = []
        self._game = game
        self._viewer = viewer
        self._eyes = eyes

    @property
    def state(self) -> State | None:
        """A position that the viewer cannot tell from the present one; ``None``: none yet."""
        return self._states[-1] if self._states else None

    @property
    def observation(self) -> str:
        """The present position as the viewer knows it; empty before the deal."""
        return self.steps[-1].observation if self.steps else ""

    def add(self, observation: str, actions: Sequence[Any], events: Sequence[str]) -> None:
        """Take a step as the process of the match wrote it."""
        acts = tuple((player, action) for player, action in actions)
        before = self.state
        self._states.append(self._after(before, acts, observation))
        said = tuple("leaves the match" if a is None else _called(before, a) for _, a in acts)
        after = self.state
        told = [text if after is None else after.tell(text) for text in events]
        self.steps.append(SeenStep(observation, acts, said, _folded([show(text) for text in told])))

    def draw(
        self,
        index: int,
        names: Sequence[str],
        choices: Sequence[str] = (),
        answered: str | None = None,
    ) -> str:
        """Draw a position; empty if the game shows this viewer none.

        Args:
            index: of the step that led to it.
            names: what the players are called.
            choices: what the viewer may choose.
            answered: what the viewer has chosen there, while others have still to choose.
        """
        state = self._states[index]
        if answered is not None and state is not None and len(state.players_to_act()) > 1:
            with suppress(EngineError):  # it was the answer to the step before, of which we hear
                state = state.apply_action(self._viewer, answered)
        acts = [(p, a) for p, a in self.steps[index].actions if a is not None]
        player = WATCHER if self._viewer == WATCH else self._viewer
        if state is not None:
            with suppress(EngineError):  # it has nothing for watchers
                last = acts[-1] if acts else None
                return state.draw(player, names=names, last=last, choices=choices)
        return ""

    def _after(
        self, before: State | None, acts: Sequence[tuple[int, str | None]], observation: str
    ) -> State | None:
        """Return a position that looks so; where nothing is hidden, that after the actions."""
        if before is not None and self._game.type.information == "perfect":
            with suppress(EngineError):  # somebody was dropped
                state = before
                for player, action in acts:
                    state = state.apply_action(player, action or "")
                if state.observation(self._eyes) == observation:
                    return state
        with suppress(EngineError):
            return self._game.sample_state(observation, self._eyes, random.Random(0))
        return None


def _called(state: State | None, action: str) -> str:
    return show(f"plays {action}" if state is None else state.called(action))


def _folded(sentences: Sequence[str]) -> tuple[str, ...]:
    """Say once what is said several times, and together what differs in the last word alone.

    >>> _folded(["{0} drew a tile", "it is 16", "{0} drew a tile", "it is 25", "{0} passed"])
    ('{0} drew a tile (2 times)', 'it is 16, 25', '{0} passed')
    """
    found: dict[str, list[str]] = {}
    for sentence in sentences:
        head, _, last = sentence.rpartition(" ")
        key = head if " " in head else sentence
        found.setdefault(key, []).append("" if key == sentence else last)
    rows = []
    for head, ends in found.items():
        same = len(set(ends)) == 1
        row = f"{head} {ends[0] if same else ', '.join(ends)}".rstrip()
        rows.append(f"{row} ({len(ends)} times)" if same and len(ends) > 1 else row)
    return tuple(rows)
