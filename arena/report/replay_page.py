"""A match as a page of one file: boards to step through, actions, times, and what was said."""

from __future__ import annotations

from arena.report.replay import Replay, Step, Words
from arena.report.templates import render_page
from arena.said import Source
from arena.words import duration

__all__ = ["replay_page"]

SPEEDS = ("0.5", "1", "2", "4", "8")  # positions a second


def replay_page(replay: Replay) -> str:
    """Return the page; the same replay gives the same bytes."""
    pictures = replay.pictures
    return render_page(
        "replay.html",
        styles=[pictures.style] if pictures.style else [],
        scripts=["replay.js"],
        data={
            "lines": pictures.lines,
            "frames": pictures.frames,
            "ours": bool(pictures.style),
            "steps": [_step(replay, index) for index in range(len(replay.steps))],
        },
        replay=replay,
        heads=[heading(replay, step) for step in replay.steps],
        speeds=SPEEDS,
        ms_text=_ms,
    )


def heading(replay: Replay, step: Step) -> str:
    """Return what led to a position."""
    if step.player is None:
        return "setup"
    if step.action is None:
        return "resigned" if step.how == "resign" else f"dropped: {step.how}"
    return step.action


def _ms(ms: float) -> str:
    return duration(ms / 1000)


def _step(replay: Replay, index: int) -> dict[str, object]:
    """Return what the script shows of a position; keys are short, as there are many."""
    step = replay.steps[index]
    who = "" if step.player is None else f"{replay.seats[step.player].name}: "
    return {
        "head": f"{index}. {who}{heading(replay, step)}" if index else "Setup",
        "player": step.player,
        "rows": [*_rows(step), *step.info],
        "events": step.events,
        "words": [[_source(replay, words), words.text] for words in step.words],
    }


def _rows(step: Step) -> list[tuple[str, str]]:
    rows = []
    if step.better:
        rows.append(("better", step.better))
    if step.how == "opening":
        rows.append(("opening", "played before the bots decide"))
    if step.how == "forced":
        rows.append(("out of time", "played as the rules say"))
    if step.used_ms is not None and step.wall_ms is not None:
        limit = "" if step.limit_ms is None else f" of {_ms(step.limit_ms)}"
        late = ", late" if step.late else ""
        rows.append(("time used", f"{_ms(step.used_ms)}{limit}{late}"))
        cpu = "" if step.cpu_ms is None else f", CPU {_ms(step.cpu_ms)}"
        rows.append(("wall time", f"{_ms(step.wall_ms)}{cpu}"))
    return rows


def _source(replay: Replay, words: Words) -> str:
    if words.source == Source.REFEREE:
        return "referee"
    return f"{replay.seats[words.seat].name}, {words.source}"
