"""A match as a page of one file: boards to step through, actions, times, and what was said."""

from __future__ import annotations

from collections.abc import Iterator

from arena.report.match_text import figures, shown_version
from arena.report.replay_data import ReplayPage, ReplayStep
from arena.report.site_links import INDEX, NO_LINKS, MatchLinks, match_file
from arena.report.templates import render_page
from arena.values.untrusted import show
from arena.values.words import count, duration
from engines.core.text import number_text

SPEEDS = ("0.5", "1", "2", "4", "8")  # positions a second


def replay_page(replay: ReplayPage, links: MatchLinks = NO_LINKS) -> str:
    """Return the page; the same replay and links give the same bytes."""
    pictures, record = replay.pictures, replay.record
    made = list(zip(record.actions, record.decisions, strict=True))
    return render_page(
        "replay.html",
        styles=[pictures.style] if pictures.style else [],
        scripts=["board.js", "replay.js"],
        data={
            "lines": pictures.lines,
            "frames": pictures.frames,
            "ours": bool(pictures.style),
            "opens": replay.opens,
            "costs": [index for index, step in enumerate(replay.steps) if step.better],
            "steps": [_step(replay, index) for index in range(len(replay.steps))],
        },
        replay=replay,
        links=links,
        index=f"../{INDEX}",
        match_file=match_file,
        heads=[heading(step) for step in replay.steps],
        figures=figures(record.ranks, record.scores),
        used_ms=[
            round(sum(decision.charged_ms for (who, _), decision in made if who == player), 3)
            for player in range(len(record.players))
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


def _ms(ms: float) -> str:
    return duration(ms / 1000)


def _step(replay: ReplayPage, index: int) -> dict[str, object]:
    """Return what the script shows of a position; keys are short, as there are many."""
    step = replay.steps[index]
    who = "" if step.player is None else f"{replay.names[step.player]}: "
    return {
        "head": f"{step.number}. {who}{heading(step)}" if index else "Setup",
        "player": step.player,
        "rows": [*_rows(step, replay.drawn[step.frame])],
        "events": step.events,
        "words": step.words,
        **({} if step.frame == index else {"frame": step.frame}),
        **({} if step.ghost is None else {"ghost": step.ghost}),
        **({"better": step.better} if step.better else {}),
    }


def _rows(step: ReplayStep, drawn: int) -> Iterator[tuple[str, str]]:
    if drawn != step.number:
        yield "board", f"of position {drawn}"
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
        limit = "" if step.limit_ms is None else f" of {_ms(step.limit_ms)}"
        yield "time used", f"{_ms(charged_ms)}{limit}{', late' * late}"
        yield "wall time", _ms(ms) + ("" if cpu_ms is None else f", CPU {_ms(cpu_ms)}")
        if tries:
            yield "taken back", count(tries, "illegal answer")
        for key, value in info:
            yield show(key), show(value if isinstance(value, str) else f"{value:.6g}")
