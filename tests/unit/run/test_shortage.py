"""What is said before a run whose bots may need more memory than there is."""

from __future__ import annotations

import dataclasses

import pytest

from arena.run import shortage
from arena.run.shortage import warn_of_memory
from arena.values.model import Bot, Entrant

GIB = 1 << 30


def entrant(name: str, memory_gib: int) -> Entrant:
    bot = Bot(name, 0, "sha256:0", ("./bot",), "/", origin="file")
    return dataclasses.replace(Entrant(name, bot), memory_bytes=memory_gib * GIB)


@pytest.mark.parametrize(
    ("at_once", "there_gib", "memory", "used_gib", "words"),
    [
        (4, 8, (1, 1, 1), None, ""),
        (5, 8, (1, 1, 1), None, "--workers 4"),
        (5, 8, (1, 1, 2), None, "--workers 2"),
        (1, 1, (1, 1, 1), None, "a smaller memory"),
        (9, 8, (1, 1, 2), 0.25, ""),
        (9, 4, (1, 1, 2), 0.25, "--workers 8"),
        (5, 8, (1, 1, 1), 3, "--workers 4"),
    ],
)
def test_too_little(
    at_once: int,
    there_gib: int,
    memory: tuple[int, ...],
    used_gib: float | None,
    words: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The largest bots that can meet count, in as many matches as are played at a time.

    Once it was seen what bots use, that counts, and no more than they may.
    """
    monkeypatch.setattr(shortage, "total_bytes", lambda: there_gib * GIB)
    bots = [entrant(str(place), gib) for place, gib in enumerate(memory)]
    used = None if used_gib is None else int(used_gib * GIB)
    assert warn_of_memory(("leaves",), bots, at_once, used) == bool(words)
    assert words in caplog.text
    assert bool(caplog.text) == bool(words)
