"""One match with people, in a process of its own: stdin says what, stdout what it left.

A server that shows several matches starts one such process for each, and ends it by a signal.
People are reached by descriptors that this process inherits.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from functools import cache
from typing import Any

from arena.match.opening import deal_from
from arena.play.once import PersonElsewhere, play_once
from arena.record.record import format_record
from arena.serve.sights import StepsWriter
from arena.site.match_page import page_of
from arena.values.errors import ArenaError
from arena.values.model import Clock
from engines import EngineError, load_game


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
    bots = [PersonElsewhere(bot) if isinstance(bot, int) else bot for bot in job["bots"]]
    people = [seat for seat, bot in enumerate(bots) if isinstance(bot, PersonElsewhere)]
    opening = [(player, action) for player, action in job["opening"]]
    clock = None if job["clock"] is None else Clock(**job["clock"])
    steps = job.pop("steps")
    os.set_inheritable(steps, False)  # it is not for bots
    with open(steps, "w", buffering=1, encoding="utf-8") as seen:

        @cache
        def writer() -> StepsWriter:
            deal = deal_from(load_game(job["game"]), job["seed"], job["setup"], opening)
            return StepsWriter(deal, people, seen.write)

        result = play_once(
            **(job | {"bots": bots, "opening": opening, "clock": clock}),
            watch=lambda referee: writer().look(referee.course),
        )
    return {"record": format_record(result.record), "page": page_of(result)}


if __name__ == "__main__":
    main()
