"""The first words with a bot: it says that it is ready, and answers two questions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress

from arena.check.faults import failed_at
from arena.check.rehearsal import Rehearsal, rehearsal
from arena.check.steps import Finding, Verdict
from arena.check.subject import Subject, good_seed
from arena.errors import near_miss
from arena.match.protocol import WANTS, Malformed, Message, Play, Unknown, parse, quote
from engines import Game

__all__ = ["answer", "hello"]

SLOW_START_MS = 1000
KEYS = ("abp", "want", "name", "version")
DECISIONS = 2
SHOWN = 3  # lines that are no part of the protocol
DEALS = 5  # tried until it has anything to decide

Note = tuple[str, str]  # what was seen, and how to fix it


def hello(subject: Subject) -> Finding:
    """Start the bot and greet it."""
    with rehearsal(subject.job(subject.games[0], 0), 0) as match:
        if not match.greet():
            return failed_at(match)
        *before, line = match.transcript.heard
        notes = [*_strange(before), *_unknown_words(line.decode("utf-8", "replace"))]
        if match.ready_ms > SLOW_START_MS:
            slow = "each match pays that again, where processes are fresh"
            notes.append((slow, "Prepare less before it says ready."))
        ready = match.player.ready
        assert ready is not None
        wants = f"wants {','.join(ready.want)}" if ready.want else "no wants"
        return _noted(f"ready after {match.ready_ms:.0f} ms, {wants}", notes, match)


def answer(subject: Subject) -> Finding:
    """Ask for two decisions, and hear out what comes besides the answers."""
    game = subject.games[0]
    finding = _ask(subject, game, good_seed(game))
    for seed in range(good_seed(game) + 1, good_seed(game) + DEALS):
        if finding is not None:
            break
        finding = _ask(subject, game, seed)
    return finding or Finding(Verdict.NOTE, f"{game} was over before it was asked, {DEALS} times")


def _ask(subject: Subject, game: Game, seed: int) -> Finding | None:
    """Ask for two decisions on one deal; ``None`` if the game is over before."""
    with rehearsal(subject.job(game, 0, seed=seed), 0) as match:
        greeted = match.greet()
        before = len(match.transcript.heard)  # those lines are an earlier step's
        if not (greeted and match.play(DECISIONS, settle=True)):
            return failed_at(match, f"{game}, seat 0: ")
        count = sum(
            action is not None for player, action in match.referee.course.actions if player == 0
        )
        if not count:
            return None
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
        return _noted(f"{game}: {answers}, each in one line", notes, match)


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
                    what = f"nobody can want {quote(word)}{hint}"
                    notes.append((what, f"Write want= with some of {','.join(WANTS)}."))
    return notes


def _noted(seen: str, notes: list[Note], match: Rehearsal) -> Finding:
    if not notes:
        return Finding(Verdict.OK, seen)
    detail = "; ".join([seen, *(what for what, _ in notes)])
    remedy = " ".join(remedy for _, remedy in notes)
    return Finding(Verdict.NOTE, detail, remedy, match.transcript.lines())
