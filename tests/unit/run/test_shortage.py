"""What is said before a run whose bots may need more memory than there is."""

from __future__ import annotations

import dataclasses

import pytest

from arena.run import shortage
from arena.run.shortage import warn_of_memory
from arena.values.model import Bot, Entrant

GIB = 1 << 30


def entrant(name: str, memory_gib: int, origin: str = "file") -> Entrant:
    bot = Bot(name, 0, "sha256:0", ("./bot",), "/", origin=origin)
    return dataclasses.replace(Entrant(name, bot), memory_bytes=memory_gib * GIB)


@pytest.mark.parametrize(
    ("at_once", "there_gib", "memory", "words"),
    [
        (4, 8, (1, 1, 1), ""),
        (5, 8, (1, 1, 1), "--workers 4"),
        (5, 8, (1, 1, 2), "--workers 2"),
        (1, 1, (1, 1, 1), "a smaller memory"),
    ],
)
def test_too_little(
    at_once: int,
    there_gib: int,
    memory: tuple[int, ...],
    words: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The largest bots that can meet count, in as many matches as are played at a time."""
    monkeypatch.setattr(shortage, "total_bytes", lambda: there_gib * GIB)
    bots = [entrant(str(place), gib) for place, gib in enumerate(memory)]
    warn_of_memory(("leaves",), bots, at_once)
    assert words in caplog.text
    assert bool(caplog.text) == bool(words)
