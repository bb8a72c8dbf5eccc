"""Bots without processes, in a world of its own time, for matches of real sessions.

Nothing passes in this world but while somebody polls: then bots read, think and write as they
would, and the clock is set to the next thing that happens. Pipes are real. What a bot does is drawn
from its seed and the number of its decision, whatever the session does.
"""

from __future__ import annotations

import os
import random
import select
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest

from arena.match.lines import Lines
from arena.process.bot import BotProcess
from arena.process.capture import Capture
from arena.session.match_session import MatchSession, Pool, match_session
from arena.values.model import Cause, MatchJob

US = 1_000
AFTER = 20 * US  # what follows an answer follows it so closely
MS = 1_000_000


@dataclass(order=True)
class Event:
    """What a bot will do: write to its ``stream``, use CPU time, or exit; ``late``: seen late."""

    at: int
    order: int
    stream: str = field(compare=False)
    data: bytes = field(default=b"", compare=False)
    late: int = field(default=0, compare=False)


class World:
    """Its time in ns, and its bots."""

    def __init__(self, seed: int, wants: list[str]) -> None:
        self.now = 1_000_000 * MS
        self.bots: list[ScriptedBot] = []
        self.alone = seed % 4 == 0  # does nobody write unasked?
        self._seed = seed
        self._wants = wants

    def start(self, how: object) -> ScriptedBot:
        """Start the bot of the next seat."""
        number = len(self.bots)
        bot = ScriptedBot(self, f"{self._seed}-{number}", self._wants[number])
        self.bots.append(bot)
        return bot

    @contextmanager
    def session(self, monkeypatch: pytest.MonkeyPatch, one: MatchJob) -> Iterator[MatchSession]:
        """Open a session for its bots, in which everybody lives by the time of this world.

        It is in the place of the kernel, whose clock and poll all of a match asks for itself.
        """
        own: Any = SimpleNamespace(read=lambda: (0, 0), close=lambda: None)
        world, real_poll = self, select.poll

        class Poll:
            def __init__(self) -> None:
                self._poll = real_poll()
                self.register, self.unregister = self._poll.register, self._poll.unregister

            def poll(self, timeout_ms: float) -> list[tuple[int, int]]:
                return world.wait(self._poll, timeout_ms)

        with monkeypatch.context() as patch:
            patch.setattr(select, "poll", Poll)
            patch.setattr(time, "monotonic_ns", lambda: world.now)
            patch.setattr(time, "thread_time_ns", lambda: 0)  # a look at the bots costs nothing
            # the time between two looks, which would be a random one, is always the same
            patch.setattr(random, "randint", lambda least, most: least)
            pool = Pool()
            pool.own.close()
            pool.own = own
            with match_session(one, pool) as session:
                session.start = self.start
                yield session

    def wait(self, poll: Any, timeout_ms: float) -> list[tuple[int, int]]:
        """Let time pass until a descriptor is ready, at most so long."""
        end = self.now + int(timeout_ms * MS)
        while True:
            for bot in self.bots:
                bot.live()
            if found := poll.poll(0):
                return sorted(found)
            at = min((bot.next_at() for bot in self.bots), default=end + 1)
            if at > end:
                self.now = max(self.now, end)
                return []
            self.now = max(self.now, at)


def play_on(session: MatchSession, straight: bool) -> None:
    """Play straight on as far as that goes, or one node."""
    if straight:
        session.play()
    else:
        session.ask(session.referee.open_node())
        session.close()


