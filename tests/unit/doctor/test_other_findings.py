"""Findings about languages and leftovers, from made-up outcomes."""

from __future__ import annotations

import pytest

from arena.doctor import toolchains
from arena.doctor.dead_runs import leftover_finding
from arena.doctor.finding import State
from arena.doctor.toolchains import toolchain_finding
from arena.process.languages import find_language
from arena.process.languages.interface import Language
from arena.process.leftovers import Leftover
from arena.sandbox import LevelProblem


def test_languages_say_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """A missing toolchain is yellow with what to install; Python is red, as the arena needs it."""
    asked = []

    def probe(language: Language, level: str) -> LevelProblem | None:
        asked.append((language.name, level))
        answers = {
            "awk": None,
            "c": LevelProblem("needs a C compiler (cc)", "install gcc"),
            "javascript": None
            if level == "none"
            else LevelProblem("its smallest program printed ''", ""),
            "rust": LevelProblem("ended\n  help: run 'rustup default stable' to get it.", ""),
            "python": LevelProblem("it printed 'no' (exit code 0)", ""),
        }
        return answers[language.name]

    languages = [find_language(name) for name in ("awk", "c", "javascript", "python", "rust")]
    monkeypatch.setattr(toolchains, "probe_language", probe)
    found = (toolchain_finding(one, "bwrap") for one in languages)
    awk, c, javascript, python, rust = found
    assert awk.state is State.GREEN
    assert (c.state, c.what, c.remedy) == (State.YELLOW, "needs a C compiler (cc)", "install gcc")
    assert javascript.state is State.YELLOW
    assert javascript.what.startswith("works, but not at level bwrap")
    assert python.state is State.RED
    assert rust.remedy.startswith("install rustc for the whole system")  # rustup's are a person's
    assert (rust.what.startswith("ended; help: "), "\n" in rust.what) == (True, False)
    assert ("c", "none") not in asked


def test_leftovers_are_listed() -> None:
    """What is left is counted and named; what was swept as well."""
    process = Leftover("python3 bot.py", 4712)
    file = Leftover("/tmp/arena-probe-x")
    assert leftover_finding((), None).state is State.GREEN
    found = leftover_finding((process, file), None)
    assert found.state is State.YELLOW
    assert found.what == "of dead runs: 2"
    assert "process 4712 python3 bot.py" in found.remedy
    assert "/tmp/arena-probe-x" in found.remedy
    group = Leftover("/sys/fs/cgroup/arena-bot-x")
    assert "/sys/fs/cgroup/arena-bot-x" in leftover_finding((group,), None).remedy
    swept = leftover_finding((), (process,))
    assert swept.state is State.GREEN
    assert "process 4712 python3 bot.py" in swept.what
    assert swept.data["swept"] == [{"pid": 4712, "what": "python3 bot.py"}]
