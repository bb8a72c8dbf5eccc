"""``arena.tournament``: the keys of a file as arguments, with the same checks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import arena


def test_paths_are_of_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A path of a program may be a ``Path``."""
    (tmp_path / "mine.py").write_text("")
    monkeypatch.chdir(tmp_path)
    made = arena.tournament(game="leaves", bots=["greedy", {"name": "m", "run": Path("mine.py")}])
    assert made.bots[1].run == str(tmp_path / "mine.py")


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"game": "leavs"}, ("tournament.game", "leaves")),
        ({"clock": {"move": "2 parsecs"}}, ("tournament.clock.move", "2 parsecs")),
        ({"format": "gauntlet", "challengers": 5}, ("challengers",)),
    ],
)
def test_wrong_keyword_is_named(keys: dict[str, Any], words: tuple[str, ...]) -> None:
    """``arena.tournament`` with a mistake names its key, as for a file."""
    with pytest.raises(arena.UsageError) as refused:
        arena.tournament(**{"game": "leaves", "bots": ["greedy", "random"], **keys})
    for word in words:
        assert word in str(refused.value)
