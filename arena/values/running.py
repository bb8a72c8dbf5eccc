"""A match that is being played, as its worker shows it to those who serve pages."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import NamedTuple

LARGEST = 15 * 1024  # bytes of a text, of which a heartbeat shows 16 KiB; else without position


class RunningMatch(NamedTuple):
    """How far a match is.

    Attributes:
        id: as its record will have it.
        tournament: the label of its edition.
        game: its text.
        bots: their names, by player.
        decisions: how many were made.
        position: as a setup of the game; ``None`` where the game hides something, as all see this.
    """

    id: str
    tournament: str
    game: str
    bots: tuple[str, ...]
    decisions: int
    position: str | None

    def text(self) -> str:
        """Return it as ``parse_running`` reads it."""
        text = json.dumps(self)
        return text if len(text) <= LARGEST else json.dumps(self._replace(position=None))


def running_folder(home: Path) -> Path:
    """Return where a home has a file a worker, as long as that plays."""
    return home / "running"


def parse_running(text: str) -> RunningMatch:
    """Read a match that is being played.

    Raises:
        ValueError: this is none.
    """
    match json.loads(text):
        case [
            str(name),
            str(label),
            str(game),
            [*bots],
            int(decisions),
            (str() | None) as position,
        ]:
            if re.fullmatch("[0-9a-f]{16}", name) and all(isinstance(bot, str) for bot in bots):
                return RunningMatch(name, label, game, tuple(bots), decisions, position)
    raise ValueError("that is no match that is being played")
