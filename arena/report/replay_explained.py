"""What a search found each action of a player to be worth, as a plot along the match."""

from __future__ import annotations

from collections.abc import Mapping

from arena.report.charts import Plot, line_plot
from arena.report.explanation_text import UNITS
from arena.values.explained import Explained, Explanation


def values_plot(explanation: Explanation, name: str, rows: Mapping[int, int]) -> Plot | None:
    """Return the values of played actions; a bar is the other action's, at least and at most.

    Args:
        explanation: of one player's decisions.
        name: what the player is called.
        rows: where positions are listed.
    """
    points, spans = {}, {}
    for decision in explanation.decisions:
        row = rows.get(decision.position + 1)
        if row is None:
            continue
        points[row] = decision.action_value
        if decision.best and decision.low is not None and decision.high is not None:
            spans[row] = _span(decision, explanation.unit)
    if not points:
        return None
    note = UNITS[explanation.unit] + ("; bars: the best other action" if spans else "")
    title = f"What each action of {name} was worth"
    plot = line_plot(title, len(rows) - 1, explanation.player, points, spans)
    return plot._replace(note=note)


def _span(decision: Explained, unit: str) -> tuple[float, float]:
    """Return where the other action is; if that is exact, from the played one to it."""
    assert decision.low is not None
    assert decision.high is not None
    value = decision.action_value
    if decision.low == decision.high:
        return value, value + decision.low
    low, high = value + decision.low, value + decision.high
    return (max(low, 0.0), min(high, 1.0)) if unit == "score" else (low, high)
