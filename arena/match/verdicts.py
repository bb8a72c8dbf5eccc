"""What a player's fault is called: a code, a sentence for people, and the exact cause for code."""

from __future__ import annotations

from typing import NamedTuple

from arena.match.charging import Spent, spent_how
from arena.match.lines import Flood
from arena.match.protocol import MAX_LEGAL, Error, quote
from arena.values.model import Cause, Termination
from engines import IllegalAction, State


class Verdict(NamedTuple):
    """Why a player is dropped: what it did wrong, or that it gave up."""

    code: Termination
    detail: str
    cause: Cause | None = None


def ended(how: str, cause: Cause | None, partial: bytes, *, ready: bool) -> Verdict:
    """Return the verdict on an output that has ended, perhaps in mid-line."""
    if not ready:
        detail = f"{how} before it said ready{_unfinished(partial)}"
        why = Cause.UNFINISHED if partial else cause or Cause.ENDED
        return Verdict(Termination.STARTUP, detail, why)
    if partial:
        detail = f"{how}, in mid-line: {quote(partial)}"
        return Verdict(Termination.CRASH, detail, Cause.UNFINISHED)
    return Verdict(Termination.CRASH, how, cause)


def flooded(flood: Flood, *, ready: bool) -> Verdict:
    """Return the verdict on too much output."""
    if ready:
        return Verdict(Termination.FLOOD, str(flood), flood.cause)
    return Verdict(Termination.STARTUP, f"{flood}, before it said ready", flood.cause)


def never_ready(start_ms: int, partial: bytes) -> Verdict:
    """Return the verdict on a player that has not said ready in time."""
    detail = f'no "ready" within {start_ms} ms{_unfinished(partial)}'
    return Verdict(Termination.STARTUP, detail, Cause.UNFINISHED if partial else Cause.SILENT)


def silent(limit_ms: int, spent: Spent, cause: Cause | None, partial: bytes = b"") -> Verdict:
    """Return the verdict on a player that has not answered in time.

    Args:
        limit_ms: of the decision.
        spent: what it took.
        cause: what is known of why.
        partial: the beginning of a line without its line feed.
    """
    detail = f"no complete answer within {limit_ms} ms{_unfinished(partial)}"
    if cause is Cause.UNREAD:
        detail += "; it did not read what was sent to it"
    elif not partial and (how := spent_how(spent)):
        detail += f"; it was {how}"
    return Verdict(Termination.TIME, detail, cause)


def late_again(limit_ms: int) -> Verdict:
    """Return the verdict on an answer within the margin that is one too many over its limit."""
    detail = f"the third answer of the match over its limit (this one of {limit_ms} ms)"
    return Verdict(Termination.TIME, detail)


def gave_up(message: Error) -> Verdict:
    """Return the verdict on a player that says that it cannot go on."""
    detail = f"the bot cannot go on: {quote(message.text, 200)}"
    return Verdict(Termination.CRASH, detail, Cause.ERROR)


def illegal(state: State, player: int, action: str, error: IllegalAction) -> Verdict:
    """Return the verdict on an action that is not legal."""
    count = state.count_legal(player)
    legal = f"legal actions: {count}"
    if count <= MAX_LEGAL:
        legal += f", such as {state.legal_actions(player)[0]}"
    return Verdict(Termination.ILLEGAL, f"{quote(action)} is not legal: {error}; {legal}")


def _unfinished(partial: bytes) -> str:
    return f"; an unfinished line: {quote(partial)}" if partial else ""
