"""The server: the one door of starlette and uvicorn, which come with the extra ``serve``."""

from __future__ import annotations

import asyncio
import contextlib
import html
import json
import logging
import re
import signal
import socket
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import (
    HTMLResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
    StreamingResponse,
)
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from arena.report.live_page import live_page
from arena.serve.admission import RequestGuard, new_token, own_name
from arena.serve.events import News
from arena.serve.live import Live, look
from arena.serve.pages import KeptMatches, ReportPages
from arena.values.errors import ArenaError, RecordError, UsageError

__all__ = ["Listening", "listen", "serve"]

MOST_CONNECTIONS = 500
SEND_BUFFER = 64 * 1024  # bytes that the kernel holds for a connection
SILENT_SECONDS = 10.0  # for a reader to take what was sent
LARGEST_HEAD = 16 * 1024  # bytes of a request
STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

SAID = {
    400: "This server does not go by that name.",
    403: "Not from another site.",
    404: "There is no such page yet, or the address is not whole, as arena serve printed it.",
    405: "This server is only read from.",
}
log = logging.getLogger(__name__)


class Listening(NamedTuple):
    """A socket that is listened on, and the address of the first page."""

    socket: socket.socket
    host: str
    token: str

    @property
    def address(self) -> str:
        """What to open in a browser."""
        port = self.socket.getsockname()[1]
        name = own_name() if self.host in ("0.0.0.0", "::") else self.host
        name = f"[{name}]" if ":" in name else name
        return f"http://{name}:{port}/{self.token}{'/' if self.token else ''}"


def listen(host: str, port: int, *, public: bool) -> Listening:
    """Open a socket; nobody is answered yet.

    Args:
        host: an address of this machine, or a name of one.
        port: 0: any that is free.
        public: everybody may read, without a token.

    Raises:
        UsageError: that is no address of this machine, or somebody else listens there.
    """
    opened = None
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        opened = socket.socket(family, socket.SOCK_STREAM)
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        # connections inherit both: what waits for a reader who takes nothing is small, and not long
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        silent_ms = int(1000 * SILENT_SECONDS)
        opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, silent_ms)
        opened.bind(address)
        opened.listen(128)
        opened.setblocking(False)
    except (OSError, UnicodeError, OverflowError) as error:
        if opened is not None:
            opened.close()
        why = error.strerror if isinstance(error, OSError) else error
        raise UsageError(f"cannot listen on {host}, port {port}: {why}") from None
    return Listening(opened, host, "" if public else new_token())


def serve(home: Path, tournament: str | None, listening: Listening, *, public: bool) -> int:
    """Answer until a signal comes, and return its number.

    Threads may still be making a page then, which the caller does not wait for.

    Args:
        home: the arena's home.
        tournament: which; ``None``: the one run last.
        listening: as ``listen`` returned it.
        public: leave out what is not for everybody.
    """
    loop = asyncio.new_event_loop()
    return loop.run_until_complete(_serve(home, tournament, listening, public))


async def _serve(home: Path, tournament: str | None, listening: Listening, public: bool) -> int:
    pages = _Pages(home, tournament, public)
    guard = RequestGuard(listening.host, listening.token)
    server = _Server(
        uvicorn.Config(
            _Guarded(pages.app(), guard, public),
            http="h11",
            ws="none",
            lifespan="off",
            loop="none",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            headers=[("Connection", "close")],  # pages ask for nothing more
            limit_concurrency=MOST_CONNECTIONS,
            h11_max_incomplete_event_size=LARGEST_HEAD,
        )
    )
    # it warns of what anybody may send, and says errors that _Guarded has said
    logging.getLogger("uvicorn").setLevel(logging.CRITICAL + 1)
    stopped: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    for number in STOPPING:
        if number != signal.SIGHUP or signal.getsignal(number) is not signal.SIG_IGN:  # nohup
            asyncio.get_running_loop().add_signal_handler(number, _stop, stopped, number)
    serving = asyncio.ensure_future(server.serve(sockets=[listening.socket]))
    watching = asyncio.ensure_future(pages.news.watch())
    tasks: set[asyncio.Future[Any]] = {stopped, serving, watching}
    done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in done:
        task.result()
    return stopped.result()


def _stop(stopped: asyncio.Future[int], number: int) -> None:
    if not stopped.done():
        stopped.set_result(number)


