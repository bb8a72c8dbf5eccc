"""The first words with a bot: it says that it is ready, and answers two questions."""

from __future__ import annotations

import re

from arena.check.faults import failed_at
from arena.check.steps import Finding, Verdict
from arena.check.subject import Subject, good_seed
from arena.check.table import Table, at_table
from arena.errors import near_miss
from arena.match.protocol import WANTS, quote
from engines import Game

__all__ = ["answer", "hello"]

SLOW_START_MS = 1000
KEYS = ("abp", "want", "name", "version")
DECISIONS = 2
DEALS = 5  # tried until it has anything to decide

Note = tuple[str, str]  # what was seen, and how to fix it


def hello(subject: Subject) -> Finding:
    """Start the bot and greet it."""
    with at_table(subject.job(subject.games[0], 0), 0) as table:
        if not table.greet():
            return failed_at(table)
        notes = [*_strange(table), *_unknown_words(table.ready_line.decode("utf-8", "replace"))]
        if table.ready_ms > SLOW_START_MS:
            notes.append(
                (
                    "each match pays that again, where processes are fresh",
                    "Prepare less before it says ready.",
                )
            )
        wants = ",".join(_wants(table))
        seen = f"ready after {table.ready_ms:.0f} ms, {f'wants {wants}' if wants else 'no wants'}"
        return _noted(seen, notes, table)


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
    with at_table(subject.job(game, 0, seed=seed), 0) as table:
        greeted = table.greet()
        table.strange.clear()  # what it wrote before it was ready is an earlier step's
        if not (greeted and table.play(DECISIONS, settle=True)):
            return failed_at(table, f"{game}, seat 0: ")
        if not table.answers:
            return None
        notes = _strange(table)
        if table.referee.stale_answers(table.me):
            notes.append(
                (
                    "it wrote answers with the number of another question; they were dropped",
                    'Answer once to each "go", with the number that came with it.',
                )
            )
        if any(play.decision is None for play in table.answers):
            notes.append(
                (
                    "its answers carry no number",
                    'Answer "play ACTION D" with the D of "go D": an answer that comes too late is '
                    "then never taken for the next one.",
                )
            )
        count = len(table.answers)
        return _noted(f"{game}: {count} answer{'s' * (count != 1)}, each in one line", notes, table)


def _strange(table: Table) -> list[Note]:
    """Return a note if it wrote lines that are no part of the protocol, but might be of a later."""
    if not table.strange:
        return []
    return [
        (
            f"ABP 1 has no such line: {', '.join(map(quote, table.strange))}",
            'What you print to find mistakes goes to standard error, or after the verb "log"; a '
            "line that begins with a capital letter costs the match.",
        )
    ]


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


def _wants(table: Table) -> tuple[str, ...]:
    ready = table.referee.ready_message(table.me)
    return () if ready is None else ready.want


def _noted(seen: str, notes: list[Note], table: Table) -> Finding:
    if not notes:
        return Finding(Verdict.OK, seen)
    detail = "; ".join([seen, *(what for what, _ in notes)])
    remedy = " ".join(remedy for _, remedy in notes)
    return Finding(Verdict.NOTE, detail, remedy, table.talk.transcript())
