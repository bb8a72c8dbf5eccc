"""``arena serve`` that runs beside a test, and readers of it."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

from support.arena_command import ROOT, environment
from support.piped import Piped

SECONDS = 60.0  # for an answer
# the server with other limits, which are written NAME=NUMBER
LIMITED = """
import sys
from arena.cli.main import main
from arena.serve import connections, events, pages, server, web_matches
modules = connections, events, pages, server, web_matches
for word in sys.argv[1].split():
    name, number = word.split("=")
    (where,) = (module for module in modules if hasattr(module, name))
    setattr(where, name, type(getattr(where, name))(number))
main(sys.argv[2:])
"""


class Serving:
    """``arena serve ARGS``; a context manager that ends it by Ctrl-C.

    Args:
        home: the arena's home.
        args: the command's words.
        limits: other limits of the server, as in ``SILENT_SECONDS=0.2``.
        command: another one that serves.

    Attributes:
        address: what it printed.
        process: the process.
    """

    def __init__(self, home: Path, *args: object, limits: str = "", command: str = "serve") -> None:
        self.process = Piped(
            [sys.executable, "-c", LIMITED, limits, command, *args],
            cwd=ROOT,
            env=environment(home),
            stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        self.address = self.process.stdout.readline().strip()
        assert self.address, self.process.communicate()[1]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        if self.process.poll() is None:
            code = self.end()
            assert code == 130 or error is not None, code
        for stream in (self.process.stdout, self.process.stderr):
            stream.close()

    def end(self, number: int = signal.SIGINT) -> int:
        """Send a signal, and return the exit code."""
        os.kill(self.process.pid, number)
        try:
            return self.process.wait(SECONDS)
        finally:
            self.process.kill()

    @property
    def path(self) -> str:
        """The path of the first page, with the token."""
        return urlsplit(self.address).path

    def at(self, path: str) -> str:
        """Return the address of a path."""
        return self.address.removesuffix(self.path) + path

    def connect(self) -> socket.socket:
        """Return a connection that has asked for nothing yet."""
        place = urlsplit(self.address)
        assert place.hostname is not None
        return socket.create_connection((place.hostname, place.port or 0), SECONDS)

    def ask(
        self, path: str = "", method: str = "GET", body: str | None = None, **headers: str
    ) -> tuple[http.client.HTTPResponse, str]:
        """Ask for a page below the first, or one whose path begins with /."""
        place = urlsplit(self.address)
        assert place.hostname is not None
        connection = http.client.HTTPConnection(place.hostname, place.port, timeout=SECONDS)
        try:
            named = {name.replace("_", "-"): value for name, value in headers.items()}
            whole = path if path.startswith("/") else self.path + path
            connection.request(method, whole, body, named)
            answer = connection.getresponse()
            return answer, answer.read().decode()
        finally:
            connection.close()

    def post(self, what: str, **asked: object) -> tuple[int, Any]:
        """Ask for something that changes; return the status, and the answer as it is or read."""
        answer, text = self.ask(what, "POST", json.dumps(asked), Content_Type="application/json")
        return answer.status, json.loads(text) if text.startswith("{") else text

    def text(self, path: str = "") -> str:
        """Return a page, which must be there."""
        answer, text = self.ask(path)
        assert answer.status == 200, text
        return text

    def follow(self) -> socket.socket:
        """Return a connection on which news come, of which nothing was read yet."""
        connection = self.connect()
        head = f"GET {self.path}events HTTP/1.1\r\nHost: localhost\r\n\r\n"
        connection.sendall(head.encode())
        return connection

    def news(self) -> Iterator[dict[str, Any]]:
        """Yield what the live page is told, as it comes."""
        with self.follow() as connection, connection.makefile("rb") as lines:
            for line in lines:
                if line.startswith(b"data: "):
                    yield json.loads(line.removeprefix(b"data: "))


class Playing(Serving):
    """``arena play --web``; ``links`` are the paths that it prints.

    The first is for all players; then come one for each player, and one to watch.
    """

    def __init__(self, home: Path, *words: str) -> None:
        super().__init__(home, *words, "--web", "--seed", "3", command="play")
        self.links = [self.path]
        for line in iter(self.process.stderr.readline, ""):
            self.links += re.findall(r"http://[^/]+(/\S+)", line)
            if "watch" in line:
                return
