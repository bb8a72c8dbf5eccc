"""Another program in a seat of a recorded match: it is sent what was sent then.

The other players are not there: all that the seat was sent follows from the record. An answer that
deviates is reported, the recorded one counts, and the rest is sent as recorded.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from arena.bots.find import check_plays, enter, parse_bot
from arena.bots.imports import with_imports
from arena.bots.isolation import level_for, untrusted_among
from arena.isolation.choose import choose_level
from arena.match.charging import Spent
from arena.match.clock import GameClock
from arena.match.player import PlayerState, Stage
from arena.match.protocol import QUIT
from arena.match.referee import Referee
from arena.match.verdicts import Verdict
from arena.process.bot import BotProcess
from arena.process.capture import Capture
from arena.record.passages import Passage
from arena.record.recorded import blocks_sent, job_of_record
from arena.review.reproduction import check_rules, find_record, positions, variables
from arena.sandbox import AUTO, find_level
from arena.session.launch import Launch
from arena.session.match_session import MatchSession, match_session
from arena.session.parting import dismiss
from arena.session.pool import QUIT_MS
from arena.store import open_store
from arena.values.arguments import PathLike, path_of
from arena.values.errors import RecordError
from arena.values.model import (
    DAY_MS,
    Bot,
    BotEntry,
    Cause,
    Clock,
    Granted,
    Record,
    Seat,
    Termination,
)
from arena.values.said import SaidWhere
from arena.values.untrusted import show, show_lines

Env = tuple[tuple[str, str], ...]

TRUSTED = "if you trust it, name a level: --sandbox limits"
NOT_ISOLATED = "none"  # the level at which a program may open our terminal
ALL_MEMORY = 1 << 50  # more than any machine has
NO_CLOCK = Clock(move_ms=DAY_MS, first_ms=0, margin_ms=0, start_ms=DAY_MS)
# what a program does not go on after, unless it only says so
ENDS = (Termination.CRASH, Termination.FLOOD, Termination.MEMORY)
WAITS = "arena: all decisions were asked; waiting for the program to end (Ctrl-C ends it)"
SHOWN = 4000  # characters of a line that the program writes


@dataclass(frozen=True, slots=True)
class Deviation:
    """Where the program did not do what was recorded; ``str`` is a line for a person.

    Attributes:
        decision: which of the seat's decisions it was, counted from 1.
        recorded: the action, or what was wrong, by its code and in words.
        now: the same of the program.
        before: did it happen before the program was asked for that decision?
    """

    decision: int
    recorded: str
    now: str
    before: bool = False

    def __str__(self) -> str:
        when = f"{'before ' if self.before else ''}decision {self.decision}"
        return f"{when}: recorded {show(self.recorded, 500)}, now {show(self.now, 500)}"


@dataclass(frozen=True, slots=True)
class Sitting:
    """What became of a program in a recorded match.

    Attributes:
        record: of the match.
        player: the seat.
        asked: how many decisions the program was asked for.
        not_asked: how many it was not asked for, as it had ended.
        deviations: in order.
    """

    record: Record
    player: int
    asked: int
    not_asked: int
    deviations: tuple[Deviation, ...]


def reproduce_against(
    match: PathLike,
    player: int,
    bot: str,
    home: PathLike,
    *,
    until: int | None = None,
    no_clock: bool = False,
    sandbox: str | None = None,
    record_env: bool = False,
    report: Callable[[Deviation], None] = lambda deviation: None,
    remark: Callable[[str], None] = lambda line: None,
) -> Sitting:
    """Put a program into a seat of a recorded match, and send it what was sent then.

    >>> arena.reproduce_against("1ac9", 1, "random-sh", ".arena").deviations
    ()

    Args:
        match: an id, the beginning of one, or a file.
        player: the seat.
        bot: the program, as the command line names it.
        home: the arena's home.
        until: the decision after which to stop, counted from 1.
        no_clock: no limit counts: neither times nor what it holds.
        sandbox: the level at which it is isolated; left out, a program named by its path is not,
            so that it can open the terminal.
        record_env: give the program the environment that the record names, even if nothing isolates
            it: such variables can make it run any code, and a record may be from anybody.
        report: takes each deviation as soon as it is known.
        remark: takes remarks, and each line that the program writes to stderr or by ``log``.

    Raises:
        UsageError: there is no such seat, or the level does not work on this machine.
        EngineError: its game is not here.
        RecordError: there is no such match, or there is nothing in it to be asked.
        BotError: the program cannot be found or built, or does not play this game.
        MatchVoid: the program could not be isolated.
    """
    home = path_of(home, "home")
    record = find_record(match, home)
    blocks = _blocks(record, player)
    entry = parse_bot(bot)
    level = _level(entry, sandbox, home, remark)
    env = record.players[player].env if record_env else _env(record, player, level, remark)
    seat = _seat(record, player, entry, home, level, env)
    if no_clock:
        entrant = replace(seat.entrant, memory_bytes=ALL_MEMORY)
        seat = replace(seat, entrant=entrant, clock=NO_CLOCK)
        blocks = [block._replace(limit_ms=DAY_MS) for block in blocks]
    questions = [block for block in blocks if block.answer is not None]
    rest = [] if until is not None and until < len(questions) else blocks[1 + len(questions) :]
    echo = Echo(remark)
    deviations: list[Deviation] = []
    with _session(record, player, seat, level, echo) as session:
        for deviation in _deviations(session, record, player, questions[:until], rest, remark):
            deviations.append(deviation)
            report(deviation)
        asked = session.referee.players[player].asked
    echo.flush()
    left = len(questions[:until]) - asked
    return Sitting(record, player, asked, left, tuple(deviations))


@contextmanager
def _session(
    record: Record, player: int, seat: Seat, level: str, echo: Echo
) -> Iterator[MatchSession]:
    """Open the session of a match in which only the program has a process."""
    nobody = [Bot(one.bot, one.version, one.hash, (), "") for one in record.players]
    job = job_of_record(record, nobody, level)
    seats = tuple([seat if one == player else old for one, old in enumerate(job.seats)])

    def start(how: Launch) -> BotProcess:
        if level == NOT_ISOLATED:
            terminal = {name: os.environ[name] for name in ("TERM",) if name in os.environ}
            how = how._replace(here=True, env={**how.env, **terminal})
        return BotProcess(how)

    job = replace(job, seats=seats, ponder=True, on_timeout="forfeit")
    with match_session(job, referee=_Examiner) as session:
        session.start, session.seats[player].capture = start, echo
        session.start_only(player)
        yield session


class Echo(Capture):
    """What a bot writes to stderr and by ``log``, handed on line by line as it comes."""

    __slots__ = ("_begun", "_remark")

    def __init__(self, remark: Callable[[str], None]) -> None:
        super().__init__()
        self._remark = remark
        self._begun = b""

    def add(self, data: bytes, source: SaidWhere = SaidWhere.STDERR) -> None:
        """Take some bytes, and hand on the lines that are complete."""
        super().add(data, source)
        if source is not SaidWhere.STDERR:
            self.flush()  # a line by `log` is whole, and no end of what stderr has begun
        *lines, self._begun = (self._begun + data).split(b"\n")
        for line in lines:
            self._remark(show_lines(line, SHOWN))

    def flush(self) -> None:
        """Hand on a line that is not complete."""
        if self._begun:
            self._remark(show_lines(self._begun, SHOWN))
            self._begun = b""


class _Examiner(Referee):
    """Asks one player what it was asked in a record, and drops no player.

    Attributes:
        block: what is asked next, at ``course.state``.
        wrong: what was wrong with what the player wrote since it was asked.
        before: the same of what it wrote before that.
    """

    block: Passage
    wrong: tuple[Verdict, ...] = ()
    before: tuple[Verdict, ...] = ()

    def ask(self, player: int, *, begun: bool = False) -> bytes:
        """Return the block."""
        p = self.players[player]
        assert self.block.decision is not None
        p.stage, p.early, p.asked = Stage.ASKED, begun, self.block.decision
        p.limit_ms, p.clock = self.block.limit_ms, GameClock(p.seat.clock)
        self.before, self.wrong = self.wrong, ()
        return _text(self.block)

    def answered(self, player: int) -> str | Verdict:
        """Return what a player that was asked has answered, and go on to the next question."""
        p, wrong = self.players[player], self.wrong
        p.stage, self.wrong = Stage.READY, ()
        return wrong[-1] if wrong else p.action

    def convict(self, p: PlayerState, verdict: Verdict, spent: Spent) -> bool:
        """Keep what was wrong; it settles who was asked."""
        self.wrong = (*self.wrong, verdict)
        if p.stage is Stage.READY:
            return False
        p.stage = Stage.SETTLED
        return True


def _deviations(
    session: MatchSession,
    record: Record,
    player: int,
    questions: Sequence[Passage],
    rest: Sequence[Passage],
    remark: Callable[[str], None],
) -> Iterator[Deviation]:
    """Send a program all of a match, as long as it lives, and yield where it does something else.

    Args:
        session: in which only the program has a process.
        record: of the match.
        player: the program's seat.
        questions: what to ask.
        rest: what to send after that.
        remark: takes remarks.
    """
    examiner, states = session.referee, positions(record)[len(record.opening) :]
    echo = session.seats[player].capture
    assert isinstance(examiner, _Examiner)
    assert isinstance(echo, Echo)
    session.greet()
    if examiner.wrong:
        yield Deviation(1, "ready", _in_words(examiner.wrong[0]), before=True)
        return
    session.begin()
    p, wanted = examiner.players[player], record.players[player].want
    assert p.ready is not None
    if more := [want for want in p.ready.want if want not in wanted]:
        remark(
            f"arena: it also wants {' and '.join(more)}, but gets only what was sent then: "
            f"{' and '.join(wanted) or 'none of these lines'}"
        )
    for question in questions:
        assert question.decision is not None
        assert question.answer is not None
        examiner.block = question
        examiner.course.state = states[question.answer]
        session.ask((player,))
        echo.flush()
        asked = p.asked == question.decision
        for wrong in examiner.before if asked else examiner.wrong:
            yield Deviation(question.decision, "nothing", _in_words(wrong), before=True)
        if not asked:
            return
        now, recorded = examiner.answered(player), _recorded(record, player, question.answer)
        if not _are_alike(recorded, now):
            yield Deviation(question.decision, _in_words(recorded), _in_words(now))
        if isinstance(now, Verdict) and now.code in ENDS and now.cause is not Cause.ERROR:
            return
    seat = session.seats[player]
    seat.bot.write(b"".join(map(_text, rest)))
    if p.seat.clock == NO_CLOCK:
        remark(WAITS)
    dismiss([seat], DAY_MS if p.seat.clock == NO_CLOCK else QUIT_MS)
    seat.here = False


def _blocks(record: Record, player: int) -> Sequence[Passage]:
    check_rules(record, "sent again")
    blocks = blocks_sent(record, player)
    if len(blocks) < 2:
        raise RecordError(
            f"match {show(record.id)}: player {player} never began, and so was asked nothing"
        )
    return blocks


def _level(entry: BotEntry, sandbox: str | None, home: Path, remark: Callable[[str], None]) -> str:
    if sandbox is None and entry.run is not None:
        remark(
            f'arena: "{show(entry.name)}" is not isolated, so that it can open the terminal; '
            "--sandbox auto isolates it"
        )
        return choose_level(NOT_ISOLATED)
    with open_store(home, create=False) as store:
        untrusted = untrusted_among([entry], store.bots)
    return level_for(sandbox or AUTO, untrusted, remedy=TRUSTED)


def _env(record: Record, player: int, level: str, remark: Callable[[str], None]) -> Env:
    """Return the recorded environment, and nothing of it where it would reach this machine.

    A variable such as ``PYTHONPATH`` makes a harmless program run any code.
    """
    then = record.players[player]
    if find_level(level).isolates or not (named := variables([then])):
        return then.env
    remark(
        f"arena: the record sets environment variables, which are left out as nothing isolates the "
        f"program: {named}; --record-env sets them"
    )
    return ()


def _seat(record: Record, player: int, entry: BotEntry, home: Path, level: str, env: Env) -> Seat:
    """Return the program's seat: with the clock, memory and seed of then."""
    then = record.players[player]
    granted = Granted(ALL_MEMORY, DAY_MS)  # it has what it had then
    with open_store(home, create=False) as store:
        entrant = enter(entry, store.bots, home, level=level, granted=granted)
    check_plays(entrant.bot, record.game)
    (entrant,) = with_imports([entrant], (record.game,), level, home)
    entrant = replace(entrant, env=env, clock=then.clock, memory_bytes=then.memory_bytes)
    return entrant.seat(record.clock, then.seed)


def _recorded(record: Record, player: int, place: int) -> str | Verdict:
    """Return the action of a decision, or what was wrong."""
    action = record.actions[place][1]
    if action is None:
        faults = (Verdict(one.code, one.detail) for one in record.faults if one.player == player)
        return next(faults, Verdict(Termination.RESIGN, ""))
    if record.decisions[place].forced:
        return Verdict(Termination.TIME, f"the rules played {action}")
    return action


def _are_alike(recorded: str | Verdict, now: str | Verdict) -> bool:
    """Return whether an answer is the recorded one, or what is wrong was so then."""
    if isinstance(recorded, str) or isinstance(now, str):
        return now == recorded
    if now.code is Termination.ILLEGAL:
        return _in_words(now) == _in_words(recorded)
    return now.code is recorded.code


def _in_words(answer: str | Verdict) -> str:
    if isinstance(answer, str):
        return answer
    return "resign" if answer.code is Termination.RESIGN else f"{answer.code}: {answer.detail}"


def _text(block: Passage) -> bytes:
    """Return the lines of a block as bytes, without ``quit``, which is sent at the end."""
    lines = [line.data + b"\n" for line in block.lines]
    return b"".join([line for line in lines if line != QUIT])
