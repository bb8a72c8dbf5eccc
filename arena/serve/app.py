"""The pages of a home over HTTP, live: reads the store, and nothing else."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from functools import lru_cache, partial
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from arena.serve.admission import RequestGuard
from arena.serve.events import News
from arena.serve.live import Live, live_page, look
from arena.serve.pages import ReportPages, match_of
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
        self._home, self._public = home, public
        self._making = asyncio.Lock()  # a page
        self._front_html = lru_cache(1)(self._live_html)
        self._reports = ReportPages(home, public=public)
        self._drawn = lru_cache(MOST_RUNNING)(draw_running)
        self.news = News(partial(look, home, tournament, public=public))

    def app(self) -> Starlette:
        """Return what answers."""
        return application(
            [
                Route("/", self._made(self._front)),
                Route("/events", self._events),
                Route("/running/{match}.svg", self._made(self._running)),
                Route("/report", _to_report),
                Route("/report/", self._made(self._reports.page)),
                Route("/report/matches/{match}.html", self._made(self._match, framed=True)),
                Route("/report/{name:path}", self._made(self._reports.page)),
            ]
        )

    async def _events(self, request: Request) -> Response:
        kind = "text/event-stream"
        if self.news.is_full or request.method == "HEAD":
            return Response(status_code=503 if self.news.is_full else 200, media_type=kind)
        return StreamingResponse(self.news.messages(), media_type=kind)

    def _front(self, live: Live) -> str:
        return self._front_html(self.news.version)

    def _live_html(self, version: int) -> str:
        return live_page(self.news.now, public=self._public)

    def _match(self, live: Live, match: str) -> str:
        return match_of(self._home, live.name, match, public=self._public)

    def _running(self, live: Live, match: str) -> str:
        for running in live.running:
            if running.id == match:
                return self._drawn(running)
        raise RecordError("it is not being played")

    def _made(
        self, make: Callable[..., str], *, framed: bool = False
    ) -> Callable[[Request], Awaitable[Response]]:
        """Return what answers with a page, made of the tournament as of now and of the path."""

        async def page_of(request: Request) -> Response:
            live = await self.news.refresh()
            try:
                made = partial(make, live, **request.path_params)
                page = await made_for(request, self._making, made)
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

        return page_of


async def _to_report(request: Request) -> Response:
    """Lead to the report, from wherever this path begins: it has a token that is not seen here."""
    return RedirectResponse("report/", 308)
