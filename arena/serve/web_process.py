"""The process of a match with people on pages, as the server holds it: its sockets and its end."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import socket
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple

from arena.values.model import Clock

LONGEST_LINE = 1 << 22  # bytes that the referee may send at once: 10,000 legal actions
STEPS = -1  # in place of a seat: what a ``StepsWriter`` writes
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
    bots = [*seats]  # people by the descriptors of their sockets
    hears = {seat: partial(hear, seat) for seat, who in enumerate(seats) if isinstance(who, int)}
    with contextlib.ExitStack() as ours:
        try:
            with contextlib.ExitStack() as theirs:
                ends: dict[int, socket.socket] = {}
                passed: list[int] = []
                for seat in (*hears, STEPS):
                    ends[seat], other = socket.socketpair()
                    ours.enter_context(ends[seat])
                    passed.append(theirs.enter_context(other).fileno())
                    if seat != STEPS:
                        bots[seat] = passed[-1]
                process = await _start(passed)
        except OSError as error:
            over(Left(failed=f"its process does not start: {error.strerror}"))
            yield lambda seat, line: None
            return
        counts = True

        async def result() -> None:
            job = asdict(terms) | {"home": str(terms.home), "bots": bots, "seed": seed}
            job["steps"] = passed[-1]
            del job["seats"]  # who sits there is in ``bots``
            written, _ = await process.communicate(json.dumps(job).encode() + b"\n")
            # all that was seen comes before the end
            await asyncio.wait({hearing[-1]}, timeout=ENDING_SECONDS)
            if counts:
                over(_left(written))

        streams = {
            seat: await asyncio.open_connection(sock=end, limit=LONGEST_LINE)
            for seat, end in ends.items()
        }
        hearing = [
            asyncio.ensure_future(_hear(reader, hears.get(seat, saw)))
            for seat, (reader, _) in streams.items()
        ]
        resulting = asyncio.ensure_future(result())
        try:
            yield lambda seat, line: streams[seat][1].write(line.encode() + b"\n")
        finally:
            counts = False
            for task in hearing:
                task.cancel()
            for _, writer in streams.values():
                writer.transport.abort()
            await _end(process, resulting)


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


async def _hear(reader: asyncio.StreamReader, hear: Callable[[str], None]) -> None:
    """Take lines until the other end is closed."""
    with contextlib.suppress(ConnectionError):
        while line := await reader.readline():
            hear(line.decode("utf-8", "replace").rstrip("\n"))


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
