"""Plays a match from a script: what bots write and when, against what they are sent.

The session and its loop are those of all matches; bots, stopwatch and poll are handed in: a script
says what each bot does and how long it took, in milliseconds. ``tests/unit/match/README.md``
explains the rows.
"""

from __future__ import annotations

import hashlib
import os
import re
import select
import time
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, NamedTuple

from support.match_jobs import job, seat
from support.script_games import Sums
from support.scripted_bots import ScriptedBot, play_on

from arena.machine.heartbeat import Heartbeat
from arena.match.charging import Spent
from arena.match.lines import Flood
from arena.match.opening import deal
from arena.match.player import Stage
from arena.match.protocol import QUIT, Ready
from arena.match.referee import Referee
from arena.match.verdicts import Verdict
from arena.process.bot import BotProcess
from arena.record.record import format_record, parse_record
from arena.record.recorded import blocks_sent
from arena.record.replay import verify
from arena.session.listening import UnheardTime
from arena.session.loop import Loop, Owner
from arena.session.match_session import MatchSession
from arena.session.seated import SeatedBot
from arena.session.stopwatch import Stopwatch
from arena.values.model import Cause, Clock, MatchJob, Record, Termination
from arena.values.said import SaidWhere
from engines import Game, load_game

HOUR_MS = 3_600_000
HEADER = re.compile(r"(game|seat|clock|seed) ")
STEP = re.compile(r"(\d+)(?: ([\d./]+))? ([<~>!?:])(?:\*(\d+))?(?: (.*))?")
NEVER = 1 << 62
PIPE = 4096  # bytes that surely fit into one
Events = list[tuple[int, int]]
# what a bot is killed for
EXCESS = {
    "memory": Verdict(Termination.MEMORY, "it held more than its memory"),
    "processes": Verdict(Termination.FLOOD, "more than 256 processes", Cause.PROCESSES),
}


class Step(NamedTuple):
    """One line of a script; ``times`` are wall, charged and CPU time of the open decision."""

    player: int
    times: str
    what: str
    repeat: int
    text: str

    def spent(self) -> Spent:
        """Return what the decision took so far: charged is wall if left out, CPU is 0."""
        if not self.times:
            return Spent(0.0, 0.0, 0.0)
        wall, charged, cpu, *_ = [*map(float, self.times.split("/")), -1.0, -1.0]
        return Spent(wall, max(cpu, 0.0), wall if charged < 0 else charged)

    def data(self) -> bytes:
        r"""Return the bytes of the text: ``\xff`` is a byte, ``{a*70}`` stands for 70 letters."""
        text = re.sub(r"\{(.)\*(\d+)\}", lambda m: m[1] * int(m[2]), self.text)
        line = text.encode("ascii").decode("unicode_escape").encode("latin-1")
        return (line + b"\n" * (self.what == "<")) * self.repeat


class RowBot(ScriptedBot):
    """A bot that does what the steps of a row say.

    Attributes:
        sent: the lines that it was sent, but for ``quit``.
        unchecked: those of them that no step has named yet.
    """

    def __init__(self) -> None:
        nowhere: Any = SimpleNamespace(now=NEVER)
        super().__init__(nowhere, "", "")
        tree: Any = self.tree
        tree.ran = bool
        self.sent: list[str] = []
        self.unchecked: deque[str] = deque()
        self._unread, self._flood = b"", ""
        self._all = select.poll()
        for descriptor in (self.stdout, self.stderr, self.pidfd):
            self._all.register(descriptor, select.POLLIN)

    def do(self, step: Step) -> None:
        """Do what a step says; nothing, once it has ended."""
        if self.gone:
            return
        if step.what != "!":
            self._unread += step.data()
        elif step.text == "exit":
            self.exit()
        elif step.text == "close":
            os.dup2(self._in, self._out)
        elif step.text in EXCESS:
            self.condemn(EXCESS[step.text])
        else:
            self._flood = step.text

    def answer(self, data: bytes) -> None:
        """Write to the pipe itself, for who reads it without asking."""
        os.write(self._out, data[:PIPE])
        self._unread = data[PIPE:]

    def ready(self) -> Events:
        """Return the descriptors at which something is to be seen."""
        found = {descriptor for descriptor, _ in self._all.poll(0)}
        found |= {self.stdout} if self._unread else set()
        found |= {self.stderr} if self._flood else set()
        return [(descriptor, select.POLLIN) for descriptor in found]

    # as the session sees it

    def read(self) -> bool:
        read, data, self._unread = super().read(), self._unread, b""
        self.lines.feed(data)
        return read or bool(data)

    def stderr_flood(self) -> Flood | None:
        return Flood(self._flood, Cause.STDERR) if self._flood else None

    def write(self, data: bytes) -> bool:
        block, self.unwritten = self.unwritten.lstrip() + data, b""
        assert block == b"" or block.endswith(b"\n")
        lines = block.replace(QUIT, b"").decode("ascii").splitlines()
        self.sent.extend(lines)
        self.unchecked.extend(lines)
        return True

    def close_stdin(self) -> None:
        self.exit()


