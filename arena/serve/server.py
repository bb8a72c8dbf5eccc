"""The server that answers for pages: uvicorn's one door; it comes with the extra ``serve``."""

from __future__ import annotations

import asyncio
import contextlib
import html
import logging
import re
import signal
import socket
from collections.abc import Callable, Coroutine, Iterator
from functools import partial
from typing import Any, NamedTuple, TypeVar, cast

import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from arena.serve import connections
from arena.serve.admission import RequestGuard, new_token, own_name
from arena.values.errors import UsageError

T = TypeVar("T")

MOST_CONNECTIONS = 500  # that have asked for something
MOST_KNOCKING = 4096  # connections that the kernel keeps until they are taken
SEND_BUFFER = 64 * 1024  # bytes that the kernel holds for a connection
SILENT_SECONDS = 10.0  # for a reader to take what was sent
STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

SAID = {
    400: "This server does not go by that name.",
    403: "Not from another site.",
    404: "There is no such page yet, or the address is not whole, as arena printed it.",
    410: "This match has made room for another one: it was over, or nobody had asked for its pages "
    "for ten minutes.",
    405: "This server does not take that method here.",
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
        return self.address_of(self.token)

    def address_of(self, token: str) -> str:
        """Return the address of what is behind a token; empty: no token is needed."""
        port = self.socket.getsockname()[1]
        name = own_name() if self.host in ("0.0.0.0", "::") else self.host
        name = f"[{name}]" if ":" in name else name
        return f"http://{name}:{port}/{token}{'/' if token else ''}"


def listen(host: str, port: int, *, public: bool) -> Listening:
    """Open a socket; nobody is answered yet.

    Args:
        host: an address of this machine, or a name of one.
        port: 0: any that is free.
        public: everybody may read, without a token.

    Raises:
        UsageError: that is no address of this machine, or somebody else listens there.
    """
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        # then IPv4 as well, where all addresses are listened on
        both = family == socket.AF_INET6 and socket.has_dualstack_ipv6()
        opened = socket.create_server(address, family=family, backlog=128, dualstack_ipv6=both)
    except (OSError, UnicodeError, OverflowError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise UsageError(f"cannot listen on {host}, port {port}: {why}") from None
    # connections inherit both: what waits for a reader who takes nothing is small, and not long
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
    silent_ms = int(1000 * SILENT_SECONDS)
    opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, silent_ms)
    opened.setblocking(False)
    return Listening(opened, host, "" if public else new_token())


async def answer(
    app: ASGIApp, guard: RequestGuard, listening: Listening, beside: Coroutine[Any, Any, object]
) -> int:
    """Answer until a signal comes, and return its number.

    Args:
        app: what answers.
        guard: who is answered.
        listening: as ``listen`` returned it.
        beside: what runs as long, and ends only if it fails.
    """
    server = _Server(
        uvicorn.Config(
            _Guarded(app, guard, public=not listening.token),
            http=cast(type[asyncio.Protocol], partial(connections.Connection, room={})),
            ws="none",
            lifespan="off",
            loop="none",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            headers=[("Connection", "close")],  # pages ask for nothing more
            backlog=connections.MOST_SILENT // 2,  # at a time: then what they have sent is read
            limit_concurrency=MOST_CONNECTIONS,
            h11_max_incomplete_event_size=connections.LARGEST_HEAD,
        )
    )
    # it warns of what anybody may send, and says errors that _Guarded has said
    logging.getLogger("uvicorn").setLevel(logging.CRITICAL + 1)
    stopped: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    for number in STOPPING:
        if number != signal.SIGHUP or signal.getsignal(number) is not signal.SIG_IGN:  # nohup
            asyncio.get_running_loop().add_signal_handler(number, _stop, stopped, number)
    serving = asyncio.ensure_future(server.serve(sockets=[listening.socket]))
    tasks: set[asyncio.Future[Any]] = {stopped, serving, asyncio.ensure_future(beside)}
    done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in done:
        task.result()
    return stopped.result()


def _stop(stopped: asyncio.Future[int], number: int) -> None:
    if not stopped.done():
        stopped.set_result(number)


class _Server(uvicorn.Server):
    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Take few connections at a time, but let many wait for that."""
        await super().startup(sockets)
        for opened in sockets or ():
            opened.listen(MOST_KNOCKING)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals to the arena."""
        yield


class _Guarded:
    """Lets through what the guard does, without the token in its path; adds headers to answers."""

    def __init__(self, app: ASGIApp, guard: RequestGuard, *, public: bool) -> None:
        self._app = app
        self._guard = guard
        self._public = public

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        headers = Headers(scope=scope)
        joined = {name: ", ".join(headers.getlist(name)) for name in headers}
        status, path, token = self._guard.judge(scope["method"], scope["path"], joined)
        app: ASGIApp = self._app
        if status == 308:
            app = RedirectResponse(path, status)
        elif status != 200:
            app = plain_answer(status)
        await app({**scope, "path": path, "token": token}, receive, partial(self._send, send))

    async def _send(self, send: Send, message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers.setdefault("Content-Security-Policy", "default-src 'none'")
            headers["Cache-Control"] = "no-cache" if self._public else "no-store"
            headers["Cross-Origin-Resource-Policy"] = "same-origin"
            headers["Referrer-Policy"] = "no-referrer"
            headers["X-Content-Type-Options"] = "nosniff"
        await send(message)


def application(routes: list[Route]) -> Starlette:
    """Return what answers by routes; what there is not and what fails is said in one line."""
    handlers: Any = {404: _said, 410: _said, ClientDisconnect: _gone, Exception: _failed}
    app = Starlette(routes=routes, exception_handlers=handlers)
    app.router.redirect_slashes = False  # it leads to a path that lacks the token
    return app


async def made_for(request: Request, turn: asyncio.Lock, make: Callable[[], T]) -> T:
    """Make in a thread what a request asks for, unless its reader goes before it is its turn.

    Raises:
        ClientDisconnect: the reader has gone.
    """
    async with turn:
        if await request.is_disconnected():
            raise ClientDisconnect
        return await asyncio.to_thread(make)


def html_answer(page: str, *, framed: bool = False) -> Response:
    """Return a page; its own policy is a header, too, and no page may frame it.

    ``framed``: a page of this server may.
    """
    found = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    policy = "default-src 'none'" if found is None else html.unescape(found[1])
    ancestors = "'self'" if framed else "'none'"
    headers = {"Content-Security-Policy": f"{policy}; frame-ancestors {ancestors}"}
    return HTMLResponse(page, headers=headers)


def plain_answer(status: int) -> Response:
    """Return a status with the sentence that says what it means here."""
    headers = {"Allow": "GET, HEAD"} if status == 405 else None
    return PlainTextResponse(f"{SAID[status]}\n", status, headers)


def _said(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return plain_answer(error.status_code)


def _gone(request: Request, error: Exception) -> Response:
    return Response()  # nobody gets it


def _failed(request: Request, error: Exception) -> Response:
    log.error("a page failed", exc_info=error)
    return PlainTextResponse("The page failed.\n", 500)
