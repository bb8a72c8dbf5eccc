"""Every attack at every level, against the table of what each level promises."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from support.arena_users import as_user, open_python

from arena.sandbox import LEVELS, find_level

HERE = Path(__file__).parent
USERS = ("user", "root")
NEVER = ("none", "group")  # there a bot gets no control group


def table() -> dict[tuple[str, str], dict[str, str]]:
    """Return for each level and kind of user what is expected of each attack."""
    lines = [
        line.split()
        for line in (HERE / "attack_table.txt").read_text().splitlines()
        if not line.startswith("#")
    ]
    columns = [(level, user) for level in ("none", "limits", "landlock", "bwrap") for user in USERS]
    assert all(len(line) == 1 + len(columns) for line in lines)
    return {
        column: {line[0]: line[place] for line in lines}
        for place, column in enumerate(columns, start=1)
    }


TABLE = table()
PROBE = """
import sys
from arena.isolation.probes import probe
problem = probe(sys.argv[1])
print(problem.reason if problem else "")
"""


@pytest.mark.slow
@pytest.mark.parametrize("user", USERS)
@pytest.mark.parametrize(
    ("level", "group"),
    [(level, group) for level in LEVELS for group in ("none", "group") if (level, group) != NEVER],
)
def test_attacks_succeed_exactly_as_table_says(level: str, group: str, user: str) -> None:
    """At each level exactly those attacks succeed that the table lists.

    A control group of the bot's own, where this user can make one, makes no difference.
    """
    probe = as_user(user, "-c", PROBE, level)
    assert probe.returncode == 0, probe.stderr
    if probe.stdout.strip():
        pytest.skip(f"{level}: {probe.stdout.strip()}")
    python = open_python() or sys.executable
    run = as_user(user, str(HERE / "attack_run.py"), level, python, group)
    assert run.returncode == 0, run.stderr
    found: dict[str, str] = json.loads(run.stdout)
    expected = TABLE[level, user]
    assert found.keys() == expected.keys()
    assert all(how == "open" or how.startswith("shut") for how in found.values())
    weaker = {name for name, how in found.items() if how == "open" and expected[name] == "-"}
    assert not weaker, f"{level} is weaker than the table says"
    stronger = {name for name, how in found.items() if how != "open" and expected[name] == "open"}
    assert not stronger, f"{level} is stronger than the table says"


@pytest.mark.parametrize("user", USERS)
def test_table_has_four_open_attacks_for_strangers(user: str) -> None:
    """The table leaves three attacks open at ``landlock`` and one at ``bwrap``."""
    for level in LEVELS:
        left = {name for name, how in TABLE[level, user].items() if how != "-"}
        left.remove("what_the_kernel_counts")
        if level == "landlock":
            assert left == {"learn_of_a_file", "learn_of_a_process"}
        else:
            assert bool(left) == (not find_level(level).isolates)


def test_bot_of_root_is_never_root() -> None:
    """If the arena runs as root, only level ``none`` gives a bot root's powers."""
    powerful = {level for level in LEVELS if TABLE[level, "root"]["powers_of_root"] == "open"}
    assert powerful == {"none"}
