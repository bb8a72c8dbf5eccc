"""One match with people on pages: its process, what each seat knows, and what each link may do.

The match runs in a process of its own, as any other; the people's seats are pipes to this server.
A page gets what its seat was sent, and nothing else is known here while the match goes on.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import secrets
import sys
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NamedTuple

from arena.play.seat_view import SeatView
from arena.play.take_back import Answers, PersonAnswer
from arena.serve.admission import new_token
from arena.values.model import Clock

__all__ = ["Grant", "Left", "RequestRefused", "PlayTerms", "WebMatch"]

LONGEST_LINE = 1 << 22  # bytes that the referee may send at once: 10,000 legal actions
ENDING_SECONDS = 5.0  # that the process of a match may take to end

log = logging.getLogger(__name__)


class RequestRefused(Exception):
    """What a page asked for is not possible now, and nothing was changed.

    Attributes:
        status: of HTTP.
    """

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status = status


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
    """

    game: str
    seats: tuple[str | None, ...]
    home: Path
    clock: Clock | None = None
    setup: str | None = None
    opening: tuple[tuple[int, str], ...] = ()
    sandbox: str = "auto"


class Grant(NamedTuple):
    """What a link allows: to play for some people, by their numbers; nobody: to watch."""

    people: tuple[int, ...]


class Left(NamedTuple):
    """What a match left: its record as text and its page; or why it has none."""

    record: str = ""
    page: str = ""
    failed: str = ""


