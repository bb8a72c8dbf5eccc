"""Programs that a test speaks with by pipes, a line of text at a time."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from typing import IO, Any


class Piped(subprocess.Popen[str]):
    """A process whose stdin and stdout are pipes, and its stderr if that is asked for."""

    stdin: IO[str]
    stdout: IO[str]
    stderr: IO[str]

    def __init__(self, words: Sequence[object], **more: Any) -> None:
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        super().__init__([*map(str, words)], **{**pipes, "text": True, "bufsize": 1, **more})

    def say(self, *lines: str) -> None:
        """Write lines to the standard input of the process."""
        self.stdin.write("".join(f"{line}\n" for line in lines))
        self.stdin.flush()
