"""What is said of memory once matches have shown what bots use."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.bot_programs import program

import arena
from arena.run import shortage

MIB = 1 << 20


@pytest.mark.slow
@pytest.mark.parametrize(("there_mib", "said"), [(700, True), (20_000, False)])
def test_what_bots_use_counts(
    there_mib: int,
    said: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Two bots that hold 200 MiB each, in two matches at a time, need 800 MiB, and not 8 GiB."""
    monkeypatch.setattr(shortage, "total_bytes", lambda: there_mib * MIB)
    for name in ("one", "two"):
        (tmp_path / f"{name}.py").write_text(program(first="held = b'x' * (200 << 20)"))
    bots = [{"name": name, "run": tmp_path / f"{name}.py"} for name in ("one", "two")]
    played = arena.tournament(game="leaves", bots=bots, rounds=3, workers=2, memory="300MiB")
    arena.run_tournament(played, tmp_path / "home")
    words = [text for text in caplog.messages if "--workers" in text]
    assert len(words) == said
    assert not said or "--workers 1" in words[0]
