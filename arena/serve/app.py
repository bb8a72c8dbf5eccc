"""The pages of a home over HTTP, live: reads the store, and nothing else."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from arena.serve.admission import RequestGuard
from arena.serve.events import News
from arena.serve.live import Live, live_page, look
from arena.serve.pages import KeptMatches, ReportPages
from arena.serve.running import MOST_RUNNING, draw_running
from arena.serve.server import Listening, answer, application, html_answer, made_for, plain_answer
from arena.values.errors import ArenaError, RecordError, UsageError

log = logging.getLogger(__name__)


def serve(home: Path, tournament: str | None, listening: Listening, *, public: bool) -> int:
    """Answer until a signal comes, and return its number.

    Threads may still be making a page then, which the caller does not wait for.

    Args:
        home: the arena's home.
        tournament: which; ``None``: the one run last.
        listening: as ``listen`` returned it.
        public: leave out what is not for everybody.
    """
    pages = _Pages(home, tournament, public)
    guard = RequestGuard(listening.host, listening.token)
    answering = answer(pages.app(), guard, listening, pages.news.watch())
    return asyncio.new_event_loop().run_until_complete(answering)


class _Pages:
    def __init__(self, home: Path, tournament: str | None, public: bool) -> None:
        self._home, self._tournament, self._public = home, tournament, public
        self._making = asyncio.Lock()  # a page
        self._front_html = lru_cache(1)(self._live_html)
        self._reports = ReportPages(home, public=public)
        self._matches = KeptMatches(home, public=public)
        self._drawn = lru_cache(MOST_RUNNING)(draw_running)
        self.news = News(self._look)

    def app(self) -> Starlette:
        """Return what answers."""
        return application(
            [
                Route("/", self._front),
                Route("/events", self._events),
                Route("/running/{match}.svg", self._running),
                Route("/report", _to_report),
                Route("/report/", self._report),
                Route("/report/matches/{match}.html", self._match),
                Route("/report/{name:path}", self._report),
            ]
        )

    async def _events(self, request: Request) -> Response:
        kind = "text/event-stream"
        if self.news.is_full or request.method == "HEAD":
            return Response(status_code=503 if self.news.is_full else 200, media_type=kind)
        return StreamingResponse(self.news.messages(), media_type=kind)

    def _look(self, before: Live, board: bool) -> Live:
        return look(self._home, self._tournament, before, board=board, public=self._public)

    async def _front(self, request: Request) -> Response:
        await self.news.refresh()
        return await self._page(request, self._front_html, self.news.version)

    def _live_html(self, version: int) -> str:
        return live_page(self.news.now, public=self._public)

    async def _match(self, request: Request) -> Response:
        live = await self.news.refresh()
        match = request.path_params["match"]
        return await self._page(request, self._matches.page, live.name, match, framed=True)

    async def _running(self, request: Request) -> Response:
        live = await self.news.refresh()
        asked = request.path_params["match"]
        for match in live.running:
            if match.id == asked:
                return await self._page(request, self._drawn, match)
        return plain_answer(404)

    async def _report(self, request: Request) -> Response:
        live = await self.news.refresh()
        name = request.path_params.get("name", "")
        return await self._page(request, self._reports.page, live, name)

    async def _page(
        self, request: Request, make: Callable[..., str], *args: Any, framed: bool = False
    ) -> Response:
        try:
            page = await made_for(request, self._making, partial(make, *args))
        except (RecordError, UsageError):
            return plain_answer(404)
        except ArenaError as error:  # it may name files, which are not for everybody
            log.warning("%s", error)
            return PlainTextResponse("The page cannot be made now.", 503)
        if page.startswith("<svg"):
            return Response(page, media_type="image/svg+xml")
        if not page.startswith("<!doctype html>"):
            return PlainTextResponse(page)
        return html_answer(page, framed=framed)


async def _to_report(request: Request) -> Response:
    """Lead to the report, from wherever this path begins: it has a token that is not seen here."""
    return RedirectResponse("report/", 308)
