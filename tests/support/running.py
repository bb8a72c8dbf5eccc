"""A command of the arena that runs beside a test, which watches it, stops it or kills it."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from queue import SimpleQueue

from support.arena_command import ARENA, ROOT, environment
from support.piped import Piped
from support.waiting import words_of

from arena.machine.procfs import descendants

SECONDS = 100.0  # for a command to end


class Running:
    """``arena ARGS`` in a process group of its own.

    Args:
        home: the arena's home.
        args: the command's words.
        enter: words before ``arena``, of a program that becomes it.
        code: Python that is run before the command.
        env: more of its environment.

    Attributes:
        process: the process.
        said: what was read so far of what it writes to stderr.
    """

    def __init__(
        self, home: Path, *args: object, enter: Sequence[str] = (), code: str = "", **env: str
    ) -> None:
        self.said = ""
        self._lines = SimpleQueue[str]()
        after = (sys.executable, "-c", f"{code}; from arena.cli.main import main; main()")
        self.process = Piped(
            [*enter, *(after if code else ARENA), *args],
            cwd=ROOT,
            env=environment(home) | env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        # a pipe that nobody reads is full at 64 KiB, and its writer waits
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        with self.process.stderr as lines:
            for line in lines:
                self._lines.put(line)
        self._lines.put("")

    @property
    def last(self) -> str:
        """The last line of stderr."""
        return self.said.splitlines()[-1]

    def line(self) -> str:
        """Return the next line of stderr, or an empty text once stderr has ended."""
        line = self._lines.get(timeout=SECONDS)
        if not line:  # the next call finds the end again
            self._lines.put(line)
        self.said += line
        return line

    def until(self, word: str = " by ", times: int = 1) -> None:
        """Read stderr until a word, by default that of a match that ended, was in so many lines."""
        while times and (line := self.line()):
            times -= word in line
        assert not times, self.said

    def end(self) -> int:
        """Wait for the end and return the exit code; there must be no traceback."""
        code = self.wait()
        assert "Traceback" not in self.said, self.said
        return code

    def wait(self) -> int:
        """Wait until the command and all that it started have ended; return its exit code."""
        try:
            self.process.wait(SECONDS)
        finally:
            if self.process.poll() is None:
                os.killpg(self.process.pid, signal.SIGKILL)
        while self.line():
            pass
        return self.process.returncode

    def stopped(self, number: int = signal.SIGINT) -> int:
        """Send the command a signal, and return what ``end`` returns."""
        self.process.send_signal(number)
        return self.end()

    def kill(self) -> None:
        """Kill the runner, its workers and its bots as if at one instant."""
        # who is stopped does not see others end
        for number in (signal.SIGSTOP, signal.SIGKILL):
            for pid in (self.process.pid, *descendants(self.process.pid)):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, number)
        assert self.wait() == -signal.SIGKILL


def plays(pid: int, name: str) -> bool:
    """Return whether a process has a descendant that runs a program with this name."""
    return any(words_of(child).endswith(name.encode()) for child in descendants(pid))
