"""Whether a language's toolchain works on this machine, tried on its smallest program."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

from arena.errors import BotError
from arena.referee.languages import Language
from arena.referee.mark import name_part
from arena.roster.program import describe
from arena.roster.ready import make_ready

__all__ = ["probe_language"]

_LIMIT_S = 30.0


def probe_language(language: Language) -> str | None:
    """Build and run the language's probe; return ``None`` if it works, else what is wrong."""
    with tempfile.TemporaryDirectory(prefix=f"arena-probe-{name_part()}-") as name:
        folder = Path(name)
        source = folder / f"probe{language.suffixes[0]}"
        source.write_text(language.probe, encoding="utf-8")
        try:
            bot = make_ready(describe(source), folder / "home")
            done = subprocess.run(
                bot.start,
                cwd=bot.folder,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_LIMIT_S,
                check=False,
            )
        except (BotError, OSError) as error:
            return str(error).replace(f"{source.stem} ", "", 1)
        except subprocess.TimeoutExpired:
            return f"its smallest program took longer than {_LIMIT_S:g} s"
    if done.stdout.strip() != b"ok":
        return f"its smallest program printed {done.stdout[:40]!r} (exit code {done.returncode})"
    return None
