"""With the straight path or without it a match is the same: what is sent, the record, the logs."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from support.drawn_matches import play

from arena.match.referee import Referee
from arena.values.model import Decision, MatchResult, Record
from arena.values.said import SaidWhere

MATCHES = 600
WHEN = {
    SaidWhere.AFTER: SaidWhere.STDOUT
}  # what comes just as somebody is asked comes before or after


def comparable(record: Record) -> Record:
    """Return a record without what polls in whole milliseconds leave open: when a drop is seen."""
    answers = zip(record.actions, record.decisions, strict=True)
    decisions = [
        Decision(info=made.info) if action is None else made for (_, action), made in answers
    ]
    return replace(record, decisions=tuple(decisions), started="", elapsed_ms=0)


def words(result: MatchResult) -> list[list[tuple[SaidWhere, bytes]]]:
    """Return the lines that bots wrote, seat by seat."""
    return [
        [
            (WHEN.get(source, source), line)
            for _, source, data in pieces
            for line in data.split(b"\n")
        ]
        for pieces in (*result.said, *result.wrote)
    ]


def decisions(result: MatchResult) -> list[list[tuple[int, SaidWhere]]]:
    """Return where they stand; of what comes just as somebody is asked that is left open."""
    return [
        [(piece.decision, piece.source) for piece in pieces]
        for pieces in (*result.said, *result.wrote)
    ]


@pytest.mark.slow
@pytest.mark.usefixtures("small_games")
def test_the_same_both_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots that do whatever they may, or may not, are sent the same and get the same record."""
    taken: Counter[bool] = Counter()
    ends: Counter[str] = Counter()
    answer = Referee.answer

    def counted(*words: Any) -> bool:
        done = answer(*words)
        taken[done] += 1
        return done

    monkeypatch.setattr(Referee, "answer", counted)
    played = apart = 0
    for number in range(MATCHES):
        result, bots = play(monkeypatch, number, straight=True)
        other, others = play(monkeypatch, number, straight=False)
        assert [bot.read_all for bot in bots] == [bot.read_all for bot in others], number
        assert words(result) == words(other), number
        apart += decisions(result) != decisions(other)
        assert comparable(result.record) == comparable(other.record), number
        played += len(result.record.actions)
        ends[result.record.by] += 1
    assert taken[True] > played / 3, "few of the decisions were usual"
    assert taken[False] > MATCHES / 10, "few answers looked usual and were not"
    assert len(ends) > 5, ends
    assert apart < MATCHES / 50, "words stand with other decisions"
