"""Plays a match from a script: what bots write and when, against what they are sent.

There is no process, clock or file: a script says what each bot does and how long it took, in
milliseconds. ``tests/unit/match/README.md`` explains the rows.
"""

from __future__ import annotations

import hashlib
import re
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from support.match_jobs import job, seat
from support.script_games import Sums
from support.small_games import ENTRY_POINTS

from arena.match import verdicts
from arena.match.charging import NOTHING, Spent
from arena.match.lines import Flood, Lines
from arena.match.opening import deal
from arena.match.player import Stage
from arena.match.protocol import PLAIN_ANSWER, Ready
from arena.match.referee import Referee
from arena.match.verdicts import Verdict
from arena.record.record import format_record, parse_record
from arena.record.recorded import blocks_sent
from arena.record.replay import verify
from arena.values.model import Cause, Clock, Decision, MatchJob, Record, Termination
from arena.values.said import SaidWhere
from engines import Game, load_game

HOUR_MS = 3_600_000
KEYS = {
    *("row", "game", "setup", "opening", "clock", "clocks", "want", "greet", "max_decisions"),
    *("on_timeout", "script", "by", "ranks", "scores", "faults", "words", "cause", "record"),
}
GAMES: dict[str, type[Game]] = {**ENTRY_POINTS, "sums": Sums}
HEADER = re.compile(r"(game|seat|clock|seed) ")
STEP = re.compile(r"(\d+)(?: ([\d./]+))? ([<~>!?:])(?:\*(\d+))?(?: (.*))?")
# what a bot does besides writing
CLOSED = {"exit": ("it exited with status 3", None), "close": ("it closed it", Cause.CLOSED)}
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

    def number(self, name: str) -> float:
        """Return ``name=NUMBER`` of the text, 0 if it is not there."""
        found = re.search(rf"\b{name}=([\d.]+)", self.text)
        return float(found[1]) if found else 0.0


class Scripted:
    """A match in progress: what was sent to each player so far, and what of it is not checked."""

    def __init__(
        self, one: MatchJob, game: Game, wants: Sequence[str], *, greet: bool, straight: bool
    ) -> None:
        n = game.num_players
        self._straight = straight
        self.referee = Referee(one, game, deal(one, game), self._log)
        self.sent: list[list[str]] = [[] for _ in range(n)]
        self.unchecked: list[deque[str]] = [deque() for _ in range(n)]
        self.logs: list[list[str]] = [[] for _ in range(n)]
        self._lines = [Lines() for _ in range(n)]
        self._fates: dict[int, str] = {}  # what a player did that it was not asked for
        self._open: set[int] = set()  # who was greeted or asked, and is not settled
        self._node: tuple[int, ...] | None = None
        self._left: set[int] = set()
        for player, want in enumerate(wants):
            if greet:
                self._open.add(player)
                self._send(player, self.referee.greet(player))
            else:
                self.referee.resume(player, Ready(tuple(filter(None, want.split(",")))))
        self._go_on()

    # what bots do

    def write(self, step: Step) -> None:
        """Have a bot write."""
        data = step.data()
        if self._straight and self._answers(step.player, data, step.spent()):
            self._node = ()  # it is closed
            self._settled(step.player)
            self._go_on()
            return
        self._lines[step.player].feed(data)
        if step.player in self._open:
            self._hear(step.player, step.spent())
        self._go_on()

    def happen(self, step: Step) -> None:
        """Have a bot do something else."""
        if step.player in self._open:
            self._befall(step.player, step.text, step.spent())
        else:
            self._fates[step.player] = step.text
        self._go_on()

    def overdue(self, step: Step) -> str:
        """Have limit and margin pass; returns ``more`` if the player has more time, or ``over``."""
        player, spent, unread = step.player, step.spent(), "unread" in step.text
        least_ms = max(spent.cpu_ms or 0.0, spent.charged_ms - step.number("uncounted"))
        if self.referee.more_ms(player, spent, least_ms):
            return "more"
        self.referee.expired(player, self._lines[player].partial, unread, spent)
        self._settled(player)
        self._go_on()
        return "over"

    # as a session does it

    def _go_on(self) -> None:
        referee = self.referee
        while not self._open and not referee.over:
            if self._node is None:
                referee.begin()
            elif self._node:
                referee.close_node()
            if not referee.over:
                self._node = referee.open_node()
                for player in self._node:
                    self._ask(player)
        if referee.over:
            for player in sorted(set(range(len(self.sent))) - self._left):
                self._part(player)

    def _answers(self, player: int, data: bytes, spent: Spent) -> bool:
        """Take the straight path where a session would; whether it leads to the end of the node."""
        found = PLAIN_ANSWER.fullmatch(data)
        asked = self._node is not None and self._open == {player}
        if not found or not asked or self._lines[player]:
            return False
        return self.referee.answer(player, found[1], found[2], Decision(*spent))

    def _ask(self, player: int) -> None:
        lines = self._lines[player]
        lines.next_decision()
        self._open.add(player)
        self._hear(player, NOTHING)
        if player in self._open:
            self._send(player, self.referee.ask(player, begun=bool(lines.partial)))
            if fate := self._fates.get(player):
                self._befall(player, fate, NOTHING)

    def _hear(self, player: int, spent: Spent) -> None:
        try:
            while (raw := self._lines[player].take()) is not None:
                if self.referee.line(player, raw, spent):
                    self._settled(player)
                    return
        except Flood as error:
            self._fail(player, verdicts.flooded(error, ready=self._ready(player)), spent)

    def _befall(self, player: int, fate: str, spent: Spent) -> None:
        if fate in CLOSED:
            partial = self._lines[player].partial
            verdict = verdicts.ended(*CLOSED[fate], partial, ready=self._ready(player))
        elif fate in EXCESS:
            verdict = EXCESS[fate]
        else:
            verdict = verdicts.flooded(Flood(fate, Cause.STDERR), ready=self._ready(player))
        self._fail(player, verdict, spent)

    def _fail(self, player: int, verdict: Verdict, spent: Spent) -> None:
        self.referee.fail(player, verdict, spent)
        self._settled(player)

    def _ready(self, player: int) -> bool:
        return self.referee.players[player].ready is not None

    def _settled(self, player: int) -> None:
        self._open.remove(player)
        if self.referee.players[player].stage is Stage.DROPPED:
            self._part(player)

    def _part(self, player: int) -> None:
        self._left.add(player)
        self._send(player, self.referee.farewell(player))

    def _send(self, player: int, block: bytes) -> None:
        assert block == b"" or block.endswith(b"\n")
        lines = block.decode("ascii").splitlines()
        self.sent[player].extend(lines)
        self.unchecked[player].extend(lines)

    def _log(self, player: int, source: SaidWhere, text: str) -> None:
        self.logs[player].append(text)


