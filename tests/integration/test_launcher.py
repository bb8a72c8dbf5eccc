"""The launcher: it forks for every start, is nobody's stray, and goes with its worker."""

from __future__ import annotations

import errno
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from support.match_jobs import job, seat
from support.needs import working

from arena.process import launcher, stop_all
from arena.process.bot import BotProcess, LaunchError, become_subreaper, children, kill_strays
from arena.sandbox import confine
from arena.sandbox.confine import FAILED
from arena.sandbox.interface import Launch
from arena.sandbox.orders import orders
from arena.session.match_session import play_match
from arena.session.trial import Trial, run_trial
from arena.values.errors import Lack, MatchVoid

SECONDS = 30.0


def ordered(*argv: str, **more: object) -> Launch:
    """Return a start by the launcher that takes nothing from the program but memory dumps."""
    how = Launch(argv, {"WORD": "a=b"}, "/", orders(os.getpid(), {4: 0}))
    return how._replace(**more)  # type: ignore[arg-type]


def python(text: str, **more: object) -> Trial:
    """Run a Python program by the launcher."""
    return run_trial(ordered(sys.executable, "-I", "-S", "-c", text, **more), SECONDS)


def gone(pidfd: int) -> bool:
    """Return whether a process has ended, waiting for it."""
    poll = select.poll()
    poll.register(pidfd, select.POLLIN)
    return bool(poll.poll(SECONDS * 1000))


def test_a_step_that_is_refused_ends_the_start() -> None:
    """Whatever the kernel refuses, by whichever call, is no start: the program is not executed."""
    for how, step, error in (
        (ordered("/bin/true", folder="/etc/passwd"), "start", errno.ENOTDIR),
        (ordered("/bin/true", orders=orders(os.getpid(), {99: 0})), "limits", errno.EINVAL),
    ):
        trial = run_trial(how, SECONDS)
        assert trial.code == FAILED
        assert trial.err.startswith(f"confine: {step} {error}: ")


@pytest.mark.parametrize("most", [-1, 1 << 64])
def test_an_order_that_makes_no_sense_ends_the_start(most: int) -> None:
    """A limit that is no limit is said to be wrong; the launcher goes on, and no start waits."""
    before = launcher.launchers()
    trial = run_trial(ordered("/bin/true", orders=orders(os.getpid(), {4: most})), SECONDS)
    assert trial.code == FAILED
    assert trial.err.startswith("confine: start ")
    assert "OverflowError" in trial.err
    assert launcher.launchers() >= before


@pytest.mark.parametrize(
    "call",
    [
        lambda: confine._call("prlimit", 0, 99, bytes(16), None),
        lambda: confine._call("fcntl", 1 << 20, 0, 0),
        lambda: confine._control("PR_SET_SECCOMP", 22, 9, bytes(16)),
        lambda: confine._kernel("landlock_create_ruleset", 444, bytes(8), 1, 0),
    ],
)
def test_a_call_that_fails_is_an_error(call: Callable[[], object]) -> None:
    """The C library gives -1 as 32 bits or as 64: both are below zero."""
    with pytest.raises(OSError, match=r"."):
        call()


def test_a_program_is_our_child_in_a_session_of_its_own() -> None:
    """A program is a child of ours and leads its session; folder, words and environment are its."""
    text = (
        "import os\n"
        "print(os.getppid(), os.getsid(0) == os.getpid() == os.getpgid(0))\n"
        "print(os.getcwd())\n"
    )
    trial = python(text, folder="/usr")
    assert trial.out == f"{os.getpid()} True\n/usr\n"
    assert (trial.code, trial.err) == (0, "")
    assert run_trial(ordered("/usr/bin/env"), SECONDS).out == "WORD=a=b\n"


def test_a_program_without_orders_dies_with_us() -> None:
    """Whatever else is ordered, the kernel kills a program when its worker dies."""
    text = (
        "import ctypes\n"
        "number = ctypes.c_int()\n"
        "ctypes.CDLL(None).prctl(2, ctypes.byref(number))\n"  # PR_GET_PDEATHSIG
        "print(number.value)\n"
    )
    assert python(text, orders=()).out == f"{int(signal.SIGKILL)}\n"


