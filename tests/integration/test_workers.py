"""Worker processes: all results come back, a killed one costs its match only, nothing is left."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import gc
import logging
import os
import re
import select
import selectors
import signal
import subprocess
import threading
from collections import deque
from collections.abc import Callable, Iterator
from multiprocessing import forkserver, resource_tracker
from pathlib import Path

import pytest
from support.match_jobs import QUICK, SCRIPTED, job, played_by, seat, whole, with_ballast
from support.needs import working
from support.waiting import is_gone, until, written

import arena.workers.gather as gather_module
import arena.workers.local as workers_module
import arena.workers.watched as watched
from arena.machine.logs import LogReceiver, log_to
from arena.machine.procfs import descendants
from arena.packed.said import unpack_words
from arena.session.match_session import play_match
from arena.session.probes import probe
from arena.values.errors import WorkerError
from arena.values.model import MatchJob
from arena.values.said import Piece, SaidWhere
from arena.workers.local import Lost, Played, Workers
from arena.workers.worker import Assignment

pytestmark = pytest.mark.usefixtures("small_games")


def short_match(number: int) -> MatchJob:
    return job(
        "pebbles(players=2)",
        seat("good"),
        seat("good", name="other"),
        setup="3 0,0 0",
        number=number,
    )


def hanging_match(number: int, pid_file: Path) -> MatchJob:
    """A match in which a bot writes down its process id and hangs for an hour."""
    program = pid_file.parent / "hang.py"
    program.write_text(
        "import os, sys, time\n"
        "open(sys.argv[1], 'a').write(f'{os.getpid()} {os.getppid()}\\n')\n"
        "time.sleep(3600)\n"
    )
    return job(
        "pebbles(players=2)",
        seat(str(pid_file), program=program),
        seat("good", name="other"),
        number=number,
    )


@contextlib.contextmanager
def killed_once_a_bot_runs(worker: int, pids: Path) -> Iterator[None]:
    """Kill a worker as soon as the bot of a ``hanging_match`` has written its process id."""

    def kill() -> None:
        written(pids)
        os.kill(worker, signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    yield
    killer.join()


def test_killed_worker_costs_its_match(tmp_path: Path) -> None:
    """A killed worker's match is lost, its bot is dead, the others are played by a new worker."""
    pids = tmp_path / "pids"
    pids.touch()
    matches = [hanging_match(0, pids), short_match(1), short_match(2)]

    with Workers(1) as workers:
        [old] = workers.pids()
        with killed_once_a_bot_runs(old, pids):
            outcomes = played_by(workers, matches)
        assert workers.pids() != [old]
    assert [type(outcome) for outcome in outcomes] == [Lost, Played, Played]
    assert isinstance(outcomes[0], Lost)
    assert outcomes[0].match.number == 0
    assert "exit code -9" in outcomes[0].reason
    bot = int(pids.read_text().split()[0])
    assert is_gone(bot)


def test_what_a_killed_worker_had_not_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the matches that a killed worker had, one is lost; the others are played, each once."""
    monkeypatch.setattr(watched, "IN_FLIGHT", 6)
    pids = tmp_path / "pids"
    pids.touch()
    matches = [hanging_match(0, pids), *map(short_match, range(1, 6))]

    with Workers(1) as workers:
        [old] = workers.pids()
        with killed_once_a_bot_runs(old, pids):
            first, *others = played_by(workers, matches)
    assert isinstance(first, Lost)
    assert first.match.number == 0
    assert [one.packed.number for one in others if isinstance(one, Played)] == [1, 2, 3, 4, 5]


def test_results_come_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """While a worker plays on, its results are gathered, up to a number."""
    monkeypatch.setattr(gather_module, "GATHER_SECONDS", 3600.0)
    monkeypatch.setattr(gather_module, "MOST", 2)
    rest = map(short_match, range(5))
    with Workers(1) as workers:
        found = [len(some) for some in workers.run(lambda place: next(rest, None), whole)]
    assert found == [2, 2, 1]


def test_what_has_come_is_handed_on_before_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C loses no result that has come: it is handed on first."""
    monkeypatch.setattr(gather_module, "GATHER_SECONDS", 3600.0)
    rest = map(short_match, range(9))
    given: list[int] = []

    def next_match(place: int) -> MatchJob | None:
        given.append(place)
        if len(given) == 4:  # it is asked for once two results have come
            raise KeyboardInterrupt
        return next(rest, None)

    found: list[Played | Lost] = []

    def play(workers: Workers) -> None:
        for some in workers.run(next_match, whole):
            found.extend(some)

    with Workers(1) as workers, pytest.raises(KeyboardInterrupt):
        play(workers)
    assert [one.packed.number for one in found if isinstance(one, Played)][:1] == [0]


