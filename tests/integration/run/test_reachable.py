"""While a tournament runs, no other user of the machine reaches anything of it."""

from __future__ import annotations

import contextlib
import os
import re
import socket
from pathlib import Path
from typing import NamedTuple

import pytest
from support import finished
from support.arena_command import tournament
from support.running import Running

from arena.machine.procfs import descendants, open_files


class Named(NamedTuple):
    """A socket with a name that others can connect to, or could if its owner listened."""

    path: str  # begins with @ in the abstract namespace, which has no permissions
    kind: int


def inodes(top: int) -> set[int]:
    """Return the sockets of a process and of all below it, as far as they live at this instant."""
    found = set()
    for pid in (top, *descendants(top)):
        with contextlib.suppress(OSError):
            links = " ".join(target for _, target in open_files(pid))
            found |= {int(inode) for inode in re.findall(r"socket:\[(\d+)\]", links)}
    return found


def named_sockets(top: int) -> set[Named]:
    """Return the Unix sockets with a name that a process and all below it hold."""
    owned = inodes(top)
    found = set()
    for line in Path("/proc/net/unix").read_text().splitlines()[1:]:
        words = line.split(maxsplit=7)
        if len(words) == 8 and int(words[6]) in owned:
            found.add(Named(words[7], int(words[4], 16)))
    return found


def network_sockets(top: int) -> list[str]:
    """Return the lines of what the kernel knows of network sockets of these processes."""
    owned = inodes(top)
    found = []
    for name in ("tcp", "tcp6", "udp", "udp6", "udplite", "raw", "raw6"):
        with contextlib.suppress(FileNotFoundError):
            lines = Path("/proc/net", name).read_text().splitlines()[1:]
            found += [f"{name} {line}" for line in lines if int(line.split()[9]) in owned]
    return found


def connect(named: Named) -> socket.socket:
    """Connect to a socket by its name."""
    path = "\0" + named.path[1:] if named.path.startswith("@") else named.path
    client = socket.socket(socket.AF_UNIX, named.kind)
    try:
        client.connect(path)
    except OSError:
        client.close()
        raise
    return client


@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can try it as another user")
def test_nothing_answers_another_user(tmp_path: Path) -> None:
    """Nothing has an abstract name or a port, and user 65534 can connect to none of the rest."""
    file = tournament(tmp_path, "[random, random-sh]", rounds=2000, seed=3, workers=2)
    run = Running(tmp_path / "home", "run", file, "--verbose")
    run.until(times=3)
    seen: set[Named] = set()
    for _ in range(20):  # bots come and go meanwhile
        seen |= named_sockets(run.process.pid)
        assert network_sockets(run.process.pid) == []
        run.until()
    assert seen, "the fork server listens, or this test has missed it"
    assert not [named.path for named in seen if named.path.startswith("@")]

    def try_all() -> list[str]:
        reached = []
        for named in seen:
            with contextlib.suppress(OSError), connect(named):
                reached.append(named.path)
        return reached

    assert finished.as_nobody(try_all) == "[]"
    # the same way leads there for the one who may
    assert try_all()
    run.kill()
