"""A match as data for a page that steps through it: positions, what led to each, what was said."""

from __future__ import annotations

import bisect
import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from arena.match.clock import GameClock
from arena.record.passages import INFO, Passage
from arena.record.seen import seen_record
from arena.report.charts import Plot, line_plot, time_plot
from arena.report.explanation_text import better_text, line_texts
from arena.report.match_text import ending, last_action
from arena.report.pictures import Pictures, pictures
from arena.report.replay_explained import values_plot
from arena.values.explained import Explanation
from arena.values.model import DAY_MS, Decision, Fault, Record
from arena.values.said import SaidWhere
from arena.values.untrusted import show, show_lines
from engines import State

MOST_WORDS = 100_000  # characters of a seat that a page holds; `arena log` has all that was kept
MOST_NAME = 60
LONG = 5_000  # actions; of a longer match not every position is drawn
MOST_PICTURES = 100  # of a long match
MOST_ROWS = 20_000  # positions that are listed
CUT = "(There is more; arena log shows it.)"


class ReplayStep(NamedTuple):
    """One position, and what led to it.

    Attributes:
        number: of the position, from 0.
        frame: which picture is shown: the position's, or the last one before it.
        player: who acted; ``None`` at the setup.
        action: what it did; ``None``: it was dropped.
        how: ``setup``, ``opening``, ``played``, ``forced`` (what the rules play for who is out of
            time), or why it was dropped.
        words: what bots wrote: who and where, and the text.
        events: what became known.
        decision: how the action came about; ``None`` where nobody was asked.
        limit_ms: what it had.
        better: what would have been better, of a costly decision; else nothing.
        mark: what the list calls that decision.
        better_lines: how the game goes on from it, and from the played one.
        ghost: the number of the board after that; ``None``: it is not drawn.
    """

    number: int
    frame: int
    player: int | None
    action: str | None
    how: str
    words: Sequence[tuple[str, str]] = ()
    events: Sequence[str] = ()
    decision: Decision | None = None
    limit_ms: int | None = None
    better: str = ""
    mark: str = ""
    better_lines: Sequence[str] = ()
    ghost: int | None = None


class ReplayPage(NamedTuple):
    """All that a page shows of a match; texts are harmless on a screen, and not escaped for HTML.

    Those of ``record`` are as they were written; it has what ``viewer`` may know: the player from
    whose eyes the page is (``None``: everything is shown). ``faults`` are with their steps, if they
    have one. ``drawn`` are the positions of which there are pictures, of ``positions`` in all;
    ``steps`` those that are listed. ``values`` are there where the match is explained; ``opens`` is
    the row that the page opens at. ``damaged``: what the bots wrote is not as it was stored, and
    left out.
    """

    title: str
    viewer: int | None
    names: Sequence[str]
    ending: str
    faults: tuple[tuple[Fault, int | None], ...]
    record: Record
    steps: tuple[ReplayStep, ...]
    scores: tuple[Plot, ...]
    times: Plot | None
    pictures: Pictures
    drawn: Sequence[int]
    positions: int
    values: Plot | None
    opens: int
    damaged: bool


def replay_of(
    record: Record,
    states: Sequence[State],
    passages: Iterable[Passage],
    *,
    player: int | None = None,
    explanation: Explanation | None = None,
    damaged: bool = False,
) -> ReplayPage:
    """Return what a page shows of a match.

    Args:
        record: of the match.
        states: its positions, from the setup's on.
        passages: what the bots said.
        player: from whose eyes; ``None``: everything is shown.
        explanation: of the decisions of a player who is not hidden from ``player``: the costliest
            are marked, each with the board as it would be after the better action.
        damaged: whether what the bots wrote is not as it was stored, and left out.
    """
    if player is not None:
        record = seen_record(record, states, player)
    names = [show(seat.bot, MOST_NAME) for seat in record.players]
    shown = [one for one in passages if player in (None, one.seat)]
    drawn = _drawn(len(states) - 1)
    rows = {number: row for row, number in enumerate(_listed(len(states) - 1, drawn))}
    steps = [*_steps(record, states, drawn, rows, _words(record, shown, names), player)]
    boards = [
        states[number].draw(player, names=names, last=last_action(record, number))
        for number in drawn
    ]
    opens, values = 0, None
    if explanation is not None:
        eyes, unit = explanation.player, explanation.unit
        values = values_plot(explanation, names[eyes], rows)
        for costly in explanation.costliest():
            row = rows.get(costly.position + 1)
            if row is None:
                continue
            opens = opens or row
            ghost = _board_after(states[costly.position], eyes, costly.best, names)
            steps[row] = steps[row]._replace(
                better=better_text(costly, unit),
                mark="costly" if costly.is_costly else "maybe better",
                better_lines=line_texts(costly, unit),
                ghost=len(boards) if ghost else None,
            )
            boards += ghost
    return ReplayPage(
        title=states[0].game.title,
        viewer=player,
        names=names,
        ending=ending(record, names),
        faults=tuple((fault, rows.get(at)) for fault, at in _faults(record)),
        record=record,
        steps=tuple(steps),
        scores=tuple(_score_plots(record, names, rows)),
        times=_time_plot(steps),
        pictures=pictures(boards, own=_is_own(states[0].game) and all(map(_is_own, states))),
        drawn=drawn,
        positions=len(states),
        values=values,
        opens=opens,
        damaged=damaged,
    )


