"""What a host sent of a match stands only if it is that match, played by the rules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from support.cluster_world import LEVEL, jobs, played_record, schedule

from arena.cluster.recheck import Sent, recheck
from arena.packed.match import StoredMatch, pack
from arena.record.recorded import Replay
from arena.values.model import Decision, Fault, MatchResult, Record, Termination
from engines import load_game

MATCH = schedule(3)[2]
JOB = jobs()(MATCH)
RECORD = played_record(JOB, host="alpha")


def sent(record: Record = RECORD, dictionary: tuple[int, bytes] = (0, b"")) -> Sent:
    return Sent(pack(MatchResult(MATCH.number, record), dictionary), LEVEL, "alpha")


def test_a_match_as_it_was_asked_for_stands() -> None:
    """It comes out as it went in."""
    given = sent()
    assert recheck(JOB, given) == given.packed


OTHERS: dict[str, Callable[[Record], Record]] = {
    "id": lambda r: replace(r, id="0123456789abcdef"),
    "tournament": lambda r: replace(r, tournament="other"),
    "block": lambda r: replace(r, block=r.block + "1"),
    "seating": lambda r: replace(r, seating=1),
    "seed": lambda r: replace(r, seed=17),
    "clock": lambda r: replace(r, clock=r.clock.but({"move": 1})),
    "sandbox": lambda r: replace(r, sandbox="none"),
    "host": lambda r: replace(r, host="beta"),
    "arena_version": lambda r: replace(r, arena_version="0"),
    "players": lambda r: replace(r, players=r.players[::-1]),
    "rules": lambda r: replace(r, rules_version=99),
    "deal": lambda r: replace(
        r,
        opening=((0, r.actions[0][1] or ""),),
        actions=r.actions[1:],
        decisions=r.decisions[1:],
    ),
    "ranks": lambda r: replace(r, ranks=(1, 1)),
    "scores": lambda r: replace(r, scores=(9.0, 0.0)),
    "sent": lambda r: replace(r, players=(replace(r.players[0], sent="sha256:0"), r.players[1])),
    "legal": lambda r: replace(r, actions=(r.actions[0], *r.actions)[: len(r.actions)]),
    "over": lambda r: replace(r, actions=r.actions[:-1], decisions=r.decisions[:-1]),
    "limit": lambda r: replace(r, by=Termination.MAXMOVES),
    "time": lambda r: replace(r, decisions=(Decision(1.0, 1.0, -1.0), *r.decisions[1:])),
    "fault": lambda r: replace(r, faults=(Fault(0, Termination.CRASH, 1, "it ended"),)),
}


@pytest.mark.parametrize("what", OTHERS)
def test_what_differs_does_not_stand(what: str) -> None:
    """A record that anything is wrong with is refused, in words."""
    found = recheck(JOB, sent(OTHERS[what](RECORD)))
    assert isinstance(found, str)
    assert found


@pytest.mark.parametrize("what", ["seed", "players", "deal"])
def test_what_is_secret_is_not_said(what: str) -> None:
    """The log says what is wrong with a record, but names no seed and no deal."""
    found = str(recheck(JOB, sent(OTHERS[what](RECORD))))
    assert what.removesuffix("s") in found
    secrets = [str(JOB.seed), RECORD.setup, *(str(seat.seed) for seat in JOB.seats)]
    assert not [secret for secret in secrets if secret in found]


def test_a_match_ends_where_the_tournament_ends_it() -> None:
    """Neither before its number of decisions nor after; where it does, it stands."""
    count = len(RECORD.actions)
    cut = replace(
        RECORD,
        actions=RECORD.actions[:4],
        decisions=RECORD.decisions[:4],
        by=Termination.MAXMOVES,
        scores=None,
        ranks=(1, 1),
    )
    told = Replay(cut, load_game(cut.game)).referee.players
    players = [replace(one, sent=told[seat].sent()) for seat, one in enumerate(cut.players)]
    short = sent(replace(cut, players=tuple(players)))
    assert isinstance(recheck(replace(JOB, max_decisions=4), short), StoredMatch)
    for most in (5, 6, None):
        assert "after 4 decisions" in str(recheck(replace(JOB, max_decisions=most), short))
    assert count > 6
    assert "went on" in str(recheck(replace(JOB, max_decisions=4), sent()))


@pytest.mark.parametrize(
    "change",
    [
        {"number": 3},
        {"id": "0123456789abcdef"},
        {"ranks": (1, 1)},
        {"entrants": ("oak", "oak")},
        {"answers": (0, 0)},
        {"charged_us": (0, 0)},
        {"charged_us": (0,)},
        {"charged_us": None},
        {"faults": ((0, "time"),)},
        {"play": 5},
        {"started": None},
        {"data": b""},
        {"data": None},
        {"data": b"\xff\xfe"},
        {"dictionary": 9},
        {"said": None},
        {"said": b"x" * 10},
        {"wrote": "text"},
    ],
    ids=str,
)
def test_columns_that_differ_from_the_record_do_not_stand(change: dict[str, Any]) -> None:
    """Tables are made from them, so they are held against the record."""
    given = sent()
    assert isinstance(recheck(JOB, given._replace(packed=given.packed._replace(**change))), str)


@pytest.mark.parametrize("packed", [None, "text", (1, 2)], ids=str)
def test_what_is_no_match_does_not_stand(packed: Any) -> None:
    """After a fault of a host anything may come."""
    assert isinstance(recheck(JOB, Sent(packed, LEVEL, "alpha")), str)
