"""Findings about the disk of a home."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.arena_users import as_user

from arena.doctor.disk import try_store
from arena.values.errors import StoreError


def test_a_store_is_tried_and_leaves_nothing(tmp_path: Path) -> None:
    """A throw-away store is written here, and is gone after."""
    try_store(tmp_path)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises((StoreError, OSError)):
        try_store(tmp_path / "nowhere")


LOOKS = """
import sys
from pathlib import Path
from arena.doctor.disk import disk_finding
from arena.process.leftovers import find_leftovers
found = disk_finding(Path(sys.argv[1]))
print(found.state, found.what, found.remedy)
find_leftovers(Path(sys.argv[1]))
"""


def test_home_that_cannot_be_written_is_red(tmp_path: Path) -> None:
    """Where nothing can be kept, that is red with the reason; so it is where nobody may look."""
    tmp_path.chmod(0)
    done = as_user("user", "-c", LOOKS, str(tmp_path / "one" / "home"))
    tmp_path.chmod(0o700)
    assert done.stderr == ""
    assert done.stdout.startswith("red ")
    assert "Permission denied" in done.stdout
    assert "--home" in done.stdout
