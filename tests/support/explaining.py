"""Explanations of records that are written by hand, and not looked at further."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from support import finished

import arena
from arena.record.record import format_record
from arena.values.explained import Explanation
from arena.values.model import Decision, Record
from engines import load_game


def played(game: str, setup: str, actions: Sequence[tuple[int, str | None]]) -> Record:
    """Return the record of a match that began there."""
    n = load_game(game).num_players
    return finished.record(
        1,
        [f"bot-{player}" for player in range(n)],
        range(1, n + 1),
        game=game,
        setup=setup,
        actions=tuple(actions),
        decisions=(Decision(),) * len(actions),
    )


def explain(record: Record, player: int | None = None, **more: Any) -> Explanation:
    """Explain a record by way of a file in an empty folder."""
    with TemporaryDirectory() as home:
        path = Path(home, "match.json")
        path.write_text(format_record(record) + "\n")
        return arena.explain(path, home, player=player, **more)