def _board_after(state: State, player: int, action: str | None, names: Sequence[str]) -> list[str]:
    """Return the picture of the position after a player's action, if there is such an action."""
    if action is None or action not in state.legal_actions(player):
        return []
    return [state.apply_action(player, action).draw(names=names, last=(player, action))]


def _drawn(last: int) -> Sequence[int]:
    """Return the positions that are drawn, from the setup to the last one."""
    if last <= LONG:
        return range(last + 1)
    return [last * number // (MOST_PICTURES - 1) for number in range(MOST_PICTURES)]


def _listed(last: int, drawn: Sequence[int]) -> Sequence[int]:
    """Return the positions that are listed: all, or the first ones and those that are drawn."""
    if last < MOST_ROWS:
        return range(last + 1)
    return sorted({*range(MOST_ROWS - MOST_PICTURES), *drawn})


def _is_own(part: object) -> bool:
    """Return whether a game or position is of this package, and not of a plug-in."""
    return type(part).__module__.startswith("engines.")


def _steps(
    record: Record,
    states: Sequence[State],
    drawn: Sequence[int],
    listed: Iterable[int],
    words: Mapping[int, Sequence[tuple[str, str]]],
    viewer: int | None,
) -> Iterator[ReplayStep]:
    """Yield one step for each position that is listed."""
    limits = _limits(record)
    first = len(record.opening) + 1
    done: list[tuple[int | None, str | None]] = [(None, record.setup)]
    done += [*record.opening, *record.actions]
    for index in listed:
        player, action = done[index]
        place = index, bisect.bisect_right(drawn, index) - 1
        around = words.get(index, ()), tuple(_events(states[index], viewer))
        text = None if action is None else show(action, 200 if index else None)
        if index < first:
            yield ReplayStep(*place, player, text, "opening" if index else "setup", *around)
            continue
        decision, limit_ms = record.decisions[index - first], limits[index - first]
        how = "forced" if decision.forced else "played"
        if player is not None and action is None:
            how = str(record.dropped_by(player))
        asked = action is not None or decision[:3] != Decision()[:3]
        timed = (decision, limit_ms) if asked else (None, None)
        yield ReplayStep(*place, player, text, how, *around, *timed)


def _limits(record: Record) -> list[int | None]:
    """Return the limit of each decision, in milliseconds; ``None`` where there is none."""
    clocks: dict[int, GameClock | None] = {}
    for number, player in enumerate(record.players):
        clock = player.clock or record.clock
        limited = (clock.move_ms, clock.main_ms) not in ((None, None), (DAY_MS, None))
        clocks[number] = GameClock(clock) if limited else None
    found = []
    for (number, _), decision in zip(record.actions, record.decisions, strict=True):
        running = clocks[number]
        found.append(None if running is None else running.limit_ms)
        if running is not None:
            running.charge(decision.charged_ms)
    return found


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


def _faults(record: Record) -> Iterator[tuple[Fault, int]]:
    for fault in record.faults:
        dropped = (fault.player, None)
        # a record from elsewhere may contradict itself
        at = record.actions.index(dropped) + 1 if dropped in record.actions else None
        place = 0 if at is None else len(record.opening) + at
        yield replace(fault, detail=show(fault.detail, 2000)), place


def _score_plots(record: Record, names: Sequence[str], rows: Mapping[int, int]) -> Iterator[Plot]:
    """Yield a plot a player who said `info score`: their scales may differ."""
    first = len(record.opening) + 1
    for player, name in enumerate(names):
        points: dict[int, float] = {}
        for index, decision in enumerate(record.decisions):
            score = dict(decision.info).get("score")
            own = record.actions[index][0] == player and first + index in rows
            if own and isinstance(score, (int, float)) and math.isfinite(score):
                points[rows[first + index]] = score
        if points:
            yield line_plot(f"Score, as {name} sees it", len(rows) - 1, player, points)


def _time_plot(steps: Sequence[ReplayStep]) -> Plot | None:
    series: dict[int, dict[int, float]] = {}
    for index, step in enumerate(steps):
        if step.player is not None and step.decision is not None:
            series.setdefault(step.player, {})[index] = step.decision.charged_ms
    if not series:
        return None
    return time_plot("Time used", len(steps) - 1, dict(sorted(series.items())))
