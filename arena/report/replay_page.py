"""A match as a page of one file: boards to step through, actions, times, and what was said."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from arena.record.passages import Passage
from arena.record.seen import seen_record
from arena.report.charts import Plot, line_plot, time_plot
from arena.report.explanation_text import UNITS, better_text, line_texts
from arena.report.match_text import ending, figures, last_action, shown_version
from arena.report.pictures import pictures
from arena.report.replay_steps import ReplayStep, replay_steps
from arena.report.site_links import INDEX, NO_LINKS, MatchLinks, match_file
from arena.report.templates import render_page
from arena.values.explained import Explanation
from arena.values.model import Fault, Record
from arena.values.untrusted import show
from arena.values.words import count, duration
from engines import State
from engines.core.text import number_text

MOST_NAME = 60
LONG = 5_000  # actions; of a longer match the rest is not shown
SPEEDS = ("0.5", "1", "2", "4", "8")  # positions a second


def replay_page(
    record: Record,
    states: Sequence[State],
    passages: Iterable[Passage],
    *,
    player: int | None = None,
    explanation: Explanation | None = None,
    damaged: bool = False,
    links: MatchLinks = NO_LINKS,
) -> str:
    """Return the page; the same arguments give the same bytes.

    Args:
        record: of the match.
        states: its positions, from the setup's on.
        passages: what the bots said.
        player: from whose eyes; ``None``: everything is shown.
        explanation: of the decisions of a player who is not hidden from ``player``: the costliest
            are marked, each with the board as it would be after the better action.
        damaged: whether what the bots wrote is not as it was stored, and left out.
        links: where the page leads.
    """
    if player is not None:
        record = seen_record(record, states, player)
    names = [show(seat.bot, MOST_NAME) for seat in record.players]
    said = [one for one in passages if player in (None, one.seat)]
    shown = replace(record, actions=record.actions[:LONG], decisions=record.decisions[:LONG])
    states = states[: len(record.opening) + LONG + 1]
    last = len(states) - 1
    steps = [*replay_steps(shown, states, said, names, player)]
    boards = [
        state.draw(player, names=names, last=last_action(record, number))
        for number, state in enumerate(states)
    ]
    opens, values = 0, None
    if explanation is not None:
        eyes, unit = explanation.player, explanation.unit
        values = _values_plot(explanation, names[eyes], last)
        for costly in explanation.costliest():
            at = costly.position + 1
            if at > last:
                continue
            opens = opens or at
            ghost = _board_after(states[costly.position], eyes, costly.best, names)
            steps[at] = steps[at]._replace(
                better=better_text(costly, unit),
                mark="costly" if costly.is_costly else "maybe better",
                better_lines=line_texts(costly, unit),
                ghost=len(boards) if ghost else None,
            )
            boards += ghost
    # what a plug-in draws may hold anything
    own = all(type(part).__module__.startswith("engines.") for part in (states[0].game, *states))
    lines, frames, style = pictures(boards, own=own)
    made = list(zip(record.actions, record.decisions, strict=True))
    return render_page(
        "replay.html",
        styles=[style] if style else [],
        scripts=["board.js", "replay.js"],
        data={
            "lines": lines,
            "frames": frames,
            "ours": bool(style),
            "opens": opens,
            "costs": [index for index, step in enumerate(steps) if step.better],
            "steps": [_shown_step(index, step, names) for index, step in enumerate(steps)],
        },
        title=states[0].game.title,
        viewer=player,
        names=names,
        ending=ending(record, names),
        faults=[*_faults(record)],
        record=record,
        steps=steps,
        left_out=len(record.actions) - len(shown.actions),
        values=values,
        scores=[*_score_plots(shown, names)],
        times=_time_plot(steps),
        damaged=damaged,
        links=links,
        index=f"../{INDEX}",
        match_file=match_file,
        heading=heading,
        figures=figures(record.ranks, record.scores),
        used_ms=[
            sum(decision.charged_ms for (who, _), decision in made if who == seat)
            for seat in range(len(names))
        ],
        shown_version=shown_version,
        number_text=number_text,
        speeds=SPEEDS,
        ms_text=_ms,
        show=show,
    )


def heading(step: ReplayStep) -> str:
    """Return what led to a position."""
    if step.player is None:
        return "setup"
    if step.action is None:
        return "resigned" if step.how == "resign" else f"dropped: {step.how}"
    return step.action


def _board_after(state: State, player: int, action: str | None, names: Sequence[str]) -> list[str]:
    """Return the picture of the position after a player's action, if there is such an action."""
    if action is None or action not in state.legal_actions(player):
        return []
    return [state.apply_action(player, action).draw(names=names, last=(player, action))]


