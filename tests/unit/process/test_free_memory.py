"""How much of the memory is free: of the machine, or of the group that limits us."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.process.machine_memory import free_part

V2 = "31 23 0:28 / /sys/fs/cgroup rw,relatime - cgroup2 cgroup2 rw\n"


@pytest.mark.parametrize(
    ("mount", "own", "files", "part"),
    [
        pytest.param("", "", {}, 0.75, id="no groups"),
        pytest.param(
            V2,
            "0::/a\n",
            {
                "memory.max": "1000\n",
                "memory.current": "900\n",
                "memory.stat": "anon 5\ninactive_file 400\n",
            },
            0.5,
            id="version 2",
        ),
        pytest.param(
            V2, "0::/a\n", {"memory.max": "max\n", "memory.current": "9\n"}, 0.75, id="no limit"
        ),
    ],
)
def test_free_memory_is_least_of_machine_and_group(
    tmp_path: Path, mount: str, own: str, files: dict[str, str], part: float
) -> None:
    """The free part of memory is the machine's, or the group's where less is free in it."""
    (tmp_path / "proc/self").mkdir(parents=True)
    (tmp_path / "proc/meminfo").write_text(
        "MemTotal:    4000 kB\nMemFree: 100 kB\nMemAvailable:   3000 kB\n"
    )
    (tmp_path / "proc/self/mountinfo").write_text(mount)
    (tmp_path / "proc/self/cgroup").write_text(own)
    folder = tmp_path / "sys/fs/cgroup/a"
    folder.mkdir(parents=True)
    for name, text in files.items():
        (folder / name).write_text(text)
    assert free_part(tmp_path) == pytest.approx(part)
