"""What a search found of a player's decisions, in the replay of the match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arena.report.charts import Plot, line_plot
from arena.report.explanation_text import UNITS, better_text, line_texts
from arena.report.pictures import more_pictures
from arena.report.replay_data import ReplayPage
from arena.values.explained import Explained, Explanation
from engines import State


def explained_replay(
    replay: ReplayPage, explanation: Explanation, states: Sequence[State]
) -> ReplayPage:
    """Return the replay with a plot of what was played, and with the costliest decisions marked.

    Each of these has the board as it would be after the better action.

    Args:
        replay: of the same match, for a reader that may see all that the explained player could.
        explanation: of one player's decisions.
        states: the positions of the match.
    """
    steps, player = list(replay.steps), explanation.player
    rows = {step.number: row for row, step in enumerate(steps)}
    ghosts = list[str]()
    opens = []
    for decision in explanation.costliest():
        index, best = rows.get(_after(decision)), decision.best
        if index is None:
            continue
        before, ghost = states[decision.position], None
        if best is not None and best in before.legal_actions(player):
            ghost = len(replay.pictures.frames) + len(ghosts)
            after = before.apply_action(player, best)
            ghosts.append(after.draw(names=replay.names, last=(player, best)))
        opens.append(index)
        steps[index] = steps[index]._replace(
            better=better_text(decision, explanation.unit),
            mark="costly" if decision.is_costly else "maybe better",
            better_lines=tuple(line_texts(decision, explanation.unit)),
            ghost=ghost,
        )
    return replay._replace(
        steps=tuple(steps),
        values=_plot(replay, explanation, rows),
        opens=opens[0] if opens else 0,
        pictures=more_pictures(replay.pictures, ghosts),
    )


def _after(decision: Explained) -> int:
    """Return the position that the decision led to."""
    return decision.position + 1


def _plot(replay: ReplayPage, explanation: Explanation, rows: Mapping[int, int]) -> Plot | None:
    """Return the values of played actions; a bar is the other action's, at least and at most."""
    points, spans = {}, {}
    for decision in explanation.decisions:
        index = rows.get(_after(decision))
        if index is None:
            continue
        points[index] = decision.action_value
        if decision.best and decision.low is not None and decision.high is not None:
            spans[index] = _span(decision, explanation.unit)
    if not points:
        return None
    name = replay.names[explanation.player]
    title = f"What each action of {name} was worth"
    note = UNITS[explanation.unit] + ("; bars: the best other action" if spans else "")
    plot = line_plot(title, len(replay.steps) - 1, explanation.player, points, spans)
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
