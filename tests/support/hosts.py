"""Hosts of a small network on this machine: each is a network namespace with a link to a hub.

A host has an address, a host name and a home folder of its own; it shares this machine's files and
process ids. Only root can make one. What a killed test left behind is removed by the next one.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import signal
import subprocess
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from support.needs import root, tool
from support.running import Running
from support.waiting import is_gone, stays, words_of

from arena.machine.procfs import descendants, read
from arena.machine.run_folder import VARIABLE
from arena.process.stop_all import become_subreaper, children

PLACE = Path("/run/netns")  # where ip keeps the namespaces that have a name
PREFIX = "arena-test-"
SUBNET = "10.117.0"
GONE_SECONDS = 20.0  # for what a host's command has started to end after it

ARENAS = (  # words of the arena's own processes
    b" -m arena ",
    b" -m dask ",
    b"multiprocessing.spawn",
    b"multiprocessing.forkserver",
)
LAUNCHER = b"confine.py"  # a word of a process that becomes a bot
# a shell that takes a host name, which is this command's alone, and becomes the command
UTS = ("unshare", "--uts", "sh", "-c")
NAMED = 'echo "$0" >/proc/sys/kernel/hostname && exec "$@"'

_numbers = itertools.count()


class Host:
    """One host of a network.

    Attributes:
        name: its host name.
        address: its IPv4 address.
        home: the arena's home there.
        folder: what else belongs to it: the user's home.
        inside: words before a program that runs on it.
    """

    def __init__(self, hub: str, name: str, number: int, folder: Path) -> None:
        self.name = name
        self.address = f"{SUBNET}.{number}"
        self.folder = folder
        self.home = folder / "arena"
        self._hub = hub
        self._port = f"port{number}"  # the hub's end of the link
        self._space = f"{hub}.{name}"
        self.inside = ("nsenter", f"--net={PLACE / self._space}", *UTS, NAMED, name)
        self.commands: list[Running] = []
        folder.mkdir(parents=True)
        _ip("netns", "add", self._space)

    def connect(self) -> None:
        """Make its link to the hub and give it the address."""
        peer = ("peer", "name", "eth0", "netns", self._space)
        _ip("-n", self._hub, "link", "add", self._port, "type", "veth", *peer)
        _ip("-n", self._hub, "link", "set", self._port, "master", "hub", "up")
        _ip("-n", self._space, "link", "set", "lo", "up")
        _ip("-n", self._space, "addr", "add", f"{self.address}/24", "dev", "eth0")
        _ip("-n", self._space, "link", "set", "eth0", "up")

    @contextlib.contextmanager
    def cut(self) -> Iterator[None]:
        """Have the hub drop all that this host sends and is sent; neither side is informed."""
        _ip("-n", self._hub, "link", "set", self._port, "nomaster")
        yield
        _ip("-n", self._hub, "link", "set", self._port, "master", "hub")

    @contextlib.contextmanager
    def pull_the_plug(self) -> Iterator[None]:
        """Take the host's own link down: programs there see that there is no network."""
        _ip("-n", self._space, "link", "set", "eth0", "down")
        yield
        _ip("-n", self._space, "link", "set", "eth0", "up")

    def arena(self, *args: object, code: str = "", **env: str) -> Running:
        """Start ``arena ARGS`` on this host; see ``Running``."""
        env = {"HOME": str(self.folder), **env}
        command = Running(self.home, *args, enter=self.inside, code=code, **env)
        self.commands.append(command)
        return command

    def kill(self) -> None:
        """Kill all that runs on this host, as if its power were cut."""
        for command in self.commands:
            if command.process.poll() is None:
                command.kill()

    def bots(self) -> list[str]:
        """Return the command lines of bots that this host's commands still run after a while."""

        def running() -> list[int]:
            below = [descendants(command.process.pid) for command in self.commands]
            return [pid for pids in below for pid in pids if _is_bot(pid)]

        return _left(running)

    def remove(self) -> None:
        """Kill what runs here and remove the host."""
        with contextlib.suppress(OSError):
            self.kill()
        _remove(self._space)