class Hungry:
    """A worker that has room for many matches."""

    unsent = False

    def __init__(self) -> None:
        self.orders: deque[Assignment] = deque()

    def goal(self) -> int:
        return 33

    def give(self, orders: list[Assignment], make: object) -> None:
        self.orders.extend(orders)


def test_fewer_workers(tmp_path: Path) -> None:
    """Those that are too many end once they have played what they have; all is played."""
    matches = iter(map(short_match, range(40)))
    with Workers(3) as workers:
        before = workers.pids()
        numbers = []
        for results in workers.run(lambda place: next(matches, None), whole):
            numbers += [one.packed.number for one in results if isinstance(one, Played)]
            workers.use(1)
        assert workers.pids() == before[:1]
        assert sorted(numbers) == [*range(40)]
        assert all(map(is_gone, before[1:]))
        workers.use(3)
        assert [type(one) for one in played_by(workers, [short_match(40)])] == [Played]
        assert workers.pids() == before[:1], "it is for the rest of a run"


def test_no_worker_waits_while_matches_are_left() -> None:
    """However much workers have room for, what is left is dealt to all of them evenly."""
    workers = Workers(3)
    hungry = [Hungry() for _ in range(3)]
    vars(workers)["_workers"] = hungry
    hungry[1].orders.append(Assignment(short_match(0)))
    rest = map(short_match, range(1, 9))
    again = workers._hand_out(lambda place: next(rest, None), whole)
    assert again is None
    assert [len(each.orders) for each in hungry] == [3, 3, 3]


# A bot that sleeps, writes down its core, and is ready once every file that it is given is there.
MEETS = """\
import os, sys, time
seconds, mine, *others = sys.argv[1:]
time.sleep(float(seconds))
with open(mine + ".part", "w") as file:
    file.write(repr(sorted(os.sched_getaffinity(0))))
os.rename(mine + ".part", mine)
while not all(map(os.path.exists, others)):
    time.sleep(0.001)
sys.argv = ["scripted.py", "good"]
"""


def meeting(
    number: int, folder: Path, *others: str, seconds: float = 0.0, start_ms: int = 60_000
) -> MatchJob:
    """A match whose bots write ``NUMBER-SEAT``, and wait for others' files, then are ready.

    The first of them sleeps before it does anything.
    """
    working("limits")
    folder = folder / "bots"
    folder.mkdir(exist_ok=True)
    folder.chmod(0o777)  # bots have users of their own, and write here
    program = folder / "meets.py"
    program.write_text(MEETS + SCRIPTED.read_text())
    clock = dataclasses.replace(QUICK, start_ms=start_ms)
    seats = [
        seat(str(pause), f"{number}-{place}", *others, program=program, name=name, clock=clock)
        for place, (name, pause) in enumerate((("one", seconds), ("other", 0.0)))
    ]
    return job("pebbles(players=2)", *seats, setup="3 0,0 0", number=number, sandbox="limits")


