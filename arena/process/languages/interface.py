"""What a language says of itself: which files are its own, how they are built, how they start.

A new language is one module in this folder that ends in ``LANGUAGE = Language(...)``; it is found
by scanning. Words of ``build`` and ``run`` are taken as they are, except four: ``{tool}`` is the
language's own program on this machine, ``{source}`` the bot's file, ``{program}`` what the build
makes of it, both relative to the bot's folder, and ``{stem}`` the file's name without its suffix.
"""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass

TOOL = "{tool}"


@dataclass(frozen=True, slots=True)
class Language:
    """One programming language.

    ``commands`` are the names under which its program goes on a PATH, tried in order;
    ``tool_path`` is given instead when one certain file is meant. ``probe`` is the text of the
    smallest program that prints ``ok``. ``needs`` and ``install`` finish the sentence "needs a C
    compiler (cc); install gcc".
    """

    name: str
    suffixes: tuple[str, ...]
    run: tuple[str, ...]
    probe: str
    commands: tuple[str, ...]
    needs: str
    install: str
    build: tuple[str, ...] | None = None
    tool_path: str | None = None


def filled(words: tuple[str, ...], source: str) -> tuple[str, ...]:
    """Return a command of a language with the name of a source file filled in.

    The word ``{tool}`` stays as it is.

    >>> from arena.process.languages.c import LANGUAGE
    >>> filled(LANGUAGE.run, "bot.c")
    ('./bot',)
    """
    # "./" keeps a file called "-c" from being read as an option
    stem = os.path.splitext(source)[0]
    values = {"{source}": f"./{source}", "{program}": f"./{stem}", "{stem}": stem}
    return tuple(values.get(word, word) for word in words)


def find_tool(language: Language) -> str | None:
    """Return where this machine has the compiler or interpreter of a language.

    This is an absolute path, or ``None`` if the machine does not have one.
    """
    if language.tool_path is not None:
        return language.tool_path
    for command in language.commands:
        found = shutil.which(command)
        if found is not None:
            return os.path.abspath(found)
    return None


def missing_tool(language: Language) -> str:
    """Say what is missing on this machine and what to install.

    >>> from arena.process.languages.c import LANGUAGE
    >>> missing_tool(LANGUAGE)
    'needs a C compiler (cc); install gcc'
    """
    return f"needs {language.needs} ({language.commands[0]}); install {language.install}"
