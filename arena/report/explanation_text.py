"""Why a match was lost, for a person: the costliest decisions and what would have been better."""

from __future__ import annotations

from arena.values.explained import Explained, Explanation
from arena.values.model import Record
from arena.values.untrusted import show

__all__ = ["UNITS", "explanation_text"]

UNITS = {"score": "1 is a win, 0 the last place", "points": "in points"}


def explanation_text(record: Record, explanation: Explanation) -> str:
    """Return what the search found, the costliest decision first."""
    name = show(record.players[explanation.player].bot)
    who = f"player {explanation.player} ({name})"
    count, left = len(explanation.decisions), explanation.not_searched
    if not count:
        return f"{who} never had a choice, so there is nothing to explain\n"
    searched = f"{count} decisions" if count > 1 else "1 decision"
    lines = [
        f"{who}: {searched} with a choice, {explanation.simulations} simulations; "
        f"{UNITS[explanation.unit]}"
    ]
    if left:
        lines.append(f"  {left} decisions were not searched; more simulations (--sims) reach more")
    found = explanation.costliest()
    lines += [_line(decision) for decision in found]
    if not found:
        lines.append("  no decision where another action was certainly better")
    return "\n".join(lines) + "\n"


def _line(decision: Explained) -> str:
    assert decision.best is not None
    assert decision.best_value is not None
    return (
        f"  {decision.position + 1}. {show(decision.action)} (decision {decision.number}): "
        f"{show(decision.best)} would have been worth {decision.gain:.2f} ± {decision.error:.2f} "
        f"more, {decision.best_value:.2f} instead of {decision.action_value:.2f}"
    )