class _Server(uvicorn.Server):
    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals to the arena."""
        yield


class _Guarded:
    """Lets through what the guard does, without the token in its path; adds headers to answers."""

    def __init__(self, app: ASGIApp, guard: RequestGuard, public: bool) -> None:
        self._app = app
        self._guard = guard
        self._public = public

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        headers = Headers(scope=scope)
        joined = {name: ", ".join(headers.getlist(name)) for name in headers}
        status, path = self._guard.judge(scope["method"], scope["path"], joined)
        answer: ASGIApp = self._app
        if status == 308:
            answer = RedirectResponse(path, status)
        elif status != 200:
            answer = _said(status)
        await answer({**scope, "path": path}, receive, partial(self._send, send))

    async def _send(self, send: Send, message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers.setdefault("Content-Security-Policy", "default-src 'none'")
            headers["Cache-Control"] = "no-cache" if self._public else "no-store"
            headers["Cross-Origin-Resource-Policy"] = "same-origin"
            headers["Referrer-Policy"] = "no-referrer"
            headers["X-Content-Type-Options"] = "nosniff"
        await send(message)


class _Pages:
    def __init__(self, home: Path, tournament: str | None, public: bool) -> None:
        self._home, self._tournament, self._public = home, tournament, public
        # one thread for what is long, one for what must not wait for it
        self._maker, self._looker = ThreadPoolExecutor(1), ThreadPoolExecutor(1)
        self._front_html = lru_cache(1)(self._live_html)
        self._reports = ReportPages(home, public=public)
        self._matches = KeptMatches(home, public=public)
        self.news = News(self._look, self._looker)

    def app(self) -> Starlette:
        """Return what answers."""
        app = Starlette(
            routes=[
                Route("/", self._front),
                Route("/events", self._events),
                Route("/report", _to_report),
                Route("/report/", self._report),
                Route("/report/matches/{match}.html", self._match),
                Route("/report/{name:path}", self._report),
            ],
            exception_handlers={404: _not_found, Exception: _failed},
        )
        app.router.redirect_slashes = False  # it leads to a path that lacks the token
        return app

    async def _events(self, request: Request) -> Response:
        kind = "text/event-stream"
        if self.news.is_full or request.method == "HEAD":
            return Response(status_code=503 if self.news.is_full else 200, media_type=kind)
        return StreamingResponse(self.news.messages(), media_type=kind)

    def _look(self, before: Live, board: bool) -> Live:
        return look(self._home, self._tournament, before, board=board, public=self._public)

    async def _front(self, request: Request) -> Response:
        await self.news.refresh()
        return await self._page(self._front_html, self.news.text)

    def _live_html(self, news: str) -> str:
        return live_page(json.loads(news), public=self._public)

    async def _match(self, request: Request) -> Response:
        live = await self.news.refresh()
        match = request.path_params["match"]
        return await self._page(self._matches.page, live.name, match, framed=True)

    async def _report(self, request: Request) -> Response:
        live = await self.news.refresh()
        return await self._page(self._reports.page, live, request.path_params.get("name", ""))

    async def _page(self, make: Callable[..., str], *args: Any, framed: bool = False) -> Response:
        try:
            loop = asyncio.get_running_loop()
            page = await loop.run_in_executor(self._maker, partial(make, *args))
        except (RecordError, UsageError):
            return _said(404)
        except ArenaError as error:  # it may name files, which are not for everybody
            log.warning("%s", error)
            return PlainTextResponse("The page cannot be made now.", 503)
        return (
            _html(page, framed) if page.startswith("<!doctype html>") else PlainTextResponse(page)
        )


def _html(page: str, framed: bool) -> Response:
    """Return a page; its own policy is a header, too, and no page may frame it.

    ``framed``: the live page may, as it has a match that plays.
    """
    found = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    policy = "default-src 'none'" if found is None else html.unescape(found[1])
    ancestors = "'self'" if framed else "'none'"
    headers = {"Content-Security-Policy": f"{policy}; frame-ancestors {ancestors}"}
    return HTMLResponse(page, headers=headers)


def _said(status: int) -> Response:
    headers = {"Allow": "GET, HEAD"} if status == 405 else None
    return PlainTextResponse(f"{SAID[status]}\n", status, headers)


async def _to_report(request: Request) -> Response:
    """Lead to the report, from wherever this path begins: it has a token that is not seen here."""
    return RedirectResponse("report/", 308)


def _not_found(request: Request, error: Exception) -> Response:
    return _said(404)


def _failed(request: Request, error: Exception) -> Response:
    log.error("a page failed", exc_info=error)
    return PlainTextResponse("The page failed.\n", 500)
