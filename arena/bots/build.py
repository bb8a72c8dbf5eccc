"""The copy of a bot that plays: its own files, and what its build step or the compiler made.

It lies in the user's cache, under a name that says of what and with which tools it was made. What
lies in a home is only copied from: its maker could have put anything beside a snapshot.
Two who make one at once do the work twice and keep one result.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
import platform
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

from arena.bots.content import SPECIAL, copy_files, hash_files
from arena.bots.program import Program
from arena.isolation.choose import choose_level
from arena.isolation.confined import run_build
from arena.isolation.trial import Trial
from arena.machine.crash import cross
from arena.machine.run_folder import scratch_folder
from arena.process.cache import cache_folder
from arena.process.cache_room import claim, drop, make_room
from arena.process.folders import entries_below, hide_reads, remove_whole
from arena.values.errors import BotBuildError, BotError
from arena.values.model import DEFAULT_BOT_SIZE
from arena.values.untrusted import show, show_lines

BUILD_LIMIT_S = 120.0
COMPILE_LIMIT_S = 20.0
FORM = "2"  # of copies: those of builds that made them in another way are not used
# Bytecode names the hash of its source, which Python compares at each import. The compiler is
# isolated from the bot's modules, and a file that it cannot compile is no reason to refuse the bot.
COMPILE = (
    sys.executable, "-I", "-S", "-c",
    "import compileall, py_compile\n"
    "compileall.compile_dir('.', quiet=2,"
    " invalidation_mode=py_compile.PycInvalidationMode.CHECKED_HASH)",
)  # fmt: skip

BY_HAND = (
    "Run that command by hand in a copy of the bot's folder until it works. A build has no "
    "network: fetch what it needs on your own machine, and hand it in with the bot; for Python: "
    "pip install --target FOLDER PACKAGE."
)
_OUTPUT_LINES = 20
_LINE = 1000  # characters of it that are shown

_log = logging.getLogger(__name__)


def build(
    program: Program,
    command: tuple[str, ...],
    *,
    level: str | None = None,
    cache: Path | None = None,
    shown: tuple[str, ...] = (),
) -> Path:
    """Return the absolute folder from which the bot plays, making it if it is not there yet.

    Python files that others import are compiled, as the bot itself cannot write there. The user's
    cache keeps it at least until this process ends.

    Args:
        program: the bot.
        command: its build line, the first word the absolute path of a program; empty if there is
            nothing to build.
        level: the isolation level at which the command runs; ``None``: the strongest there is.
        cache: the folder to make it in, the caller's own; the user's cache if left out.
        shown: folders that the command can read as a whole.

    Raises:
        BotBuildError: the command failed or took too long, and its last lines are shown; or what it
            left is no file, folder or link.
        BotError: the bot is no longer what it was described as.
    """
    shelf = cache or cache_folder()
    imports = sum(file.name.endswith(".py") for file in program.files) > 1
    compiles = not command and program.language == "python" and imports
    target = shelf / _key(program.hash, COMPILE if compiles else command)
    if cache is None:
        claim(target)
    if target.exists():
        with contextlib.suppress(BotError):  # where nothing isolates a bot, it can write there
            if command or hash_files(target, program.files, program.start) == program.hash:
                return target
        with contextlib.suppress(FileNotFoundError):  # somebody else was first
            remove_whole(target)
    with copied(program, target) as work:
        more = max(0, program.size - DEFAULT_BOT_SIZE)
        if command:
            level = level or choose_level()
            outcome = run_build(command, work, BUILD_LIMIT_S, level, shown, more)
            if outcome.code != 0 or outcome.stopped:
                raise BotBuildError(_failure(program.name, command, outcome), BY_HAND)
        elif compiles:
            try:
                run_build(COMPILE, work, COMPILE_LIMIT_S, level or choose_level(), more=more)
            except BotBuildError as error:  # it starts more slowly, and that is all
                _log.debug("%s starts without bytecode: %s", program.name, error)
    if cache is None:
        make_room(shelf)
    return target


def find_copy(digest: str) -> Path | None:
    """Return the copy of a bot in the user's cache that has nothing but its files, and bytecode."""
    return next((copy for copy in _copies(digest) if copy.is_dir()), None)


