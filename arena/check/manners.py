"""How a bot takes what it does not know: unknown lines and words, other line ends."""

from __future__ import annotations

from dataclasses import replace

from arena.check.faults import failed_at
from arena.check.rehearsal import rehearsal
from arena.check.steps import Finding, Verdict
from arena.check.subject import Subject
from arena.check.transcript import Change
from engines import Game

__all__ = ["ignores_unknown", "line_ends"]

DECISIONS = 2


def ignores_unknown(subject: Subject, rules: Game) -> Finding:
    """Ask the same questions among unknown verbs, then with unknown words at the known ones."""
    found = _failure(
        *(subject, rules, _with_verbs),
        'with unknown lines ("news of tomorrow") between the known ones',
        "Skip a line whose first word you do not know: it belongs to a later protocol.",
    ) or _failure(
        *(subject, rules, _with_keys),
        'with an unknown word ("colour=green") at the end of seat, clock and go',
        "Take the words you need from a line, and leave any others: read seat's first two, and "
        "key=value by its key.",
    )
    return found or Finding(Verdict.OK, "unknown lines, and unknown words in known lines")


def line_ends(subject: Subject, rules: Game) -> Finding:
    """Ask with CRLF, then with empty lines; the arena itself writes neither, so it is a note."""
    crlf = "Drop one carriage return at the end of each line."
    found = _failure(subject, rules, _with_crlf, "with CRLF line ends", crlf) or _failure(
        subject, rules, _with_empty_lines, "with empty lines", "Skip empty lines."
    )
    if found is None:
        return Finding(Verdict.OK, "CRLF, and empty lines")
    detail = f"{found.detail} (the arena writes LF alone; another runner may not)"
    return replace(found, verdict=Verdict.NOTE, detail=detail)


def _failure(
    subject: Subject, rules: Game, change: Change, what: str, remedy: str
) -> Finding | None:
    """Ask two questions with a change to every block; ``None`` if the bot answered well."""
    with rehearsal(subject.job(rules, 0), 0, change=change) as match:
        if match.greet() and match.play(DECISIONS, settle=True):
            return None
        return failed_at(match, f"{what}: ", remedy=remedy)


# changes: a block as it is, but …


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
