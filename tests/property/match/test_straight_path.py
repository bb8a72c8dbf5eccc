"""With the straight path or without it a match is the same: what is sent, the record, the logs."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from support.match_jobs import job, seat
from support.scripted_bots import World

from arena.match.referee import Referee
from arena.model import Clock, Decision, MatchResult, Record
from arena.session.match_session import Pool, match_session

MATCHES = 1000
GAMES = ("pebbles", "draws", "auction", "leaves", "treeblox")
CLOCKS = (
    Clock(move_ms=400, first_ms=0, start_ms=3000),
    Clock(move_ms=None, main_ms=900, inc_ms=1, first_ms=100, start_ms=3000),
)


def play(
    monkeypatch: pytest.MonkeyPatch, number: int, *, straight: bool
) -> tuple[MatchResult, list[bytes]]:
    """Play a match drawn from a number; return it, and what was sent to each bot."""
    rng = random.Random(number)
    game = rng.choice(GAMES)
    players = 3 if game == "pebbles" else 2
    extras = ("", ",did", ",event", ",obs,did,event")
    world = World(number, [f"legal{rng.choice(extras)}" for _ in range(players)])
    clock = rng.choice(CLOCKS)
    seats = [seat(name=f"bot{n}", clock=clock, seed=7 + n) for n in range(players)]
    one = job(game, *seats, seed=number, max_decisions=30, sandbox="none")
    own: Any = SimpleNamespace(read=lambda: (0, 0), close=lambda: None)
    with world.running(monkeypatch):
        pool = Pool()
        pool.own.close()
        pool.own = own
        with match_session(one, pool, start=world.start) as session:
            session.greet()
            session.begin()
            while not session.referee.over:
                if straight:
                    session.play()
                else:
                    session.ask(session.referee.open_node())
                    session.close()
            result = session.finish()
    return result, [bot.read_all for bot in world.bots]


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