def forget_copies(digest: str) -> None:
    """Remove the copies that ``find_copy`` finds; what a build made of it goes with time.

    So does a copy from which another process plays, for example in another home.
    """
    for copy in _copies(digest):
        with contextlib.suppress(OSError):
            drop(copy)


def _copies(digest: str) -> list[Path]:
    return [cache_folder() / _key(digest, command) for command in ((), COMPILE)]


@contextlib.contextmanager
def copied(program: Program, target: Path) -> Iterator[Path]:
    """Give a copy of a program's own files, which is put into its place, read-only, at the end.

    Where another copy is there by then, that one stays.

    Raises:
        BotError: its files are no longer those that were described.
        BotBuildError: something in it is no file, folder or link.
    """
    with scratch_folder(target.parent) as scratch:
        work = scratch / "copy"
        work.mkdir()
        work.chmod(0o755)  # root's bots, and what builds them, are users of their own
        copy_files(program.folder, program.files, work)
        cross("copied", bot=program.name)
        if hash_files(work, program.files, program.start) != program.hash:
            raise BotError(f"{program.folder}: changed while it was copied; try again")
        yield work
        _freeze(program.name, work)
        cross("rename", bot=program.name)
        try:
            os.rename(work, target)
        except OSError:
            if not target.exists():
                raise
        cross("renamed", bot=program.name)


def _key(digest: str, command: tuple[str, ...]) -> str:
    """Return the name of what a command makes of a bot on a machine like this one."""
    words = [FORM, digest]
    if command:
        words += [*command, platform.machine()]
        for tool in map(os.path.realpath, filter(os.path.isabs, command)):
            with contextlib.suppress(OSError):
                found = os.stat(tool)  # another version of it makes something else
                words += [tool, f"{found.st_size} {found.st_mtime_ns}"]
    key = hashlib.sha256()
    for word in map(os.fsencode, words):
        key.update(b"%d:%s" % (len(word), word))
    return key.hexdigest()


def _freeze(name: str, folder: Path) -> None:
    """Make all in a folder read-only and readable to all, so that reading it changes nothing.

    Whatever is left is the same for all matches of the bot: what one of them could change, another
    could read.
    """
    for entry in [entry for entry, _ in entries_below(str(folder))]:
        status = entry.stat(follow_symlinks=False)
        mode = status.st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode) or stat.S_ISLNK(mode)):
            where = show(os.path.relpath(entry.path, folder))
            raise BotBuildError(
                f"{name}: the build left {SPECIAL}: {where}",
                "Have the build remove that: files, folders and links can stay.",
            )
        if stat.S_ISDIR(mode):
            os.chmod(entry.path, 0o755)
        elif not stat.S_ISLNK(mode):
            os.chmod(entry.path, 0o555 if mode & 0o100 else 0o444)
        hide_reads(entry.path, status.st_mtime_ns)
    os.chmod(folder, 0o755)
    hide_reads(str(folder), folder.stat().st_mtime_ns)


def _failure(name: str, command: tuple[str, ...], outcome: Trial) -> str:
    shown = show(" ".join(command), _LINE)
    if outcome.stopped:
        ending = f"was stopped: {outcome.stopped}"
    elif outcome.code is None:
        ending = f"took longer than {BUILD_LIMIT_S:g} s"
    elif outcome.code < 0:
        ending = f"was killed by signal {-outcome.code}"
    else:
        ending = f"ended with exit code {outcome.code}"
    last = (outcome.out + outcome.err).rstrip("\r\n").split("\n")[-_OUTPUT_LINES:]
    lines = show_lines("\n".join(last), _LINE).split("\n") if last != [""] else []
    return "\n".join([f'{name}: the build "{shown}" {ending}', *(f"  {line}" for line in lines)])
