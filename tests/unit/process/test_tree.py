"""A bot and what it has started, as the kernel shows it."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from support.waiting import until

from arena.process.tree import Tree


@pytest.fixture
def sleeper() -> Iterator[subprocess.Popen[bytes]]:
    """A process of one thread without children."""
    process = subprocess.Popen(["sleep", "3600"])
    yield process
    process.kill()
    process.wait()


@pytest.mark.parametrize(("others", "alone"), [((), True), ((1,), False)])
def test_orphan_in_control_group_belongs_to_bot(
    sleeper: subprocess.Popen[bytes], others: tuple[int, ...], alone: bool
) -> None:
    """A process in the bot's control group is one of the bot's, whoever its parent is."""
    group: Any = SimpleNamespace(members=lambda: [sleeper.pid, *others])
    tree = Tree(sleeper.pid, group=group)
    assert tree.is_alone() is alone
    tree.close()


def test_process_that_waits_is_asleep(sleeper: subprocess.Popen[bytes]) -> None:
    """A process whose main thread waits is asleep once it has begun to wait."""
    tree = Tree(sleeper.pid)
    until(tree.is_asleep)
    tree.close()
