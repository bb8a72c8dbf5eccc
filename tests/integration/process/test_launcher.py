"""The launcher: it forks for every start, is nobody's stray, and goes with its worker."""

from __future__ import annotations

import itertools
import os
import signal
import sys
from io import FileIO
from pathlib import Path

import pytest
from support.arena_command import ROOT
from support.needs import working
from support.piped import Piped
from support.ran import PYTHON, printed
from support.waiting import is_gone, removed, until

from arena.isolation.trial import Trial, run_trial
from arena.machine import procfs, run_folder
from arena.machine.run_folder import is_word_of
from arena.process import launcher
from arena.process.bot import BotProcess, LaunchError
from arena.sandbox import LEVELS, Task, confine, find_level
from arena.sandbox.confine import FAILED
from arena.sandbox.interface import Launch, Orders
from arena.values.errors import MatchVoid

SECONDS = 30.0


def ordered(*argv: str, **more: object) -> Launch:
    """Return a start by the launcher that takes nothing from the program but memory dumps."""
    how = Launch(argv, {"WORD": "a=b"}, "/", Orders({4: 0}))
    return how._replace(**more)  # type: ignore[arg-type]


def python(text: str, **more: object) -> Trial:
    """Run a Python program by the launcher."""
    return run_trial(ordered(sys.executable, "-I", "-S", "-c", text, **more), SECONDS)


def test_a_program_is_in_a_session_of_its_own() -> None:
    """A program leads its session; folder, words and environment are its."""
    text = "import os\nprint(os.getsid(0) == os.getpid() == os.getpgid(0))\nprint(os.getcwd())\n"
    trial = python(text, folder="/usr")
    assert trial.out == "True\n/usr\n"
    assert (trial.code, trial.err) == (0, "")
    assert run_trial(ordered("/usr/bin/env"), SECONDS).out.splitlines()[1] == "WORD=a=b"


def test_program_without_orders_dies_with_worker() -> None:
    """A program that was started without orders is killed when its worker dies."""
    text = (
        "import ctypes\n"
        "number = ctypes.c_int()\n"
        "ctypes.CDLL(None).prctl(2, ctypes.byref(number))\n"  # PR_GET_PDEATHSIG
        "print(number.value)\n"
    )
    assert python(text, orders=Orders()).out == f"{int(signal.SIGKILL)}\n"


@pytest.mark.parametrize("filling", ["x", "x" * confine.USUAL_BYTES], ids=["short", "long"])
def test_each_start_has_a_word_of_its_own(filling: str) -> None:
    """The same program gets another word each time, of which this process's folder knows all."""
    how = ordered("/usr/bin/env")._replace(env={"FILLING": filling})
    lines = [run_trial(how, SECONDS).out.splitlines() for _ in range(3)]
    assert {len(each) for each in lines} == {2}
    words = {each[0].removeprefix("ARENA_RUN=") for each in lines}
    assert len(words) == 3
    assert all(is_word_of([run_folder._own_run()[0].key], word) for word in words)


IGNORING = """
import signal, sys
from arena.sandbox import Task, find_level
from arena.isolation.trial import run_trial
for number in set(range(1, 65)) - {9, 19, 32, 33}:
    signal.signal(number, signal.SIG_IGN)
signal.signal(signal.SIGCHLD, signal.SIG_DFL)
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM, signal.SIGRTMAX})
task = Task((sys.executable, "-I", "-S", "./look.py"), sys.argv[1])
print(run_trial(find_level(sys.argv[2]).launch(task), 30))
"""
LOOK = """
import signal
seen = [n for n in signal.valid_signals() if signal.getsignal(n) == signal.SIG_IGN]
print(*map(int, seen), "blocked", *signal.pthread_sigmask(signal.SIG_BLOCK, ()))
try:
    with open("/proc/self/status") as file:
        print(*(line.split()[1] for line in file if line.startswith(("SigBlk", "SigIgn"))))
except OSError:
    print("no /proc")
"""


@pytest.mark.parametrize("level", LEVELS)
def test_program_ignores_no_signal(level: str, tmp_path: Path) -> None:
    """A program ignores and blocks no signal, whatever the arena ignores or blocks."""
    tmp_path.chmod(0o755)
    (tmp_path / "look.py").write_text(LOOK)
    found = printed(PYTHON, "-c", IGNORING, tmp_path, working(level))
    # Python itself ignores SIGPIPE and SIGXFSZ
    own = f"{0:016x} {1 << 12 | 1 << 24:016x}"
    place = "no /proc" if level == "landlock" else own
    assert f"out='13 25 blocked\\n{place}\\n'" in found


@pytest.mark.parametrize("clone3", [435, 100_000], ids=["newer kernels", "without clone3"])
def test_a_fork_is_a_child_of_the_launcher(clone3: int) -> None:
    """The launcher waits for its fork, also where containers refuse the newer call."""
    program = (
        "import os, sys; from arena.sandbox import confine; confine._CLONE3 = int(sys.argv[1]); "
        "confine._ALONE = confine._clone_arguments(0, 0); "
        "pid = confine._fork(-1); pid or os._exit(7); print(os.waitpid(pid, 0)[1])"
    )
    assert int(printed(PYTHON, "-c", program, clone3)) == 7 << 8


