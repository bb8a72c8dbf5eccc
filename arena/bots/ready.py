"""From a program to a ``Bot`` that can be started: built if need be, every word of it found."""

from __future__ import annotations

import os
import shutil
from dataclasses import replace
from pathlib import Path

from arena.bots.build import build
from arena.bots.built import keep_built
from arena.bots.content import one_file
from arena.bots.environments import environment_of, packages_in
from arena.bots.executable import INSTALL, check_executable
from arena.bots.program import Program
from arena.bots.reach import check_unseen, folders_for
from arena.process.cache import cache_folder
from arena.process.languages import language_named
from arena.process.languages.interface import TOOL, find_tool, missing_tool
from arena.sandbox import UNISOLATED, Task, find_level
from arena.sandbox.visible import is_another_for_each, needed
from arena.values.errors import BotBuildError, BotError
from arena.values.model import Bot
from arena.values.origins import ASK
from arena.values.untrusted import show


def make_ready(
    program: Program,
    *,
    level: str | None = None,
    cache: Path | None = None,
    home: Path | None = None,
) -> Bot:
    """Return the bot, built and with its start line resolved on this machine.

    The first word of ``start`` is then an absolute path, or begins with ``./`` and lies in
    ``folder``. Words that say ``{tool}`` are absolute paths, too.

    Args:
        program: the bot as it lies on disk; nothing is written to its folder.
        level: the isolation level at which it is built and played; left out, it is built at the
            strongest there is. A bot that asks is isolated at none.
        cache: the folder for what is built, the caller's own; the user's cache if left out.
        home: the arena's home, which no bot is shown, whose environments count, and which keeps
            the hash of what was built; left out, there is none.

    Raises:
        BotBuildError: a toolchain is missing or the build failed.
        BotError: the program that starts it is not there, or may not start a bot.
        ClosedToOthers: root's bots may not read it at that level.
        UsageError: the bot would be shown the home or the cache.
    """
    if program.origin == ASK:
        level = UNISOLATED
    shelf = cache or cache_folder()
    own = None
    if program.environment:
        own = environment_of(program.name, program.environment, home)

    def found(line: tuple[str, ...], folder: Path) -> tuple[tuple[str, ...], tuple[str, ...]]:
        words = _resolve(program, line, folder, "" if own is None else own.python)
        shown = folders_for(program.name, words[0], home) if os.path.isabs(line[0]) else ()
        if own is not None and words[0] == own.python:
            shown = own.folders
        if level is None or find_level(level).isolates:
            check_unseen(program.name, needed(words[0], shown), home, shelf)
        return words, shown

    if program.build:
        command, shown = found(program.build, program.folder)
        folder = build(program, command, level=level, cache=cache, shown=shown)
        if home is not None:
            keep_built(home, program.hash, folder)
        start, shown = found(program.start, folder)
    else:
        start, shown = found(program.start, program.folder)
        folder = build(program, (), level=level, cache=cache)
    if own is not None and start[0] != own.python:
        raise BotError(
            f"{program.name}: the Python of its environment starts it; expected python3 as the "
            f'first word of start, found "{show(program.start[0])}"'
        )
    if level is not None:
        find_level(level).check(Task(start, str(folder), shown=shown))
    bot = as_it_lies(program, home)
    return replace(bot, start=start, folder=str(folder), shown=shown)


def as_it_lies(program: Program, home: Path | None) -> Bot:
    """Return the bot as on any machine: nothing is built or looked for, so it cannot be started.

    Raises ``BotError`` if it needs an environment that is not in the home, whose packages count.
    """
    packages = ""
    if program.environment:
        packages = packages_in(environment_of(program.name, program.environment, home))
    return Bot(
        name=program.name,
        version=program.version,
        hash=program.hash,
        start=program.start,
        folder=str(program.folder),
        origin=program.origin,
        language=program.language,
        games=program.games,
        environment=program.environment,
        packages=packages,
    )


def _resolve(program: Program, line: tuple[str, ...], folder: Path, python: str) -> tuple[str, ...]:
    first, language = line[0], language_named(program.language)
    if language is not None and (first in language.commands or TOOL in line):
        tool = python or find_tool(language)
        if tool is None:
            raise BotBuildError(f"{program.name} {missing_tool(language)}", INSTALL)
        # a bare "python3" in a bot.yaml means the arena's own, which has `engines`
        named = (TOOL, *language.commands)
        line = (tool if first in named else first, *(tool if w == TOOL else w for w in line[1:]))
        first = line[0]
    if os.path.isabs(first):
        if is_another_for_each(first):
            raise BotError(f'{program.name}: "{show(first)}" means another file to each program')
        if not os.access(first, os.X_OK):
            raise BotBuildError(
                f'{program.name} needs "{show(first)}", which is not there', INSTALL
            )
        return line
    if "/" in first:
        _check_own(program, first, folder)
        return (f"./{os.path.normpath(first)}", *line[1:])
    found = shutil.which(first)
    if found is None:
        if (folder / first).is_file():
            raise BotError(
                f'{program.name}: "{show(first)}" is not on the PATH; for the file in the bot\'s'
                f' folder write "./{show(first)}"'
            )
        raise BotBuildError(
            f'{program.name} needs "{show(first)}", which is not on the PATH', INSTALL
        )
    return (os.path.abspath(found), *line[1:])


def _check_own(program: Program, name: str, folder: Path) -> None:
    """Check a program that lies in the bot's own folder."""
    inside = os.path.normpath(name)
    if inside.startswith("../"):
        raise BotError(f'{program.name}: "{show(name)}" lies outside of the bot\'s folder')
    if not (folder / inside).is_file():
        after = " after the build" if program.build else ""
        raise BotError(f'{program.name}: "{show(name)}" is not in the bot\'s folder{after}')
    folder = Path(os.path.realpath(folder))
    check_executable(folder, one_file(folder, inside))
