"""The first words with a bot: it says that it is ready, and answers two questions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress

from arena.check.rehearsal import rehearsal
from arena.check.remedies import failed_at
from arena.check.steps import Note, StepResult, Subject, noted
from arena.match.protocol import WANTS, Malformed, Message, Play, Unknown, parse, quote
from arena.values.errors import near_miss

SLOW_START_MS = 1000
KEYS = ("abp", "want", "name", "version")
DECISIONS = 2
SHOWN = 3  # lines that are no part of the protocol


def hello(subject: Subject) -> StepResult:
    """Start the bot and greet it."""
    with rehearsal(subject) as match:
        if not match.greet():
            return failed_at(match)
        *before, line = match.transcript.heard
        notes = [*_strange(before), *_unknown_words(line.decode("utf-8", "replace"))]
        if match.ready_ms > SLOW_START_MS:
            slow = "each match with fresh processes pays that time again"
            notes.append((slow, "Prepare less before it says ready."))
        ready = match.player.ready
        assert ready is not None
        wants = f"wants {','.join(ready.want)}" if ready.want else "no wants"
        seen = f"ready after {match.ready_ms:.0f} ms, {wants}"
        return noted(seen, notes, match.transcript.lines())


def answer(subject: Subject) -> StepResult:
    """Ask for two decisions, and hear out what comes besides the answers."""
    game = subject.games[0]
    with rehearsal(subject) as match:
        greeted = match.greet()
        before = len(match.transcript.heard)  # those lines are an earlier step's
        if not (greeted and match.play(DECISIONS, settle=True)):
            return failed_at(match, f"{game}, seat 0: ")
        count = len(match.answers())
        lines = match.transcript.heard[before:]
        notes = _strange(lines)
        if match.player.stale:
            stale = "it wrote answers with the number of another question; they were dropped"
            notes.append((stale, 'Answer once to each "go", with the number that came with it.'))
        if any(isinstance(said := _read(raw), Play) and said.decision is None for raw in lines):
            notes.append(
                (
                    "its answers carry no number",
                    'Answer "play ACTION D" with the D of "go D": an answer that comes too late is '
                    "then never taken for the next one.",
                )
            )
        answers = f"{count} answer{'s' * (count != 1)}"
        return noted(f"{game}: {answers}, each in one line", notes, match.transcript.lines())


def _strange(lines: Sequence[bytes]) -> list[Note]:
    """Return a note if some lines are no part of this protocol, but might be of a later one."""
    strange = [raw for raw in lines if isinstance(_read(raw), Unknown)][:SHOWN]
    if not strange:
        return []
    return [
        (
            f"ABP 1 has no such line: {', '.join(map(quote, strange))}",
            'What you print to find mistakes goes to standard error, or after the verb "log"; a '
            "line that begins with a capital letter costs the match.",
        )
    ]


def _read(raw: bytes) -> Message | None:
    with suppress(Malformed):  # after the last answer, where it matters no more
        return parse(raw)
    return None


def _unknown_words(ready: str) -> list[Note]:
    """Return notes on words of ``ready`` that look like slips."""
    notes = []
    for key, value in re.findall(r"(\S+?)=(\S*)", ready):
        if key not in KEYS and (hint := near_miss(key, KEYS)):
            notes.append((f"ready has no {quote(key)}{hint}", f"Write {' '.join(KEYS)}."))
        if key == "want":
            for word in value.split(","):
                if word and word not in WANTS:
                    hint = near_miss(word, WANTS)
                    what = f"there is no {quote(word)} to want{hint}"
                    notes.append((what, f"Write want= with some of {','.join(WANTS)}."))
    return notes