def test_cores_are_dealt(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each worker has a core, in turn; where none is kept on one, the kernel decides."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {4, 5, 6})
    assert workers_module._dealt(2, pin=True) == [4, 5]
    assert workers_module._dealt(4, pin=True) == [4, 5, 6, 4]
    assert workers_module._dealt(2, pin=False) == [None, None]
    assert workers_module._dealt(2, [9, 7], pin=True) == [7, 9]


def test_a_worker_that_was_stopped_before_it_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """The runner does not wait until a worker reads: it looks on, and sends the rest later."""
    for module in (watched, workers_module, gather_module):
        monkeypatch.setattr(module, "LOOK_SECONDS", 0.05)
    make = functools.partial(with_ballast, b"x" * (4 << 20))  # more than any pipe has room for
    rest = map(short_match, range(2))
    looks: list[int] = []
    with Workers(1) as workers:
        [worker] = workers.pids()
        os.kill(worker, signal.SIGSTOP)

        def look() -> None:
            looks.append(worker)
            if len(looks) == 3:
                os.kill(worker, signal.SIGCONT)

        results = workers.run(lambda place: next(rest, None), make, look)
        outcomes = [one for some in results for one in some]
    assert [type(outcome) for outcome in outcomes] == [Played, Played]


def test_an_end_that_is_seen_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a worker's end and that of its log are seen in one look, in this order, all goes on."""
    select = selectors.DefaultSelector.select

    def log_last(
        self: selectors.DefaultSelector, timeout: float | None = None
    ) -> list[tuple[selectors.SelectorKey, int]]:
        found = select(self, timeout)
        return sorted(found, key=lambda event: isinstance(event[0].data, LogReceiver))

    monkeypatch.setattr(selectors.DefaultSelector, "select", log_last)
    given: list[int] = []

    def jobs() -> MatchJob | None:
        number = len(given)
        given.append(number)
        if number == 1:  # the runner does not look while it asks for a match
            [worker] = workers.pids()
            os.kill(worker, signal.SIGKILL)
            until(lambda: is_gone(worker))
        return short_match(number) if number < 3 else None

    with Workers(1) as workers:
        outcomes = played_by(workers, jobs)
    numbers = {o.match.number if isinstance(o, Lost) else o.packed.number for o in outcomes}
    assert numbers == {0, 1, 2}
    assert len(outcomes) == 3


def test_failing_match_is_lost_not_fatal() -> None:
    """An error of ours in a match comes back as its reason, and the worker goes on."""
    broken = job("pebbles(players=2)", seat("good"), seat("good"), setup="no setup", number=5)
    with Workers(1) as workers:
        outcomes = played_by(workers, [broken, short_match(6)])
    assert isinstance(outcomes[0], Lost)
    assert "BadSetup" in outcomes[0].reason
    assert isinstance(outcomes[1], Played)


def test_what_bots_said_comes_packed(tmp_path: Path) -> None:
    """What a bot wrote to stderr is packed in the worker, which has the time, as it was written."""
    program = tmp_path / "painter.py"
    program.write_text(
        "import sys\n"
        "print('\\x1b[2J\\tpainted', file=sys.stderr, flush=True)\n" + SCRIPTED.read_text()
    )
    match = job("pebbles(players=2)", seat("good", program=program), seat("good", name="other"))
    with Workers(1) as workers:
        [played] = played_by(workers, [match])
    assert isinstance(played, Played)
    said, nothing = unpack_words(played.packed.said, 2)
    assert said == (Piece(0, SaidWhere.STDERR, b"\x1b[2J\tpainted\n"),)
    assert nothing == ()


def test_somebody_looks_while_a_match_goes_on(tmp_path: Path) -> None:
    """What was given to look at is looked at while no result comes, and may end it all."""
    pids = tmp_path / "pids"
    pids.touch()

    class Enough(Exception):
        pass

    def look() -> None:
        if pids.stat().st_size:
            raise Enough

    with Workers(1) as workers, pytest.raises(Enough):
        played_by(workers, [hanging_match(0, pids)], look)
    assert is_gone(int(pids.read_text().split()[0]))


def test_workers_log_to_the_parent(caplog: pytest.LogCaptureFixture) -> None:
    """What a worker logs reaches the parent's handlers."""
    records: list[str] = []

    class Keep(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            records.append(record.getMessage())

    broken = job("pebbles(players=2)", seat("good"), seat("good"), setup="no setup")
    with log_to([Keep()]), Workers(1) as workers:
        played_by(workers, [broken])
    assert any("BadSetup" in line for line in records)


def test_hanging_worker_is_killed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A worker that shows no sign of life is killed, and its match is lost, not the run."""
    monkeypatch.setattr(workers_module, "SLACK_SECONDS", 0.5)
    monkeypatch.setattr(workers_module, "LOOK_SECONDS", 0.05)
    pids = tmp_path / "pids"
    pids.touch()
    with Workers(1) as workers:
        [old] = workers.pids()

        def stop_once_the_bot_runs() -> None:
            written(pids)
            os.kill(old, signal.SIGSTOP)

        stopper = threading.Thread(target=stop_once_the_bot_runs)
        stopper.start()
        outcomes = played_by(workers, [hanging_match(0, pids)])
        stopper.join()
    assert isinstance(outcomes[0], Lost)
    assert is_gone(old)


def test_workers_that_never_take_a_match(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where every worker ends before it takes its match, the run ends, too, with a sentence."""
    start = Workers._start

    def start_dying(self: Workers, core: int | None) -> object:
        worker = start(self, core)
        os.kill(worker.process.pid or 0, signal.SIGKILL)
        return worker

    monkeypatch.setattr(Workers, "_start", start_dying)
    with Workers(1) as workers, pytest.raises(WorkerError, match="before they took a match"):
        played_by(workers, [short_match(0)])


def test_who_has_delivered_does_not_hang(monkeypatch: pytest.MonkeyPatch) -> None:
    """Answers are read before hangs are judged, however long the runner was away between them."""

    class Away:
        """A clock that stands still, but for an hour whenever a result has been handled."""

        now = 0.0

        def monotonic(self) -> float:
            return self.now

        def sleep(self, seconds: float) -> None:
            pass

    clock = Away()
    with Workers(2) as workers:
        pids = workers.pids()
        monkeypatch.setattr(workers_module, "time", clock)
        played = []
        rest = map(short_match, range(12))
        for results in workers.run(lambda place: next(rest, None), whole):
            for outcome in results:
                assert isinstance(outcome, Played)
                played.append(outcome.packed.number)
            clock.now += 3600.0
            select.select([], [], [], 0.1)  # both workers deliver, and wait, meanwhile
        assert sorted(played) == list(range(12))
        assert workers.pids() == pids
        monkeypatch.undo()


# children of the program that runs us

DOUBLE_FORK = """\
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for number in range(256):
            try:
                os.close(number)
            except OSError:
                pass
        file = os.open(sys.argv[1], os.O_WRONLY | os.O_APPEND)
        os.write(file, b"%d\\n" % os.getpid())
        os.execve("/bin/sleep", ["sleep", "3600"], {})
    os._exit(0)
time.sleep(3600)
"""


def with_orphan(number: int, folder: Path) -> MatchJob:
    """A match whose bot hangs, and leaves behind a process that has taken off all it can."""
    program = folder / "orphan.py"
    program.write_text(DOUBLE_FORK)
    return job(
        "pebbles(players=2)",
        seat(str(folder / "orphans"), program=program),
        seat("good", name="other"),
        number=number,
    )


def test_other_children_are_left_alone(tmp_path: Path) -> None:
    """A child that the host starts meanwhile lives on, and its exit status stays the host's.

    The orphan of a dead worker's bot dies, in whatever session and environment it is.
    """
    orphans = tmp_path / "orphans"
    orphans.touch()
    started: list[subprocess.Popen[bytes]] = []
    with Workers(1) as workers:
        [old] = workers.pids()

        def kill_once_it_has_left_one() -> None:
            while orphans.read_text().count("\n") < 1:
                os.sched_yield()
            for command in ("sleep 3600", "exit 7"):
                for session in (True, False):
                    words = ["sh", "-c", f"exec {command}"] if "sleep" in command else []
                    started.append(
                        subprocess.Popen(words or ["sh", "-c", command], start_new_session=session)
                    )
            os.kill(old, signal.SIGKILL)

        thread = threading.Thread(target=kill_once_it_has_left_one)
        thread.start()
        outcomes = played_by(workers, [with_orphan(0, tmp_path), short_match(1)])
        thread.join()
        # also those of the first thread, whose children the orphans become
        started.append(subprocess.Popen(["sh", "-c", "exec sleep 3600"], start_new_session=True))
        ended = subprocess.Popen(["sh", "-c", "exit 7"])
        os.waitid(os.P_PID, ended.pid, os.WEXITED | os.WNOWAIT)
    assert [type(outcome) for outcome in outcomes] == [Lost, Played]
    assert is_gone(int(orphans.read_text()))
    sleeping = [process for process in started if process.args[-1] != "exit 7"]  # type: ignore[index]
    assert len(sleeping) == 3
    for process in sleeping:
        assert process.poll() is None
        process.kill()
        assert process.wait() == -signal.SIGKILL
    for process in {*started, ended} - {*sleeping}:
        assert process.wait() == 7


@pytest.mark.slow
def test_a_match_of_the_host_leaves_its_children_alone(tmp_path: Path) -> None:
    """A match that the host plays itself ends its bots' orphans, and no child of the host."""
    orphans = tmp_path / "orphans"
    orphans.touch()
    started: list[subprocess.Popen[bytes]] = []

    def watch(referee: object) -> None:
        if not started:
            started.append(subprocess.Popen(["sleep", "3600"], start_new_session=True))

    result = play_match(with_orphan(0, tmp_path), watch=watch)
    assert result.record.faults[0].player == 0
    assert is_gone(int(orphans.read_text()))
    [child] = started
    assert child.poll() is None
    child.kill()
    child.wait()


# what bots inherit


def test_bots_hold_no_socket_of_ours(tmp_path: Path) -> None:
    """Of a worker's sockets and pipes a bot has its own three, at every level that works here."""
    for level in ("none", "limits", "landlock", "bwrap"):
        if probe(level) is not None:
            continue
        pids = tmp_path / f"pids-{level}"
        pids.touch()
        match = dataclasses.replace(hanging_match(0, pids), sandbox=level)
        sockets: list[str] = []
        with Workers(1) as workers:
            [worker] = workers.pids()

            def look_and_kill(worker: int = worker, sockets: list[str] = sockets) -> None:
                bots: list[int] = []
                while not any(b"hang.py" in command_line(pid) for pid in bots):
                    bots = list(descendants(worker))
                ours = {*links(worker), *links(os.getpid())}
                for bot in bots:
                    line = command_line(bot)  # first: a fork holds all until it executes a bot
                    if line and line != command_line(worker) and b"confine.py" not in line:
                        # pym-… is the memory that signs of life are given in
                        wrong = (name for name in links(bot) if re.search(r"^socket:|/pym-", name))
                        sockets.extend(wrong)
                        held = {name for name in links(bot) if name.startswith("pipe:")} & ours
                        assert len(held) <= 3 + 2  # bubblewrap reports through two more
                os.kill(worker, signal.SIGKILL)

            thread = threading.Thread(target=look_and_kill)
            thread.start()
            played_by(workers, [match])
            thread.join()
        assert sockets == [], level


def links(pid: int) -> list[str]:
    """Return what the descriptors of a process lead to."""
    found = []
    with contextlib.suppress(OSError):
        for number in os.listdir(f"/proc/{pid}/fd"):
            with contextlib.suppress(OSError):
                found.append(os.readlink(f"/proc/{pid}/fd/{number}"))
    return found


def command_line(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


# a fork server, and a resource tracker, that somebody kills


def server_pid() -> int:
    pid: int = vars(forkserver._forkserver)["_forkserver_pid"]
    return pid


def end_server() -> None:
    """Kill the fork server, and see it dead."""
    os.kill(server_pid(), signal.SIGKILL)
    os.waitid(os.P_PID, server_pid(), os.WEXITED | os.WNOWAIT)


@pytest.fixture
def fragile(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, int], list[int]]:
    """Return a function that has the fork server die so many times, at a step of a start.

    Steps: ``before`` anybody connects, or ``after`` it was asked for a worker.
    """

    def have_it_die(step: str, times: int) -> list[int]:
        deaths: list[int] = []
        ensure, read = forkserver._forkserver.ensure_running, forkserver.read_signed

        def ensure_running() -> None:
            ensure()
            if step == "before" and len(deaths) < times:
                deaths.append(server_pid())
                end_server()

        def read_signed(descriptor: int) -> int:
            if step == "after" and len(deaths) < times:
                deaths.append(server_pid())
                end_server()
                raise EOFError("unexpected EOF")  # unless it has answered just before
            number: int = read(descriptor)
            return number

        monkeypatch.setattr(workers_module, "START_PAUSE", 0.0)
        monkeypatch.setattr(forkserver._forkserver, "ensure_running", ensure_running)
        monkeypatch.setattr(forkserver, "read_signed", read_signed)
        return deaths

    return have_it_die


@pytest.mark.parametrize("step", ["before", "after"])
def test_a_dying_fork_server_is_replaced(
    step: str, fragile: Callable[[str, int], list[int]]
) -> None:
    """A fork server that dies while a worker starts is replaced, and the match is played."""
    deaths = fragile(step, workers_module.STARTS - 1)
    with Workers(1) as workers:
        outcomes = played_by(workers, [short_match(0)])
    assert [type(outcome) for outcome in outcomes] == [Played]
    assert len(set(deaths)) == workers_module.STARTS - 1


@pytest.mark.parametrize("step", ["before", "after"])
def test_a_fork_server_that_dies_always(
    step: str, fragile: Callable[[str, int], list[int]]
) -> None:
    """After some attempts the arena has failed: exit code 3, a sentence, and nothing left open."""
    with Workers(1):  # opens what this process keeps for all workers there will be
        pass
    gc.collect()
    before = len(os.listdir("/proc/self/fd"))
    deaths = fragile(step, 1000)
    with pytest.raises(WorkerError, match="no worker can be started") as caught, Workers(2):
        pass
    assert caught.value.exit_code == 3
    assert len(deaths) == workers_module.STARTS
    gc.collect()
    # the fork server's pipe, and the tracker's
    assert len(os.listdir("/proc/self/fd")) <= before + 2


def test_a_killed_tracker_is_nobodys_business() -> None:
    """Where multiprocessing's resource tracker was killed, workers start without a warning."""
    resource_tracker.ensure_running()
    pid: int = vars(resource_tracker._resource_tracker)["_pid"]
    os.kill(pid, signal.SIGKILL)
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    with Workers(1) as workers:
        outcomes = played_by(workers, [short_match(0)])
    assert [type(outcome) for outcome in outcomes] == [Played]