def _ms(ms: float) -> str:
    return duration(ms / 1000)


def _shown_step(index: int, step: ReplayStep, names: Sequence[str]) -> dict[str, object]:
    """Return what the script shows of a position; keys are short, as there are many."""
    who = "" if step.player is None else f"{names[step.player]}: "
    return {
        "head": f"{index}. {who}{heading(step)}" if index else "Setup",
        "rows": [*_rows(step)],
        "events": step.events,
        "words": step.words,
        **({} if step.ghost is None else {"ghost": step.ghost}),
        **({"better": step.better} if step.better else {}),
    }


def _rows(step: ReplayStep) -> Iterator[tuple[str, str]]:
    if step.better:
        yield "better", step.better
        for line in step.better_lines:
            yield "line", line
    if step.how == "setup":
        yield "setup", step.action or ""
    if step.how == "opening":
        yield "opening", "played before the bots decide"
    if step.how == "forced":
        yield "out of time", "played as the rules say"
    if step.decision is not None:
        ms, cpu_ms, charged_ms, late, _, info, tries = step.decision
        yield "time used", f"{_ms(charged_ms)}{', late' * late}"
        yield "wall time", _ms(ms) + ("" if cpu_ms is None else f", CPU {_ms(cpu_ms)}")
        if tries:
            yield "taken back", count(tries, "illegal answer")
        for key, value in info:
            yield show(key), show(value if isinstance(value, str) else f"{value:.6g}")


def _faults(record: Record) -> Iterator[tuple[Fault, int]]:
    """Yield faults as they are shown, each with its step."""
    done = [*record.opening, *record.actions]
    for fault in record.faults:
        dropped = (fault.player, None)
        at = done.index(dropped) + 1 if dropped in done else 0  # a record may contradict itself
        yield replace(fault, detail=show(fault.detail, 2000)), at


def _values_plot(explanation: Explanation, name: str, last: int) -> Plot | None:
    """Return what a search found each action of a player to be worth, along the match."""
    decisions = [decision for decision in explanation.decisions if decision.position < last]
    if not decisions:
        return None
    points = {decision.position + 1: decision.action_value for decision in decisions}
    plot = line_plot(f"What each action of {name} was worth", last, explanation.player, points)
    return plot._replace(note=UNITS[explanation.unit])


def _score_plots(record: Record, names: Sequence[str]) -> Iterator[Plot]:
    """Yield a plot a player who said `info score`: their scales may differ."""
    first = len(record.opening) + 1
    for player, name in enumerate(names):
        points: dict[int, float] = {}
        for index, decision in enumerate(record.decisions):
            score = dict(decision.info).get("score")
            own = record.actions[index][0] == player
            if own and isinstance(score, (int, float)) and math.isfinite(score):
                points[first + index] = score
        if points:
            last = len(record.opening) + len(record.actions)
            yield line_plot(f"Score, as {name} sees it", last, player, points)


def _time_plot(steps: Sequence[ReplayStep]) -> Plot | None:
    series: dict[int, dict[int, float]] = {}
    for index, step in enumerate(steps):
        if step.player is not None and step.decision is not None:
            series.setdefault(step.player, {})[index] = step.decision.charged_ms
    if not series:
        return None
    return time_plot("Time used", len(steps) - 1, dict(sorted(series.items())))
