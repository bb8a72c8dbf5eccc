"""The matches of one server: which make room, and what is kept of what pages ask for."""

from __future__ import annotations

import socket
from typing import Any

import pytest
from starlette.exceptions import HTTPException
from support.asgi import answered
from support.fake_matches import FakePlay, settle

from arena.serve import play_app
from arena.serve.play_app import PlayServer
from arena.serve.server import Listening
from arena.serve.web_match import RequestRefused
from arena.serve.web_matches import MOST_GONE, MOST_MATCHES, UNWANTED_SECONDS, WebMatches

pytestmark = pytest.mark.anyio


class Lobby:
    """A full lobby at second 0."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.matches = WebMatches(lambda: self.seconds)
        self.plays = [FakePlay() for _ in range(MOST_MATCHES)]

    async def fill(self) -> None:
        for play in self.plays:
            await self.matches.add(play.match)
        await settle()

    def status(self, play: FakePlay) -> int:
        (*_, watch) = play.match.links
        try:
            self.matches.find(watch)
        except HTTPException as refused:
            return refused.status_code
        return 200

    async def begin(self) -> FakePlay:
        play = FakePlay()
        await self.matches.add(play.match)
        await settle()
        return play


async def test_unused_match_makes_room() -> None:
    """Only a match that nobody looks at is ended for a new one; else the answer is 503."""
    lobby = Lobby()
    await lobby.fill()
    forgotten, *used = lobby.plays
    lobby.seconds = UNWANTED_SECONDS - 1
    assert {lobby.status(play) for play in used} == {200}
    with pytest.raises(RequestRefused, match=f"{MOST_MATCHES} matches") as refused:
        await lobby.begin()
    assert refused.value.status_code == 503
    lobby.seconds = UNWANTED_SECONDS
    assert (await lobby.begin()).running == 1
    assert (forgotten.running, lobby.status(forgotten)) == (0, 410)
    assert {play.running for play in used} == {1}
    with pytest.raises(RequestRefused):
        await lobby.begin()
    used[5].end()
    await settle()
    await lobby.begin()
    assert [lobby.status(play) for play in used[4:7]] == [200, 410, 200]
    assert set(forgotten.match.links) < set(lobby.matches.tokens)
    await lobby.matches.close()
    assert {play.running for play in lobby.plays} == {0}
    with pytest.raises(RequestRefused):
        await lobby.begin()


async def test_links_of_old_matches_are_bounded() -> None:
    """Of all matches that made room, only the newest links are known."""
    lobby = Lobby()
    await lobby.fill()
    for _ in range(MOST_GONE):
        lobby.seconds += UNWANTED_SECONDS
        newest = await lobby.begin()
    links = len(newest.match.links)
    assert len(lobby.matches.tokens) == MOST_GONE + MOST_MATCHES * links
    assert lobby.status(lobby.plays[0]) == 404
    await lobby.matches.close()


async def test_unknown_seat_is_shown_as_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """For every seat number there is not, the state is made once, as for none."""
    made: list[int | None] = []

    def shown(match: object, grant: object, wanted: int | None) -> dict[str, Any]:
        made.append(wanted)
        return {"wanted": wanted}

    monkeypatch.setattr(play_app, "shown_state", shown)

    with socket.socket() as opened:
        server = PlayServer(Listening(opened, "localhost", "first"))
        play = FakePlay()
        await server.matches.add(play.match)
        await settle()
        everybody, watch = play.match.links
        for seat in range(300):
            assert (await state(server, watch, seat)).endswith(b'"wanted":null}')
        assert made == [None]
        for seat in (0, 1, 2, 3):
            await state(server, everybody, seat)
        assert made == [None, 0, None]
        await server.matches.close()


async def state(server: PlayServer, token: str, seat: int) -> bytes:
    """Return what is shown to a link that asks for a seat."""
    query = f"seat={seat}".encode()
    status, body = await answered(server.app(), "/state", query_string=query, token=token)
    assert status == 200
    return body
