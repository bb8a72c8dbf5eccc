"""Why a match was lost, for a person: the costliest decisions and what would have been better."""

from __future__ import annotations

from arena.report.table import plain_table
from arena.values.explained import Explained, Explanation, LostMatch, LostMatches
from arena.values.model import Record
from arena.values.untrusted import show
from arena.values.words import count
from engines.core.text import number_text

__all__ = ["UNITS", "better_text", "explanation_text", "line_texts", "lost_text"]

UNITS = {"score": "1 is a win, 0 the last place", "points": "in points"}
RESULTS = {1.0: "a win", 0.5: "a draw", 0.0: "a loss"}


def explanation_text(record: Record, explanation: Explanation) -> str:
    """Return what the search found, the costliest decision first."""
    name = show(record.players[explanation.player].bot)
    who = f"player {explanation.player} ({name})"
    number, left = len(explanation.decisions), explanation.not_searched
    if not number:
        return f"{who} never had a choice, so there is nothing to explain\n"
    exact = sum(decision.how == "exact" for decision in explanation.decisions)
    solved = f", {exact} of them solved exactly" if exact else ""
    lines = [
        f"{who}: {count(number, 'decision')} with a choice{solved}; "
        f"{count(explanation.simulations, 'simulation')}; {UNITS[explanation.unit]}"
    ]
    if left:
        lines.append(f"  {left} decisions were not searched; more simulations (--sims) reach more")
    found = explanation.costliest()
    for decision in found:
        lines.append(f"  {decision.position + 1}. {_sentence(decision, explanation.unit)}")
        lines += [f"       {line}" for line in line_texts(decision, explanation.unit)]
    if not found:
        lines.append("  no decision where another action was certainly better")
    return "\n".join(lines) + "\n"


def lost_text(lost: LostMatches) -> str:
    """Return the costliest decision of each match, what was lost when, and where most was lost."""
    bot, number = show(lost.bot), len(lost.matches)
    if not number:
        return f"{bot} lost no match without a fault in {show(lost.tournament or '')}\n"
    parts = "" if number == lost.lost else f", the newest {number} of {lost.lost}: --limit N"
    text = f"{count(number, 'match')} that {bot} lost{parts}; 1 is a win, 0 the last place\n\n"
    heads = ["match", "against", "decision", "played", "better", "worth more"]
    text += plain_table(heads, [_lost_row(match) for match in lost.matches])
    phases = lost.phases()
    if not phases:
        return text + "\nno decision where another action was certainly better\n"
    several = len({match.game for match in lost.matches}) > 1
    rows = [
        [show(phase.game)] * several
        + [
            f"{phase.first}" if phase.first == phase.last else f"{phase.first} to {phase.last}",
            phase.costliest,
            phase.matches,
            phase.gain,
        ]
        for phase in phases
    ]
    heads = ["game"] * several + ["decision", "costliest in", "lost at in", "worth more"]
    text += "\n" + plain_table(heads, rows)
    total = sum(phase.gain for phase in phases)
    worst = max(phases, key=lambda phase: (phase.costliest, phase.gain))
    when = rows[phases.index(worst)][several]
    game = f" of {show(worst.game)}" if several else ""
    played = sum(match.game == worst.game for match in lost.matches)
    return (
        f"{text}\n{bot} loses most at decision {when}{game}, in {worst.costliest} of "
        f"{count(played, 'match')}; the better actions together are worth {total:.2f} more\n"
    )


def _lost_row(match: LostMatch) -> list[object]:
    explanation = match.explanation
    others = [show(b) for seat, b in enumerate(match.bots) if seat != explanation.player]
    head = [explanation.match[:8], ", ".join(others)]
    for decision in explanation.costliest(1):
        better = better_text(decision).partition(", ")
        return [*head, decision.number, show(decision.action), better[0], better[2]]
    return [*head, "-", "-", "-", "-"]


def better_text(decision: Explained) -> str:
    """Return what would have been better and by how much, as short as it can be."""
    assert decision.gain is not None
    assert decision.low is not None
    assert decision.high is not None
    gain = f"{show(decision.best or '')}, +{decision.gain:.2f}"
    if decision.how == "exact":
        return f"{gain} exact"
    if decision.how == "at least":
        return f"{gain} at least"
    return f"{gain} by search ({decision.low:.2f} to {decision.high:.2f})"


def line_texts(decision: Explained, unit: str) -> list[str]:
    """Return how the game goes on from the better action, and from the played one."""
    return [
        f"{head}{' '.join(show(action) for _, action in line)}{_result(value, unit)}"
        for head, line, value in (
            ("", decision.line, decision.line_value),
            ("played: ", decision.reply, decision.reply_value),
        )
        if len(line) > 1 or (line and value is not None)
    ]


def _sentence(decision: Explained, unit: str) -> str:
    assert decision.best is not None
    assert decision.best_value is not None
    head = f"{show(decision.action)} (decision {decision.number}): {show(decision.best)}"
    values = f"{decision.best_value:.2f} instead of {decision.action_value:.2f}"
    if decision.how == "exact":
        return f"{head} would have been worth {decision.gain:.2f} more, {values} (exact)"
    if decision.how == "at least":
        return f"{head} would have been worth at least {decision.gain:.2f} more, {values} (exact)"
    bounds = f"{decision.low:.2f} to {decision.high:.2f}"
    perfect = f"; in perfect play {bounds} better"
    if unit == "score" and bounds == "0.00 to 1.00":  # all that there is
        perfect = ""
    return f"{head} seems better by {decision.gain:.2f}, {values} (by search{perfect})"


def _result(value: float | None, unit: str) -> str:
    if value is None:
        return " …"
    if unit == "points":
        return f": {number_text(value)} points"
    return f": {RESULTS.get(value, f'{value:.2f}')}"
