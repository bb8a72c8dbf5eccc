"""A Python function as a bot: the kit for Python with the function in the place of its ``choose``.

The kit speaks the protocol in a thread of this process. What the referee knows is a small program,
``relay``, that carries the lines. So time counts as for every bot, but nothing is isolated.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import logging
import os
import sys
import threading
import traceback
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from arena.bots.new_bot import kit_file
from arena.session.functions import answer_of, error_line
from arena.session.launch import TERMINAL
from arena.tournament.names import name_of_text
from arena.values.model import Bot, Choose, Clock, Entrant, Record
from arena.values.origins import FUNCTION, PERSON
from arena.values.untrusted import show_lines

log = logging.getLogger(__name__)

END_SECONDS = 1.0  # for a function to return when its match is over; then it is left alone
MAX_LINES = 400  # of a traceback, the last ones: all of them fit into what a bot may write at once


def function_entrant(choose: Choose, opened: contextlib.ExitStack) -> Entrant:
    """Return a function as an entrant; its descriptors are closed with ``opened``."""
    questions, their_questions = os.pipe()
    their_answers, answers = os.pipe()
    thread = threading.Thread(target=_speak, args=(choose, questions, answers), daemon=True)
    opened.callback(thread.join, END_SECONDS)
    opened.callback(os.close, their_answers)
    opened.callback(os.close, their_questions)
    thread.start()
    name = name_of_text(getattr(choose, "__name__", "") or type(choose).__name__)
    identity = f"arena/1|function|{name}"
    return relayed_entrant(name, identity, (their_answers, their_questions), origin=FUNCTION)


def relayed_entrant(
    name: str,
    identity: str,
    descriptors: Sequence[int],
    clock: Clock | None = None,
    *,
    origin: str = PERSON,
    program: str = "relay",
    env: tuple[tuple[str, str], ...] = (),
) -> Entrant:
    """Return as an entrant a program of ours that carries the words of somebody else.

    Args:
        name: of the entrant.
        identity: what the hash of the bot is made from.
        descriptors: where the program reads and writes these words, and what else it is given.
        clock: of its own; ``None``: that of the match.
        origin: ``person`` or ``function``.
        program: the module of this room.
        env: more variables for it.
    """
    bot = Bot(
        name=name,
        version=0,
        hash="sha256:" + hashlib.sha256(identity.encode()).hexdigest(),
        start=(sys.executable, "-u", "-m", f"arena.play.{program}"),
        folder=str(Path(__file__).parents[2]),  # where arena lies
        origin=origin,
    )
    terminal = (TERMINAL, ",".join(map(str, descriptors)))
    return Entrant(name, bot, env=(terminal, *env), clock=clock)


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