def play_row(row: Mapping[str, Any], *, straight: bool = False) -> None:
    """Play the script of a row; asserts that everything comes as the row says.

    Args:
        row: of the table.
        straight: take the straight path where a session would.
    """
    assert set(row) <= KEYS, f"unknown keys: {set(row) - KEYS}"
    game = make_game(row["game"])
    n = game.num_players
    one = make_job(row, game)
    wants = per_seat(row.get("want", ""), n)
    steps = [read_step(line) for line in row["script"].splitlines() if line.split("#")[0].strip()]
    shown = {step.player for step in steps if step.what == ">"}
    headers = {s.player for s in steps if s.what == ">" and HEADER.match(s.text)}
    played = Scripted(one, game, wants, greet=row.get("greet", False), straight=straight)
    for step in steps:
        if step.what == "?":
            assert played.overdue(step) == step.text.split()[0], step
        elif step.what == "!":
            played.happen(step)
        elif step.what == ":":
            assert step.text in "\n".join(played.logs[step.player]), step
        elif step.what == ">":
            sent = played.unchecked[step.player]
            while step.player not in headers and sent and HEADER.match(sent[0]):
                sent.popleft()
            assert sent, f"nothing is sent to {step.player}: expected {step.text}"
            check_line(sent.popleft(), step.text, 7 + step.player)
        else:
            played.write(step)
    for player in shown:
        rest = list(played.unchecked[player])
        assert not rest, f"to player {player}: {rest}"
    assert played.referee.over, "the script ends before the match"
    record = played.referee.record({}, "", HOUR_MS)  # longer than what its lines say
    check_record(row, record)
    if not isinstance(game, Sums):  # a game that nobody can load
        assert verify(record) == []
        check_made_again(record, played, greeted=row.get("greet", False))


