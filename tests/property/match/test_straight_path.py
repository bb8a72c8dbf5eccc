"""With the straight path or without it a match is the same: what is sent, the record, the logs."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from support.drawn_matches import play

from arena.match.referee import Referee
from arena.model import Decision, Record

MATCHES = 1000


def comparable(record: Record) -> Record:
    """Return a record without what polls in whole milliseconds leave open: when a drop is seen."""
    answers = zip(record.actions, record.decisions, strict=True)
    decisions = [
        Decision(info=made.info) if action is None else made for (_, action), made in answers
    ]
    return replace(record, decisions=tuple(decisions), started="", elapsed_ms=0)


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
    decisions = 0
    for number in range(MATCHES):
        result, sent = play(monkeypatch, number, straight=True)
        other, other_sent = play(monkeypatch, number, straight=False)
        assert sent == other_sent, number
        assert result.logs == other.logs, number
        assert comparable(result.record) == comparable(other.record), number
        decisions += len(result.record.actions)
        ends[result.record.by] += 1
    assert taken[True] > decisions / 3, "few of the decisions were usual"
    assert taken[False] > MATCHES / 10, "few answers looked usual and were not"
    assert len(ends) > 5, ends
