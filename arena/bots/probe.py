"""Whether a language's toolchain works on this machine, tried on its smallest program."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from arena.bots.program import describe
from arena.bots.ready import make_ready
from arena.isolation.trial import run_trial
from arena.machine.run_folder import own_folder
from arena.process.bot import LaunchError
from arena.process.languages.interface import Language, find_tool
from arena.sandbox import LevelProblem, Task, find_level
from arena.values.errors import BotError

_LIMIT_S = 30.0


def probe_language(language: Language, level: str = "none") -> LevelProblem | None:
    """Build and run the language's probe; return ``None`` if it works, else what is wrong.

    The problem has a remedy only if that is known: where its program is not on this machine.

    Args:
        language: the language.
        level: the isolation level to do it at.
    """
    if find_tool(language) is None:
        needs = f"needs {language.needs} ({language.commands[0]})"
        return LevelProblem(needs, f"install {language.install}")
    with tempfile.TemporaryDirectory(prefix="probe-", dir=own_folder()) as name:
        folder = Path(name)
        os.chmod(folder, 0o755)  # root's bots run under users of their own
        source = folder / f"probe{language.suffixes[0]}"
        source.write_text(language.probe, encoding="utf-8")
        try:
            bot = make_ready(describe(source), level=level, cache=folder)
            task = Task(bot.start, bot.folder)
            done = run_trial(find_level(level).launch(task), _LIMIT_S)
        except (BotError, LaunchError, OSError) as error:
            return LevelProblem(str(error), "")
    if done.code is None:
        return LevelProblem(f"its smallest program took longer than {_LIMIT_S:g} s", "")
    if done.out.strip() != "ok":
        said = done.err.strip().splitlines()
        why = f": {said[-1]}" if said else ""
        ended = f"(exit code {done.code}){why}"
        return LevelProblem(f"its smallest program printed {done.out[:40]!r} {ended}", "")
    return None
