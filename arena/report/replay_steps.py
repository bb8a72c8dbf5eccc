"""The positions of a match as steps: what led to each, and what was said there."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from arena.record.passages import INFO, Passage
from arena.values.model import Decision, Record
from arena.values.said import SaidWhere
from arena.values.untrusted import show, show_lines
from engines import State

MOST_WORDS = 100_000  # characters of a seat that a page holds; `arena log` has all that was kept
CUT = "(There is more; arena log shows it.)"


class ReplayStep(NamedTuple):
    """One position, and what led to it; texts are harmless on a screen, not escaped for HTML.

    Attributes:
        player: who acted; ``None`` at the setup.
        action: what it did; ``None``: it was dropped.
        how: ``setup``, ``opening``, ``played``, ``forced`` (what the rules play for who is out of
            time), or why it was dropped.
        words: what bots wrote: who and where, and the text.
        events: what became known.
        decision: how the action came about; ``None`` where nobody was asked.
        better: what would have been better, of a costly decision; else nothing.
        mark: what the list calls that decision.
        better_lines: how the game goes on from it, and from the played one.
        ghost: the number of the board after that; ``None``: it is not drawn.
    """

    player: int | None
    action: str | None
    how: str
    words: Sequence[tuple[str, str]] = ()
    events: Sequence[str] = ()
    decision: Decision | None = None
    better: str = ""
    mark: str = ""
    better_lines: Sequence[str] = ()
    ghost: int | None = None


def replay_steps(
    record: Record,
    states: Sequence[State],
    passages: Iterable[Passage],
    names: Sequence[str],
    viewer: int | None,
) -> Iterator[ReplayStep]:
    """Yield one step for each position.

    Args:
        record: of the match.
        states: its positions, from the setup's on.
        passages: what the bots said.
        names: what the players are called.
        viewer: the player from whose eyes; ``None``: everything is shown.
    """
    words = _words(record, passages, names)
    first = len(record.opening) + 1
    done: list[tuple[int | None, str | None]] = [(None, record.setup)]
    done += [*record.opening, *record.actions]
    for index, (state, (player, action)) in enumerate(zip(states, done, strict=True)):
        around = words.get(index, ()), tuple(_events(state, viewer))
        text = None if action is None else show(action, 200 if index else None)
        if index < first:
            yield ReplayStep(player, text, "opening" if index else "setup", *around)
            continue
        decision = record.decisions[index - first]
        how = "forced" if decision.forced else "played"
        if player is not None and action is None:
            how = str(record.dropped_by(player))
        asked = action is not None or decision[:3] != Decision()[:3]
        yield ReplayStep(player, text, how, *around, decision if asked else None)


def _events(state: State, viewer: int | None) -> Iterator[str]:
    for event in state.events():
        if viewer is None and event.player is not None:
            yield f"(to player {event.player}) {show(event.text)}"
        elif event.player in (None, viewer):
            yield show(event.text)


def _words(
    record: Record, passages: Iterable[Passage], names: Sequence[str]
) -> dict[int, list[tuple[str, str]]]:
    """Return by positions what was said there; lines of one source are together.

    What was reported by `info` is a part of the decision, and shown as such.
    """
    first, last = len(record.opening), len(record.opening) + len(record.actions)
    room = dict.fromkeys(range(len(record.players)), MOST_WORDS)
    found: dict[int, list[tuple[str, str]]] = {}
    for seat, decision, answer, lines, *_ in passages:
        at = first if decision == 0 else last
        if answer is not None:
            at = first + answer + 1
        said = [line for line in lines if line.source != INFO]
        for source, together in itertools.groupby(said, key=lambda line: line.source):
            texts = []
            for _, data in together:
                if room[seat] > 0:
                    texts.append(show_lines(data, room[seat]))
                    room[seat] -= len(texts[-1]) + 1
                    if room[seat] <= 0:
                        texts.append(CUT)
            who = "referee" if source == SaidWhere.REFEREE else f"{names[seat]}, {source}"
            if texts:
                found.setdefault(at, []).append((who, "\n".join(texts)))
    return found
