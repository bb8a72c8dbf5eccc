"""A Python function as a bot: the kit for Python with the function in the place of its ``choose``.

The kit speaks the protocol in a thread of this process. What the referee knows is a small program,
``relay``, that carries the lines. So time counts as for every bot, but nothing is isolated.
"""

from __future__ import annotations

import contextlib
import functools
import logging
import os
import sys
import threading
import traceback
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from arena.bots.new_bot import kit_file
from arena.session.functions import answer_of, error_line
from arena.session.launch import TERMINAL
from arena.values.model import Choose, Entrant, Record
from arena.values.origins import FUNCTION
from arena.values.untrusted import show_lines

log = logging.getLogger(__name__)

END_SECONDS = 1.0  # for a function to return when its match is over; then it is left alone
MAX_LINES = 400  # of a traceback, the last ones: all of them fit into what a bot may write at once


def answered_by(choose: Choose, entrant: Entrant, opened: contextlib.ExitStack) -> Entrant:
    """Have a function answer for an entrant; its descriptors are closed with ``opened``."""
    questions, their_questions = os.pipe()
    their_answers, answers = os.pipe()
    thread = threading.Thread(target=_speak, args=(choose, questions, answers), daemon=True)
    opened.callback(thread.join, END_SECONDS)
    opened.callback(os.close, their_answers)
    opened.callback(os.close, their_questions)
    thread.start()
    return relayed(entrant, (their_answers, their_questions))


def relayed(entrant: Entrant, descriptors: Sequence[int], program: str = "relay") -> Entrant:
    """Return an entrant whose program is one of ours, and carries the words of somebody else.

    Args:
        entrant: whose words they are.
        descriptors: where the program reads and writes these words, and what else it is given.
        program: the module of this room.
    """
    start = (sys.executable, "-u", "-m", f"arena.play.{program}")
    bot = replace(entrant.bot, start=start, folder=str(Path(__file__).parents[2]))  # where arena is
    terminal = (TERMINAL, ",".join(map(str, descriptors)))
    return replace(entrant, bot=bot, env=(terminal, *entrant.env))


def warn_of_faults(record: Record, told: set[str]) -> None:
    """Log the first fault of each function that is not ``told`` yet, with its last lines."""
    for fault in record.faults:
        player = record.players[fault.player]
        if player.sandbox == FUNCTION and player.bot not in told:
            told.add(player.bot)
            why = f"{fault.code}: {fault.detail}\n{fault.stderr}".rstrip()
            log.warning("%s has lost match %s by %s", player.bot, record.id, why)


def _speak(choose: Choose, questions: int, answers: int) -> None:
    """Speak the protocol until ``quit``, or until the other side is closed."""
    kit: dict[str, Any] = {"__name__": "kit"}
    exec(_kit(), kit)
    with (
        # the match may be over in the middle of an answer
        contextlib.suppress(OSError, SystemExit),
        open(answers, "w", encoding="utf-8", errors="backslashreplace") as out,
        open(questions, encoding="utf-8") as lines,
    ):

        def send(*words: Any) -> None:  # a line feed in a word begins no line
            print(" ".join(map(str, words)).replace("\n", "\r"), file=out, flush=True)

        def chosen(*shown: Any) -> str:
            try:
                action, info = answer_of(choose(*shown))
            except Exception as error:
                for line in show_lines(traceback.format_exc(), 500).splitlines()[-MAX_LINES:]:
                    send("log", line)
                send(error_line(error))
                raise SystemExit from None
            if info:
                send(info)
            return action

        kit |= {"choose": chosen, "sys": SimpleNamespace(stdin=lines, stderr=sys.stderr)}
        kit |= {"send": send, "NAME": "function"}
        kit["main"]()


@functools.cache
def _kit() -> Any:
    path = kit_file("python")
    return compile(path.read_text("utf-8"), str(path), "exec")