class RowWatch(Stopwatch):
    """A stopwatch that shows what steps say; no answer takes time that is none of a step's."""

    step = Step(0, "", "", 0, "")

    def asked(self, *, whole: bool) -> None:
        self.start = NEVER

    def wait(self, patience_ms: int) -> None:
        self.deadline = NEVER

    def spent(self, now: int, limit_ms: int) -> Spent:
        return self.step.spent()

    def spent_at_least(self, now: int, limit_ms: int) -> tuple[Spent, float]:
        spent, uncounted = self.step.spent(), re.search(r"\buncounted=([\d.]+)", self.step.text)
        sure_ms = spent.charged_ms - float(uncounted[1] if uncounted else 0)
        return spent, max(spent.cpu_ms or 0.0, sure_ms)


class RowSeat(SeatedBot):
    """A seat with that stopwatch."""

    def sit(self, bot: BotProcess, listening: UnheardTime, *words: Any, **named: Any) -> None:
        super().sit(bot, listening, *words, **named)
        self.stopwatch = RowWatch(bot, listening, time.monotonic_ns)


class RowLoop(Loop):
    """The loop of a session that does a row's next step where it would wait for bots."""

    def __init__(self, one: MatchJob, game: Game, steps: Sequence[Step]) -> None:
        self.steps = deque(steps)
        self.logs: list[list[str]] = [[] for _ in one.seats]
        self.bots = [RowBot() for _ in one.seats]
        own = SimpleNamespace(read=lambda: (0, 0))
        pool: Any = SimpleNamespace(own=own, look=id, pids=frozenset, reap=id)
        self._headers = {s.player for s in steps if s.what == ">" and HEADER.match(s.text)}
        referee = Referee(one, game, deal(one, game), self._log)
        seats = [RowSeat(player) for player in referee.players]
        super().__init__(referee, seats, pool, Owner(-1, Heartbeat()))

    def _log(self, player: int, source: SaidWhere, text: str) -> None:
        self.logs[player].append(text)

    def check(self) -> None:
        """Check the steps that come next, as far as they say what is seen."""
        while self.steps and self.steps[0].what in ":>":
            step = self.steps.popleft()
            if step.what == ":":
                assert step.text in "\n".join(self.logs[step.player]), step
                continue
            sent = self.bots[step.player].unchecked
            while step.player not in self._headers and sent and HEADER.match(sent[0]):
                sent.popleft()
            assert sent, f"nothing is sent to {step.player}: expected {step.text}"
            check_line(sent.popleft(), step.text, 7 + step.player)

    def poll(self, timeout: int) -> Events:
        """Return what a plain answer that comes at once wakes who polls for."""
        events = [event for seat in self.here() for event in self.bots[seat.player.number].ready()]
        if timeout and not events:
            self.check()
            step = self.steps[0]
            if step.what == "<" and not step.times and self.seats[step.player].waited_for:
                bot = self._begin(self.steps.popleft())
                bot.answer(step.data())
                return [(bot.stdout, select.POLLIN)]
        return events

    # in place of the system's poll

    def _poll(self, players: tuple[int, ...]) -> select.poll:
        return self  # type: ignore[return-value]  # it has what is called of one

    def _hear_poll(self, waiting: list[SeatedBot], timeout: int) -> tuple[Events, int, int]:
        at = time.monotonic_ns()
        players = [seat.player.number for seat in waiting]
        for waited_for in waiting:
            waited_for.stopwatch.deadline = NEVER
        while not (events := [event for player in players for event in self.bots[player].ready()]):
            step = self._next(waiting)
            bot = self._begin(step)
            if step.what == "?":
                self.seats[step.player].stopwatch.deadline = 0
                bot.unwritten = b"\n" * ("unread" in step.text)
                self.expected = step
                break
            bot.do(step)
        return events, at, at

    def _begin(self, step: Step) -> RowBot:
        """Begin a step: its times are those of the open decision."""
        watch = self.seats[step.player].stopwatch
        assert isinstance(watch, RowWatch)
        watch.step = step
        return self.bots[step.player]

    def _next(self, waiting: Sequence[SeatedBot]) -> Step:
        """Take the next step; bots start one after the other, whatever the order of their steps."""
        player = waiting[0].player
        if player.stage is Stage.GREETED:
            steps = [s for s in self.steps if s.player == player.number and s.what not in ":>"]
            self.steps.remove(steps[0])
            return steps[0]
        self.check()
        assert self.steps, "the script ends before the match"
        return self.steps.popleft()

    def _expire(self, seat: SeatedBot, now: int) -> None:
        super()._expire(seat, now)
        found = "more" if seat.waited_for else "over"
        assert found == self.expected.text.split()[0], self.expected


