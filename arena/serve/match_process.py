"""One match with people, in a process of its own: stdin says what, stdout what it left.

A server that shows several matches starts one such process for each, and ends it by a signal.
People are reached by descriptors that this process inherits.
"""

from __future__ import annotations

import json
import signal
import sys
from typing import Any

from arena.play.once import PersonElsewhere, play_once
from arena.record.record import format_record
from arena.site.match_page import page_of
from arena.values.errors import ArenaError
from arena.values.model import Clock
from engines import EngineError

__all__ = ["main"]


def main() -> None:
    """Play the match; write ``{"record": …, "page": …}``, or ``{"failed": a sentence}``."""
    signal.signal(signal.SIGTERM, _leave)
    job = json.loads(sys.stdin.readline())
    try:
        left = _play(job)
    except (ArenaError, EngineError, OSError) as error:
        left = {"failed": str(error)}
    json.dump(left, sys.stdout)


def _leave(number: int, frame: object) -> None:
    sys.exit(128 + number)


def _play(job: dict[str, Any]) -> dict[str, str]:
    bots = [PersonElsewhere(*bot) if isinstance(bot, list) else bot for bot in job["bots"]]
    result = play_once(
        job["game"],
        bots,
        job["home"],
        seed=job["seed"],
        clock=None if job["clock"] is None else Clock(**job["clock"]),
        setup=job["setup"],
        opening=[(player, action) for player, action in job["opening"]],
        sandbox=job["sandbox"],
    )
    return {"record": format_record(result.record), "page": page_of(result)}


if __name__ == "__main__":
    main()
