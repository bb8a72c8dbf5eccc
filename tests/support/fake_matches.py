"""Matches on pages without processes: a test says what the referee would."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path

from arena.serve.web_match import Grant, WebMatch
from arena.serve.web_process import Left, PlayTerms, Send


async def settle() -> None:
    """Let all tasks go as far as they can."""
    for _ in range(50):
        await asyncio.sleep(0)


class FakePlay:
    """What runs in place of a match's process.

    Attributes:
        match: a match of Connect Four with a person in seat 0.
        me: what allows to play for that person.
        begun: how many processes were begun.
        running: how many of them have not ended.
        said: what the person's seat said to the newest one.
        ended: what the match left, each time.
        may_end: no process ends before this is set.
    """

    def __init__(self) -> None:
        self.begun = self.running = 0
        self.said: list[str] = []
        self.ended: list[Left] = []
        self.may_end = asyncio.Event()
        self.may_end.set()
        terms = PlayTerms("connect_four", (None, "random"), Path())
        self.match = WebMatch(terms, 1, self.ended.append, self._play)
        self.me = Grant(self.match.people)

    @contextlib.asynccontextmanager
    async def _play(
        self,
        terms: PlayTerms,
        seed: int,
        seats: Sequence[int | str],
        hear: Send,
        saw: Callable[[str], None],
        over: Callable[[Left], None],
    ) -> AsyncIterator[Send]:
        self.begun += 1
        self.running += 1
        self.said = []
        self._hear, self._over = hear, over
        try:
            yield lambda seat, line: self.said.append(line)
        finally:
            await self.may_end.wait()
            self.running -= 1

    def ask(self, decision: int) -> None:
        """Have the referee ask the person for a decision."""
        for line in ("legal a b", f"go {decision}"):
            self._hear(0, line)

    def end(self) -> None:
        """Have the match end by rules."""
        self._over(Left("record", "page"))

    async def act(self, decision: int) -> None:
        """Have the person asked for a decision, and take it."""
        self.ask(decision)
        await self.match.order(self.match.act, self.me, 0, decision, "a")

    async def take_back(self) -> None:
        """Have the person take a decision back."""
        await self.match.order(self.match.take_back, self.me, 0)