@pytest.mark.parametrize("clone3", [435, 100_000], ids=["newer kernels", "without clone3"])
def test_a_fork_is_a_child_of_whoever_asked(clone3: int) -> None:
    """The launcher's fork is our own child, also where containers refuse the newer call."""
    program = (
        "import os, sys; from arena.sandbox import confine; confine._CLONE3 = int(sys.argv[1]); "
        "confine._ALONE = confine._clone_arguments(0, 0); "
        "pid = confine._fork(-1); pid or os._exit(7); print(pid)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(clone3)], capture_output=True, check=True, text=True
    )
    assert os.waitpid(int(done.stdout), 0)[1] == 7 << 8


def test_it_ends_as_it_ended() -> None:
    """Exit codes and signals come through, and a program that is not there is told of."""
    assert python("raise SystemExit(7)").code == 7
    assert python("import os; os.kill(os.getpid(), 9)").code == -9
    trial = run_trial(ordered("/no/such"), SECONDS)
    assert (trial.code, trial.err) == (127, "/no/such: No such file or directory\n")
    trial = run_trial(ordered("/bin/true", folder="/no/such"), SECONDS)
    assert trial.code == FAILED


FREEZER = Path("/sys/fs/cgroup/freezer")  # of version 1: what it has stopped cannot even be killed


def test_one_that_cannot_be_killed_is_not_waited_for_without_end() -> None:
    """A process that stays in the kernel after its SIGKILL is given up for now."""
    folder = FREEZER / f"arena-test-{os.getpid()}"
    try:
        folder.mkdir()
    except OSError as error:
        pytest.skip(f"no process can be frozen: {error.strerror}")
    child = subprocess.Popen(["/bin/cat"], stdin=subprocess.PIPE)
    try:
        (folder / "tasks").write_text(str(child.pid))
        (folder / "freezer.state").write_text("FROZEN")
        child.kill()
        assert stop_all.reap(child.pid, 0.05) is None
        assert stop_all.end_all(lambda: [child.pid], 0.05) == (0, False)
    finally:
        (folder / "freezer.state").write_text("THAWED")
    end = stop_all.reap(child.pid)
    assert end is not None
    assert end.code == -signal.SIGKILL
    child.returncode = -signal.SIGKILL
    assert child.stdin is not None
    child.stdin.close()
    remove(folder)


def test_descriptors_keep_their_numbers() -> None:
    """A program has its pipes and what it is lent, each under its number, and nothing else."""
    one, two = (os.open(place, os.O_RDONLY | os.O_CLOEXEC) for place in ("/", "/usr"))
    lists = (
        "import os\n"
        "for number in range(3, 300):\n"
        "    try:\n"
        "        print(number, os.readlink(f'/proc/self/fd/{number}'))\n"
        "    except OSError:\n"
        "        pass\n"
    )
    try:
        for lent in ((one, two), (two, one), (two,)):
            places = {number: "/" if number == one else "/usr" for number in sorted(lent)}
            expected = "".join(f"{number} {place}\n" for number, place in places.items())
            assert python(lists, inherited=lent).out == expected
    finally:
        os.close(one)
        os.close(two)


def test_cores_and_signals_are_as_here() -> None:
    """A program runs on the CPUs of its worker as they are now, and dies by SIGPIPE."""
    cores = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {min(cores)})
        out = python("import os; print(os.sched_getaffinity(0))").out
        assert out == f"{ {min(cores)} }\n"
    finally:
        os.sched_setaffinity(0, cores)
    # not by Python, which ignores them again
    ignored = run_trial(ordered("/bin/grep", "SigIgn:", "/proc/self/status"), SECONDS).out
    bits = int(ignored.split()[1], 16)
    assert not bits >> (signal.SIGPIPE - 1) & 1
    assert not bits >> (signal.SIGXFSZ - 1) & 1
    assert not bits >> 31 & 0b11  # 32 and 33, which the C library ignores when it starts somebody


