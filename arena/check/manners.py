"""How a bot takes what it does not know, and how it leaves."""

from __future__ import annotations

from typing import NamedTuple

from arena.check.faults import failed_at
from arena.check.steps import Finding, Verdict
from arena.check.subject import Subject
from arena.check.table import Dress, at_table
from arena.check.talk import Talk
from arena.match.lines import Flood
from arena.match.protocol import QUIT
from engines import Game

__all__ = ["Leaving", "children", "eof", "ignores_unknown", "line_ends", "quits"]

DECISIONS = 2
LEAVE_MS = 1000
AT_EASE_MS = 100  # before it is told to leave it may finish what it is saying


class Leaving(NamedTuple):
    """How a bot left: what to say of it, and what it left running."""

    finding: Finding
    running: tuple[str, ...]


def ignores_unknown(subject: Subject, rules: Game) -> Finding:
    """Ask the same questions among unknown verbs, then with unknown words at the known ones."""
    for dress, what, remedy in (
        (
            _with_verbs,
            'with unknown lines ("news of tomorrow") between the known ones',
            "Skip a line whose first word you do not know: it belongs to a later protocol.",
        ),
        (
            _with_keys,
            'with an unknown word ("colour=green") at the end of seat, clock and go',
            "Take the words you need from a line, and leave any others: read seat's first two, and "
            "key=value by its key.",
        ),
    ):
        finding = _dressed(subject, rules, dress, what, remedy)
        if finding is not None:
            return finding
    return Finding(Verdict.OK, "unknown lines, and unknown words in known lines")


def line_ends(subject: Subject, rules: Game) -> Finding:
    """Ask with CRLF, then with empty lines; the arena itself writes neither, so it is a note."""
    for dress, what, remedy in (
        (
            _with_crlf,
            "with CRLF line ends",
            "Drop one carriage return at the end of each line.",
        ),
        (_with_empty_lines, "with empty lines", "Skip empty lines."),
    ):
        found = _dressed(subject, rules, dress, what, remedy)
        if found is not None:
            return Finding(
                Verdict.NOTE,
                f"{found.detail} (the arena writes LF alone; another runner may not)",
                found.remedy,
                found.transcript,
                found.stderr,
            )
    return Finding(Verdict.OK, "CRLF, and empty lines")


def eof(subject: Subject, rules: Game | None) -> Leaving:
    """End the bot's input in the middle of a game, and see it leave.

    Args:
        subject: the bot.
        rules: the game; ``None`` if it should not be asked anything.
    """
    return _leaves(subject, rules, at_end=False)


def quits(subject: Subject, rules: Game | None) -> Leaving:
    """Say ``quit`` after a game, and see the bot leave."""
    return _leaves(subject, rules, at_end=True)


def children(running: tuple[str, ...]) -> Finding:
    """Say what the bot has left running each time it left."""
    if not running:
        return Finding(Verdict.OK, "no process was left")
    names = ", ".join(dict.fromkeys(running))
    return Finding(
        Verdict.NOTE,
        f"it left running: {names}; they were killed",
        "End what the bot has started before it leaves. In a match it is killed; that is no fault.",
    )


def _dressed(subject: Subject, rules: Game, dress: Dress, what: str, remedy: str) -> Finding | None:
    """Ask two questions in some dress; ``None`` if the bot answered well."""
    with at_table(subject.job(rules, 0), 0, dress=dress) as table:
        if table.greet() and table.play(DECISIONS, settle=True):
            return None
        return failed_at(table, f"{what}: ", remedy=remedy)


def _leaves(subject: Subject, rules: Game | None, *, at_end: bool) -> Leaving:
    """See it leave, at the second try if it must be: a busy machine may hold anyone up once."""
    leaving = _leave(subject, rules, at_end=at_end)
    if leaving.finding.verdict is Verdict.FAILED:
        return _leave(subject, rules, at_end=at_end)
    return leaving


def _leave(subject: Subject, rules: Game | None, *, at_end: bool) -> Leaving:
    game = rules or subject.games[0]
    job = subject.job(game, 0, max_decisions=DECISIONS * game.num_players)
    with at_table(job, 0) as table:
        if not (table.greet() and (rules is None or table.play())):
            return Leaving(failed_at(table), ())
        if at_end and rules is not None:
            table.say_farewell()
        talk = table.talk
        try:
            list(talk.unasked(AT_EASE_MS))
            orphans = talk.orphans()
            if at_end:
                talk.say(f"{QUIT}\n")
            else:
                talk.end_input()
            took_ms = talk.left_within(LEAVE_MS)
            words = list(talk.unasked(0))
        except Flood as error:
            detail = f"it does not stop writing: {error}"
            remedy = "Write only what answers a line of the arena."
            finding = Finding(Verdict.FAILED, detail, remedy, talk.transcript(), talk.stderr())
            return Leaving(finding, ())
        running = orphans if took_ms is None else (*orphans, *talk.left_running())
        return Leaving(_how_it_left(talk, took_ms, words, at_end=at_end), running)


def _how_it_left(talk: Talk, took_ms: float | None, words: list[bytes], *, at_end: bool) -> Finding:
    cause = '"quit"' if at_end else "the end of its input"
    if took_ms is not None and (excess := talk.guard.why_it_ended()) is not None:
        detail = f"{excess.code} after {cause}: {excess.detail}"
        remedy = "Leave without doing anything else."
        return Finding(Verdict.FAILED, detail, remedy, talk.transcript(), talk.stderr())
    if took_ms is None:
        remedy = (
            'Leave as soon as "quit" is read; other threads must not hold the process.'
            if at_end
            else "Leave when reading gives the end of the file: whoever started it is gone, and "
            "else it would stay forever."
        )
        detail = f"it is still running {LEAVE_MS} ms after {cause}"
        return Finding(Verdict.FAILED, detail, remedy, talk.transcript(), talk.stderr())
    detail = f"gone {took_ms:.0f} ms after {cause}; {talk.bot.how_it_ended()}"
    if words:
        remedy = f"Say nothing after {cause}: nobody reads it."
        return Finding(
            Verdict.NOTE, f"{detail}; it wrote before it went", remedy, talk.transcript()
        )
    return Finding(Verdict.OK, detail)


# dresses: a block as it is, but …


def _with_verbs(block: str) -> str:
    lines = []
    for line in block.splitlines():
        if not line.startswith("hello"):
            lines += ["news of tomorrow", "weather wind=3 rain=0.5"]
        lines.append(line)
    return "".join(f"{line}\n" for line in lines)


def _with_keys(block: str) -> str:
    return "".join(
        f"{line} colour=green\n" if line.startswith(("seat ", "clock ", "go ")) else f"{line}\n"
        for line in block.splitlines()
    )


def _with_crlf(block: str) -> str:
    return block.replace("\n", "\r\n")


def _with_empty_lines(block: str) -> str:
    return block.replace("\n", "\n\n")