class ScriptedBot(BotProcess):
    """A bot of a world; ``read_all`` is what it was sent, ``wrote_all`` what it wrote to stdout."""

    def __init__(self, world: World, seed: str, want: str) -> None:
        self._world, self._seed, self._want = world, seed, want
        pairs = [os.pipe() for _ in range(4)]
        self._in, self.stdin = pairs[0]
        self.stdout, self._out = pairs[1]
        self.stderr, self._err = pairs[2]
        self.pidfd, self._life = pairs[3]
        for descriptor in (self._in, self.stdin, self.stdout, self.stderr):
            os.set_blocking(descriptor, False)
        self.descriptors = frozenset((self.stdin, self.stdout, self.stderr, self.pidfd))
        self.pid, self.slot = 0, None
        self.memory_bytes = 1 << 30
        self.next_check_ns = world.now
        self.capture, self.lines = Capture(), Lines()
        self.stdout_open = self.stderr_open = True
        self.unwritten = b""
        self.read_all = self.wrote_all = b""
        self.stopped = self.gone = self.killed = False
        self.used_ns = 0
        self._events: list[Event] = []
        self._legal: list[str] = []
        free = {"main": lambda: None, "members": tuple}
        free["is_asleep"] = lambda: True
        stops = {"freeze": lambda: self._stop(True), "thaw": lambda: self._stop(False)}
        tree = SimpleNamespace(namespaced=False, group=None, kill=self.exit, **free, **stops)
        meter = SimpleNamespace(
            last_wait_ns=0,
            wait_ns=lambda: 0,
            cpu_ns=lambda now: self.used_ns,
            begin=lambda: None,
            open_wait_ns=lambda now: 0,
        )
        self.tree, self.meter = tree, meter  # type: ignore[assignment]

    # as the world sees it

    def next_at(self) -> int:
        """Return when it does something next."""
        return 1 << 62 if self.stopped or self.gone or not self._events else self._events[0].at

    def live(self) -> None:
        """Read what there is, and do what is due."""
        if self.stopped or self.gone:
            return
        self._read()
        while self._events and self._events[0].at <= self._world.now and not self.gone:
            event = self._events.pop(0)
            self._world.now += event.late
            if event.stream == "exit":
                self.exit()
            elif event.stream == "cpu":
                self.used_ns += 30 * MS
            elif event.stream == "out":
                os.write(self._out, event.data)
                self.wrote_all += event.data
            else:
                os.write(self._err, event.data)

    def exit(self) -> None:
        """End its life."""
        if not self.gone:
            self.gone = True
            self._events.clear()
            for descriptor in (self._out, self._err, self._life):
                os.close(descriptor)

    def _stop(self, stopped: bool) -> bool:
        self.stopped = stopped
        return True

    def _read(self) -> None:
        """Take in what it was sent, line by line."""
        data = b""
        with suppress(BlockingIOError):
            data = os.read(self._in, 1 << 20)
        self.read_all += data
        for line in data.decode("ascii").splitlines():
            verb, _, rest = line.partition(" ")
            if verb == "hello":
                self._will(100 * US, f"ready want={self._want}\n")
            elif verb == "legal":
                self._legal = rest.split()
            elif verb == "go":
                self._decide(int(rest.split()[0]))

    def _will(self, after: int, text: str = "", stream: str = "out", late: int = 0) -> None:
        event = Event(self._world.now + after, len(self._events), stream, text.encode(), late)
        self._events = sorted([*self._events, event])

    def _decide(self, number: int) -> None:
        rng = random.Random(f"{self._seed}-{number}")
        soon = rng.randrange(1, 45) * AFTER  # so that some things happen at the same time
        may = acts(soon, f"play {rng.choice(self._legal)}", number)
        alone = self._world.alone
        if rng.random() < 0.98:
            rest = may["late"] if alone else may["unasked"] * 2
            act = rng.choice([*may["plain"] * 80, *may["harmless"], *rest])
        else:
            act = rng.choice([*may["fault"], *([] if alone else may["unasked fault"])])
        for words in act:
            self._will(*words)

    # as the session sees it

    def has_exited(self, wait_ms: int = 0) -> bool:
        return self.gone

    def is_quiet(self) -> bool:
        return not self.gone

    def how_it_ended(self) -> str:
        return "it exited with status 3" if self.gone else "it closed its stdout"

    def why_it_ended(self) -> Cause | None:
        return None if self.gone else Cause.CLOSED

    def was_cut_off(self) -> bool:
        return False

    def lost(self) -> bool:
        return False

    def exit_code(self) -> int | None:
        return 3 if self.gone else None

    def peak_bytes(self) -> int:
        return 0

    def close_stdin(self) -> None:
        if self.stdin >= 0:
            os.close(self.stdin)
            self.stdin = -1
        self._read()
        self._will(0, stream="exit")

    def kill(self) -> None:
        if not self.killed:
            self.killed = True
            self._read()
            self.exit()
            self.drain()
            if self.stdin >= 0:
                os.close(self.stdin)
            for descriptor in (self._in, self.stdout, self.stderr, self.pidfd):
                os.close(descriptor)


def acts(soon: int, play: str, number: int) -> dict[str, list[list[tuple[Any, ...]]]]:
    """Return what a bot may do at a decision, by kinds; ``soon`` is when it is quick."""
    answer, after = f"{play} {number}\n", soon + AFTER
    return {
        "plain": [[(soon, answer)]],
        "harmless": [
            [(1500 * US + 300 * soon, answer)],
            [(soon, f"info depth=3 depth=4\n{answer}")],
            [(soon // 2, "info score=0.5\n"), (soon, answer)],
            [(soon, f"log hm\n{answer}")],
            [(soon // 2, answer[:4]), (soon, answer[4:])],
            [(soon // 2, f"{play} {number + 7}\n"), (soon, answer)],
            [(soon, f"{play}\n")],
            [(soon, f"{answer[:-1]}\r\n")],
            [(soon, f"{answer[:-1]}  \n")],
            [(soon, f"\n{answer}")],
            [(soon, f"{answer}log more\n")],
            [(soon // 2, "oh\n", "err"), (soon, answer)],
            [(soon, answer), (after, "", "cpu")],
            [(soon // 2, "verb of=tomorrow\n"), (soon, answer)],
            [(soon, f"{answer}{play} {number + 1}\n"), (5 * soon, f"{play} {number + 1}\n")],
        ],
        # who wakes while another is waited for looks anew, and may see so much later that it
        # woke late
        "late": [[(soon, answer, "out", 2 * MS + 20 * soon)]],
        "unasked": [
            [(soon, answer), (after, "well\n", "err")],
            [(soon, answer), (after, "log well\n")],
            [(soon, answer), (after, "in"), (after + AFTER, "fo a=1\n")],
            [(soon, answer), (after, "log on and on")],
            [(soon, answer), (after, f"{play} {number + 1}\n")],
        ],
        "fault": [
            [(soon, f"play nowhere {number}\n")],
            [(soon, "resign\n")],
            [(soon, "", "exit")],
            [(soon, "play\n")],
            [],
        ],
        "unasked fault": [
            [(soon, answer), (after, "", "exit")],
            [(soon, answer), (after, f"{play}\n")],
        ],
    }