def test_the_kernel_takes_a_program_before_us() -> None:
    """Where memory runs out a program goes first, from its first step, and its launcher, too."""
    trial = run_trial(ordered("/bin/cat", "/proc/self/oom_score_adj"), SECONDS)
    assert int(trial.out) >= 500
    (pid,) = launcher.launchers()
    assert int(Path(f"/proc/{pid}/oom_score_adj").read_text()) >= 500
    assert int(Path("/proc/self/oom_score_adj").read_text()) < 500


def test_words_may_be_long_and_of_any_bytes() -> None:
    """Words pass unchanged, whatever their bytes and length; a zero byte is refused."""
    odd = os.fsdecode(b"\xff\n=")
    text = "import os, sys; print(len(sys.argv[1]), os.fsencode(sys.argv[2]))"
    how = ordered(sys.executable, "-I", "-S", "-c", text, "x" * 100_000, odd)
    assert run_trial(how, SECONDS).out == f"100000 {os.fsencode(odd)!r}\n"
    with pytest.raises(LaunchError, match="null byte"):
        BotProcess(ordered("/bin/true", "a\0b"))


def test_the_same_request_again_is_another_start() -> None:
    """What was asked before is started again, with the pipes of this time; so are many others."""
    for number in (*range(confine.MOST_PROGRAMS + 2), 0, 0):
        trial = run_trial(ordered("/bin/sh", "-c", 'echo $0 "$WORD" $$', str(number)), SECONDS)
        assert trial.out.startswith(f"{number} a=b "), number
    out = {run_trial(ordered("/bin/sh", "-c", "echo $$"), SECONDS).out for _ in range(3)}
    assert len(out) == 3


def test_a_program_bears_our_brand_from_birth() -> None:
    """Processes that a program starts at once differ from the other children of its parent."""
    limits = run_trial(ordered("/bin/cat", "/proc/self/limits"), SECONDS).out
    (line,) = (line for line in limits.splitlines() if line.startswith("Max file locks"))
    assert line.split()[3].isdigit()


def test_it_stays_and_is_replaced_when_killed() -> None:
    """Sweeps spare a launcher, starts share it, and after its death there is another."""
    spare = children()  # a fork server of other tests
    python("pass")
    before = launcher.launchers()
    assert len(before) == 1
    assert kill_strays(spare) == 0
    assert python("print(1)").out == "1\n"
    assert launcher.launchers() == before
    os.kill(next(iter(before)), signal.SIGKILL)
    assert python("print(2)").out == "2\n"
    after = launcher.launchers()
    assert len(after) == 1
    assert after != before
    assert not children() & (before | after)


DYING = """
import posix

def dying(work, *, after):
    def work_and_die(*words):
        done = work(*words) if after else None
        if done != 0:
            try:
                posix.unlink({flag!r})
            except OSError:
                pass
            else:
                posix.kill(posix.getpid(), 9)
        return done if after else work(*words)
    return work_and_die
"""
BEFORE = "confine._Request = dying(confine._Request, after=False)\n"  # it was read: that is all
AFTER = "confine._fork = dying(confine._fork, after=True)\n"