def test_descriptors_come_in_order() -> None:
    """A program has its pipes and what it is lent, in order from ``INHERITED`` on, no more."""
    one, two = (os.open(place, os.O_RDONLY | os.O_CLOEXEC) for place in ("/", "/usr"))
    lists = (
        "import os\n"
        "for number in range(3, 3000):\n"
        "    try:\n"
        "        print(number, os.fstat(number).st_ino)\n"
        "    except OSError:\n"
        "        pass\n"
    )
    try:
        for lent in ((one, two), (two, one), (two,)):
            numbered = enumerate(lent, start=confine.INHERITED)
            expected = "".join(f"{there} {os.fstat(here).st_ino}\n" for there, here in numbered)
            assert python(lists, inherited=lent).out == expected
    finally:
        os.close(one)
        os.close(two)


def test_words_may_be_long_and_of_any_bytes() -> None:
    """Words pass unchanged, whatever their bytes and length; a zero byte is refused."""
    odd = os.fsdecode(b"\xff\n=")
    text = "import os, sys; print(len(sys.argv[1]), os.fsencode(sys.argv[2]))"
    how = ordered(sys.executable, "-I", "-S", "-c", text, "x" * 100_000, odd)
    assert run_trial(how, SECONDS).out == f"100000 {os.fsencode(odd)!r}\n"
    with pytest.raises(LaunchError, match="null byte"):
        BotProcess(ordered("/bin/true", "a\0b"))


@pytest.mark.parametrize(
    ("step", "broken"),
    [
        ("filter", {"filter": None}),
        ("filter", {"filter": bytes(8)}),
        ("landlock", {"ruleset": b""}),
        ("landlock", {"paths": ((4, b"/missing"),)}),
        ("landlock", {"paths": (("4", b"/usr"),)}),
        ("user", {"uid": "nobody"}),
    ],
)
def test_program_without_complete_isolation_does_not_run(
    step: str, broken: dict[str, object], tmp_path: Path
) -> None:
    """If one order of its isolation fails, a program does not run."""
    tmp_path.chmod(0o755)
    task = Task((sys.executable, "-c", "print(1)"), str(tmp_path))
    how = find_level(working("landlock")).launch(task)
    how = how._replace(orders=how.orders._replace(**broken))  # type: ignore[arg-type]
    trial = run_trial(how, SECONDS)
    assert (trial.code, trial.ran, trial.out) == (FAILED, False, "")
    assert trial.err.startswith(f"confine: {step} ")


def test_ctrl_c_while_pipes_are_made_is_no_failure_of_the_program(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Closing one twice would be an error of its own, for which the program is started again."""
    calls = itertools.count(1)

    def interrupted(descriptor: int, mode: str) -> FileIO:
        if next(calls) == 3:
            raise KeyboardInterrupt
        return FileIO(descriptor, mode)

    monkeypatch.setattr(launcher, "FileIO", interrupted)
    with pytest.raises(KeyboardInterrupt):
        launcher.fork_program(ordered("/bin/true"))


def test_launcher_is_shared_and_replaced() -> None:
    """Starts share one launcher, and after its death there is another."""
    first = python("import os; print(os.getppid())").out
    assert python("import os; print(os.getppid())").out == first
    os.kill(int(first), signal.SIGKILL)
    assert python("import os; print(os.getppid())").out != first


def test_probe_without_launcher_has_not_failed() -> None:
    """A probe or a build whose launcher was killed has no result: it neither passes nor fails."""
    with pytest.raises(MatchVoid, match="killed"):
        python("import os, time; os.kill(os.getppid(), 9); time.sleep(60)")


def test_bot_that_ends_with_launcher_is_not_at_fault() -> None:
    """A bot that ends with its launcher is known as lost, with no exit code."""
    bot = BotProcess(ordered("/bin/cat"))
    assert not bot.lost()
    os.kill(int(procfs.stat(bot.pid)[procfs.PARENT]), signal.SIGKILL)
    assert bot.has_exited(wait_ms=10_000)
    assert bot.lost()
    assert bot.exit_code() is None
    bot.kill()


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
def test_launcher_that_dies_at_start_ends_program(
    border: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program whose launcher dies during its start is ended, and not started twice."""
    one_that_dies(border, tmp_path, monkeypatch)
    with pytest.raises(MatchVoid, match="killed") as caught:
        python("print(1)")
    assert caught.value.lack is None
    assert python("print(2)").out == "2\n"


WORKER = """
import sys
from arena.machine import procfs
from arena.process.bot import BotProcess
from arena.sandbox.interface import Orders
from arena.sandbox import LEVELS
from arena.sandbox.interface import Launch
bot = BotProcess(Launch(("/bin/cat",), {}, "/", Orders({4: 0})))
print(bot.pid, procfs.stat(bot.pid)[procfs.PARENT].decode(), flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_launcher_dies_with_its_worker(number: signal.Signals) -> None:
    """When a worker dies, so do its launcher and the launcher's bots."""
    with Piped((sys.executable, "-c", WORKER), cwd=ROOT) as worker:
        launcher, bot = (int(word) for word in worker.stdout.readline().split())
        worker.send_signal(number)
        assert worker.wait(SECONDS) == -number
    until(lambda: is_gone(launcher) and is_gone(bot), SECONDS)


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
        assert child.poll() == -signal.SIGKILL
        for stream in (child.stdin, child.stdout, child.stderr):
            stream.close()
    finally:
        os.close(place)
        until(lambda: removed(folder), SECONDS)
