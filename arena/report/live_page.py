"""A tournament while it runs: how far it is, its table, and the matches that were played last."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from arena.report.templates import linked, render_page
from arena.values.tables import EditionState
from arena.values.words import duration, pace

# what a tournament's state means, as a sentence; ``None``: there is no tournament
STATES = {
    EditionState.RUNNING: "Running.",
    EditionState.FINISHED: "Finished.",
    EditionState.DECIDED: "Decided: its test gave an answer.",
    EditionState.ENDED: "Ended before all was played.",
    EditionState.RESTING: "All is played for now; newer versions of its bots bring more matches.",
    EditionState.UNFINISHED: "Not running now; the command that started it continues it.",
    EditionState.REMOVING: "It is being removed.",
    None: "Waiting for the first tournament: arena run FILE.",
}


def live_page(live: Mapping[str, Any], *, public: bool) -> str:
    """Return the page as it is now; its script takes the next one's place when there is news.

    Args:
        live: what is known now, as ``Live.as_json`` has it.
        public: say that it is for everybody.
    """
    return render_page(
        "live.html",
        scripts=["live.js"],
        asks=True,
        frames=True,
        live=live,
        names=linked(live["links"], "report/"),
        public=public,
    )


def facts_text(
    matches: int, of: int | None, undecided: int, rate: float | None, left: float | None
) -> str:
    """Return how far a tournament is, in a line; arguments are those of ``Live``.

    >>> facts_text(30, 48, 1, 123.4, 9.0)
    '30 of 48 matches played · 1 undecided · 120 a minute · about 9 s left'
    >>> facts_text(30, None, 0, None, None)
    '30 matches played'
    """
    total = "" if of is None else f" of {of}"
    facts = [f"{matches}{total} matches played"]
    if undecided:
        facts.append(f"{undecided} undecided")
    if rate is not None:
        facts.append(pace(rate))
    if left is not None:
        facts.append(f"about {duration(round(left))} left")
    return " · ".join(facts)
