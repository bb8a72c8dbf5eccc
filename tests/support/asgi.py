"""A server's application asked without a socket."""

from __future__ import annotations

import asyncio
from typing import Any


async def answered(app: Any, path: str, *, stays: bool = True, **more: Any) -> tuple[int, bytes]:
    """Ask for a path, and return the status and the body of the answer.

    The reader disconnects at once unless it ``stays``.
    """
    sent: list[Any] = []
    said: list[Any] = [{"type": "http.request", "body": b"", "more_body": False}] * stays

    async def receive() -> Any:
        if not said and stays:
            await asyncio.Event().wait()
        return said.pop() if said else {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "GET", "path": path, "headers": []}
    await app(scope | more, receive, send)
    return sent[0]["status"], bytes(sent[1]["body"])
