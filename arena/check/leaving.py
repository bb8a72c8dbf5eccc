"""How a bot leaves: at the end of its input, at ``quit``, and with nothing left running."""

from __future__ import annotations

import time

from arena.check.rehearsal import Rehearsal, rehearsal
from arena.check.remedies import failed, failed_at
from arena.check.steps import Note, StepResult, StepState, Subject, noted
from arena.machine import procfs
from arena.match.lines import Flood
from arena.match.protocol import QUIT
from arena.process.bot import BotProcess
from arena.process.launcher import strays
from arena.session.parting import wait_for_ends
from arena.values.untrusted import show

DECISIONS = 2
LEAVE_MS = 1000
AT_EASE_MS = 100  # time to finish its output before it is asked to leave
KILLED_MS = 1000  # that a killed process takes at most to be gone
STRAYS_S = 0.2  # what a bot has started may end this long after it


def leaves(subject: Subject, running: list[str], *, asks: bool, at_end: bool) -> StepResult:
    """See the bot leave, at the second try if it must be: a busy machine may hold anyone up once.

    Args:
        subject: the bot.
        running: gets the command lines of what the bot left running.
        asks: whether it should be asked anything.
        at_end: say ``quit`` after the game; otherwise its input ends in the middle of the game.
    """
    found = _leave(subject, running, asks=asks, at_end=at_end)
    if found.verdict is StepState.FAILED:
        return _leave(subject, running, asks=asks, at_end=at_end)
    return found


def _leave(subject: Subject, running: list[str], *, asks: bool, at_end: bool) -> StepResult:
    with rehearsal(subject, decisions=DECISIONS) as match:
        if not (match.greet() and (not asks or match.play())):
            return failed_at(match)
        if at_end and asks:
            match.say_farewell()
        try:
            match.bot.settle(AT_EASE_MS)
            list(match.rest_of_lines())
            took_ms = _see_off(match, at_end=at_end)
            words = list(match.rest_of_lines())
        except Flood as error:
            detail = f"it does not stop writing: {error}"
            return failed(match, detail, "Write only what answers a line of the arena.")
        if took_ms is not None:
            running += _left_running(match.bot)
        return _how_it_left(match, took_ms, words, at_end=at_end)


def _see_off(match: Rehearsal, *, at_end: bool) -> float | None:
    """Have the bot leave; the milliseconds that took, ``None`` if it does not.

    It is not waited for any longer once it has written more than anyone may.
    """
    bot, transcript = match.bot, match.transcript
    begin = time.monotonic()
    if at_end:
        bot.write(QUIT)
    else:
        transcript.remark("its input was closed")
        bot.close_stdin()
    stays = wait_for_ends([match.seat], LEAVE_MS)
    if bot.has_exited(wait_ms=KILLED_MS if bot.excess else 0):
        took_ms = (time.monotonic() - begin) * 1000
        transcript.remark(bot.how_it_ended())
        return took_ms
    if stays:
        transcript.remark(f"it is still running after {LEAVE_MS} ms")
    return None


def _how_it_left(
    match: Rehearsal, took_ms: float | None, words: list[bytes], *, at_end: bool
) -> StepResult:
    cause = '"quit"' if at_end else "the end of its input"
    if took_ms is not None and (excess := match.seat.holds.why_it_ended()) is not None:
        detail = f"{excess.code} after {cause}: {excess.detail}"
        return failed(match, detail, "Leave without doing anything else.")
    if took_ms is None:
        remedy = (
            'Leave as soon as "quit" is read; other threads must not hold the process.'
            if at_end
            else "Leave at the end of the input: the program that started the bot is gone, and the "
            "bot would otherwise run forever."
        )
        return failed(match, f"it is still running {LEAVE_MS} ms after {cause}", remedy)
    detail = f"gone {took_ms:.0f} ms after {cause}; {match.bot.how_it_ended()}"
    notes: list[Note] = []
    if words:
        notes = [("it wrote before it went", f"Write nothing after {cause}: nobody reads that.")]
    return noted(detail, notes, match.transcript.lines())


def _left_running(bot: BotProcess) -> tuple[str, ...]:
    """Return the command lines of what the bot, which has ended, left running."""
    ended = frozenset((bot.pid,))
    if any(strays(ended)):
        time.sleep(STRAYS_S)
    return tuple(filter(None, map(_command_line, strays(ended))))


def _command_line(pid: int) -> str:
    try:
        return show(b" ".join(procfs.command_line(pid, 400)), 60)
    except OSError:
        return ""
