"""Matches to play on pages over HTTP: one match, or a lobby where friends begin some."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from arena.play.hint import hint, hint_text
from arena.report.play_page import lobby_page, play_page, rules_page
from arena.serve.admission import RequestGuard
from arena.serve.rules_html import primer_html, rules_html
from arena.serve.server import Listening, answer, application, html_answer, plain_answer
from arena.serve.shown import shown_state
from arena.serve.web_match import Grant, Left, PlayTerms, RequestRefused, WebMatch
from engines import EngineError, Game, game_names, load_game

__all__ = ["serve_lobby", "serve_match"]

METHODS = ("GET", "HEAD", "POST")
WAIT_SECONDS = 20.0  # for something new, before a page asks again
MOST_WAITING = 50  # pages of one match that wait
MOST_MATCHES = 20  # of one lobby; the oldest one that is over makes room
LARGEST_BODY = 4096  # bytes of what a page asks for
ANYBODY = "human"

Said = Callable[[Sequence[str]], None]


def serve_match(
    terms: PlayTerms, seed: int, listening: Listening, *, begun: Said, ended: Callable[[Left], None]
) -> int:
    """Answer for one match until a signal comes, and return its number.

    Args:
        terms: what is played.
        seed: for the deal and the bots.
        listening: as ``listen`` returned it.
        begun: called with the addresses: that of the page for everybody, then, if there are
            several people, one for each; the last is to watch.
        ended: called with what each match left.
    """

    async def run() -> int:
        match = WebMatch(terms, seed, ended)
        (first, *_) = match.links
        matches = _PlayServer(listening._replace(token=first))
        matches.add(match)
        begun([listening.address_of(token) for token in match.links])
        return await matches.answer()

    return asyncio.new_event_loop().run_until_complete(run())


def serve_lobby(home: Path, sandbox: str, bots: Sequence[str], listening: Listening) -> int:
    """Answer until a signal comes, and return its number.

    Args:
        home: where bots are found.
        sandbox: the level of isolation of the bots.
        bots: the names of those that can be played against.
        listening: as ``listen`` returned it; who has its address begins matches.
    """

    async def run() -> int:
        return await _PlayServer(listening, home, sandbox, bots).answer()

    return asyncio.new_event_loop().run_until_complete(run())


class _PlayServer:
    """The matches of one server, by their secret links; with a home, new ones can be begun."""

    def __init__(
        self,
        listening: Listening,
        home: Path | None = None,
        sandbox: str = "auto",
        bots: Sequence[str] = (),
    ) -> None:
        self._listening = listening
        self._home, self._sandbox, self._bots = home, sandbox, bots
        self._matches: list[WebMatch] = []
        self._by_token: dict[str, tuple[WebMatch, Grant]] = {}
        self._waiting: dict[int, int] = {}  # how many pages wait for news, by match
        self._shown: dict[tuple[str, int | None], tuple[int, bytes]] = {}
        self._searcher = ThreadPoolExecutor(1)

    def add(self, match: WebMatch) -> None:
        """Take a match in, and begin it."""
        self._matches.append(match)
        self._by_token |= {token: (match, grant) for token, grant in match.links.items()}
        match.begin()

    async def answer(self) -> int:
        """Answer until a signal comes; the matches end with it."""
        first = self._listening.token
        guard = RequestGuard(self._listening.host, first, lambda: (*self._by_token,), METHODS)
        try:
            return await answer(self._app(), guard, self._listening, _until_stopped())
        finally:
            await asyncio.gather(*(match.close() for match in self._matches))

    def _app(self) -> Starlette:
        return application(
            [
                Route("/", self._page),
                Route("/state", self._state),
                Route("/rules", self._rules),
                Route("/match.html", self._left),
                Route("/record.json", self._left),
                Route("/new", self._new, methods=["POST"]),
                Route("/hint", self._hint, methods=["POST"]),
                Route("/{what}", self._act, methods=["POST"]),
            ]
        )

    # pages

    async def _page(self, request: Request) -> Response:
        found = self._by_token.get(request.scope["token"])
        if found is not None:
            game = load_game(found[0].terms.game)
            return html_answer(play_page(game.title, primer_html(str(game))))
        if self._home is None:
            return plain_answer(404)
        games = {name: load_game(name).title for name in game_names()}
        return html_answer(lobby_page(games, self._bots))

    async def _state(self, request: Request) -> Response:
        token = request.scope["token"]
        if token not in self._by_token:
            return plain_answer(404)
        match, grant = self._by_token[token]
        after, wanted = _number(request, "after"), _number(request, "seat")
        if after is not None:
            await self._wait(match, after)
        version, text = self._shown.get((token, wanted), (-1, b""))
        if version != match.version:
            state = shown_state(match, grant, wanted)
            text = json.dumps(state, separators=(",", ":")).encode()
            self._shown[token, wanted] = match.version, text
        return Response(text, media_type="application/json")

    async def _wait(self, match: WebMatch, after: int) -> None:
        """Wait for news; with too many pages that wait, this one gets what there is."""
        waiting = self._waiting.get(id(match), 0)
        if waiting >= MOST_WAITING:
            await asyncio.sleep(1)
            return
        self._waiting[id(match)] = waiting + 1
        try:
            await match.news(after, WAIT_SECONDS)
        finally:
            self._waiting[id(match)] -= 1

    async def _rules(self, request: Request) -> Response:
        found = self._by_token.get(request.scope["token"])
        if found is None:
            return plain_answer(404)
        game = load_game(found[0].terms.game)
        return html_answer(rules_page(game.title, rules_html(str(game))))

    async def _left(self, request: Request) -> Response:
        found = self._by_token.get(request.scope["token"])
        left = None if found is None else found[0].left
        if left is None or left.failed:
            return plain_answer(404)
        if request.scope["path"].endswith(".json"):
            return Response(left.record, media_type="application/json")
        return html_answer(left.page)

    # what pages ask for

    async def _act(self, request: Request) -> Response:
        return await self._asked(request, self._do)

    async def _hint(self, request: Request) -> Response:
        return await self._asked(request, self._search)

    async def _asked(self, request: Request, do: Callable[..., Any]) -> Response:
        """Do what a page asks for, in JSON; what is refused has changed nothing."""
        found = self._by_token.get(request.scope["token"])
        if found is None:
            return plain_answer(404)
        try:
            asked = await _body(request)
            said = await do(found[0], found[1], request.path_params.get("what"), asked)
        except RequestRefused as refused:
            return JSONResponse({"refused": str(refused)}, refused.status)
        return JSONResponse(said or {})

    async def _do(self, match: WebMatch, grant: Grant, what: str, asked: dict[str, Any]) -> None:
        match_seat = partial(_whole, asked, "seat")
        if what == "act":
            action = asked.get("action")
            if not isinstance(action, str) or not action:
                raise RequestRefused(400, "expected an action")
            match.act(grant, match_seat(), _whole(asked, "decision"), action)
        elif what == "resign":
            match.act(grant, match_seat(), _whole(asked, "decision"), None)
        elif what == "undo":
            match.take_back(grant, match_seat())
        elif what == "agree":
            match.agree(grant, asked.get("yes") is True)
        elif what == "rematch":
            match.rematch(grant)
        else:
            raise RequestRefused(404, "there is nothing of that name to ask for")

    async def _search(
        self, match: WebMatch, grant: Grant, what: str | None, asked: dict[str, Any]
    ) -> dict[str, Any]:
        seat = _whole(asked, "seat")
        if seat not in match.seats_of(grant):
            raise RequestRefused(403, "that is not a seat of this link")
        view = match.views[seat]
        if not view.decision or view.game is None:
            raise RequestRefused(409, "there is no decision to give a hint for")
        loop = asyncio.get_running_loop()
        search = partial(hint, view.game, view.observation, seat)
        found = await loop.run_in_executor(self._searcher, search)
        return {"action": found.action, "said": hint_text(found)}

    async def _new(self, request: Request) -> Response:
        """Begin a match as a lobby's page asks for it, and return its links."""
        if self._home is None or request.scope["token"] != self._listening.token:
            return plain_answer(404)
        try:
            asked = await _body(request)
            match = WebMatch(self._terms(asked), secrets.randbelow(1 << 32))
            await self._make_room()
        except RequestRefused as refused:
            return JSONResponse({"refused": str(refused)}, refused.status)
        self.add(match)
        return JSONResponse({"links": [f"../{token}/" for token in match.links]})

    def _terms(self, asked: dict[str, Any]) -> PlayTerms:
        game, seats = asked.get("game"), asked.get("seats")
        if not isinstance(game, str) or not isinstance(seats, list):
            raise RequestRefused(400, "expected a game and seats")
        rules = _rules_of(game)
        names = [None if seat == ANYBODY else seat for seat in seats]
        if len(names) != rules.num_players:
            raise RequestRefused(
                422, f"{rules} is for {rules.num_players} players, found {len(names)}"
            )
        if None not in names:
            raise RequestRefused(422, "nobody would play: one of the players is a person")
        if any(name is not None and name not in self._bots for name in names):
            raise RequestRefused(422, "there is no such bot here")
        assert self._home is not None
        return PlayTerms(str(rules), tuple(names), self._home, sandbox=self._sandbox)

    async def _make_room(self) -> None:
        if len(self._matches) < MOST_MATCHES:
            return
        old = next((match for match in self._matches if match.left is not None), None)
        if old is None:
            raise RequestRefused(
                503, f"{MOST_MATCHES} matches are played here already; end one first"
            )
        self._matches.remove(old)
        for token in old.links:
            del self._by_token[token]
        self._shown = {key: text for key, text in self._shown.items() if key[0] in self._by_token}
        await old.close()


def _rules_of(game: str) -> Game:
    try:
        return load_game(game)
    except EngineError as error:
        raise RequestRefused(422, str(error)) from None


async def _until_stopped() -> None:
    await asyncio.Event().wait()


async def _body(request: Request) -> dict[str, Any]:
    """Return what a page asks for: a JSON object, of bounded size."""
    if request.headers.get("content-type") != "application/json":
        raise RequestRefused(415, "expected JSON")
    data = b""
    async for piece in request.stream():
        data += piece
        if len(data) > LARGEST_BODY:
            raise RequestRefused(413, "that is too long")
    try:
        asked = json.loads(data)
    except (ValueError, RecursionError):
        raise RequestRefused(400, "expected JSON") from None
    if not isinstance(asked, dict):
        raise RequestRefused(400, "expected a JSON object")
    return asked


def _whole(asked: dict[str, Any], name: str) -> int:
    value = asked.get(name)
    if type(value) is not int:
        raise RequestRefused(400, f"{name}: expected a whole number")
    return value


def _number(request: Request, name: str) -> int | None:
    text = request.query_params.get(name, "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else None
