"""Pages that are made in a thread, for readers who may go."""

from __future__ import annotations

import asyncio
import threading

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from support.asgi import answered

from arena.serve.server import application, made_for


def test_a_page_whose_reader_has_gone_is_not_made() -> None:
    """When it is its turn nothing is done; one that is begun, and those of others, come."""
    made: list[str] = []
    turn = asyncio.Lock()
    begun, may_end = threading.Event(), threading.Event()

    async def page(request: Request) -> Response:
        name: str = request.path_params["name"]

        def make() -> str:
            made.append(name)
            begun.set()
            may_end.wait(10)
            return name

        return PlainTextResponse(await made_for(request, turn, make))

    app = application([Route("/{name}", page)])

    async def work() -> list[bytes]:
        first = asyncio.ensure_future(answered(app, "/first"))
        await asyncio.to_thread(begun.wait, 10)
        others = [
            asyncio.ensure_future(answered(app, f"/gone-{n}", stays=False)) for n in range(20)
        ]
        last = asyncio.ensure_future(answered(app, "/last"))
        await asyncio.sleep(0)
        may_end.set()
        await asyncio.wait(others)
        return [(await one)[1] for one in (first, last)]

    assert asyncio.run(work()) == [b"first", b"last"]
    assert made == ["first", "last"]
