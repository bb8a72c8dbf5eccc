"""Why a match was lost, for a person: the costliest decisions and what would have been better."""

from __future__ import annotations

from arena.report.table import plain_table
from arena.values.explained import Explained, Explanation, LostMatch, LostMatches
from arena.values.model import Record
from arena.values.untrusted import show
from arena.values.words import count
from engines.core.text import number_text

UNITS = {"score": "100 % is a win, 0 % the last place", "points": "in points"}
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
    """Return the costliest decision of each match, and at which decisions how much was lost."""
    bot, number = show(lost.bot), len(lost.matches)
    if not number:
        return f"{bot} lost no match without a fault in {show(lost.tournament or '')}\n"
    parts = "" if number == lost.lost else f", the newest {number} of {lost.lost}: --limit N"
    text = f"{count(number, 'match')} that {bot} lost{parts}; {UNITS['score']}\n\n"
    heads = ["match", "against", "decision", "played", "better", "what for"]
    text += plain_table(heads, [_lost_row(match) for match in lost.matches])
    phases = lost.phases()
    if not phases:
        return text + "\nno decision where another action was certainly better\n"
    several = len({match.game for match in lost.matches}) > 1
    rows = [
        [show(phase.game)] * several
        + [
            f"{phase.first}" if phase.first == phase.last else f"{phase.first} to {phase.last}",
            phase.matches,
            phase.costliest,
            phase.gain,
        ]
        for phase in phases
    ]
    heads = ["game"] * several + ["decision", "costly in", "costliest in", "worth more"]
    return f"{text}\n{plain_table(heads, rows)}"


def _lost_row(match: LostMatch) -> list[object]:
    explanation = match.explanation
    others = [show(b) for seat, b in enumerate(match.bots) if seat != explanation.player]
    head = [explanation.match[:8], ", ".join(others)]
    for decision in explanation.costliest(1):
        better = better_text(decision, explanation.unit).partition(", ")
        return [*head, decision.number, show(decision.action), better[0], better[2]]
    return [*head, "-", "-", "-", "-"]


def better_text(decision: Explained, unit: str) -> str:
    """Return what would have been better, for what, and how sure that is, each behind a comma."""
    return f"{show(decision.best or '')}, {_instead(decision, unit)} ({_sure(decision, unit)})"


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
    verb = "seems better:" if decision.how == "search" else "would have brought"
    head = f"{show(decision.action)} (decision {decision.number}): {show(decision.best or '')}"
    return f"{head} {verb} {_instead(decision, unit)} ({_sure(decision, unit)})"


def _instead(decision: Explained, unit: str) -> str:
    """Return what the better action brings, and what the played one did."""
    values = decision.best_value or 0.0, decision.action_value
    if unit == "points":
        best, played = (number_text(round(value, 1)) for value in values)
        return f"{best} points instead of {played}"
    if decision.how != "search" and all(value in RESULTS for value in values):
        best, played = (RESULTS[value] for value in values)
        return f"{best} instead of {played}"
    best, played = (f"{100 * value:.0f} %" for value in values)
    return f"{best} to win instead of {played}"


def _sure(decision: Explained, unit: str) -> str:
    """Return how well the better action is known."""
    if decision.how != "search":
        return "certain" if decision.how == "exact" else "certain, or more"
    low, high = decision.low or 0.0, decision.high or 0.0
    if unit == "points":
        return f"by search; {low:.1f} to {high:.1f} more in perfect play"
    if (low, high) == (0.0, 1.0):  # all that there is
        return "by search"
    return f"by search; {100 * low:.0f} to {100 * high:.0f} % more in perfect play"


def _result(value: float | None, unit: str) -> str:
    if value is None:
        return " …"
    if unit == "points":
        return f": {number_text(value)} points"
    return f": {RESULTS.get(value, f'{value:.2f}')}"
