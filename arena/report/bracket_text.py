"""The bracket of a knockout as a tree: at the root the winner, below it who met for its place."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from fractions import Fraction

from arena.schedule.knockout import Tie, round_name
from arena.values.untrusted import show
from arena.values.words import listed

OPEN = "?"
BY = {"bye": "bye", "walkover": "walkover", "seed": "tied to the end: the higher seed advances"}


def bracket_text(rounds: Sequence[Sequence[Tie]]) -> str:
    """Return the tree; a meeting that is open has ``?`` in the winner's place.

    Args:
        rounds: the first one first, each from top to bottom of the bracket.
    """
    if not rounds:
        return "no round was planned yet\n"
    lines: list[str] = []
    for place in range(len(rounds[-1])):
        lines += _branch(rounds, len(rounds) - 1, place, "", "")
    return "".join(f"{line}\n" for line in lines)


def bracket_json(tournament: str, rounds: Sequence[Sequence[Tie]]) -> str:
    """Return the bracket as JSON: the rounds, each with its meetings."""
    written = [
        {
            "name": round_name(len(ties)),
            "meetings": [
                {
                    "entrants": tie.entrants,
                    "points": [float(one) for one in tie.points],
                    "further": [[float(one) for one in block] for block in tie.further],
                    "winner": tie.winner or None,
                    "by": tie.by or None,
                }
                for tie in ties
            ],
        }
        for ties in rounds
    ]
    return json.dumps({"tournament": tournament, "rounds": written}, separators=(",", ":")) + "\n"


def _branch(
    rounds: Sequence[Sequence[Tie]], number: int, place: int, head: str, below: str
) -> Iterator[str]:
    """Yield a meeting, and below it what led to it: the upper half, then the lower."""
    tie = rounds[number][place]
    yield f"{head}{show(tie.winner) or OPEN}  ({round_name(len(rounds[number]))}: {_met(tie)})"
    if len(tie.entrants) == 1:
        return
    for half in (0, 1):
        stem, deeper = ("├─ ", "│  ") if half == 0 else ("└─ ", "   ")
        if number:
            yield from _branch(rounds, number - 1, 2 * place + half, below + stem, below + deeper)
        else:
            yield f"{below}{stem}{show(tie.entrants[half])}"


def _met(tie: Tie) -> str:
    if tie.by == "bye":
        return BY["bye"]
    text = " - ".join(map(show, tie.entrants))
    if tie.points and tie.by != "walkover":
        text += f" {score_text(tie.points)}"
    if tie.further:
        text += ", further " + ", ".join(score_text(block) for block in tie.further)
    return f"{text}, {BY[tie.by]}" if tie.by in BY else text


def tie_note(tie: Tie) -> str:
    """Return what decided a meeting, if points of its own blocks did not."""
    further = [score_text(block) for block in tie.further]
    notes = [BY.get(tie.by, ""), f"further deals {listed(further)}" if further else ""]
    return ", ".join(filter(None, notes))


def score_text(points: Sequence[Fraction]) -> str:
    """Return points as ``3:1``."""
    return ":".join(f"{float(one):.4g}" for one in points)
