"""One player of a match as the referee keeps it: its stage, its clock, what it is sent."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from arena.match.charging import Spent
from arena.match.clock import GameClock
from arena.match.feed import Feed
from arena.match.info import info_text
from arena.match.protocol import MAX_INFO, MAX_INFO_BYTES, Ready
from arena.values.costs import COSTS, NO_COSTS, Costs, added
from arena.values.model import Clock, Decision, Fault, Player, Seat, Termination


class Stage(StrEnum):
    """Where a player stands: ``absent → greeted → ready → asked → settled → ready …``.

    From everywhere it may become ``dropped``, for good.
    """

    ABSENT = "absent"
    GREETED = "greeted"
    READY = "ready"
    ASKED = "asked"
    SETTLED = "settled"  # it has answered, and the node is not closed
    DROPPED = "dropped"


NOTHING_YET = Decision()


@dataclass(slots=True, eq=False)
class PlayerState:
    """One player. ``number`` is its seat; the rest changes as the match goes on.

    Attributes:
        stage: where it stands.
        ready: what its process answered to ``hello``.
        feed: what it is sent, from the beginning of the game.
        head: lines that its next block begins with; ``None``: those that open the game.
        asked: how many decisions it was asked for.
        limit_ms: of the open decision, or of the start.
        early: whether its next line was begun before it was asked.
        stale: how many answers had the number of another question.
        info: what it said by ``info``, to keep with its next answer.
        info_room: how many bytes of the record its ``info`` may still take.
        info_dropped: how many values of it were not kept, since there was no room.
        price: what it said by ``info`` that its next answer cost.
        costs: what its answers cost so far, by what it said.
        tries: how many illegal answers to the open decision it took back.
        again: what is to be written to it so that it decides again.
        action: its answer at the open node, if it is settled.
        decision: how that answer, or its drop, was made.
        code: what it was dropped for, and ``fault`` with it, unless it resigned.
    """

    number: int
    seat: Seat
    stage: Stage = Stage.ABSENT
    ready: Ready | None = None
    feed: Feed | None = None
    head: str | None = None
    asked: int = 0
    limit_ms: int = 0
    early: bool = False
    stale: int = 0
    info: dict[str, float | str] = field(default_factory=dict)
    info_room: int = MAX_INFO_BYTES
    info_dropped: int = 0
    price: dict[str, float | str] = field(default_factory=dict)
    costs: Costs = NO_COSTS
    tries: int = 0
    again: bytes = b""
    action: str = ""
    decision: Decision = NOTHING_YET
    code: Termination | None = None
    fault: Fault | None = None
    clock: GameClock = field(init=False)

    def __post_init__(self) -> None:
        self.clock = GameClock(self.seat.clock)

    def expect(self, *stages: Stage) -> PlayerState:
        """Return this player, which has to be at one of these stages."""
        assert self.stage in stages, f"player {self.number} is {self.stage}, not of {stages}"
        return self

    def keep(self, values: tuple[tuple[str, float | str], ...]) -> None:
        """Keep what it said by ``info``; of too many keys the first count, and costs always."""
        for key, value in values:
            if key in COSTS:
                self.price[key] = value
            if key in self.info or len(self.info) < MAX_INFO:
                self.info[key] = value

    def pay(self) -> None:
        """Add what its answer cost, whether that was taken or not."""
        if self.price:
            self.costs = added(self.costs, self.price)
            self.price.clear()

    def settle(self, action: str, spent: Spent, *, late: bool, forced: bool = False) -> None:
        """Take its answer at the open node."""
        self.clock.charge(spent.charged_ms)
        self.pay()
        self.stage = Stage.SETTLED
        self.action = action
        info = self._take_info() if self.info else ()
        self.decision = Decision(*spent, late, forced, info, self.tries)
        self.tries = 0

    def fall(self, code: Termination, spent: Spent) -> None:
        """Drop it."""
        self.pay()
        self.stage = Stage.DROPPED
        self.code = code
        self.decision = Decision(*spent, False, False, self._take_info(), self.tries)

    def _take_info(self) -> tuple[tuple[str, float | str], ...]:
        """Return what is kept of what it said by ``info``, in order, and forget all of that."""
        info = tuple(self.info.items())
        self.info.clear()
        if not info:
            return info
        kept = len(info) if self.info_room else 0
        while (size := len(info_text(info[:kept]))) > self.info_room:
            kept -= 1
        self.info_room -= size
        if kept < len(info):
            self.info_room = 0  # so that what is kept is all that it said up to here
            self.info_dropped += len(info) - kept
        return info[:kept]

    def sent(self) -> str:
        """Return the hash of what it was sent of the game so far."""
        return (self.feed or Feed(self.number, (), None, self.seat.seed)).sent()

    def recorded(self, common: Clock, pondered: bool) -> Player:
        """Return its seat as the record keeps it; ``common`` is the clock of the match."""
        self.pay()
        seat, entrant = self.seat, self.seat.entrant
        return Player(
            bot=entrant.name,
            version=entrant.bot.version,
            hash=entrant.bot.hash,
            args=entrant.args,
            seed=seat.seed,
            sent=self.sent(),
            want=() if self.ready is None else self.ready.want,
            # the same object, as nearly always, is soon found equal
            clock=None if seat.clock is common or seat.clock == common else seat.clock,
            env=() if entrant.bot.relayed else entrant.env,  # which only names descriptors
            memory_bytes=entrant.memory_bytes,
            pondered=pondered,
            info_dropped=self.info_dropped,
            packages=entrant.bot.packages,
            sandbox=entrant.bot.level,
            costs=self.costs,
        )
