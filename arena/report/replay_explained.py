"""What a search found of a player's decisions, in the replay of the match."""

from __future__ import annotations

from collections.abc import Sequence

from arena.report.charts import Plot, line_plot
from arena.report.explanation_text import UNITS
from arena.report.pictures import more_pictures
from arena.report.replay_data import ReplayPage
from arena.values.explained import Explained, Explanation
from arena.values.untrusted import show
from engines import State

__all__ = ["explained_replay"]


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
    names, ghosts = [seat.name for seat in replay.seats], list[str]()
    for decision in explanation.costliest():
        index, best = _step_of(decision), decision.best
        before, ghost = states[decision.position], None
        if best is not None and best in before.legal_actions(player):
            ghost = len(replay.pictures.frames) + len(ghosts)
            after = before.apply_action(player, best)
            ghosts.append(after.draw(names=names, last=(player, best)))
        steps[index] = steps[index]._replace(better=_better(decision), ghost=ghost)
    return replay._replace(
        steps=tuple(steps),
        values=_plot(replay, explanation),
        pictures=more_pictures(replay.pictures, ghosts),
    )


def _step_of(decision: Explained) -> int:
    """Return the step that the decision led to."""
    return decision.position + 1


def _better(decision: Explained) -> str:
    assert decision.best is not None
    return f"{show(decision.best)}, +{decision.gain:.2f} ± {decision.error:.2f}"


def _plot(replay: ReplayPage, explanation: Explanation) -> Plot | None:
    """Return the values of played actions; a bar is the other action's, with the error.

    The error is that of the difference, so a bar that is wholly above the line is a decision for
    which something better is known.
    """
    if not explanation.decisions:
        return None
    points, spans = {}, {}
    for decision in explanation.decisions:
        index = _step_of(decision)
        points[index] = decision.action_value
        if decision.gain is not None and decision.error is not None:
            other = decision.action_value + decision.gain
            spans[index] = (other - decision.error, other + decision.error)
    name = replay.seats[explanation.player].name
    title = f"Value of what {name} played ({UNITS[explanation.unit]})"
    if spans:
        title += "; bars: the best other action, with its error"
    return line_plot(title, len(replay.steps) - 1, explanation.player, points, spans)
