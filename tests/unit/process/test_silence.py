"""A silent process is ended for what it is in, as long as somebody looks, and only then."""

from __future__ import annotations

import pytest

from arena.machine.heartbeat import ENGINE, LISTENING, Heartbeat, mark_of
from arena.process.silence import LOOK_SECONDS, Hang, Silence, engine_hangs

BOT = mark_of(4711, 1)


def looked(doing: int, seconds: float, state: bytes) -> Hang:
    """Return what is found of a process that has done one thing for so long, look by look."""
    silence, heartbeat = Silence(), Heartbeat()
    heartbeat.doing, heartbeat.since_ns = doing, 100 * 10**9
    finding, now = silence.look(100.0, heartbeat, state), 100.0
    while now < 100.0 + seconds:
        now += LOOK_SECONDS
        finding = silence.look(now, heartbeat, state)
    return finding


@pytest.mark.parametrize(
    ("doing", "seconds", "finding"),
    [
        (BOT, 1.5, Hang.FINE),
        (BOT, 2.5, Hang.HELD),
        (BOT, 6.5, Hang.HELD),  # 5 s for it to be freed
        (BOT, 7.5, Hang.STUCK),
        (ENGINE, 29.5, Hang.FINE),
        (ENGINE, 31, Hang.ENGINE),
        (LISTENING, 29.5, Hang.FINE),
        (LISTENING, 31, Hang.LOST),
    ],
)
def test_silent_process_is_ended_after_its_time(doing: int, seconds: float, finding: Hang) -> None:
    """A process silent on a bot's pipe has 2 s, 5 s more once the bot is killed; else 30 s."""
    assert looked(doing, seconds, b"D" if doing == BOT else b"S") is finding


@pytest.mark.parametrize("doing", [BOT, ENGINE, LISTENING])
def test_stopped_process_is_waited_for(doing: int) -> None:
    """A stopped process (state T) is not ended, even after an hour."""
    assert looked(doing, 3600, b"T") is Hang.FINE


def test_process_without_cpu_is_not_held_by_bot() -> None:
    """A process that is ready to run (R), but gets no CPU, is not taken for held by a bot."""
    assert looked(BOT, 60, b"R") is Hang.FINE


def test_pause_without_looks_is_no_hold() -> None:
    """After an hour in which nobody looked, a call on a pipe counts as seen for the first time."""
    silence, heartbeat = Silence(), Heartbeat()
    heartbeat.doing, heartbeat.since_ns = BOT, 100 * 10**9
    assert silence.look(100.1, heartbeat, b"D") is Hang.FINE
    assert silence.look(3700.0, heartbeat, b"D") is Hang.FINE
    assert (heartbeat.seen_ns, heartbeat.looks) == (100 * 10**9, 2)


@pytest.mark.parametrize("name", ["alive", "doing", "since_ns", "decisions", "taken"])
def test_sign_of_life_resets_silence(name: str) -> None:
    """Any change of the heartbeat sets the silent seconds back to 0."""
    silence, heartbeat = Silence(), Heartbeat()
    for look in range(40):
        silence.look(100.0 + look * LOOK_SECONDS, heartbeat, b"S")
    assert silence.seconds > 19
    setattr(heartbeat, name, 7)
    silence.look(121.0, heartbeat, b"S")
    assert silence.seconds == 0


def test_silence_counts_looks_not_time() -> None:
    """An hour between two looks counts as no more than two looks."""
    silence, heartbeat = Silence(), Heartbeat()
    silence.look(100.0, heartbeat, b"S")
    silence.look(3700.0, heartbeat, b"S")
    assert silence.seconds == 2 * LOOK_SECONDS
    silence.look(7300.0, heartbeat, b"S")
    assert silence.seconds == 4 * LOOK_SECONDS


def test_hanging_engine_is_named_with_its_deal() -> None:
    """The sentence about an engine that hangs has the game, the deal and the decision."""
    heartbeat = Heartbeat()
    heartbeat.begin("3 0,0 0")
    heartbeat.decisions = 12
    said = engine_hangs("pebbles(players=2)", heartbeat)
    for word in ("30 s", "pebbles(players=2)", "3 0,0 0", "decision 12"):
        assert word in said
    heartbeat.begin("")
    assert "not shown" in engine_hangs("pebbles(players=2)", heartbeat)


def test_heartbeat_text_is_whole_or_not_shown() -> None:
    """A text of the heartbeat is read whole; one too long is not shown, nor one half written."""
    heartbeat = Heartbeat()
    heartbeat.show('["a", null]')
    assert heartbeat.shown() == '["a", null]'
    heartbeat.show("x" * (1 << 16))
    assert heartbeat.shown() == ""
    heartbeat._writes += 1  # as in the midst of a write
    assert heartbeat.shown() is None
    heartbeat.begin("x" * (1 << 16))
    assert heartbeat.setup == b""
