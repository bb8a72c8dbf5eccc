"""What ``arena cluster worker`` refuses before anything is started."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.arena_command import refused


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("tcp://192.0.2.7:8786",), "--insecure"),
        (("tls://lab-01:8786",), "arena cluster certificates"),
        (("local:2",), "local:2"),
        (("127.0.0.1:8786",), "tls://127.0.0.1:8786"),
        (("tcp://127.0.0.1:8786", "--sandbox", "bwrp"), "bwrap"),
        (("tcp://127.0.0.1:8786", "--workers", "0"), "--workers"),
    ],
)
def test_impossible_cluster_is_refused(words: tuple[str, ...], named: str, tmp_path: Path) -> None:
    """A cluster that cannot be joined has exit code 2 and a sentence with what to do."""
    assert named in refused(tmp_path, "cluster", "worker", *words)
