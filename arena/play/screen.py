"""The terminal of a person: lines are read with editing and history, and what is said fits it."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import sys
import textwrap
from collections.abc import Iterator
from typing import TextIO

_COLOUR = re.compile("\x1b\\[[0-9;]*m")


class Terminal:
    """The terminal at descriptors 0 and 1 of this process."""

    def __init__(self) -> None:
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")  # type: ignore[union-attr]
        sys.stdout.reconfigure(encoding="utf-8", errors="replace")  # type: ignore[union-attr]
        if sys.stdin.isatty() and sys.stdout.isatty():
            _edit_lines()

    @property
    def columns(self) -> int:
        """How wide it is, or 80 where that is not known; it may change."""
        return shutil.get_terminal_size().columns

    def ask(self, prompt: str) -> str | None:
        """Return a line that the person types; ``None``: the input has ended."""
        try:
            return input(prompt)
        except EOFError:
            self.print("")
            return None

    def print(self, text: str) -> None:
        """Show lines as they are."""
        sys.stdout.write(text + "\n")
        sys.stdout.flush()


def _edit_lines() -> None:
    """Have ``input`` edit the lines that are typed, where Python has readline."""
    with contextlib.suppress(ImportError):
        import readline

        for setting in ("enable-bracketed-paste off", "enable-meta-key off"):
            readline.parse_and_bind(f"set {setting}")


def open_terminal(typed: int, screen: int) -> tuple[Terminal, TextIO, TextIO]:
    """Put a terminal on the descriptors 0 and 1, where lines can be edited.

    What was there is moved away; it is returned as a stream to read and one to write.
    """
    lines = os.fdopen(os.dup(0), encoding="ascii")
    out = os.fdopen(os.dup(1), "w", encoding="ascii")
    for number, source in enumerate((typed, screen)):
        os.dup2(source, number)
    return Terminal(), lines, out


@contextlib.contextmanager
def settings_kept(typed: int) -> Iterator[None]:
    """Return a block after which a terminal echoes lines as before, however a program left it."""
    import termios

    try:
        before = termios.tcgetattr(typed)
    except termios.error:  # it is no terminal
        yield
        return
    try:
        yield
    finally:
        with contextlib.suppress(termios.error):  # it has gone away
            termios.tcsetattr(typed, termios.TCSADRAIN, before)


def fold(text: str, columns: int, indent: int = 2) -> str:
    """Break lines that are too long between words; what does not fit goes on indented.

    It goes on below the second column of a line that has one, which two spaces or more are before.

    >>> print(fold("one two three\\na   b c d", 8))
    one two
      three
    a   b c
        d

    Args:
        text: lines.
        columns: how wide they may be.
        indent: spaces that what goes on begins with, besides those of its line.
    """
    return "\n".join(_folded(line, columns, indent) for line in text.split("\n"))


def _folded(line: str, columns: int, indent: int) -> str:
    if len(_COLOUR.sub("", line)) <= columns:
        return line
    begin = len(line) - len(line.lstrip(" ")) + indent
    second = re.match(r" *\S+(?: \S+)* {2,}(?=\S)", line)
    if second and len(second[0]) <= columns // 2:
        begin = len(second[0])
    folder = textwrap.TextWrapper(columns, subsequent_indent=" " * begin, break_on_hyphens=False)
    folder.break_long_words = False
    return folder.fill(line)