def one_that_dies(border: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the next launcher kill itself when it crosses a border first, and no other."""
    flag = folder / "not-yet"
    flag.touch()
    text = launcher.MAIN.replace(
        "confine.main(", DYING.format(flag=str(flag)) + border + "confine.main("
    )
    assert text != launcher.MAIN
    launcher.dismiss_launcher()
    monkeypatch.setattr(launcher, "MAIN", text)


@pytest.mark.parametrize("border", [BEFORE, AFTER], ids=["before", "after"])
def test_one_that_dies_while_it_starts_a_program(
    border: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody knows whether the program runs: it is ended, and nothing is asked for twice."""
    one_that_dies(border, tmp_path, monkeypatch)
    become_subreaper()
    spare = children()
    with pytest.raises(MatchVoid, match="killed") as caught:
        python("print(1)")
    assert caught.value.lack is None
    assert children() == spare, "what it had forked has ended before anybody hears of it"
    assert python("print(2)").out == "2\n"


@pytest.mark.parametrize("level", ["bwrap", "landlock"])
def test_a_match_whose_launcher_dies_is_void(
    level: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A launcher that is killed after it has forked, and before it answers, costs no bot a match.

    Two programs with one pair of pipes would be left, of which the second has no filter to load.
    """
    working(level)
    match = job("leaves", seat("good"), seat("good"), sandbox=level)
    one_that_dies(AFTER, tmp_path, monkeypatch)
    with pytest.raises(MatchVoid, match="killed"):
        play_match(match)
    assert play_match(match).record.by == "rules"


def test_one_that_does_not_answer_is_a_lack(monkeypatch: pytest.MonkeyPatch) -> None:
    """A launcher that is too slow may still fork: it is ended, and a match is void and waits."""
    spare = children()
    launcher.dismiss_launcher()
    monkeypatch.setattr(launcher, "ANSWER_SECONDS", 0.05)
    main = launcher.MAIN.replace("confine.main(", "import time; time.sleep(3600); confine.main(")
    with monkeypatch.context() as slow:
        slow.setattr(launcher, "MAIN", main)
        with pytest.raises(MatchVoid) as caught:
            python("print(1)")
    assert caught.value.lack is Lack.PROCESSES
    assert children() == spare
    monkeypatch.setattr(launcher, "ANSWER_SECONDS", SECONDS)
    assert python("print(2)").out == "2\n"


def test_it_is_dismissed() -> None:
    """A launcher that is dismissed has ended and been waited for; the next start gets another."""
    python("pass")
    (pid,) = launcher.launchers()
    launcher.dismiss_launcher()
    assert launcher.launchers() == frozenset()
    with pytest.raises(ChildProcessError):
        os.waitpid(pid, 0)
    assert python("print(3)").out == "3\n"


def test_an_answer_is_never_taken_for_another() -> None:
    """Where the wait for an answer is broken off, the next start has an answer of its own."""
    spare = children()

    def break_off(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    python("pass")
    (pid,) = launcher.launchers()
    before = signal.signal(signal.SIGALRM, break_off)
    os.kill(pid, signal.SIGSTOP)  # so that it does not answer
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(KeyboardInterrupt):
            launcher.fork_program(ordered("/bin/cat"))
    finally:
        signal.signal(signal.SIGALRM, before)
    assert pid not in launcher.launchers()
    assert python("import os; print(os.getppid())").out == f"{os.getpid()}\n"
    assert kill_strays(spare) == 0


def test_each_thread_has_its_own() -> None:
    """What a thread starts is its own child's fork, and the launcher goes when the thread ends."""
    python("pass")
    ours = launcher.launchers()
    found: list[frozenset[int]] = []

    def start() -> None:
        bot = BotProcess(ordered("/bin/cat"))
        bot.kill()
        found.append(launcher.launchers())

    thread = threading.Thread(target=start)
    thread.start()
    thread.join(SECONDS)
    assert len(found[0] - ours) == 1
    assert launcher.launchers() == ours


WORKER = """
import os, sys
from arena.process import launcher, stop_all
from arena.process.bot import BotProcess
from arena.sandbox.orders import orders
from arena.sandbox.interface import Launch
bot = BotProcess(Launch(("/bin/cat",), {}, "/", orders(os.getpid(), {4: 0})))
print(bot.pid, *launcher.launchers(), flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_it_dies_with_its_worker(number: signal.Signals) -> None:
    """When a worker dies, so do its launcher and the bots that this has forked."""
    worker = subprocess.Popen(
        (sys.executable, "-c", WORKER),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[2],
    )
    assert worker.stdout is not None
    assert worker.stdin is not None
    pids = [int(word) for word in worker.stdout.readline().split()]
    assert len(pids) == 2
    pidfds = [os.pidfd_open(pid) for pid in pids]
    worker.send_signal(number)
    assert worker.wait(SECONDS) == -number
    assert all(gone(pidfd) for pidfd in pidfds)
    for pidfd in pidfds:
        os.close(pidfd)
    worker.stdin.close()
    worker.stdout.close()


GROUPS = Path("/sys/fs/cgroup")
UNIFIED = GROUPS / "unified"  # beside version 1, where that is used as well


def test_a_program_begins_in_its_control_group() -> None:
    """A program is born in the group that it was ordered into."""
    folder = (UNIFIED if UNIFIED.exists() else GROUPS) / f"arena-test-{os.getpid()}"
    try:
        folder.mkdir()
    except OSError as error:
        pytest.skip(f"no control group can be made: {error.strerror}")
    place = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    how = ordered("/bin/sh", "-c", "cat /proc/self/cgroup; ls /proc/self/fd | wc -l; exec cat")
    try:
        child = launcher.fork_program(how, group=place)
        lines = [child.stdout.readline()]
        while not lines[-1].strip().isdigit():
            lines.append(child.stdout.readline())
        assert f"/{folder.name}\n".encode() in b"".join(lines)
        assert int(lines[-1]) == 4  # what lists them has one open itself
        child.kill()
        assert child.returncode == -signal.SIGKILL
        for stream in (child.stdin, child.stdout, child.stderr):
            stream.close()
    finally:
        os.close(place)
        remove(folder)


def remove(folder: Path) -> None:
    """Remove a control group, which the kernel holds for an instant after its last one's death."""
    deadline = time.monotonic() + SECONDS
    while True:
        try:
            return folder.rmdir()
        except OSError:
            if time.monotonic() > deadline:
                raise


def test_nobody_is_started_for_an_arena_that_is_gone() -> None:
    """Where the parent is another than ordered, the program does not run."""
    trial = run_trial(ordered("/bin/echo", "ran", orders=orders(1, {4: 0})), SECONDS)
    assert (trial.out, trial.code) == ("", FAILED)
    assert "the arena is gone" in trial.err


MANY = """
import os, resource
soft, hard = 100, resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
from arena.process.launcher import use_all_files
from arena.sandbox.interface import Launch
from arena.session.trial import run_trial
use_all_files()
for _ in range(2 * soft):
    lent = os.open("/usr", os.O_RDONLY | os.O_CLOEXEC)
shell = ("/bin/sh", "-c", f"readlink /proc/self/fd/{lent} /proc/self/fd/{lent - 1}; ulimit -n")
for inherited in ((lent,), (lent, 5)):
    print(run_trial(Launch(shell, {}, "/", inherited=inherited), 30.0).out)
"""


def test_what_is_lent_may_have_a_high_number() -> None:
    """A worker with many files open lends them; what it starts may itself open as few as before."""
    done = subprocess.run(
        [sys.executable, "-c", MANY], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.split() == ["/usr", "100"] * 2


def test_more_files_are_for_us_alone() -> None:
    """A worker may open as many files as its user may; what it starts has the limit of before."""
    script = (
        "import resource, sys\n"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (300, 400))\n"
        "from arena.process.launcher import use_all_files\n"
        "from arena.sandbox.interface import Launch\n"
        "from arena.session.trial import run_trial\n"
        "use_all_files()\n"
        "print(resource.getrlimit(resource.RLIMIT_NOFILE))\n"
        "print(run_trial(Launch(('/bin/sh', '-c', 'ulimit -n'), {}, '/'), 30.0).out)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.split("\n")[:2] == ["(400, 400)", "300"]


def test_an_end_that_somebody_else_took_note_of_is_unknown() -> None:
    """A killed bot whose end was waited for by a sweep has not ended well; nobody knows how."""
    bot = BotProcess(ordered("/bin/sleep", "60"))
    os.kill(bot.pid, signal.SIGKILL)
    os.waitpid(bot.pid, 0)
    assert bot.why_it_ended() is None
    assert bot.exit_code() is None
    assert bot.how_it_ended() == "it exited"
    bot.kill()  # which sends nothing to a process id that may be another's


def test_a_killed_child_is_known_to_be_killed() -> None:
    """Nobody else takes note of its end, so that its exit code is the signal."""
    bot = BotProcess(ordered("/bin/sleep", "60"))
    os.kill(bot.pid, signal.SIGKILL)
    assert gone(bot.pidfd)
    assert bot.exit_code() == -signal.SIGKILL
    bot.kill()