def check_line(line: str, expected: str, seed: int) -> None:
    """Assert that a line is as expected, where ``…`` is any text and ``ID`` the game's id."""
    wire_id = hashlib.sha256(f"arena/1|wire|{seed}".encode()).hexdigest()[:16]
    text = re.sub(r"\bID\b", wire_id, expected)
    pattern = ".*".join(map(re.escape, text.split("…")))
    assert re.fullmatch(pattern, line), f"sent: {line!r}, expected: {text!r}"


def check_made_again(record: Record, played: Scripted, *, greeted: bool) -> None:
    """Assert that what was sent follows from the record as it is written."""
    text = parse_record(format_record(record))
    for player, sent in enumerate(played.sent):
        blocks = blocks_sent(text, player)
        made = [line for block in blocks for line in block.lines if line != "quit"]
        if not greeted:  # the process was kept from an earlier match
            made.remove("hello abp 1")
        if all(block.exact for block in blocks):
            assert made == sent, f"to player {player}"
        else:  # an unfinished line, or one that was not read, is not in the record
            assert len(made) == len(sent)
            for line, was in zip(made, sent, strict=True):
                assert line == was or was.startswith("bad time no complete answer within ")


def check_record(row: Mapping[str, Any], record: Record) -> None:
    """Assert that a record has the end, the faults and the decisions of a row."""
    expected = [entry.split() for entry in str(row["record"]).split(";") if entry.strip()]
    found = [[str(player), action or "-"] for player, action in record.actions]
    assert found == [words[:2] for words in expected]
    for words, decision in zip(expected, record.decisions, strict=True):
        facts = {"late": decision.late, "forced": decision.forced}
        assert {name for name, so in facts.items() if so} == {*words} & {*facts}, words
        pairs = dict(word.split("=") for word in words[2:] if "=" in word)
        for name, value in zip(
            ("wall", "charged"), (decision.ms, decision.charged_ms), strict=True
        ):
            if name in pairs:
                assert value == float(pairs.pop(name)), words
        if words[1] != "-":  # info is kept with a play; with a drop it may be
            assert {key: str(value) for key, value in decision.info} == pairs, words
    assert str(record.by) == row["by"]
    assert " ".join(map(str, record.ranks)) == str(row["ranks"])
    scores = " ".join(f"{score:g}" for score in record.scores or ())
    assert scores == str(row.get("scores", ""))
    faults = "; ".join(f"{f.player} {f.code} {f.decision}" for f in record.faults)
    assert faults == row.get("faults", "")
    if "cause" in row:
        assert [str(fault.cause) for fault in record.faults] == [row["cause"]]
    details = " ".join(fault.detail for fault in record.faults)
    for words in row.get("words", ()):
        assert words in details


def read_step(line: str) -> Step:
    """Read one line of a script."""
    found = STEP.fullmatch(line.strip())
    assert found, f"no step of a script: {line!r}"
    player, times, what, repeat, text = found.groups()
    return Step(int(player), times or "", what, int(repeat or 1), text or "")


def make_game(text: str) -> Game:
    """Make one of the small games, or load one of the arena's own."""
    name, _, rest = text.rstrip(")").partition("(")
    if name not in GAMES:
        return load_game(text)
    pairs = dict(word.split("=") for word in rest.split(",") if word)
    return GAMES[name](pairs)


def make_job(row: Mapping[str, Any], game: Game) -> MatchJob:
    """Make the job of a row's match; players have the seeds 7, 8, 9 …"""
    clocks = row.get("clocks") or per_seat(row.get("clock", "move=1000"), game.num_players)
    seats = [
        seat(name=f"bot{player}", clock=read_clock(text), seed=7 + player)
        for player, text in enumerate(clocks)
    ]
    opening = tuple(
        (int(player), action)
        for player, action in (
            entry.split() for entry in row.get("opening", "").split(";") if entry
        )
    )
    more = {key: row[key] for key in ("max_decisions", "on_timeout") if key in row}
    setup = str(row["setup"]) if "setup" in row else game.setup(1)
    return job(row["game"], *seats, setup=setup, opening_actions=opening, **more)


def read_clock(text: str) -> Clock:
    """Read ``move=1000 margin=50``; what is left out does not limit anything."""
    given = {f"{name}_ms": int(ms) for name, ms in (word.split("=") for word in text.split())}
    return replace(Clock(move_ms=None, first_ms=0), **given)


def per_seat(value: Any, n: int) -> list[str]:
    """Return one text for each seat; a single one is everybody's."""
    return [value] * n if isinstance(value, str) else list(value)
