"""The matches that are being played just now, as far as their workers show them."""

from __future__ import annotations

import logging
from pathlib import Path

from arena.values.errors import RecordError
from arena.values.running import LARGEST, RunningMatch, parse_running, running_folder
from arena.values.untrusted import show
from engines import load_game

MOST_RUNNING = 8  # that are shown

log = logging.getLogger(__name__)


def running_matches(home: Path, label: str) -> tuple[RunningMatch, ...]:
    """Return matches of a tournament that are being played, each once, at most ``MOST_RUNNING``.

    Args:
        home: the arena's home.
        label: of the edition.
    """
    found: dict[str, RunningMatch] = {}
    try:
        files = sorted(running_folder(home).glob("*.json"))
    except OSError:
        return ()
    for file in files:
        try:
            if not file.is_file() or file.stat().st_size > LARGEST:
                continue
            match = parse_running(file.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            continue  # it has just ended, or somebody else wrote there
        if match.tournament == label:
            found[match.id] = match
    return tuple(found[name] for name in sorted(found)[:MOST_RUNNING])


def draw_running(match: RunningMatch) -> str:
    """Return the present position of a match as SVG.

    Raises:
        RecordError: it shows none, or one that its game does not know.
    """
    if match.position is None:
        raise RecordError("the game hides something from its players")
    try:
        state = load_game(match.game).new_initial_state(match.position)
        return state.draw(names=[show(bot) for bot in match.bots])
    except Exception as error:  # a game of a plug-in may fail in any way
        log.info("a running match of %s cannot be drawn: %s", show(match.game), show(str(error)))
        raise RecordError("this position cannot be drawn") from None
