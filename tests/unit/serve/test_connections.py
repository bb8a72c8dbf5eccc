"""There is always a place for another connection, and who waits longest loses theirs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from arena.serve.connections import Connections


class FakeTransport(asyncio.Transport):
    """A connection from an address that may be cut."""

    def __init__(self, address: str, port: int) -> None:
        super().__init__({"peername": (address, port)})
        self.client = address, port
        self.is_cut = False

    def abort(self) -> None:
        self.is_cut = True


def run(most: int, work: Callable[[Connections], Coroutine[Any, Any, None]]) -> None:
    """Do something with connections of which there may be so many; time stands still."""

    async def doing() -> None:
        await work(Connections(most, 1000.0))

    asyncio.run(doing())


def connect(connections: Connections, address: str, count: int) -> list[FakeTransport]:
    """Have so many connections come from an address."""
    made = [FakeTransport(address, 1000 + number) for number in range(count)]
    for transport in made:
        connections.made(transport)
    return made


def test_the_newest_has_a_place() -> None:
    """Of one reader's, those that came first are cut first; whose answer is made is not."""

    async def work(connections: Connections) -> None:
        transports = connect(connections, "127.0.0.1", 3)
        connections.asked(transports[0].client)
        connections.made(FakeTransport("127.0.0.1", 1))
        assert [one.is_cut for one in transports] == [False, True, False]
        connections.answered(transports[0].client)  # which may not have been taken yet
        for port in (2, 3, 4):
            connections.made(FakeTransport("127.0.0.1", port))
        assert [one.is_cut for one in transports] == [True, True, True]

    run(3, work)


def test_who_has_most_loses_one() -> None:
    """A crowd from one address leaves the others alone, however long these wait."""

    async def work(connections: Connections) -> None:
        (other,) = connect(connections, "192.0.2.1", 1)
        crowd = connect(connections, "192.0.2.2", 100)
        assert not other.is_cut
        assert [one.is_cut for one in crowd] == [True] * 91 + [False] * 9

    run(10, work)


def test_what_has_ended_needs_no_place() -> None:
    """Whether it had asked or not, nobody else is cut for one that has ended."""

    async def work(connections: Connections) -> None:
        one, other, third = connect(connections, "192.0.2.1", 3)
        connections.asked(other.client)
        for ended in (one, other):
            connections.lost(ended)
        connections.answered(other.client)
        connect(connections, "192.0.2.2", 2)
        assert not third.is_cut
        connections.made(FakeTransport("192.0.2.3", 1))
        connections.lost(one)  # again, as a connection that was cut also ends

    run(3, work)


@pytest.mark.parametrize("asks", [False, True])
def test_who_asks_for_nothing_is_cut(asks: bool) -> None:
    """A connection has its time to ask; one that has asked is not cut by it."""

    async def work() -> None:
        connections = Connections(10, 0.0)
        (transport,) = connect(connections, "192.0.2.1", 1)
        if asks:
            connections.asked(transport.client)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert transport.is_cut is not asks

    asyncio.run(work())
