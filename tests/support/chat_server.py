"""A server of chat completions on the loopback that answers as it is told to: well, or not at all.

A model is its name: ``first`` answers with the first legal action, ``last`` with the last one, any
other with one that follows from the position.
"""

from __future__ import annotations

import email.utils
import hashlib
import json
import re
import threading
import time
from collections import Counter
from collections.abc import Iterable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

KEY = "sk-stand-in-0123456789"
LEGAL = re.compile("Legal actions: ([^\n]*)")
# what is said before the JSON object that counts, and in place of one
THOUGHTS = 'The corner {"action": "nowhere"} is weak.\nThe centre is better.\n'
NONSENSE = ("I would play the best move.", "", '{"action": 7}', '{"action": "Z99"}', '{"action": "')


class ChatServer:
    """A server that is there while its ``with`` block runs.

    Attributes:
        behaviours: what the next requests get, one each: ``ok``; ``nonsense``; ``cut``, half an
            answer; ``list``, JSON of another kind; ``hang``, none; or a status, with `Retry-After`
            behind a space: ``429 0.1``. With none left all is ``ok``.
        asked: every request that came, as JSON.
        answered: how often each status was given.
    """

    def __init__(self, behaviours: Iterable[str] = ()) -> None:
        self.behaviours = list(behaviours)
        self.asked: list[Any] = []
        self.answered: Counter[int] = Counter()
        self._lock = threading.Lock()
        self._over = threading.Event()
        handler = type("Handler", (_Handler,), {"owner": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def environment(self, **more: str) -> dict[str, str]:
        """Return the variables by which the kit finds it."""
        return {"CHAT_URL": self.url, "CHAT_MODEL": "stand-in", "OPENAI_API_KEY": KEY, **more}

    def behaviour(self, request: Any) -> str:
        """Take note of a request; return what it gets."""
        with self._lock:
            self.asked.append(request)
            return self.behaviours.pop(0) if self.behaviours else "ok"

    def hang(self) -> None:
        """Wait until the server is to end."""
        self._over.wait()


class _Handler(BaseHTTPRequestHandler):
    owner: ChatServer

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        behaviour, _, wait = self.owner.behaviour(request).partition(" ")
        if self.path != "/v1/chat/completions":
            behaviour = "404"
        elif self.headers["Authorization"] != f"Bearer {KEY}":
            behaviour = "401"
        if behaviour == "hang":
            self.owner.hang()
        elif behaviour.isdecimal():
            self._answer(int(behaviour), b'{"error": "no"}', wait)
        else:
            text = _text(request, nonsense=behaviour == "nonsense")
            usage = {"prompt_tokens": 100, "completion_tokens": 10}
            choice = {"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
            body = json.dumps({"choices": [choice], "usage": usage}).encode()
            body = b"[1e999]" if behaviour == "list" else body
            self._answer(200, body, "", cut=behaviour == "cut")

    def _answer(self, status: int, body: bytes, wait: str, *, cut: bool = False) -> None:
        self.owner.answered[status] += 1
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        if wait == "date":
            wait = email.utils.formatdate(time.time() + 1, usegmt=True)
        if wait:
            self.send_header("Retry-After", wait)
        self.end_headers()
        self.wfile.write(body[: len(body) // 2] if cut else body)


def _text(request: Any, *, nonsense: bool) -> str:
    position = request["messages"][1]["content"]
    which = int(hashlib.sha256(position.encode()).hexdigest()[:8], 16)
    if nonsense:
        return NONSENSE[which % len(NONSENSE)]
    found = LEGAL.search(position)
    assert found is not None, "the model is told the legal actions"
    legal = found[1].split()
    place = {"first": 0, "last": -1}.get(request["model"], which % len(legal))
    return f"{THOUGHTS}```json\n{json.dumps({'action': legal[place]})}\n```\n"
