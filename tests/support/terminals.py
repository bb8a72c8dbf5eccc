"""Commands on a pseudo-terminal, as somebody sits in front of them."""

from __future__ import annotations

import codecs
import contextlib
import os
import re
import select
import subprocess
import termios
import time
from collections.abc import Iterator
from pathlib import Path

from support.arena_command import ARENA, ROOT, environment
from support.needs import pseudo_terminal, tool

WIDE = 80  # columns
SECONDS = 60  # that something may take to be shown


class Terminal:
    """A command on a pseudo-terminal of its own: ``expect`` what it shows, ``type`` a line."""

    def __init__(self, home: Path, *args: str, **env: str) -> None:
        words = [tool("setsid"), "--ctty", *ARENA, *args]
        self.master, slave = pseudo_terminal()
        termios.tcsetwinsize(slave, (24, WIDE))
        self.process = subprocess.Popen(
            words,
            cwd=ROOT,
            env=environment(home) | env,
            stdin=slave,
            stdout=slave,
            stderr=slave,
        )
        os.close(slave)
        self.shown = ""
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._seen = 0

    def expect(self, pattern: str) -> re.Match[str]:
        """Wait for new output that matches; the match."""
        end = time.monotonic() + SECONDS
        while (match := re.compile(pattern).search(self.shown, self._seen)) is None:
            if not self._read(end):
                late = time.monotonic() >= end
                how = f"nothing for {SECONDS} s" if late else f"exit code {self.process.wait(30)}"
                raise AssertionError(f"expected {pattern!r}, {how}, all of it:\n{self.shown}")
        self._seen = match.end()
        return match

    def _read(self, end: float) -> bool:
        """Take what is shown next; ``False``: nothing until then, or the other side is closed."""
        data = b""
        if select.select([self.master], [], [], max(0, end - time.monotonic()))[0]:
            with contextlib.suppress(OSError):  # the other side is closed
                data = os.read(self.master, 65536)
        shown = self.shown + self._decoder.decode(data)
        self.shown = shown.replace("\r\n", "\n")  # of which a read may bring half
        return bool(data)

    def type(self, line: bytes) -> None:
        self.press(line + b"\n")

    def press(self, keys: bytes) -> None:
        """Press keys, such as Ctrl-C."""
        os.write(self.master, keys)

    def close(self) -> int:
        """Take what it shows to its end; the exit code."""
        end = time.monotonic() + SECONDS
        while self._read(end):
            pass
        code = self.process.wait(30)
        self.hang_up()
        return code

    def hang_up(self) -> None:
        """Close our end, unless it is closed."""
        if self.master >= 0:
            os.close(self.master)
        self.master = -1


@contextlib.contextmanager
def terminal(home: Path, *args: str, **env: str) -> Iterator[Terminal]:
    opened = Terminal(home, *args, **env)
    try:
        yield opened
    finally:
        if opened.process.poll() is None:
            opened.process.kill()
            opened.process.wait()
        opened.hang_up()
