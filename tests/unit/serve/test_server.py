"""Pages that are made in a thread, for readers who may go."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from arena.serve.server import application, made_for


def test_a_page_whose_reader_has_gone_is_not_made() -> None:
    """It waits for its turn no longer; one that is begun, and those of others, come."""
    made: list[str] = []
    begun, may_end = threading.Event(), threading.Event()

    async def page(request: Request) -> Response:
        name: str = request.path_params["name"]

        def make() -> str:
            made.append(name)
            begun.set()
            may_end.wait(10)
            return name

        return PlainTextResponse(await made_for(request, executor, make))

    app = application([Route("/{name}", page)])

    async def ask(name: str, *, stays: bool) -> bytes:
        """Return what a reader gets, who goes at once or stays."""
        sent: list[Any] = []
        said: list[Any] = [{"type": "http.request", "body": b"", "more_body": False}]

        async def receive() -> Any:
            if not said and stays:
                await asyncio.Event().wait()
            return said.pop() if said else {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            sent.append(message)

        scope = {"type": "http", "method": "GET", "path": f"/{name}", "headers": []}
        await app(scope, receive, send)
        return bytes(sent[1]["body"])

    async def work() -> list[bytes]:
        first = asyncio.ensure_future(ask("first", stays=True))
        await asyncio.to_thread(begun.wait, 10)
        others = [asyncio.ensure_future(ask(f"gone-{n}", stays=False)) for n in range(20)]
        last = asyncio.ensure_future(ask("last", stays=True))
        await asyncio.wait(others, timeout=10)
        may_end.set()
        return [await first, await last]

    with ThreadPoolExecutor(1) as executor:
        assert asyncio.run(work()) == [b"first", b"last"]
    assert made == ["first", "last"]
