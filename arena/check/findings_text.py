"""A check for people, line by line as it goes, and for programs."""

from __future__ import annotations

import textwrap
from collections import Counter
from dataclasses import asdict
from typing import Any

from arena.check.steps import CheckReport, Step, StepState, TranscriptLine
from arena.values.untrusted import show

SHOWN = 16  # lines of a transcript
MARKS = {"arena": ">", "bot": "<", "note": "-"}
WORDS = {
    StepState.OK: "ok",
    StepState.NOTE: "note",
    StepState.FAILED: "FAILED",
    StepState.SKIPPED: "-",
}
INDENT = " " * 12
MIN_WIDTH = 40  # narrower, words would stand alone


def step_text(step: Step, width: int | None = None) -> str:
    """Return a step as lines: what came out of it and, where all is not well, how to fix it.

    Where it failed, the transcript is shown: what the arena said (``>``), what the bot said
    (``<``), and when, in milliseconds.

    Args:
        step: the step.
        width: of a terminal, at which lines are broken between words; ``None``: they are not.
    """
    finding = step.finding
    title = f"{step.title}, {step.game}" if step.game else step.title
    head = f"{step.number:3}  {WORDS[finding.verdict]:<6} {title}: {_indented(finding.detail)}"
    lines = [head]
    if finding.verdict is StepState.FAILED:
        lines.append(f"{INDENT}expected: {step.expected}")
        lines += _transcript(finding.transcript)
        if finding.stderr:
            lines.append(f'{INDENT}last written to stderr, by "log" or by the referee:')
            lines += [f"{INDENT}  {show(line)}" for line in finding.stderr.split("\n")]
    if finding.remedy:
        lines.append(f"{INDENT}How to fix it: {finding.remedy}")
    return "".join(f"{_fitted(line, width)}\n" for line in lines)


def summary(report: CheckReport) -> str:
    """Return the last line: how many steps went how."""
    counts = Counter(step.finding.verdict for step in report.steps)
    words = zip(StepState, ("ok", "to note", "failed", "not tried"), strict=True)
    parts = ", ".join(f"{counts[state]} {word}" for state, word in words if counts[state])
    return f"{show(report.bot)}: {len(report.steps)} steps: {parts}\n"


def as_data(report: CheckReport) -> dict[str, Any]:
    """Return a report as ``arena check --json`` prints it."""
    return {
        "bot": report.bot,
        "games": list(report.games),
        "passed": report.passed,
        "steps": [
            {
                "number": step.number,
                "step": step.name,
                "game": step.game or None,
                "title": step.title,
                "expected": step.expected,
                **asdict(step.finding),
            }
            for step in report.steps
        ],
    }


def _transcript(lines: tuple[TranscriptLine, ...]) -> list[str]:
    shown = lines if len(lines) <= SHOWN + 1 else lines[-SHOWN:]
    texts = [f"{INDENT}{line.ms:9.1f} ms {MARKS[line.who]} {line.text}" for line in shown]
    left_out = len(lines) - len(shown)
    return [f"{INDENT}          … {left_out} lines before", *texts] if left_out else texts


def _indented(detail: str) -> str:
    """Return a detail, of which a build's may have several lines, safe and below its step."""
    return f"\n{INDENT}".join(show(line, 500) for line in detail.splitlines())


def _fitted(text: str, width: int | None) -> str:
    if width is None:
        return text
    return "\n".join(
        textwrap.fill(line, max(width, MIN_WIDTH), subsequent_indent=INDENT, break_on_hyphens=False)
        for line in text.splitlines()
    )
