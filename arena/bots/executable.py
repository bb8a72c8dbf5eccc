"""Whether the system can start a file by itself, and if not, why: what ``execve`` would not say."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from arena.bots.content import File, read_file
from arena.process.languages import language_of
from arena.process.languages.interface import Language
from arena.values.errors import BotError
from arena.values.untrusted import show

OTHER_LANGUAGE = (
    'a bot in another language needs a bot.yaml such as "{name: oak, start: [lua, oak.lua]}": '
    "arena help bots"
)
INSTALL = "Install what is named, or name a program that is here, or give the bot in another form."

_NO_PROGRAMS = {
    "a PDF: hand in the program itself": ".pdf",
    "a web page: hand in the program itself": ".html .htm",
    "a document of a word processor: hand in the program itself": ".doc .docx .odt",
    "a notebook: save its program as a file, such as bot.py": ".ipynb",
    "a program for Windows: hand in its source": ".exe",
    "compiled Java: hand in its source, a .java file": ".class .jar",
    "an archive that the arena cannot unpack: pack it as .zip or .tar.gz": ".rar .7z .xz .bz2",
}
_SHEBANG_LIMIT = 256  # bytes of its first line that the kernel looks at
_LF_ENDS = "save the file with LF line ends: sed -i 's/\\r$//' FILE"
_BOM = b"\xef\xbb\xbf"


def check_executable(folder: Path, file: File) -> None:
    """Raise ``BotError`` unless the file is executable and has a good shebang or is an ELF program.

    Args:
        folder: the bot's folder.
        file: the file in it.
    """
    place = folder / file.name
    head = _head(folder, file)
    if head.startswith(_BOM):
        raise BotError(
            f"{place}: a byte order mark (BOM) stands before the first line; save it without that"
        )
    shebang, compiled = head.startswith(b"#!"), head.startswith(b"\x7fELF")
    if not compiled and (said := no_program(file.name)):
        raise BotError(f"{place}: {said}")
    if not (shebang or compiled):
        raise BotError(
            f"{place}: not in a known language, and no program or script with a shebang like "
            f'"#!/bin/sh"; {OTHER_LANGUAGE}'
        )
    if not file.executable:
        raise BotError(f"{place}: not executable; chmod +x or name it with a known suffix")
    if shebang:
        _check_shebang(place, head)


def check_source(folder: Path, file: File, language: Language) -> None:
    """Raise ``BotError`` if a source is empty, or one of a shell has lines as Windows ends them."""
    head = _head(folder, file)
    if language.name == "shell" and head.partition(b"\n")[0].endswith(b"\r"):
        why = "sh takes the CR at the ends of lines for part of a word"
        raise BotError(f"{folder / file.name}: {why}; {_LF_ENDS}")


def no_program(name: str) -> str:
    """Say what to do about a file that people hand in for a program by mistake; '' if it is none.

    >>> no_program("bot.py.txt")
    'a text by its name: rename it to bot.py'
    """
    path = Path(name)
    suffix = path.suffix.lower()
    if suffix == ".txt" and language_of(path.stem) is not None:
        return f"a text by its name: rename it to {show(path.stem, 60)}"
    return next((said for said, those in _NO_PROGRAMS.items() if suffix in those.split()), "")


def _head(folder: Path, file: File) -> bytes:
    head = read_file(folder, file.name, _SHEBANG_LIMIT)
    if not head:
        raise BotError(f"{folder / file.name}: the file is empty")
    return head


def _check_shebang(place: Path, head: bytes) -> None:
    raw = head.partition(b"\n")[0]
    shebang = show(raw.removesuffix(b"\r").replace(b"\t", b" "), _SHEBANG_LIMIT)
    if raw.endswith(b"\r"):
        raise BotError(f'{place}: the shebang ends in CR ("{shebang}\\r"); {_LF_ENDS}')
    words = shebang[2:].split()
    if not words:
        raise BotError(f'{place}: the shebang "{shebang}" names no program')
    if not (os.path.isabs(words[0]) and os.access(words[0], os.X_OK)):
        raise BotError(
            f'{place}: the shebang "{shebang}" names a program that is not there', INSTALL
        )
    if os.path.basename(words[0]) == "env":
        called = [word for word in words[1:] if not word.startswith("-") and "=" not in word]
        if called and shutil.which(called[0]) is None:
            raise BotError(
                f'{place}: the shebang "{shebang}" names "{called[0]}", which is not on the PATH',
                INSTALL,
            )
