"""Matches to play on pages over HTTP: one match, or a lobby where friends begin some."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from arena.play.hint import hint
from arena.report.pictures import BOARDS
from arena.report.templates import Markup, render_page
from arena.serve.admission import RequestGuard, is_loopback
from arena.serve.lobby import levels, lobby_games, names_of, open_matches
from arena.serve.qr_code import qr_code
from arena.serve.rules_html import primer_html, rules_html
from arena.serve.server import Listening, answer, application, html_answer, made_for, plain_answer
from arena.serve.shown import names_for, sentence, shown_position, shown_state
from arena.serve.web_match import Grant, RequestRefused, WebMatch
from arena.serve.web_matches import WebMatches
from arena.serve.web_process import Left, PlayTerms
from engines import EngineError, load_game
from engines.core.pages import goal

METHODS = ("GET", "HEAD", "POST")
WAIT_SECONDS = 5.0  # for something new, before a page asks again
LARGEST_BODY = 4096  # bytes of what a page asks for
LONGEST_NAME = 30  # characters of what somebody calls themselves
KEPT = 32  # states that were shown
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
        server = PlayServer(listening._replace(token=first))
        await server.matches.add(match)
        begun([listening.address_of(token) for token in match.links])
        return await server.answer()

    return asyncio.new_event_loop().run_until_complete(run())


def serve_lobby(home: Path, sandbox: str, bots: Sequence[str], listening: Listening) -> int:
    """Answer until a signal comes, and return its number.

    Args:
        home: where bots are found.
        sandbox: the level of isolation of the bots.
        bots: the names of those that can be played against.
        listening: as ``listen`` returned it; who has its address begins matches.
    """
    server = PlayServer(listening, home, sandbox, bots)
    return asyncio.new_event_loop().run_until_complete(server.answer())


class PlayServer:
    """Answers for matches; with a home, new ones can be begun.

    Args:
        listening: as ``listen`` returned it.
        home: where bots are found.
        sandbox: the level of isolation of the bots.
        bots: the names of those that can be played against.

    Attributes:
        matches: those that are answered for.
    """

    def __init__(
        self,
        listening: Listening,
        home: Path | None = None,
        sandbox: str = "auto",
        bots: Sequence[str] = (),
    ) -> None:
        self.matches = WebMatches()
        self._listening = listening
        self._home, self._sandbox, self._bots = home, sandbox, bots
        # the same for all pages of one viewer
        self._shown = lru_cache(KEPT)(_state_json)
        self._searching = asyncio.Lock()  # for a hint

    async def answer(self) -> int:
        """Answer until a signal comes; the matches end with it."""
        first = self._listening.token
        guard = RequestGuard(self._listening.host, first, lambda: self.matches.tokens, METHODS)
        try:
            return await answer(self.app(), guard, self._listening, asyncio.Event().wait())
        finally:
            await self.matches.close()

    def app(self) -> Starlette:
        """Return what answers, without the guard."""
        app = application(
            [
                Route("/", self._page),
                Route("/state", self._state),
                Route("/position", self._position),
                Route("/rules", self._rules),
                Route("/match.html", self._left),
                Route("/record.json", self._left),
                Route("/new", self._new, methods=["POST"]),
                Route("/join", self._join, methods=["POST"]),
                Route("/{what}", self._asked, methods=["POST"]),
            ]
        )
        app.add_exception_handler(RequestRefused, _said_no)
        return app

    # pages

    def _found(self, request: Request) -> tuple[WebMatch, Grant]:
        return self.matches.find(request.scope["token"])

    async def _page(self, request: Request) -> Response:
        if self._home is not None and request.scope["token"] == self._listening.token:
            await asyncio.to_thread(lobby_games)
            page = render_page(
                "lobby.html",
                scripts=["lobby.js"],
                asks=True,
                games=lobby_games(),
                goal=goal,
                bots=levels(self._bots),
                matches=open_matches(self.matches),
                names_of=names_of,
            )
            return html_answer(page)
        match, grant = self._found(request)
        game = match.game
        if request.scope["token"] == match.invitation:
            watch = next(link for link, allowed in match.links.items() if not allowed.people)
            page = render_page(
                "invitation.html",
                scripts=["lobby.js"],
                asks=True,
                title=game.title,
                goal=goal(game.name),
                names=names_of(match),
                free=len(match.free),
                watch=f"../{watch}/",
            )
            return html_answer(page)
        invites = bool(match.free and grant.people)
        address = self._address(request, match.invitation) if invites else ""
        page = render_page(
            "play.html",
            styles=[BOARDS],
            scripts=["board.js", "keys.js", "clicks.js", "play.js", *["invite.js"] * invites],
            asks=True,
            title=game.title,
            goal=goal(game.name),
            primer=Markup(primer_html(str(game))),
            invitation=address,
            code=Markup(qr_code(address) if invites else ""),
            local=is_loopback(self._listening.host),
        )
        return html_answer(page)

    def _address(self, request: Request, token: str) -> str:
        """Return a link's address, with the host name of the request unless that is loopback."""
        if request.url.hostname is None or is_loopback(request.url.hostname):
            return self._listening.address_of(token)
        return f"{request.url.scheme}://{request.url.netloc}/{token}/"

    async def _state(self, request: Request) -> Response:
        match, grant = self._found(request)
        after, wanted = _number(request, "after"), _number(request, "seat")
        await match.news(grant, after, WAIT_SECONDS)
        seat = wanted if wanted in match.seats_of(grant) else None
        text = self._shown(match, grant, seat, match.version)
        away = json.dumps({"away": match.away()}).encode()
        return Response(away[:-1] + b"," + text[1:], media_type="application/json")

    async def _position(self, request: Request) -> Response:
        match, grant = self._found(request)
        at, run, seat = (_number(request, name) for name in ("at", "run", "seat"))
        try:
            if at is None or run != match.run:
                raise IndexError
            return JSONResponse(shown_position(match, grant, seat, at))
        except IndexError:
            return plain_answer(404)

    async def _rules(self, request: Request) -> Response:
        game = self._found(request)[0].game
        text = Markup(rules_html(str(game)))
        return html_answer(render_page("rules.html", title=game.title, text=text))

    async def _left(self, request: Request) -> Response:
        match, _ = self._found(request)
        left = match.left
        if left is None or left.failed:
            return plain_answer(404)
        if match.can_go_on:  # not from here: this shows what was hidden
            match.disclosed = True
            match.change()
        if request.scope["path"].endswith(".json"):
            return Response(left.record, media_type="application/json")
        return html_answer(left.page)

    # what pages ask for

    async def _asked(self, request: Request) -> Response:
        """Do what a page asks for, in JSON; what is refused has changed nothing."""
        match, grant = self._found(request)
        asked, said = await _body(request), dict[str, Any]()
        what, match_seat = request.path_params["what"], partial(_whole, asked, "seat")
        if what == "act":
            action = asked.get("action")
            if not isinstance(action, str) or not action:
                raise RequestRefused(400, "expected an action")
            await match.order(match.act, grant, match_seat(), _whole(asked, "decision"), action)
        elif what == "resign":
            await match.order(match.resign, grant, match_seat())
        elif what == "undo":
            await match.order(match.take_back, grant, match_seat())
        elif what == "agree":
            await match.order(match.agree, grant, asked.get("yes") is True)
        elif what == "rematch":
            await match.order(match.rematch, grant)
        elif what == "go-on":
            await match.order(match.go_on, grant)
        elif what == "prompt":
            said = _prompt(match, grant, match_seat(), asked.get("clicks"))
        elif what == "hint":
            said = await self._hint(request, match, grant, match_seat())
        else:
            raise RequestRefused(404, "there is nothing of that name to ask for")
        return JSONResponse(said)

    async def _hint(
        self, request: Request, match: WebMatch, grant: Grant, seat: int
    ) -> dict[str, Any]:
        view = match.view_of(grant, seat)
        if not view.decision or view.game is None:
            raise RequestRefused(409, "there is no decision to give a hint for")
        search = partial(hint, view.game, view.observation, seat)
        found = await made_for(request, self._searching, search)
        state = match.sights[seat].state
        words = f"plays {found.action}" if state is None else state.called(found.action)
        said = sentence("you", words, names_for(match, match.seats_of(grant)))[4:]
        quoted = f"“{said[:1].upper()}{said[1:]}”"
        return {"action": found.action, "said": found.said.format(quoted)}

    async def _new(self, request: Request) -> Response:
        """Begin a match as a lobby's page asks for it, and return the link of who begins it."""
        if self._home is None or request.scope["token"] != self._listening.token:
            return plain_answer(404)
        asked = await _body(request)
        invites, name = asked.get("here") is not True, _name(asked)
        match = WebMatch(self._terms(asked), secrets.randbelow(1 << 32), invites=invites)
        await self.matches.add(match)
        match.called[0] = name
        first = match.link_of(0) if invites else next(iter(match.links))
        return JSONResponse({"link": f"../{first}/"})

    async def _join(self, request: Request) -> Response:
        """Give a free seat of a match to whoever has its invitation, and return its link."""
        match, _ = self._found(request)
        if request.scope["token"] != match.invitation:
            raise RequestRefused(403, "that is not the link of an invitation")
        link = match.join(_name(await _body(request)))
        return JSONResponse({"link": f"../{link}/"})

    def _terms(self, asked: dict[str, Any]) -> PlayTerms:
        game, seats = asked.get("game"), asked.get("seats")
        if not isinstance(game, str) or not isinstance(seats, list):
            raise RequestRefused(400, "expected a game and seats")
        try:
            rules = load_game(game)
        except EngineError as error:
            raise RequestRefused(422, str(error)) from None
        names = [None if seat == ANYBODY else seat for seat in seats]
        known = all(name is None or name in self._bots for name in names)
        if len(names) != rules.num_players or None not in names or not known:
            expected = f"expected {rules.num_players} players, bots of this home and a person"
            raise RequestRefused(422, f"{rules}: {expected}")
        assert self._home is not None
        return PlayTerms(str(rules), tuple(names), self._home, sandbox=self._sandbox)


