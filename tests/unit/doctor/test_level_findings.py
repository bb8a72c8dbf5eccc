"""What is said of isolation levels follows from what their probes found."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from arena.doctor.finding import State
from arena.doctor.levels import level_findings
from arena.sandbox import LEVELS, LevelProblem
from arena.sandbox.diagnosis import explain

WORKS: Mapping[str, LevelProblem | None] = dict.fromkeys(LEVELS)


def without(**problems: LevelProblem) -> Mapping[str, LevelProblem | None]:
    return {**WORKS, **problems}


# what bubblewrap says where it cannot work, and a word of what helps
COMPLAINTS = [
    ("bwrap: setting up uid map: Permission denied", "profile bwrap /usr/bin/bwrap"),
    ("bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted", "/etc/apparmor.d/bwrap"),
    ("bwrap: Can't mount proc on /newroot/proc: Operation not permitted", "--security-opt"),
    ("bwrap: No permissions to create new namespace, likely because", "outside of it"),
    (
        "bwrap: Creating new namespace failed: nesting depth or /proc/sys/user/max_*_namespaces "
        "exceeded (ENOSPC)",
        "user.max_user_namespaces",
    ),
    ("bwrap: Creating new namespace failed: Resource temporarily unavailable", "ulimit -u"),
]


@pytest.mark.parametrize(("complaint", "remedy"), COMPLAINTS)
def test_known_complaints_have_their_remedy(complaint: str, remedy: str) -> None:
    """The row of a level that fails shows the reason, and the remedy that is known for it."""
    row = level_findings(without(bwrap=explain(complaint)))[0]
    assert row.topic == "level bwrap"
    assert row.state is State.YELLOW
    assert complaint in row.what
    assert remedy in row.remedy


def test_places_that_show_reads() -> None:
    """They are named where landlock works, and that level goes on to work."""
    row = level_findings(WORKS, ["/usr", "/opt/venv"])[LEVELS.index("landlock")]
    assert row.state is State.YELLOW
    assert row.what.startswith("works")
    assert "times of access: /usr /opt/venv" in row.what
    assert "noatime" in row.remedy
    assert row.data["works"] is True
    assert row.data["reads"] == ["/usr", "/opt/venv"]
    without_it = without(landlock=LevelProblem("no Landlock", "a newer kernel"))
    assert "times of access" not in str(level_findings(without_it, ["/usr"]))


def test_nothing_isolates_is_red() -> None:
    """Where neither works, that is red, and the remedy of the best is repeated."""
    problems = without(
        bwrap=LevelProblem("not installed", "apt install bubblewrap"),
        landlock=LevelProblem("no Landlock", "a newer kernel"),
    )
    best = level_findings(problems)[-1]
    assert best.state is State.RED
    assert "apt install bubblewrap" in best.remedy
    assert best.data["isolates"] is False
