"""How a bot takes what it does not know, and what would be good of it and costs it nothing."""

from __future__ import annotations

import signal
from collections.abc import Iterable
from dataclasses import replace

from arena.check.rehearsal import rehearsal
from arena.check.remedies import failed_at, said
from arena.check.steps import Note, StepResult, Subject, noted
from arena.sandbox import find_level
from arena.values.model import Clock
from arena.values.origins import ASK

DECISIONS = 2
BUDGET_PART = 10  # of the limit of a move
BUDGET_ANSWERS = 4
LONGEST_MS = 1000  # the limit where the clock has none a move
FIRST_MS = 1000  # for the first answer
UNASKED_MS = 250  # for which others are taken to decide
SKIP = (
    "Skip a line whose first word you do not know: it belongs to a later protocol. Take the words "
    "that you need from a line, and leave the others: read seat's first two, and key=value by its "
    "key."
)


def ignores_unknown(subject: Subject) -> StepResult:
    """Ask two questions, with unknown lines and words among those that are known."""
    with rehearsal(subject, change=_with_unknown) as match:
        if match.greet() and match.play(DECISIONS, settle=True):
            return noted("unknown lines, and unknown words in known lines", [])
        among = (
            'with unknown lines ("news of tomorrow") between the known ones, and an unknown word '
            '("colour=green") at the end of seat, clock and go: '
        )
        return failed_at(match, among, fix=SKIP)


def network(subject: Subject) -> StepResult:
    """Ask two questions; the bot is ended where it tries to reach the network, if it has none."""
    level = ASK if subject.entrant.bot.asks else subject.sandbox
    if level == ASK or not find_level(level).isolates:
        return noted(f"nothing keeps it from the network at the level {level}", [])
    with rehearsal(subject, watches_network=True) as match:
        well = match.greet() and match.play(DECISIONS)
        ended = match.bot.exit_code() if match.seat.here else None
        tried = not well and ended in (-signal.SIGSYS, 128 + signal.SIGSYS)
        lines = match.transcript.lines()
    if not tried:
        return noted("it did not try to reach the network", [])
    where = f"at decision {match.player.asked}" if match.player.asked else "before it was ready"
    found = f"it tried {where}: bots have no network, and later answers may be a fallback"
    remedy = "If the bot needs a server, enter it as one that asks: ask: PATH, or --ask NAME=PATH."
    return noted("a look at whom it calls", [(found, remedy)], lines)


def manners(subject: Subject, running: Iterable[str]) -> StepResult:
    """Ask on a short clock; look at what is done unasked.

    ``running`` is what the bot left running.
    """
    notes = [*_budget(subject), *_pondering(subject)]
    if names := ", ".join(dict.fromkeys(running)):
        ended = "End what the bot has started before it leaves; that is no fault."
        notes.append((f"it left running: {names}; they were killed", ended))
    return noted("a tenth of the limit, computing unasked, processes that are left", notes)


def _budget(subject: Subject) -> Iterable[Note]:
    """Play the beginning of a game with a tenth of the limit of a move."""
    limit = max(1, (subject.clock.move_ms or LONGEST_MS) // BUDGET_PART)
    clock = Clock(move_ms=limit, first_ms=FIRST_MS, margin_ms=subject.clock.margin_ms)
    with rehearsal(replace(subject, clock=clock)) as match:
        if match.greet():
            match.play(BUDGET_ANSWERS)
        late = any(answer.late for answer in match.answers())
    if match.fault or late:
        what = said(match.fault) if match.fault else "it was late, within the margin"
        yield (
            f"with {limit} ms a move: {what}",
            'Take the time from "limit=" of each "go", less some ms for the way; a tournament may '
            "have such a clock.",
        )


def _pondering(subject: Subject) -> Iterable[Note]:
    """Ask once, and look whether the bot computes while it waits for the next question."""
    with rehearsal(subject) as match:
        if match.greet() and match.play(1) and match.ponders(UNASKED_MS):
            yield (
                "it computes after its answer, while others decide",
                "Wait for the next line without computing. Unless a tournament says ponder: true, "
                "a bot that does so is stopped while it is not asked.",
            )


def _with_unknown(block: str) -> str:
    """Return a block with additional lines and words, which no version of the protocol knows.

    A later version of the protocol may add some, and a bot has to ignore them.
    """
    lines = []
    for line in block.splitlines():
        if not line.startswith("hello"):
            lines += ["news of tomorrow", "weather wind=3 rain=0.5"]
        longer = line.startswith(("seat ", "clock ", "go "))
        lines.append(f"{line} colour=green" if longer else line)
    return "".join(f"{line}\n" for line in lines)
