"""One match with people on pages: what each seat knows, what each link may do, its supervisor.

The match runs in a process of its own, as any other; the people's seats are sockets of this server.
A page gets what its seat was sent, and nothing else is known here while the match goes on.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
import sys
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import NamedTuple, ParamSpec

from arena.play.seat_view import SeatView
from arena.play.take_back import Answers, PersonAnswer
from arena.record.record import parse_record
from arena.serve.admission import new_token
from arena.serve.sights import WATCH, Sight
from arena.serve.web_process import Left, PlayTerms, Send, playing
from engines import load_game

P = ParamSpec("P")
MOST_WAITING = 50  # pages of one match that wait
AWAY_SECONDS = 5.0  # in which a page asks again, unless a person is away


class RequestRefused(Exception):
    """What a page asked for is not possible now, and nothing was changed.

    It is no ``HTTPException``, of which some are answered by their status, as pages are.
    """

    def __init__(self, status_code: int, detail: str) -> None:
        super().__init__(detail)
        self.status_code, self.detail = status_code, detail


class Grant(NamedTuple):
    """What a link allows: to play for some people, by their numbers; nobody: to watch."""

    people: tuple[int, ...]


class WebMatch:
    """A match that is played, and those after it with the seats changed.

    One task owns the match's process and takes orders one after the other, so no order meets half
    of what another one has done. A process counts until an order has made another one necessary.

    Args:
        terms: what is played.
        seed: what deal and bots' seeds come from; later matches draw their own.
        ended: called with what each match left.
        play: runs the process of a match, as ``playing`` does.
        invites: all people but the first are still to come, by an invitation.

    Attributes:
        links: what each secret link allows. The first is for everybody at one page; then one for
            each person, if there are several; the last is to watch.
        invitation: the link that gives a free seat, and else watches; empty: there is none.
        free: the people who are still to come.
        called: what people call themselves, by their numbers.
        seats: who sits where now: the number of a person, or a bot.
        views: what the referee has sent to each person's seat.
        sights: what each person's seat and a watcher (``WATCH``) have seen of the match.
        run: raised whenever the match begins again.
        replayed: how many steps only repeat what people have seen already.
        resigned: the seats whose people give up.
        version: raised whenever a page has something new to show.
        left: what the match left, once it is over; ``disclosed``: somebody has looked at it whole.
        asking: the person who asks to take a decision back, if others have to agree.
    """

    def __init__(
        self,
        terms: PlayTerms,
        seed: int,
        ended: Callable[[Left], None] = lambda left: None,
        play: Callable[..., AbstractAsyncContextManager[Send]] = playing,
        *,
        invites: bool = False,
    ) -> None:
        self.terms = terms
        self.game = load_game(terms.game)
        self.seed = seed
        numbers = iter(range(len(terms.seats)))
        self.seats: list[int | str] = [next(numbers) if s is None else s for s in terms.seats]
        people = tuple(seat for seat in self.seats if isinstance(seat, int))
        each = [Grant((person,)) for person in people] if len(people) > 1 else []
        self.links = {new_token(): grant for grant in (Grant(people), *each, Grant(()))}
        self.people = people
        self.free = [*people[1:]] if invites else []
        self.invitation = new_token() if self.free else ""
        if self.invitation:
            self.links[self.invitation] = Grant(())
        self.called: dict[int, str] = {}
        self.views: dict[int, SeatView] = {}
        self.sights: dict[int, Sight] = {}
        self.run = self.replayed = self.version = 0
        self.resigned: set[int] = set()
        self.left: Left | None = None
        self.disclosed = False
        self.asking: int | None = None
        self.answers = Answers()
        self._ended = ended
        self._play = play
        self._agreed: set[int] = set()
        self._orders: asyncio.Queue[Callable[[], None]] = asyncio.Queue()
        self._supervisor: asyncio.Task[None] | None = None
        self._closed = False
        self._send: Send | None = None  # to the process that counts; ``None``: none does
        self._changed = asyncio.Event()
        self._waiting = 0  # pages
        self._here_until: dict[Grant, float] = {}  # unless a page asks again before

    def begin(self) -> None:
        """Begin the match, in the loop that runs."""
        self._play_again()
        self._supervisor = asyncio.ensure_future(self._supervise())

    async def close(self) -> None:
        """End the match's process, and with it its bots; no order is taken any more."""
        if self._supervisor is not None:
            self._orders.put_nowait(self._close)
            await asyncio.wait({self._supervisor})

    async def order(self, do: Callable[P, None], *args: P.args, **named: P.kwargs) -> None:
        """Have the supervisor do what a page asks for, after all that was asked for before.

        Args:
            do: ``act``, ``resign``, ``take_back``, ``agree``, ``rematch`` or ``go_on``.
            args, named: of that.

        Raises:
            RequestRefused: as of that; or the match was ended.
        """
        if self._closed:
            raise RequestRefused(410, "this match was ended")
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def take() -> None:
            with contextlib.suppress(asyncio.InvalidStateError):  # the request was cancelled
                try:
                    do(*args, **named)
                    done.set_result(None)
                except Exception as error:
                    done.set_exception(error)

        self._orders.put_nowait(take)
        await done

    async def _supervise(self) -> None:
        while not self._closed:
            hears = self._hear, self._saw, self._over
            process = self._play(self.terms, self.seed, self.seats, *hears)
            async with process as self._send:
                while self._send is not None or not self._orders.empty():
                    (await self._orders.get())()

    def _play_again(self) -> None:
        """Have no process count any more, and another one play from the seed."""
        self.left, self.asking, self._send, self.disclosed = None, None, None, False
        self.views = {n: SeatView(seat=n) for n, s in enumerate(self.seats) if isinstance(s, int)}
        viewers = (*self.views, WATCH)
        self.sights = {n: Sight(self.game, n, min(self.views) if n < 0 else n) for n in viewers}
        self.run, self.replayed, self.resigned = self.run + 1, 0, set()
        self.change()

    def _close(self) -> None:
        self._closed, self._send = True, None
        self.change()  # pages that wait ask again

    def _over(self, left: Left) -> None:
        """Order that the match is over, unless it was taken back or closed before."""

        def take() -> None:
            if self._send is not None:
                self.left, self.asking = left, None
                self.change()
                self._ended(left)

        self._orders.put_nowait(take)

    def change(self) -> None:
        """Let pages know that there is something new."""
        self.version += 1
        self._changed.set()
        self._changed = asyncio.Event()

    async def news(self, grant: Grant, after: int | None, seconds: float) -> None:
        """Wait until there is something newer than a version, but not for longer than that.

        With too many pages that wait, this one gets what there is.
        """
        now = asyncio.get_running_loop().time()
        self._here_until[grant] = now + seconds + AWAY_SECONDS
        if self._waiting >= MOST_WAITING:
            await asyncio.sleep(1)
        elif self.version == after:
            self._waiting += 1
            try:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._changed.wait(), seconds)
            finally:
                self._waiting -= 1

    def away(self) -> list[int]:
        """Return the seats of people whom no page shows the match."""
        now = asyncio.get_running_loop().time()
        here = {n for grant, end in self._here_until.items() if end > now for n in grant.people}
        return [n for n, seat in enumerate(self.seats) if seat in self.people and seat not in here]

    def seats_of(self, grant: Grant) -> list[int]:
        """Return the seats where those sit whom a link plays for, in order."""
        return [n for n, seat in enumerate(self.seats) if seat in grant.people]

    def link_of(self, person: int) -> str:
        """Return the link that plays for a person alone."""
        return next(link for link, grant in self.links.items() if grant.people == (person,))

    def is_asked(self, seat: int) -> bool:
        """Return whether a person owes a decision, and has seen what led to it."""
        view = self.views[seat]
        seen = view.observation == self.sights[seat].observation
        return bool(view.decision) and seen and self.left is None

    # what pages ask for

    def join(self, name: str) -> str:
        """Give a free seat to somebody who calls themselves so, and return their link.

        Raises:
            RequestRefused: no seat is free any more.
        """
        if not self.free:
            raise RequestRefused(409, "no seat is free any more")
        person = self.free.pop(0)
        self.called[person] = name
        self.change()
        return self.link_of(person)

    def act(self, grant: Grant, seat: int, decision: int, action: str) -> None:
        """Take a person's answer to the decision that is open.

        Raises:
            RequestRefused: it is not their seat, not the open decision, or not a legal action.
        """
        view = self.view_of(grant, seat)
        if self.left is not None or not view.decision or view.decision != decision:
            raise RequestRefused(409, "that decision is not open any more")
        if why := view.refusal(action):
            raise RequestRefused(422, f"that is not legal: {why}")
        self.asking = None  # whoever plays on does not agree
        self.answers = self.answers.add(seat, decision, view.observation, action)
        self._answer(view, self.answers.given[-1])
        self.change()

    def resign(self, grant: Grant, seat: int) -> None:
        """Have a person give up, asked or not; before the match has begun, as soon as it has.

        Raises:
            RequestRefused: it is not their seat, or the match is over.
        """
        view = self.view_of(grant, seat)
        if self.left is not None:
            raise RequestRefused(409, "the match is over")
        self.asking = None
        self.resigned.add(seat)
        if view.decision or self.sights[seat].steps:
            self._take(seat, "resign")
            view.answered(None)
        self.change()

    def take_back(self, grant: Grant, seat: int) -> None:
        """Take the last decision of a seat back, or ask the other people whether it may.

        Raises:
            RequestRefused: it is not their seat, or there is none to take back.
        """
        self.view_of(grant, seat)
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
        self.answers = Answers()
        self._play_again()

    def go_on(self, grant: Grant) -> None:
        """Start a bot that a fault has ended again, and go on from there.

        Raises:
            RequestRefused: no bot has ended the match by a fault, or the link is one to watch.
        """
        if not self.can_go_on or not grant.people:
            raise RequestRefused(409, "no bot has ended this match")
        self._play_again()

    @property
    def can_go_on(self) -> bool:
        """Has a bot ended the match by a fault, and has nobody looked at what was hidden?"""
        if self.left is None or self.left.failed or self.disclosed:
            return False
        faults = parse_record(self.left.record).faults
        return any(isinstance(self.seats[fault.player], str) for fault in faults)

    def view_of(self, grant: Grant, seat: int) -> SeatView:
        """Return what was sent to a seat; raises ``RequestRefused`` if it is not the link's."""
        if seat not in self.seats_of(grant):
            raise RequestRefused(403, "that is not a seat of this link")
        return self.views[seat]

    def _take_back_if_agreed(self) -> None:
        if self.asking is not None and self._agreed >= set(self.people) - set(self.free):
            before = self._before(self.seats.index(self.asking))
            self.asking = None
            if before is not None:
                self.answers = before
                self._play_again()
        self.change()

    def _before(self, seat: int) -> Answers | None:
        """Return the answers without the last decision of a seat, if it has decided anything."""
        return self.answers.take_back(seat, self.views[seat].decision or sys.maxsize)

    # the match itself

    def _hear(self, seat: int, line: str) -> None:
        """Take a line of the referee for a seat."""
        view = self.views[seat]
        said = view.hear(line)
        if said is not None:
            self._take(seat, said)
        elif line.startswith(("go ", "end ")):
            self._asked(view)

    def _saw(self, line: str) -> None:
        """Take a step of the match, for each viewer what they may know of it."""
        for viewer, step in json.loads(line).items():
            self.sights[int(viewer)].add(*step)
        self.change()

    def _asked(self, view: SeatView) -> None:
        """Give an earlier answer again, or let the page know that a person is asked."""
        again = None
        if view.decision:
            again = self.answers.again(view.seat, view.decision, view.observation)
        if view.decision and view.seat in self.resigned:
            self._take(view.seat, "resign")
            view.answered(None)
        elif again is not None:
            self.replayed = len(self.sights[view.seat].steps) + 1
            self._answer(view, again)
        else:
            self.change()

    def _answer(self, view: SeatView, answer: PersonAnswer) -> None:
        if answer.taken_back:  # the record says so
            self._take(view.seat, f"info taken_back={answer.taken_back}")
        self._take(view.seat, f"play {answer.action} {view.decision}")
        view.answered(answer.action)

    def _take(self, seat: int, line: str) -> None:
        if self._send is not None:
            self._send(seat, line)
