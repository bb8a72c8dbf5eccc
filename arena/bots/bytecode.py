"""Bytecode beside the snapshot of a Python bot, whose folder is read-only to the bot itself.

Without it Python compiles what a bot imports again at each start. The compiler only reads, but what
it reads is anybody's, so it runs where builds run. Of a hand-in's own bytecode nothing is ever
copied, and what is made here names the hash of its source, which Python compares at each import:
what plays is the source.
"""

from __future__ import annotations

import contextlib
import logging
import os
import stat
import sys
import tempfile
from importlib.util import cache_from_source
from pathlib import Path

from arena.bots.confined import run_build
from arena.bots.content import copy_files
from arena.bots.program import Program
from arena.errors import ArenaError
from arena.owner import name_part
from arena.process.folders import remove_folder
from arena.session.choose import choose_level

__all__ = ["add_bytecode"]

LIMIT_S = 20.0
# isolated, so that it finds no module of the bot's; a file that is no Python is nobody's concern
COMPILE = (
    "import compileall, py_compile\n"
    "compileall.compile_dir('.', quiet=2,"
    " invalidation_mode=py_compile.PycInvalidationMode.CHECKED_HASH)"
)

_log = logging.getLogger(__name__)


def add_bytecode(program: Program, home: Path, level: str | None) -> None:
    """Compile what a Python bot may import, once for each snapshot and version of Python.

    Where that does not work the bot starts more slowly, which is no reason to refuse it.

    Args:
        program: the bot; nothing is done if it is no snapshot, or a single file.
        home: the arena's home, in which it is one.
        level: the isolation level at which it is built; ``None``: the strongest there is.
    """
    files = tuple(file for file in program.files if file.name.endswith(".py"))
    shelf = Path(os.path.realpath(home / "bots"))
    if program.language != "python" or len(files) < 2 or shelf not in program.folder.parents:
        return
    names = [cache_from_source(file.name) for file in files]
    tried = program.folder / "__pycache__" / f"{sys.implementation.cache_tag}.tried"
    if tried.exists():  # also where it did not work: that may have taken long
        return
    try:
        work = Path(
            tempfile.mkdtemp(prefix=f".compiling-{name_part()}-", dir=program.folder.parent)
        )
        try:
            copy_files(program.folder, files, work)
            command = (sys.executable, "-I", "-S", "-c", COMPILE)
            run_build(command, work, LIMIT_S, level or choose_level())
            for name in names:
                _take(work / name, program.folder / name)
            tried.parent.mkdir(mode=0o755, exist_ok=True)
            tried.touch(mode=0o444)
        finally:
            with contextlib.suppress(OSError):
                remove_folder(str(work))
    except (ArenaError, OSError) as error:
        _log.debug("%s starts without bytecode: %s", program.name, error)


def _take(made: Path, target: Path) -> None:
    """Move a file into place; who reads it meanwhile has the whole of it, or none."""
    with contextlib.suppress(FileNotFoundError):
        if stat.S_ISREG(os.lstat(made).st_mode):
            os.chmod(made, 0o444)
            target.parent.mkdir(mode=0o755, exist_ok=True)
            os.replace(made, target)
