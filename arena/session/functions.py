"""A match among functions of a program: no process, in the thread of whoever plays it.

The referee is the one of all matches, and a function is asked as the ``choose`` of the kit for
Python is. Nothing is written as lines: what a function may see is taken from the position when it
asks for it, and the record says that it wanted none. Its wall time is what it is charged, and what
it uses of a CPU is not measured. One that never returns is ended by nobody but who stops the
program.
"""

from __future__ import annotations

import math
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, lru_cache, partial
from random import Random
from typing import Any

from arena.match.charging import Spent
from arena.match.feed import public_setup
from arena.match.opening import deal
from arena.match.player import PlayerState
from arena.match.protocol import Ready
from arena.match.referee import Referee
from arena.process.capture import Capture
from arena.session.match_session import started_text
from arena.values.model import Choose, Decision, MatchJob, MatchResult
from arena.values.said import NOTHING_SAID, SaidWhere
from arena.values.untrusted import show
from engines import State, load_game

MAX_ERROR = 1000  # characters of what a function raised
READS_NO_LINES = Ready(want=())


def play_functions(job: MatchJob, choose: Sequence[Choose]) -> Callable[[], MatchResult]:
    """Play one match, and return what makes its record, with what functions that failed raised.

    Args:
        job: what to play.
        choose: the functions, one a seat.
    """
    game = load_game(job.game)
    captures: list[Capture] = []

    def log(player: int, source: SaidWhere, text: str) -> None:
        captures[player].add_line(text, source)

    dealt = deal(job, game)
    referee = Referee(job, game, dealt, log)
    captures += [Capture(partial(getattr, p, "asked")) for p in referee.players]
    began_ms, began = time.time_ns() // 1_000_000, time.monotonic_ns()
    for player in range(len(choose)):
        referee.resume(player, READS_NO_LINES)
    referee.begin()
    setup = public_setup(dealt.setup, dealt.states[0], game.num_players)
    shown = [Shown(job, p, setup) for p in referee.players]
    course = referee.course
    while node := course.to_act:
        for player in node:
            is_open = _ask(referee, shown[player], choose[player], captures[player])
        if is_open:  # as it is after each of several players
            referee.close_node()
    elapsed_ms = (time.monotonic_ns() - began) // 1_000_000
    return partial(_result, job.number, referee, captures, began_ms, elapsed_ms)


def _result(
    number: int, referee: Referee, captures: list[Capture], began_ms: int, elapsed_ms: int
) -> MatchResult:
    """Return a match that is over as it is handed on."""
    stderr = {fault.player: captures[fault.player].last_lines() for fault in referee.faults}
    record = referee.record(stderr, started_text(began_ms), elapsed_ms)
    said = tuple([capture.pieces() for capture in captures])
    return MatchResult(number, record, said, (NOTHING_SAID,) * len(captures))


def answer_of(given: str | tuple[str, Mapping[str, Any]]) -> tuple[str, str]:
    """Return the action that a function gave, and the line of its ``info``, if there is any."""
    action, info = given if isinstance(given, tuple) else (given, {})
    pairs = [f"{key}={value}" for key, value in {**(info or {})}.items()]
    return f"{action}", " ".join(["info", *pairs]) if pairs else ""


def error_line(error: Exception) -> str:
    """Return the line by which a function says what it raised."""
    why = traceback.TracebackException.from_exception(error)  # which is always a text
    return show(" ".join(f"error {type(error).__name__}: {why}".split()), MAX_ERROR)


def _ask(referee: Referee, shown: Shown, choose: Choose, capture: Capture) -> bool:
    """Have a function decide, and judge its answer; return whether its node is still open."""
    player = shown.seat
    p = referee.open_decision(player)
    shown.begin(referee.course.state, p.asked)
    clock, left, limit = time.monotonic_ns, p.clock.left_ms, p.limit_ms
    asked = clock()
    while True:
        try:
            given = choose(shown, left, limit)
            action, info = (given, "") if type(given) is str else answer_of(given)
        except Exception as error:
            capture.add(traceback.format_exc().encode("utf-8", "backslashreplace"))
            text = error_line(error)
        else:
            if info and referee.line(player, info.encode("utf-8", "backslashreplace")):
                return True
            if not p.tries and action.isascii():
                decided = _decided((clock() - asked + 500) // 1000)
                if referee.answer(player, action, None, decided):
                    return False
            text = f"play {action} {p.asked}"  # with its number it is never one that came too late
        wall_ms = (clock() - asked + 500) // 1000 / 1000
        line = text.encode("utf-8", "backslashreplace")
        if referee.line(player, line, Spent(wall_ms, None, wall_ms)):
            return True
        p.again = b""  # it may decide again, in the time that is left
        used = math.ceil(wall_ms)
        left, limit = p.clock.left_ms, p.limit_ms - used
        left = None if left is None else max(0, left - used)


@lru_cache(maxsize=1 << 10)
def _decided(wall_us: int) -> Decision:
    """Return the decision of an answer that took so many µs; short times come again and again."""
    wall_ms = wall_us / 1000
    return Decision(wall_ms, None, wall_ms)


class Shown:
    """The match as the function of a seat is shown it: what ``Match`` of the kit for Python has.

    The position as text and the legal actions are made when they are asked for.
    """

    def __init__(self, job: MatchJob, p: PlayerState, setup: str | None) -> None:
        self.game = job.game
        self.seat, self.players = p.number, len(job.seats)
        self._limits = p.seat.clock
        self.setup = setup
        self.actions: list[tuple[int, str]] = []
        self.events: list[str] = []
        self._seed = p.seat.seed
        assert p.feed is not None
        self._feed = p.feed
        p.feed.held_back()  # it is shown the setup at once

    def begin(self, state: State, decision: int) -> None:
        """Show the position of a decision."""
        self._state, self._decision = state, decision
        self._legal: list[str] | None = None

    @cached_property
    def clock(self) -> dict[str, int]:
        """The limits in ms, by their keys in files, as far as there are any."""
        limits = self._limits.limits()
        keys = ("main", "inc", "move", "first")
        return {key: ms for key in keys if (ms := limits[key]) is not None}

    @cached_property
    def rng(self) -> Random:
        """Random numbers by the bot's own seed, so that a match can be played again."""
        return Random(self._seed)

    @property
    def observation(self) -> str:
        """The position as its player may know it."""
        return self._state.observation(self.seat)

    @property
    def legal(self) -> list[str]:
        """The legal actions, at most 10,000."""
        if self._legal is None:
            actions, self._is_part = self._feed.legal(self._state, self._decision)
            self._legal = list(actions)
        return self._legal

    @property
    def legal_is_part(self) -> bool:
        """Whether there are more than 10,000, and these were drawn among them."""
        return bool(self.legal) and self._is_part