def play_row(row: Mapping[str, Any], *, straight: bool) -> None:
    """Play the script of a row; asserts that everything comes as the row says, and all is read.

    Args:
        row: of the table.
        straight: take the straight path where a session would.
    """
    row = {**row}
    del row["row"]
    text, script, greeted = row.pop("game"), row.pop("script"), row.pop("greet", False)
    game = make_game(text)
    one = make_job(text, row, game)
    wants = per_seat(row.pop("want", ""), game.num_players)
    steps = [read_step(line) for line in script.splitlines() if line.split("#")[0].strip()]
    loop = RowLoop(one, game, steps)
    session, starting = MatchSession(one, loop), iter(loop.bots)
    session.start = lambda how: next(starting)
    try:
        if not greeted:
            for player, want in enumerate(wants):
                ready = Ready(tuple(filter(None, want.split(","))))
                session.resume(player, loop.bots[player], ready)
        session.greet()
        session.begin()
        while not loop.referee.over:
            play_on(session, straight)
        session.finish()
    finally:
        for bot in loop.bots:
            bot.kill()
    loop.steps = deque(step for step in loop.steps if step.what in ":>")
    loop.check()
    for player in {step.player for step in steps if step.what == ">"}:
        rest = list(loop.bots[player].unchecked)
        assert not rest, f"to player {player}: {rest}"
    record = loop.referee.record({}, "", HOUR_MS)  # longer than what its lines say
    check_record(row, record)
    assert not row, f"unknown keys: {set(row)}"
    if not isinstance(game, Sums):  # a game that nobody can load
        assert verify(record) == []
        check_made_again(record, loop.bots, greeted=greeted)


def check_line(line: str, expected: str, seed: int) -> None:
    """Assert that a line is as expected, where ``…`` is any text and ``ID`` the game's id."""
    wire_id = hashlib.sha256(f"arena/1|wire|{seed}".encode()).hexdigest()[:16]
    text = re.sub(r"\bID\b", wire_id, expected)
    pattern = ".*".join(map(re.escape, text.split("…")))
    assert re.fullmatch(pattern, line), f"sent: {line!r}, expected: {text!r}"


