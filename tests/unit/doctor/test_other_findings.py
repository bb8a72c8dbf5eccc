"""Findings about attacks, kills, languages and leftovers, from made-up outcomes."""

from __future__ import annotations

from arena.doctor.attacks import attack_finding
from arena.doctor.finding import State
from arena.doctor.killing import kill_finding
from arena.doctor.programs.attacker import ATTACKS
from arena.doctor.remains import leftover_finding
from arena.doctor.toolchains import toolchain_finding
from arena.owner import Mark
from arena.process.languages import find_language
from arena.process.languages.interface import Language
from arena.process.leftovers import Leftover
from arena.sandbox import Problem, find_level

NONE = find_level("none")
BWRAP = find_level("bwrap")
NOTHING = {attack.__name__: False for attack in ATTACKS}
MARK = Mark(4711, 99, "0badcafe")


def test_there_are_twelve_attacks() -> None:
    """Twelve attacks are tried, each under a name of its own."""
    assert len(NOTHING) == len(ATTACKS) == 12


def test_an_attack_that_comes_through_is_red_where_strangers_play() -> None:
    """What gets out of bubblewrap is red and named; without isolation it is as promised."""
    through = {**NOTHING, "read_memory": True}
    assert attack_finding(BWRAP, NOTHING).state is State.GREEN
    broken = attack_finding(BWRAP, through)
    assert broken.state is State.RED
    assert "read memory" in broken.what
    assert broken.data["through"] == ["read_memory"]
    assert attack_finding(NONE, through).state is State.GREEN
    assert attack_finding(BWRAP, None).state is State.RED


def test_survivors_are_red() -> None:
    """One process that outlives its kill is one too many."""
    assert kill_finding(BWRAP, 0).state is State.GREEN
    found = kill_finding(BWRAP, 1)
    assert found.state is State.RED
    assert "--sweep" in found.remedy


def test_languages_say_what_to_install() -> None:
    """A missing toolchain is yellow with what to install; Python is red, as the arena needs it."""
    asked = []

    def probe(language: Language, level: str) -> Problem | None:
        asked.append((language.name, level))
        answers = {
            "awk": None,
            "c": Problem("needs a C compiler (cc)", "install gcc"),
            "javascript": None
            if level == "none"
            else Problem("its smallest program printed ''", ""),
            "python": Problem("it printed 'no' (exit code 0)", ""),
        }
        return answers[language.name]

    languages = [find_language(name) for name in ("awk", "c", "javascript", "python")]
    awk, c, javascript, python = (toolchain_finding(one, "bwrap", probe) for one in languages)
    assert awk.state is State.GREEN
    assert (c.state, c.what, c.remedy) == (State.YELLOW, "needs a C compiler (cc)", "install gcc")
    assert javascript.state is State.YELLOW
    assert javascript.what.startswith("works, but not at level bwrap")
    assert python.state is State.RED
    assert ("c", "none") not in asked


def test_leftovers_are_listed() -> None:
    """What is left is counted and named; what was swept as well."""
    process = Leftover("python3 bot.py", 4712, MARK)
    file = Leftover("/tmp/arena-probe-x", 0, MARK)
    assert leftover_finding((), None).state is State.GREEN
    found = leftover_finding((process, file), None)
    assert found.state is State.YELLOW
    assert "processes: 1, temporary files: 1" in found.what
    assert "process 4712 python3 bot.py" in found.remedy
    assert "/tmp/arena-probe-x" in found.remedy
    group = Leftover("/sys/fs/cgroup/arena-bot-x", 0, MARK, group=True)
    assert "of dead runs: control groups: 1" in leftover_finding((group,), None).what
    swept = leftover_finding((), (process,))
    assert swept.state is State.GREEN
    assert "process 4712 python3 bot.py" in swept.what
    assert swept.data["swept"] == [
        {"pid": 4712, "what": "python3 bot.py", "mark": "4711:99:0badcafe"}
    ]
