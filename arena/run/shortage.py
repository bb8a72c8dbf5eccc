"""What a run may need of this machine, compared with what there is."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable

from arena.process.machine_memory import total_bytes
from arena.values.model import Entrant
from engines import load_game

GIB = 1 << 30

log = logging.getLogger(__name__)


def warn_of_memory(
    games: Iterable[str], entrants: Collection[Entrant], at_once: int, used: int | None = None
) -> bool:
    """Say so if bots need more memory than this machine has; return whether that was said.

    Nothing is changed. Bots that came with the arena need little, and are not counted.

    Args:
        games: that are played.
        entrants: who plays them.
        at_once: matches at a time.
        used: the most bytes that one bot was seen to hold; ``None``: each counts with all it may.
    """
    seats = max(load_game(game).num_players for game in games)
    others = [entrant.memory_bytes for entrant in entrants if entrant.bot.origin != "bundled"]
    found = [memory if used is None else min(memory, used) for memory in others]
    each, there = sum(sorted(found)[-seats:]), total_bytes()
    if each * at_once <= there:
        return False
    what = f"{at_once} matches at a time" if at_once > 1 else "a match"
    less = f"--workers {there // each}" if there >= each else "a smaller memory: in the file"
    log.warning(
        "%s may take %.1f GiB, and this machine has %.1f GiB: where that runs out, matches are "
        "void and fewer are played at a time; %s avoids that",
        what,
        each * at_once / GIB,
        there / GIB,
        less,
    )
    return True