def _state_json(match: WebMatch, grant: Grant, seat: int | None, version: int) -> bytes:
    return json.dumps(shown_state(match, grant, seat), separators=(",", ":")).encode()


def _said_no(request: Request, refused: Exception) -> Response:
    assert isinstance(refused, RequestRefused)
    text = json.dumps({"refused": refused.detail})  # in ASCII: it may repeat what is no text
    return Response(text, refused.status_code, media_type="application/json")


def _prompt(match: WebMatch, grant: Grant, seat: int, clicks: object) -> dict[str, Any]:
    """Return what to choose next after some clicks, which are what the board calls its parts."""
    match.view_of(grant, seat)
    if not isinstance(clicks, list) or not all(isinstance(click, str) for click in clicks):
        raise RequestRefused(400, "expected clicks")
    state = match.sights[seat].state
    if not match.is_asked(seat) or state is None:
        raise RequestRefused(409, "that decision is not open any more")
    names = names_for(match, match.seats_of(grant))
    return {"said": sentence("", state.prompt(seat, clicks), names)}


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


def _name(asked: dict[str, Any]) -> str:
    name = asked.get("name", "")
    if not isinstance(name, str):
        raise RequestRefused(400, "name: expected a text")
    return name.strip()[:LONGEST_NAME]


def _whole(asked: dict[str, Any], name: str) -> int:
    value = asked.get(name)
    if type(value) is not int:
        raise RequestRefused(400, f"{name}: expected a whole number")
    return value


def _number(request: Request, name: str) -> int | None:
    text = request.query_params.get(name, "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else None
