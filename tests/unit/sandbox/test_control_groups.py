"""Control groups as values: where they may be made, what is written to them, what is read there.

The kernel's files are made up; ``integration/sandbox/test_control_groups_live.py`` has real ones.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from support.fake_groups import MOUNT, fake_tree

from arena.machine import run_folder
from arena.machine.run_folder import is_word_of, new_word
from arena.sandbox.cgroups.group import Group, take_group
from arena.sandbox.cgroups.own_group import BOT, RUNNER, find_home, own_group, use_own_group
from arena.sandbox.cgroups.remains import dead_groups, remove_group
from arena.session.guard import Guard
from arena.values.errors import Lack, MatchVoid
from arena.values.model import Termination

SCOPE = "/user.slice/run-r1f.scope"


@pytest.fixture
def delegated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a group with all controllers that is ours; it is in the root ``tmp_path``."""
    return fake_tree(
        tmp_path,
        monkeypatch,
        SCOPE,
        cgroup_controllers="cpu memory pids\n",
        cgroup_subtree_control="memory pids\n",
    )


def taken(root: Path) -> Group:
    """Return a control group whose limits are 256 MiB of memory and 64 processes."""
    group = take_group(1 << 28, 64, root)
    assert group is not None
    return group


def test_group_of_others_is_no_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A group whose files cannot be written to is no home; root can write to all that are there."""
    folder = fake_tree(tmp_path, monkeypatch, "/user.slice/session-3.scope")
    for name in ("cgroup.procs", "cgroup.subtree_control"):
        (folder / name).unlink()
    assert own_group(tmp_path) == folder
    assert find_home(tmp_path) is None


def test_limits_are_written(delegated: Path, tmp_path: Path) -> None:
    """A bot's group has its memory and no swap, dies as a whole, and holds so many processes."""
    group = taken(tmp_path)
    assert group.folder.parent == delegated
    assert is_word_of(own_keys(), group.folder.name.removeprefix(BOT))
    assert group.limits_memory
    wanted = {"memory.max": "268435456", "memory.swap.max": "0", "memory.oom.group": "1"}
    for name, text in {**wanted, "pids.max": "66"}.items():  # with what bubblewrap needs
        assert (group.folder / name).read_text().split()[0] == text, name
    group.close()
    group.close()
    assert not group.folder.exists()


def test_without_controllers_nothing_is_limited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A group without controllers is a group all the same, and does not claim to limit memory."""
    fake_tree(tmp_path, monkeypatch, SCOPE)
    group = taken(tmp_path)
    assert not group.limits_memory
    assert group.kernel_kills() == (0, False)
    group.close()


def test_version_1_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where version 1 holds the memory controller a bot's group is of version 2, without limits."""
    fake_tree(tmp_path, monkeypatch, "/")
    old = tmp_path / "sys/fs/cgroup/memory/ours"
    old.mkdir(parents=True)
    (tmp_path / "proc/self/cgroup").write_text("8:cpu,pids:/\n4:memory:/ours\n0::/\n")
    lines = MOUNT + MOUNT.replace("/cgroup ", "/cgroup/memory ").replace(
        "cgroup2 cgroup2 rw", "cgroup cgroup rw,memory"
    )
    (tmp_path / "proc/self/mountinfo").write_text(lines)
    home = find_home(tmp_path)
    assert home is not None
    assert home.controllers == ()
    group = taken(tmp_path)
    assert not group.limits_memory
    assert not (old / group.folder.name).exists()
    group.close()


def test_kernel_decides_about_memory(delegated: Path, tmp_path: Path) -> None:
    """A bot in a limited group has failed by memory only when the kernel ended it for that."""
    group = taken(tmp_path)
    bot: Any = SimpleNamespace(tree=SimpleNamespace(group=group), peak_bytes=lambda: 0, excess=None)
    bot.memory_bytes = 1 << 28
    guard = Guard(bot, ponder=False)
    assert guard.holds.why_it_ended() is None
    (group.folder / "memory.events").write_text("low 0\nmax 0\noom 0\noom_kill 3\n")
    with pytest.raises(MatchVoid) as caught:  # others had too much
        guard.holds.why_it_ended()
    assert caught.value.lack is Lack.MEMORY
    (group.folder / "memory.events").write_text("low 0\nmax 9\noom 1\noom_kill 3\n")
    excess = guard.holds.why_it_ended()
    assert excess is not None
    assert excess.code is Termination.MEMORY
    assert excess.detail == "it held more than its 256 MiB of memory, with all its processes"
    group.close()


def test_delegated_group_is_settled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a scope made for us everything moves to a leaf, and controllers are switched on."""
    folder = fake_tree(
        tmp_path, monkeypatch, SCOPE, cgroup_controllers="memory pids\n", cgroup_procs="4711\n"
    )
    use_own_group(tmp_path)
    (leaf,) = folder.glob(f"{RUNNER}*")
    assert is_word_of(own_keys(), leaf.name.removeprefix(RUNNER))
    assert (leaf / "cgroup.procs").read_text() == "4711"
    assert (folder / "cgroup.subtree_control").read_text() == "+memory +pids"
    # from within the leaf bots' groups are made beside it
    (tmp_path / "proc/self/cgroup").write_text(f"0::{SCOPE}/{leaf.name}\n")
    home = find_home(tmp_path)
    assert home is not None
    assert home.folder == folder
    use_own_group(tmp_path)
    assert len(list(folder.glob(f"{RUNNER}*"))) == 1


def test_what_dies_slowly_keeps_no_group(
    delegated: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A group that dying processes hold at its end is gone once the next one is made."""
    group = taken(tmp_path)
    with monkeypatch.context() as held:
        held.setattr(os, "rmdir", refuse)
        group.close()
        group.close()
        assert group.folder.exists()
    other = taken(tmp_path)
    assert not group.folder.exists()
    other.close()
    assert not other.folder.exists()


def own_keys() -> list[bytes]:
    """Return the key of this process's own folder."""
    return [run_folder._own_run()[0].key]


def refuse(name: object, **more: object) -> None:
    raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))


def test_only_groups_of_the_dead_are_swept(delegated: Path, tmp_path: Path) -> None:
    """A group whose word no dead run knows is not taken; a dead run's is removed."""
    group = taken(tmp_path)
    elsewhere = delegated / f"{BOT}0123456789abcdef"
    dead = delegated / f"{BOT}{new_word()}"
    keys = own_keys()
    run_folder._own.cache_clear()  # as if we were another run
    for folder in (elsewhere, dead, delegated / "arena-bot-x", delegated / "other"):
        folder.mkdir()
    (dead / "made-by-a-bot" / "deeper").mkdir(parents=True)
    live = taken(tmp_path)
    assert {*dead_groups(keys, tmp_path)} == {dead, group.folder}
    assert not [*dead_groups((), tmp_path)]
    assert remove_group(dead)
    assert remove_group(dead)
    assert not dead.exists()
    assert elsewhere.exists()
    assert live.folder.exists()
    group.close()
    live.close()
