"""Running out of time where the rules say what happens then: Build Your Arboretum."""

from __future__ import annotations

from pathlib import Path

from support.match_jobs import job, seat

from arena.match.replay import verify
from arena.session.match_session import play_match

# the round-11 position of the rules page, bids made: eight turns are left
LATE = (
    "11 play 0 --- 9/10 P5,P6,Q1,Q6,R6,W2,W4 S8,V1,W7 P3,Q3,Q4,Q5,R5,R7,S1,S3,S7,T1,T2,T3,T7,U2,U3,"
    "U4,U7,V4,V5,V6,W3,W6,W8 - R1@B2,R2@C2,R3@C3,R4@C4,Q8@C5,S4@D3,S5@D4,Q2@E3,R8@E4 P8@A4,V7@B4,"
    "V8@B5,T5@C3,T6@C4,T8@C5,V3@D2,P4@D3,U5@D4,P1@E3,W1@E4 P7,Q7,T4,U1 P2,S2,S6,U6,U8,V2,W5 - "
    "0b,1b,1g,0g,1b,0g,0g,1b,0g"
)


def test_late_answer(tmp_path: Path) -> None:
    """``published`` plays the rules' action for the bot, which goes on."""
    transcript = tmp_path / "transcript"
    sleeper = seat("sleep=0.7", "2", env=[("TRANSCRIPT", str(transcript))])
    record = play_match(
        job(
            "build_your_arboretum",
            sleeper,
            seat("good", name="other"),
            setup=LATE,
            on_timeout="published",
        )
    ).record
    own = [i for i, (player, _) in enumerate(record.actions) if player == 0]
    assert record.on_timeout == "published"
    assert verify(record) == []
    assert (record.by, record.faults) == ("rules", ())
    assert record.actions[own[1]] == (0, "skip")  # the page: out of time while playing = skip
    assert [record.decisions[i].forced for i in own] == [False, True]
    assert record.decisions[own[1]].late
    lines = transcript.read_text().splitlines()
    bad = next(line for line in lines if line.startswith("bad "))
    assert bad == "bad time no complete answer within 400 ms; it was idle"
    assert lines[-2].startswith("end ")
    assert "by=rules" in lines[-2]
