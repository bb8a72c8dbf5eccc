"""The processes of one started bot, as this machine's process table shows them."""

from __future__ import annotations

import contextlib
import json
import os
import signal
from collections.abc import Iterable

from arena.machine.procfs import children_of, descendants
from arena.process.stop_all import is_readable
from arena.sandbox.cgroups.group import Group
from arena.sandbox.confine import READY

REPORT_BYTES = 4096
FREEZE_ROUNDS = 10  # over a tree that keeps growing; it takes three at most that do not hide


class Tree:
    """A bot's process and all that it started, from the first that we know of down.

    Where the level puts a bot into a process namespace, the process we started is bubblewrap, its
    child is the namespace's first process, and the child of that is the bot.

    Attributes:
        pid: the process we started.
        namespaced: is it in a process namespace of its own?
        exit_code: that of the bot's own first process, once bubblewrap has told it.
        group: the control group it was born in, if it was.
        killed: was it killed by us?
        init: the namespace's first process, which adopts orphans; -1 while there is none.
    """

    def __init__(
        self, pid: int, report: int = -1, confined: int = -1, group: Group | None = None
    ) -> None:
        """Know a tree by the process we started.

        Args:
            pid: that process.
            report: the descriptor on which bubblewrap reports its namespace; -1 without bubblewrap.
            confined: the descriptor on which the launcher reports that the program is next; -1
                without a launcher.
            group: the control group it was born in.
        """
        self.pid = pid
        self.group = group
        self.exit_code: int | None = None
        self.killed = False
        self._report = report
        self._confined = confined
        self._reported = b""
        self.namespaced = report >= 0
        self.init = -1
        self._init_pidfd = -1
        self._main: int | None = None if self.namespaced else pid
        self._is_confined = False
        self._files: dict[str, int] = {}  # of /proc, open
        self._stopped_alone = False
        for descriptor in (report, confined):
            if descriptor >= 0:
                os.set_blocking(descriptor, False)

    def main(self) -> int | None:
        """Return the process id of the bot's own first process, ``None`` if it is not there yet."""
        if self._main is None:
            self._read_report()
            if self.init > 0:
                self._main = next(iter(children_of(self.init)), None)
        return self._main

    def members(self) -> tuple[int, ...]:
        """Return the process ids of all that live now, the bot's own first process first.

        Where there is neither a control group nor a namespace, those that left their parents are
        not among them.
        """
        main = self.main()
        if main is None:
            return ()
        if self.group is not None:
            with contextlib.suppress(OSError):
                keepers = {self.pid, self.init, main}  # of which bubblewrap is two
                return (main, *(pid for pid in self.group.members() if pid not in keepers))
        if self.is_alone():
            return (main,)
        if not self.namespaced:
            return (main, *descendants(main))
        return tuple(dict.fromkeys((main, *descendants(self.init))))

    def is_alone(self, threads: int | None = None) -> bool:
        """Return whether the bot is one process of one thread now; 2 µs, as the files stay open.

        ``threads``: how many threads its first process has, where that was just read.
        """
        try:
            main = self.main()
            if threads is None:
                threads = os.stat(self._file(f"{main}/task")).st_nlink - 2
            if threads != 1 or os.pread(self._file(f"{main}/task/{main}/children"), 1, 0):
                return False
            if self.group is not None:  # an orphan may have gone elsewhere
                return {*self.group.members()} <= {self.pid, self.init, main}
            if not self.namespaced:
                return True
            below = os.pread(self._file(f"{self.init}/task/{self.init}/children"), 64, 0)
            return below.split() == [b"%d" % (main or 0)]
        except OSError:
            return False

    def is_asleep(self) -> bool:
        """Return whether the main thread of the bot's own first process waits for something.

        Raises:
            OSError: it is gone.
        """
        # asked for every match: of all fields only the first is cut out
        text = os.pread(self._file(f"{self.main() or self.pid}/stat"), REPORT_BYTES, 0)
        return text[text.rindex(b")") + 2 :][:1] == b"S"

    def stat(self, pid: int) -> list[bytes]:
        """Return what ``procfs.stat`` does of a member, through a file that stays open."""
        return os.pread(self._file(f"{pid}/stat"), REPORT_BYTES, 0).rpartition(b")")[2].split()

    def ran(self, wait_ms: int = 0) -> bool:
        """Return whether the program itself was started, as far as is known.

        bubblewrap tells an exit code only of what really ran: without one it was the isolation, or
        the execution of the program, that failed. Our own launcher says when the program is next,
        through a pipe that the program does not have.

        Args:
            wait_ms: how long to wait for bubblewrap's last word.
        """
        if self._confined >= 0:
            if not self._is_confined:
                with contextlib.suppress(BlockingIOError):
                    self._is_confined = os.read(self._confined, REPORT_BYTES) == READY
            return self._is_confined
        if not self.namespaced:
            return True
        self._read_report(wait_ms)
        return self.exit_code is not None

    def kill(self) -> None:
        """Kill every process that can be reached: the groups and the namespace as a whole."""
        self.killed = True
        if self.group is not None:
            self.group.kill()
        if self.namespaced:
            # bubblewrap's first process dies before bubblewrap, or it might outlive it: while it
            # is coming up its parent-death signal is not set yet
            self._read_report()
            if self._init_pidfd < 0:  # it has not told yet; it has no other child
                for child in children_of(self.pid):
                    with contextlib.suppress(OSError):
                        self._init_pidfd = os.pidfd_open(child)
            if self._init_pidfd >= 0:
                with contextlib.suppress(ProcessLookupError):
                    signal.pidfd_send_signal(self._init_pidfd, signal.SIGKILL)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)

    def wait_for_end(self, wait_ms: int) -> int | None:
        """Wait, at most so long, until all in the namespace have ended; nothing without one.

        Returns:
            Its first process, if it has ended. It is the last of them, and bubblewrap has ended
            before: so it is an orphan, to be waited for.
        """
        self._read_report()  # nobody may have asked before
        if self._init_pidfd < 0 or not is_readable(self._init_pidfd, wait_ms / 1000):
            return None
        return self.init

    def freeze(self) -> bool:
        """Stop every process of it; one that is being forked meanwhile is stopped, too.

        A control group does it at one instant, and nothing in it can tell. Without one it takes
        signals. A stopped process can be killed like any other.

        Returns:
            Whether all are stopped: not if there are new ones whenever one looks.
        """
        if self.group is not None and self.group.freeze():
            return True
        main = self.main()
        stopped = () if main is None else (main,)
        _signal(stopped, signal.SIGSTOP)
        # only now; a fork that is under way may escape this, as it may any walk
        self._stopped_alone = self.is_alone()
        if self._stopped_alone:
            return True
        known = set(stopped)
        for _ in range(FREEZE_ROUNDS):
            found = set(self.members()) - known
            if not found:
                return True
            _signal(found, signal.SIGSTOP)
            known |= found
        return False

    def thaw(self) -> None:
        """Have every process of it go on."""
        if self.group is not None and self.group.frozen:
            self.group.thaw()
            return
        main = self.main() if self._stopped_alone else None
        _signal(self.members() if main is None else (main,), signal.SIGCONT)

    def close(self) -> None:
        """Close every descriptor that was opened here, and read no other."""
        for descriptor in (self._init_pidfd, *self._files.values()):
            if descriptor >= 0:
                os.close(descriptor)
        self._report = self._init_pidfd = self._confined = -1
        self._files.clear()

    def _file(self, path: str) -> int:
        """Return a descriptor of something below /proc, which stays open."""
        descriptor = self._files.get(path)
        if descriptor is None:
            descriptor = self._files[path] = os.open(f"/proc/{path}", os.O_RDONLY | os.O_CLOEXEC)
        return descriptor

    def _read_report(self, wait_ms: int = 0) -> None:
        """Read the lines of JSON that bubblewrap has written; the last has the exit code."""
        while self._report >= 0 and self.exit_code is None:
            if not is_readable(self._report, wait_ms / 1000):
                return
            data = os.read(self._report, REPORT_BYTES)
            if not data:
                return
            self._reported += data
            # an object may be spread over several reads
            while (end := self._reported.find(b"}")) >= 0:
                report = json.loads(self._reported[: end + 1])
                self._reported = self._reported[end + 1 :]
                if "child-pid" in report:
                    self.init = int(report["child-pid"])
                    with contextlib.suppress(OSError):
                        self._init_pidfd = os.pidfd_open(self.init)
                if "exit-code" in report:
                    self.exit_code = int(report["exit-code"])


def _signal(pids: Iterable[int], number: int) -> None:
    for pid in pids:
        try:  # for every decision of a bot that is stopped: `suppress` takes longer than the call
            os.kill(pid, number)
        except (ProcessLookupError, PermissionError):
            continue