def check_made_again(record: Record, bots: Sequence[RowBot], *, greeted: bool) -> None:
    """Assert that what was sent follows from the record as it is written."""
    text = parse_record(format_record(record))
    for player, bot in enumerate(bots):
        if bot.excess is not None:  # it may have been killed before its question was sent
            continue
        sent = bot.sent
        blocks = blocks_sent(text, player)
        made = [data.decode("ascii") for block in blocks for _, data in block.lines]
        made = [line for line in made if line != "quit"]
        if not greeted:  # the process was kept from an earlier match
            made.remove("hello abp 1")
        if all(block.exact for block in blocks):
            assert made == sent, f"to player {player}"
        else:  # an unfinished line, or one that was not read, is not in the record
            assert len(made) == len(sent)
            for line, was in zip(made, sent, strict=True):
                assert line == was or was.startswith("bad time no complete answer within ")


def check_record(row: dict[str, Any], record: Record) -> None:
    """Assert that a record has the end, the faults and the decisions of a row, and take them."""
    expected = [entry.split() for entry in str(row.pop("record")).split(";") if entry.strip()]
    found = [[str(player), action or "-"] for player, action in record.actions]
    assert found == [words[:2] for words in expected]
    for words, decision in zip(expected, record.decisions, strict=True):
        facts = {"late": decision.late, "forced": decision.forced}
        assert {name for name, so in facts.items() if so} == {*words} & {*facts}, words
        pairs = dict(word.split("=") for word in words[2:] if "=" in word)
        counted = {"wall": decision.ms, "charged": decision.charged_ms, "tries": decision.tries}
        for name, value in counted.items():
            if name in pairs:
                assert value == float(pairs.pop(name)), words
        if words[1] != "-":  # info is kept with a play; with a drop it may be
            assert {key: str(value) for key, value in decision.info} == pairs, words
    assert str(record.by) == row.pop("by")
    assert " ".join(map(str, record.ranks)) == str(row.pop("ranks"))
    scores = " ".join(f"{score:g}" for score in record.scores or ())
    assert scores == str(row.pop("scores", ""))
    faults = "; ".join(f"{f.player} {f.code} {f.decision}" for f in record.faults)
    assert faults == row.pop("faults", "")
    if "cause" in row:
        assert [str(fault.cause) for fault in record.faults] == [row.pop("cause")]
    details = " ".join(fault.detail for fault in record.faults)
    for words in row.pop("words", ()):
        assert words in details


def read_step(line: str) -> Step:
    """Read one line of a script."""
    found = STEP.fullmatch(line.strip())
    assert found, f"no step of a script: {line!r}"
    player, times, what, repeat, text = found.groups()
    return Step(int(player), times or "", what, int(repeat or 1), text or "")


def make_game(text: str) -> Game:
    """Make the game of scripts, or load one of the small ones or of the arena's own."""
    name, _, rest = text.rstrip(")").partition("(")
    if name != Sums.name:
        return load_game(text)
    return Sums(dict(word.split("=") for word in rest.split(",") if word))


def make_job(text: str, row: dict[str, Any], game: Game) -> MatchJob:
    """Make the job of a row's match from what it takes of the row; seeds are 7, 8, 9 …"""
    clocks = row.pop("clocks", None) or per_seat(row.pop("clock", "move=1000"), game.num_players)
    seats = [
        seat(name=f"bot{player}", clock=read_clock(text), seed=7 + player)
        for player, text in enumerate(clocks)
    ]
    opening = tuple(
        (int(player), action)
        for player, action in (
            entry.split() for entry in row.pop("opening", "").split(";") if entry
        )
    )
    more = {key: row.pop(key) for key in ("max_decisions", "on_timeout", "rethink") if key in row}
    setup = str(row.pop("setup")) if "setup" in row else game.setup(1)
    return job(text, *seats, setup=setup, opening_actions=opening, **more)


def read_clock(text: str) -> Clock:
    """Read ``move=1000 margin=50``; what is left out does not limit anything."""
    given = {f"{name}_ms": int(ms) for name, ms in (word.split("=") for word in text.split())}
    return replace(Clock(move_ms=None, first_ms=0), **given)


def per_seat(value: Any, n: int) -> list[str]:
    """Return one text for each seat; a single one is everybody's."""
    return [value] * n if isinstance(value, str) else list(value)
