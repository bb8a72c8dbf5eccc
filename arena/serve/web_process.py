"""The process of a match with people on pages, as the server holds it: its pipes and its end."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from io import FileIO
from pathlib import Path
from typing import NamedTuple

from arena.values.model import Clock

LONGEST_LINE = 1 << 22  # bytes that the referee may send at once: 10,000 legal actions
ENDING_SECONDS = 5.0  # that the process of a match may take to end

Send = Callable[[int, str], None]  # a line, from the person in a seat or to that person

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class PlayTerms:
    """What is played.

    Attributes:
        game: the game's text.
        seats: who sits where at first: a bot as the command line names it, or ``None``: a person.
        home: where bots are found.
        clock: everybody's; ``None``: bots have the usual one, and people have none.
        setup: a position to start from; ``None``: the seed's.
        opening: players and actions before the first decision.
        sandbox: the level of isolation of the bots.
        memory: of a bot, such as ``2GiB``; ``None``: what is usual.
    """

    game: str
    seats: tuple[str | None, ...]
    home: Path
    clock: Clock | None = None
    setup: str | None = None
    opening: tuple[tuple[int, str], ...] = ()
    sandbox: str = "auto"
    memory: str | None = None


class Left(NamedTuple):
    """What a match left: its record as text and its page; or why it has none."""

    record: str = ""
    page: str = ""
    failed: str = ""


@contextlib.asynccontextmanager
async def playing(
    terms: PlayTerms,
    seed: int,
    seats: Sequence[int | str],
    hear: Send,
    saw: Callable[[str], None],
    over: Callable[[Left], None],
) -> AsyncIterator[Send]:
    """Play a match in a process of its own, which the block owns: it ends with the block.

    Args:
        terms: what is played.
        seed: what the deal and the bots' seeds come from.
        seats: who sits where: the number of a person, or a bot.
        hear: called with each line of the referee for a person's seat.
        saw: called with each line of a ``StepsWriter``.
        over: called once with what the match left, unless the block ends before.

    Yields:
        What sends a line of a person's seat to the referee.
    """
    bots: list[str | tuple[int, int]] = [who if isinstance(who, str) else (0, 0) for who in seats]
    passed: list[int] = []
    people = [seat for seat, who in enumerate(seats) if isinstance(who, int)]
    questions: dict[int, FileIO] = {}
    answers: dict[int, FileIO] = {}
    with contextlib.ExitStack() as ours:
        try:
            with contextlib.ExitStack() as theirs:
                for seat in people:
                    to_read, answers[seat] = _pipe(theirs, ours)
                    questions[seat], to_write = _pipe(ours, theirs)
                    bots[seat] = to_read.fileno(), to_write.fileno()
                    passed += to_read.fileno(), to_write.fileno()
                steps, to_write = _pipe(ours, theirs)
                passed.append(to_write.fileno())
                process = await _start(passed)
        except OSError as error:
            over(Left(failed=f"its process does not start: {error.strerror}"))
            yield lambda seat, line: None
            return
        counts = True

        async def result() -> None:
            job = asdict(terms) | {"home": str(terms.home), "bots": bots, "seed": seed}
            job["seen"] = passed[-1]
            written, _ = await process.communicate(json.dumps(job).encode() + b"\n")
            await asyncio.wait(
                {seeing}, timeout=ENDING_SECONDS
            )  # all that was seen comes before the end
            if counts:
                over(_left(written))

        hearing = [
            asyncio.ensure_future(_hear(file, partial(hear, seat)))
            for seat, file in questions.items()
        ]
        seeing = asyncio.ensure_future(_hear(steps, saw))
        hearing.append(seeing)
        resulting = asyncio.ensure_future(result())
        try:
            yield lambda seat, line: _send(answers[seat], line)
        finally:
            counts = False
            for task in hearing:
                task.cancel()
            await _end(process, resulting)


def _pipe(reads: contextlib.ExitStack, writes: contextlib.ExitStack) -> tuple[FileIO, FileIO]:
    """Return the ends of a new pipe, each of which is closed with a stack."""
    to_read, to_write = os.pipe()
    return reads.enter_context(FileIO(to_read)), writes.enter_context(FileIO(to_write, "w"))


async def _start(descriptors: Sequence[int]) -> Process:
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-P",
        "-m",
        "arena.serve.match_process",
        stdin=PIPE,
        stdout=PIPE,
        stderr=DEVNULL,
        pass_fds=descriptors,
        process_group=0,  # Ctrl-C is for the server, which ends this
    )


async def _hear(file: FileIO, hear: Callable[[str], None]) -> None:
    """Take the lines of a pipe, until it is closed at its other end."""
    reader = asyncio.StreamReader(limit=LONGEST_LINE)
    transport, _ = await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), file
    )
    with contextlib.closing(transport):
        while line := await reader.readline():
            hear(line.decode("utf-8", "replace").rstrip("\n"))


def _send(file: FileIO, line: str) -> None:
    with contextlib.suppress(OSError, ValueError):  # its match has ended meanwhile
        file.write(line.encode() + b"\n")


async def _end(process: Process, resulting: asyncio.Future[None]) -> None:
    """End a match's process, politely first: it ends its bots."""
    for stop in (process.terminate, process.kill):
        with contextlib.suppress(ProcessLookupError):
            stop()
        if (await asyncio.wait({resulting}, timeout=ENDING_SECONDS))[0]:
            return
    resulting.cancel()


def _left(written: bytes) -> Left:
    try:
        return Left(**json.loads(written))
    except ValueError:
        log.error("the process of a match left nothing")
        return Left(failed="the process of the match has ended without a result")