class Network:
    """A hub and its hosts, found by name; ``network`` makes one.

    >>> with network(tmp_path, "scheduler", "worker") as net:
    ...     net["worker"].arena("cluster", "worker", net["scheduler"].address)
    """

    def __init__(self) -> None:
        become_subreaper()
        self._before = {*children(os.getpid())}
        self._hub = f"{PREFIX}{os.getpid()}-{next(_numbers)}"
        self._hosts: dict[str, Host] = {}

    def make(self, folder: Path, names: Sequence[str]) -> None:
        """Make the hub and the hosts, each with a folder of its name."""
        _ip("netns", "add", self._hub)
        _ip("-n", self._hub, "link", "add", "hub", "type", "bridge")
        _ip("-n", self._hub, "link", "set", "hub", "up")
        for number, name in enumerate(names, 1):
            self._hosts[name] = host = Host(self._hub, name, number, folder / name)
            host.connect()

    def __getitem__(self, name: str) -> Host:
        return self._hosts[name]

    def left(self) -> list[str]:
        """Return the command lines of processes that outlive the commands that began them.

        Such orphans come to the test's own process, from whichever host they are.
        """
        return _left(lambda: [pid for pid in self._orphans() if not is_gone(pid)])

    def _orphans(self) -> list[int]:
        known = {command.process.pid for host in self._hosts.values() for command in host.commands}
        orphans = {*children(os.getpid())} - self._before - known
        return [pid for orphan in orphans for pid in (orphan, *descendants(orphan))]

    def remove(self) -> None:
        """Kill all that runs on the hosts and remove them."""
        for host in self._hosts.values():
            host.remove()
        for pid in self._orphans():
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
        _remove(self._hub)


@contextlib.contextmanager
def network(folder: Path, *names: str) -> Iterator[Network]:
    """Make hosts of these names, connected with one another; skip the test where that cannot be."""
    root("make network namespaces")
    for name in ("ip", "nsenter", "unshare"):
        tool(name)
    tried = subprocess.run(
        ["unshare", "--net", "--uts", "true"], capture_output=True, text=True, check=False
    )
    if tried.returncode != 0:
        pytest.skip(f"no network namespaces here: {tried.stderr.strip()}")
    _sweep()
    net = Network()
    try:
        net.make(folder, names)
        yield net
    finally:
        net.remove()


def own_pids(command: Running) -> list[int]:
    """Return the processes of a command that are the arena's: no bot, nor what becomes a bot."""
    pids = [command.process.pid, *descendants(command.process.pid)]
    return [pid for pid in pids if any(word in words_of(pid) for word in ARENAS)]


def _is_bot(pid: int) -> bool:
    """Return whether a process is of a bot, which has a word of a run, as a launcher has."""
    try:
        if is_gone(pid) or f"{VARIABLE}=".encode() not in read(pid, "environ"):
            return False
    except OSError:
        return False
    line = words_of(pid)
    return not any(word in line for word in (LAUNCHER, *ARENAS))


def _left(look: Callable[[], list[int]]) -> list[str]:
    """Return the command lines of processes that are still there after a while."""
    return [f"{pid} {words_of(pid)!r}" for pid in stays(look, GONE_SECONDS)]


def _sweep() -> None:
    """Remove the hosts of tests that were killed."""
    for name in os.listdir(PLACE) if PLACE.is_dir() else ():
        pid = name.removeprefix(PREFIX).partition("-")[0]
        if name.startswith(PREFIX) and not os.path.exists(f"/proc/{pid}"):
            _remove(name)


def _remove(space: str) -> None:
    """Remove a namespace with its links, and kill what is still in it."""
    if not (PLACE / space).exists():
        return
    for pid in _ip("netns", "pids", space).split():
        with contextlib.suppress(ProcessLookupError):
            os.kill(int(pid), signal.SIGKILL)
    _ip("netns", "delete", space)


def _ip(*words: str) -> str:
    return subprocess.run(["ip", *words], check=True, capture_output=True, text=True).stdout
