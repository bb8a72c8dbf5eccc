"""One reader does not take what is there for all."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import MutableMapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from starlette.types import ASGIApp

from arena.serve import app as module
from arena.serve.events import MOST_EACH, MOST_READERS, News
from arena.serve.live import Live
from arena.serve.shares import Shares, reader_of


def test_one_address_takes_its_share() -> None:
    """Another gets what is left; what is given back can be taken again."""
    shares = Shares(5, 2)
    assert [shares.take("192.0.2.1") for _ in range(3)] == [True, True, False]
    assert [shares.take("192.0.2.2") for _ in range(3)] == [True, True, False]
    assert [shares.take("192.0.2.3") for _ in range(2)] == [True, False]
    shares.give_back("192.0.2.1")
    assert shares.taken == 4
    assert not shares.take("192.0.2.2")
    assert shares.take("192.0.2.1")


def test_this_machine_may_take_all() -> None:
    """A proxy on it asks for many readers."""
    shares = Shares(5, 2)
    assert [shares.take("127.0.0.1") for _ in range(6)] == [True] * 5 + [False]


@pytest.mark.parametrize(
    ("address", "other", "same"),
    [
        ("192.0.2.1", "::ffff:192.0.2.1", True),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2", False),
        ("2001:db8::1", "2001:db8::ffff:1", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("fe80::1%eth0", "fe80::2%eth0", True),
        ("127.0.0.1", "::1", True),
    ],
)
def test_whose_an_address_is(address: str, other: str, same: bool) -> None:
    """A network of IPv6 is one reader; one of IPv4 is the same, however it is written."""
    assert (reader_of(address) == reader_of(other)) is same


def test_one_address_follows_a_few_streams() -> None:
    """Past its share it is told so, while another is answered."""
    assert asyncio.run(_statuses()) == [200] * MOST_EACH + [503, 200]
    assert MOST_EACH < MOST_READERS


async def _statuses() -> list[int]:
    """Follow the news as often as one address may, once more, and once from another."""
    statuses: list[int] = []
    never = asyncio.Event()

    async def send(message: MutableMapping[str, Any]) -> None:
        if "status" in message:
            statuses.append(message["status"])

    async def receive() -> MutableMapping[str, Any]:
        await never.wait()
        return {"type": "http.disconnect"}

    with ThreadPoolExecutor(1) as executor:
        news = News(lambda before, board: Live(), executor)
        followers = []
        for address in ["192.0.2.1"] * (MOST_EACH + 1) + ["192.0.2.2"]:
            scope = {"method": "GET", "client": (address, 1)}
            followers.append(asyncio.ensure_future(news(scope, receive, send)))
        while len(statuses) < len(followers):
            await asyncio.sleep(0)
        never.set()
        await asyncio.gather(*followers)
    return statuses


def test_one_address_waits_for_a_few_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Past its share it is told so at once, while another waits until its page is made."""
    may_be_made = threading.Event()

    def slow_page(*args: object, **named: object) -> str:
        assert may_be_made.wait(60)
        return "made"

    monkeypatch.setattr(module, "live_page", slow_page)
    statuses = asyncio.run(_asked(module._Pages(tmp_path, None, True).app(), may_be_made))
    most = module.MOST_WAITING_EACH
    assert most < module.MOST_WAITING
    assert sorted(statuses["192.0.2.1"]) == [200] * most + [503]
    assert statuses["192.0.2.2"] == [200]


async def _asked(app: ASGIApp, may_be_made: threading.Event) -> dict[str, list[int]]:
    """Ask for pages as often as one address may, once more, and once from another."""
    statuses: dict[str, list[int]] = {"192.0.2.1": [], "192.0.2.2": []}

    async def ask(address: str) -> None:
        async def send(message: MutableMapping[str, Any]) -> None:
            if "status" in message:
                statuses[address].append(message["status"])
                if message["status"] == 503:
                    may_be_made.set()

        async def receive() -> MutableMapping[str, Any]:
            return {"type": "http.request", "body": b""}

        scope = {"type": "http", "method": "GET", "path": "/", "headers": [], "query_string": b""}
        await app({**scope, "client": (address, 1)}, receive, send)

    addresses = ["192.0.2.2"] + ["192.0.2.1"] * (module.MOST_WAITING_EACH + 1)
    await asyncio.wait_for(asyncio.gather(*map(ask, addresses)), 50)
    return statuses