class WebMatch:
    """A match that is played, and those after it with the seats changed.

    Args:
        terms: what is played.
        seed: what deal and bots' seeds come from; later matches draw their own.
        ended: called with what each match left.

    Attributes:
        links: what each secret link allows. The first is for everybody at one page; then one for
            each person, if there are several; the last is to watch.
        seats: who sits where now: the number of a person, or a bot.
        views: what each person's seat knows.
        version: raised whenever a page has something new to show.
        left: what the match left, once it is over.
        asking: the person who asks to take a decision back, if others have to agree.
    """

    def __init__(
        self, terms: PlayTerms, seed: int, ended: Callable[[Left], None] = lambda left: None
    ) -> None:
        self.terms = terms
        self.seed = seed
        numbers = iter(range(len(terms.seats)))
        self.seats: list[int | str] = [next(numbers) if s is None else s for s in terms.seats]
        people = tuple(seat for seat in self.seats if isinstance(seat, int))
        each = [Grant((person,)) for person in people] if len(people) > 1 else []
        self.links = {new_token(): grant for grant in (Grant(people), *each, Grant(()))}
        self.people = people
        self.views: dict[int, SeatView] = {}
        self.version = 0
        self.left: Left | None = None
        self.asking: int | None = None
        self.answers = Answers()
        self._ended = ended
        self._agreed: set[int] = set()
        self._pipes: dict[int, int] = {}
        self._playing: asyncio.Task[None] | None = None
        self._changed = asyncio.Event()

    def begin(self) -> None:
        """Begin the match, in the loop that runs."""
        self.left = None
        self.views = {n: SeatView(seat=n) for n, s in enumerate(self.seats) if isinstance(s, int)}
        self._playing = asyncio.ensure_future(self._play())
        self.change()

    async def close(self) -> None:
        """End the match's process, and with it its bots."""
        if self._playing is not None:
            self._playing.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._playing

    def change(self) -> None:
        """Let pages know that there is something new."""
        self.version += 1
        self._changed.set()
        self._changed = asyncio.Event()

    async def news(self, after: int, seconds: float) -> None:
        """Wait until there is something newer than a version, but not for longer than that."""
        if self.version == after:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait(), seconds)

    def seats_of(self, grant: Grant) -> list[int]:
        """Return the seats where those sit whom a link plays for, in order."""
        return [n for n, seat in enumerate(self.seats) if seat in grant.people]

    # what pages ask for

    def act(self, grant: Grant, seat: int, decision: int, action: str | None) -> None:
        """Take a person's answer to the decision that is open; ``None``: they resign.

        Raises:
            RequestRefused: it is not their seat, not the open decision, or not a legal action.
        """
        view = self._view(grant, seat)
        if self.left is not None or not view.decision or view.decision != decision:
            raise RequestRefused(409, "that decision is not open any more")
        if action is not None and (why := view.refusal(action)):
            raise RequestRefused(422, f"that is not legal: {why}")
        self.asking = None  # whoever plays on does not agree
        if action is None:
            self._send(seat, "resign")
            view.answered(None)
        else:
            self.answers = self.answers.add(seat, decision, view.observation, action)
            self._answer(view, self.answers.given[-1])
        self.change()

    def take_back(self, grant: Grant, seat: int) -> None:
        """Take the last decision of a seat back, or ask the other people whether it may.

        Raises:
            RequestRefused: it is not their seat, or there is none to take back.
        """
        self._view(grant, seat)
        if self.left is not None or self._before(seat) is None:
            raise RequestRefused(409, "there is no decision to take back")
        person = self.seats[seat]
        assert isinstance(person, int)
        self.asking, self._agreed = person, set(grant.people)
        self._take_back_if_agreed()

    def agree(self, grant: Grant, yes: bool) -> None:
        """Let the person who asks take a decision back, or not.

        Raises:
            RequestRefused: nobody asks, or a link to watch does not decide.
        """
        if self.asking is None or not grant.people:
            raise RequestRefused(409, "nobody asks to take a decision back")
        if yes:
            self._agreed |= set(grant.people)
            self._take_back_if_agreed()
        else:
            self.asking = None
            self.change()

    def rematch(self, grant: Grant) -> None:
        """Begin another match, in which everybody sits one seat further.

        Raises:
            RequestRefused: the match is not over, or the link is one to watch.
        """
        if self.left is None or not grant.people:
            raise RequestRefused(409, "the match is not over")
        self.seats = [*self.seats[1:], self.seats[0]]
        self.seed = secrets.randbelow(1 << 32)
        self.answers, self.asking = Answers(), None
        self.begin()

    def _view(self, grant: Grant, seat: int) -> SeatView:
        if seat not in self.seats_of(grant):
            raise RequestRefused(403, "that is not a seat of this link")
        return self.views[seat]

    def _take_back_if_agreed(self) -> None:
        if self.asking is not None and self._agreed >= set(self.people):
            before = self._before(self.seats.index(self.asking))
            self.asking = None
            if before is not None:
                self.answers = before
                self._playing = asyncio.ensure_future(self._again(self._playing))
        self.change()

    def _before(self, seat: int) -> Answers | None:
        """Return the answers without the last decision of a seat, if it has decided anything."""
        return self.answers.take_back(seat, self.views[seat].decision or sys.maxsize)

    async def _again(self, before: asyncio.Task[None] | None) -> None:
        if before is not None:
            before.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await before
        self.views = {n: SeatView(seat=n) for n in self.views}
        self.change()
        await self._play()

    # the match itself

    async def _play(self) -> None:
        """Run the process of the match, and carry lines to and from the people's seats."""
        bots: list[str | tuple[int, int] | None] = [
            None if isinstance(seat, int) else seat for seat in self.seats
        ]
        with contextlib.ExitStack() as opened:
            theirs: list[int] = []
            readers: dict[int, int] = {}
            for seat in self.views:
                readers[seat], questions = os.pipe()
                answers, self._pipes[seat] = os.pipe()
                opened.callback(os.close, self._pipes[seat])
                theirs += [answers, questions]
                bots[seat] = answers, questions
            try:
                process = await asyncio.create_subprocess_exec(
                    sys.executable,
                    "-P",
                    "-m",
                    "arena.serve.match_process",
                    stdin=PIPE,
                    stdout=PIPE,
                    stderr=DEVNULL,
                    pass_fds=theirs,
                )
            finally:
                for descriptor in theirs:
                    os.close(descriptor)
            hearing = [asyncio.ensure_future(self._hear(s, fd)) for s, fd in readers.items()]
            try:
                terms = asdict(self.terms)
                job = terms | {"home": str(self.terms.home), "bots": bots, "seed": self.seed}
                written, _ = await process.communicate(json.dumps(job).encode() + b"\n")
            finally:
                for task in hearing:
                    task.cancel()
                await _end(process)
        self.left, self.asking = _left(written), None
        self._ended(self.left)
        self.change()

    async def _hear(self, seat: int, descriptor: int) -> None:
        """Take the referee's lines for a seat."""
        reader = asyncio.StreamReader(limit=LONGEST_LINE)
        transport, _ = await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(descriptor, "rb", buffering=0)
        )
        with contextlib.closing(transport):  # and with it the descriptor
            view = self.views[seat]
            while line := await reader.readline():
                said = view.hear(line.decode("utf-8", "replace").rstrip("\n"))
                if said is not None:
                    self._send(seat, said)
                elif line.startswith((b"go ", b"end ")):
                    self._asked(view)

    def _asked(self, view: SeatView) -> None:
        """Give an earlier answer again, or let the page know that a person is asked."""
        again = None
        if view.decision:
            again = self.answers.again(view.seat, view.decision, view.observation)
        if again is not None:
            self._answer(view, again)
        else:
            self.change()

    def _answer(self, view: SeatView, answer: PersonAnswer) -> None:
        if answer.taken_back:  # the record says so
            self._send(view.seat, f"info taken_back={answer.taken_back}")
        self._send(view.seat, f"play {answer.action} {view.decision}")
        view.answered(answer.action)

    def _send(self, seat: int, line: str) -> None:
        with contextlib.suppress(OSError):  # its match has ended meanwhile
            os.write(self._pipes[seat], line.encode() + b"\n")


async def _end(process: asyncio.subprocess.Process) -> None:
    """End a match's process, politely first: it ends its bots."""
    if process.returncode is not None:
        return
    for stop in (process.terminate, process.kill):
        with contextlib.suppress(ProcessLookupError):
            stop()
        with contextlib.suppress(TimeoutError):
            await asyncio.shield(asyncio.wait_for(process.wait(), ENDING_SECONDS))
            return


def _left(written: bytes) -> Left:
    try:
        return Left(**json.loads(written))
    except ValueError:
        log.error("the process of a match left nothing")
        return Left(failed="the process of the match has ended without a result")
