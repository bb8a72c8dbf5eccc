"""Running a bot's build step in a place of its own, once for each content.

What is built lies in ``<home>/builds/<hash>/``: a copy of the bot's files and whatever the build
command made beside them. Two who build at once do the work twice and keep one result.
"""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
from pathlib import Path

from arena.bots.confined import BuildOutcome, run_build
from arena.bots.content import copy_files
from arena.bots.program import Program
from arena.crash import cross
from arena.errors import BotBuildError
from arena.owner import name_part
from arena.process.folders import entries_below, remove_folder
from arena.sandbox import find_level
from arena.untrusted import show, show_lines

__all__ = [
    "BUILD_LIMIT_S",
    "build",
    "built_folder",
    "freeze",
    "move_into_place",
]

BUILD_LIMIT_S = 120.0

OFFLINE = "builds have no network: what the bot needs must be in its folder"
BY_HAND = "Run that command by hand in a copy of the bot's folder until it works."
FETCH = (
    "Fetch it on your own machine and hand it in with the bot; for Python: "
    "pip install --target FOLDER PACKAGE."
)
# programs whose work it is to fetch things
_FETCHERS = frozenset(
    {"apt", "apt-get", "bundle", "cargo", "composer", "curl", "dotnet", "gem", "git", "gradle"}
    | {"mvn", "npm", "npx", "pip", "pip3", "pnpm", "uv", "wget", "yarn"}
)
# what resolvers and sockets of C libraries, node, go and Java say
_NO_NETWORK = re.compile(
    rb"name resolution|[Cc]ould not resolve|[Nn]ame or service not known|[Nn]etwork is unreachable"
    rb"|getaddrinfo|EAI_AGAIN|ENOTFOUND|lookup .* dial|UnknownHostException|socket.*not permitted"
    rb"|[Nn]o address associated"
)
_OUTPUT_LINES = 20
_LINE = 1000  # characters of it that are shown


def built_folder(home: Path, digest: str) -> Path:
    """Return where the bot of a hash lies once it is built."""
    return home.absolute() / "builds" / digest.removeprefix("sha256:")


def build(
    program: Program,
    command: tuple[str, ...],
    home: Path,
    *,
    level: str,
    limit_s: float = BUILD_LIMIT_S,
) -> Path:
    """Return the absolute folder in which the bot is built, building it if it is not there yet.

    Args:
        program: the bot.
        command: its build line; the first word is the absolute path of a program.
        home: the arena's home.
        level: the isolation level at which the command runs.
        limit_s: seconds the command may take.

    Raises:
        BotBuildError: the command failed or took too long; its last lines are shown.
    """
    target = built_folder(home, program.hash)
    if target.exists():
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(prefix=f".building-{name_part()}-", dir=target.parent))
    try:
        copy_files(program.folder, program.files, work)
        outcome = run_build(command, work, limit_s, level)
        if outcome.code != 0 or outcome.stopped:
            failure = _failure(program.name, command, outcome, limit_s)
            if find_level(level).isolates and _wants_network(command, outcome.output):
                raise BotBuildError(f"{failure}\n{OFFLINE}", FETCH)
            raise BotBuildError(failure, BY_HAND)
        freeze(work)
        move_into_place(work, target)
    finally:
        with contextlib.suppress(OSError):
            remove_folder(str(work))
    return target


def _wants_network(command: tuple[str, ...], output: bytes) -> bool:
    """Return whether a build that failed fetches things, by its words or by what it wrote."""
    words = {os.path.basename(word) for word in command}
    return bool(words & _FETCHERS) or _NO_NETWORK.search(output) is not None


def freeze(folder: Path) -> None:
    """Make every file of a folder read-only and readable to all, and the folders passable."""
    os.chmod(folder, 0o755)
    for entry, _ in entries_below(str(folder)):
        if entry.is_dir(follow_symlinks=False):
            os.chmod(entry.path, 0o755)
        elif not entry.is_symlink():
            os.chmod(entry.path, 0o555 if entry.stat().st_mode & 0o100 else 0o444)


def move_into_place(work: Path, target: Path) -> None:
    """Rename a finished folder to its final name; if another was first, theirs stays."""
    cross("rename")
    try:
        os.rename(work, target)
    except OSError:
        if not target.exists():
            raise
    cross("renamed")


def _failure(name: str, command: tuple[str, ...], outcome: BuildOutcome, limit_s: float) -> str:
    shown = show(" ".join(command), _LINE)
    if outcome.stopped:
        ending = f"was stopped: {outcome.stopped}"
    elif outcome.code is None:
        ending = f"took longer than {limit_s:g} s"
    elif outcome.code < 0:
        ending = f"was killed by signal {-outcome.code}"
    else:
        ending = f"ended with exit code {outcome.code}"
    last = outcome.output.rstrip(b"\r\n").split(b"\n")[-_OUTPUT_LINES:]
    lines = show_lines(b"\n".join(last), _LINE).split("\n") if last != [b""] else []
    return "\n".join([f'{name}: the build "{shown}" {ending}', *(f"  {line}" for line in lines)])
