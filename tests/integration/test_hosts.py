"""The hosts that tests make are apart from one another and from this machine, and they all go."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from support.arena_command import ROOT, environment
from support.hosts import network
from support.waiting import is_gone, until

pytestmark = pytest.mark.slow

PORT = "4711"
LISTENING = """\
import socket, sys
with socket.create_server((sys.argv[1], int(sys.argv[2]))) as server:
    print("listens on", socket.gethostname(), flush=True)
    for line in server.accept()[0].makefile():
        print("heard", line, end="", flush=True)
"""
SAYING = """\
import itertools, signal, socket, sys
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
peer = socket.create_connection((sys.argv[1], int(sys.argv[2])), timeout=1)
print("connected from", socket.gethostname(), flush=True)
for number in itertools.count():
    signal.sigwait([signal.SIGUSR1])
    peer.send(b"%d\\n" % number)
"""
# a test that is killed while a command runs on its host
KILLED = """\
import os, signal, sys
from pathlib import Path
from support.hosts import network
with network(Path(sys.argv[1]), "lost") as net:
    print(net["lost"].start("sleep", "1000").process.pid, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.parametrize(("how", "seen"), [("cut", "timed out"), ("pull_the_plug", "unreachable")])
def test_cut_link(tmp_path: Path, how: str, seen: str) -> None:
    """Nothing passes a link that is cut; connections outlive it, and lose nothing."""
    ours = socket.gethostname()
    with network(tmp_path, "here", "there") as net:
        here, to = net["here"], (net["there"].address, PORT)
        there = net["there"].python("-c", LISTENING, *to)
        there.until("listens on there")
        saying = here.python("-c", SAYING, *to)
        saying.until("connected from here")
        saying.process.send_signal(signal.SIGUSR1)
        there.until("heard 0")
        with {"cut": here.cut, "pull_the_plug": here.pull_the_plug}[how]():
            saying.process.send_signal(signal.SIGUSR1)
            here.python("-c", SAYING, *to).until(seen)
            assert "heard 1" not in there.said
        there.until("heard 1")
        assert net.left() == []
    assert is_gone(there.process.pid)
    assert socket.gethostname() == ours


def test_orphans(tmp_path: Path) -> None:
    """A process that outlives its command is reported, and ended with its host."""
    with network(tmp_path, "here") as net:
        command = net["here"].start("sh", "-c", "setsid sleep 1000 & echo $!")
        assert command.end() == 0
        orphan = int(command.said)
        assert [line.split()[0] for line in net.left(1)] == [str(orphan)]
    assert is_gone(orphan)


def test_hosts_of_a_killed_test(tmp_path: Path) -> None:
    """What a killed test has left behind is removed by the next one."""
    killed = subprocess.run(
        [sys.executable, "-c", KILLED, tmp_path / "killed"],
        env=environment(tmp_path) | {"PYTHONPATH": f"{ROOT}:{ROOT / 'tests'}"},
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    if not killed.stdout:
        with network(tmp_path / "next"):  # which says what there is not
            pytest.fail("hosts can be made here")
    assert killed.returncode == -signal.SIGKILL
    lost = int(killed.stdout)
    assert not is_gone(lost)
    with network(tmp_path / "next"):
        until(lambda: is_gone(lost))
