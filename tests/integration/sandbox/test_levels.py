"""What the levels promise beside isolation: limits, interpreters in homes, an honest launcher."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest
from support.arena_users import as_user
from support.needs import root, tool, working

from arena.bots.program import describe
from arena.bots.ready import make_ready
from arena.isolation.choose import problem_with
from arena.isolation.probes import showing_reads
from arena.isolation.trial import Trial, run_trial
from arena.sandbox import LEVELS, Task, find_level, slots
from arena.sandbox.slots import needs_slots
from arena.sandbox.visible import ClosedToOthers

LIMITING = tuple(level for level in LEVELS if level != "none")
ISOLATING = ("bwrap", "landlock")
SECONDS = 30.0


def run(level: str, folder: Path, *argv: str, **given: int) -> Trial:
    folder.chmod(0o755)
    task = Task(argv=argv, folder=str(folder), **given)  # type: ignore[arg-type]  # numbers only
    return run_trial(find_level(working(level)).launch(task), SECONDS)


def python(level: str, folder: Path, text: str, **given: int) -> Trial:
    (folder / "bot.py").write_text(text)
    return run(level, folder, sys.executable, "-u", "./bot.py", **given)


FORKS = """
import os, time
ends = os.pipe()
count = 0
try:
    for _ in range(300):
        if os.fork() == 0:
            os.read(ends[0], 1)  # nothing comes: it waits for the end
            os._exit(0)
        count += 1
except BlockingIOError:
    pass
print(count)
"""


@pytest.mark.parametrize("level", LIMITING)
def test_bot_that_forks_has_20_processes(level: str, tmp_path: Path) -> None:
    """A bot that forks 300 times gets 20 processes, where they are counted."""
    trial = python(level, tmp_path, FORKS, processes=20)
    count = int(trial.out)
    if level == "bwrap" or needs_slots():
        # bubblewrap's first process runs as the same user
        assert count in (18, 19)
    else:
        assert count <= 100  # others of this user may end meanwhile, and leave it their places


WIDENS = """
import os
for who in (0, os.getpid(), os.getppid()):
    for cores in (range(1024), range(os.cpu_count())):
        try:
            os.sched_setaffinity(who, cores)
        except OSError:
            pass
print(*os.sched_getaffinity(0))
"""


@pytest.mark.parametrize("level", ISOLATING)
def test_bot_stays_on_its_core(level: str, tmp_path: Path) -> None:
    """A bot whose worker is pinned to a core stays there, whatever it tries."""
    cores = os.sched_getaffinity(0)
    if len(cores) < 2:
        pytest.skip("there is only one core")
    try:
        os.sched_setaffinity(0, {max(cores)})
        trial = python(level, tmp_path, WIDENS)
    finally:
        os.sched_setaffinity(0, cores)
    assert (trial.out, trial.err) == (f"{max(cores)}\n", "")


@pytest.mark.slow
def test_processes_of_a_user(tmp_path: Path) -> None:
    """An ordinary user's bot gets about its share on top of what the user runs."""
    text = (
        "import os, sys, tempfile\n"
        "from arena.sandbox import Task, find_level\n"
        "from arena.isolation.trial import run_trial\n"
        "with tempfile.TemporaryDirectory() as folder:\n"
        "    task = Task((sys.executable, '-S', '-c', sys.argv[1]), folder, processes=20)\n"
        "    for level in sys.argv[2:]:\n"
        "        print(run_trial(find_level(level).launch(task), 30).out.strip())\n"
    )
    levels = ("limits", *(["bwrap"] if problem_with("bwrap") is None else []))
    done = as_user("user", "-c", text, FORKS, *levels)
    assert done.returncode == 0, done.stderr
    limits, *rest = done.stdout.split()
    if os.geteuid() == 0:
        assert 10 <= int(limits) <= 30  # other tests run as this user, too
    assert all(int(bwrap) in (18, 19) for bwrap in rest)


@pytest.mark.parametrize("level", LIMITING)
def test_file_of_bot_is_bounded(level: str, tmp_path: Path) -> None:
    """No file of a bot grows past its limit, in memory or on disk."""
    text = (
        "import os, signal\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "file = os.memfd_create('large')\n"
        "os.write(file, bytes(1 << 20))\n"
        "try:\n"
        "    os.write(file, b'x')\n"
        "except OSError as error:\n"
        "    print(error.errno)\n"
    )
    assert python(level, tmp_path, text, file_bytes=1 << 20).out == "27\n"  # EFBIG


# interpreters


@pytest.mark.parametrize("level", ISOLATING)
def test_a_virtual_environment_in_a_home(
    level: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A Python in a home runs, sees its packages and nothing else of the home, or is refused.

    Where nothing but its folders is shown; root's bots, which walk there, are refused.
    """
    working(level)
    home = tmp_path / "home"
    venv.create(home / "env", with_pip=False, symlinks=True)
    interpreter = home / "env" / "bin" / "python"
    packages = next((home / "env" / "lib").glob("python3*")) / "site-packages"
    (packages / "mine.py").write_text("word = 'found'")
    (home / "secret").write_text("secret")
    for path in (tmp_path, home):
        path.chmod(0o700)  # as homes are
    bot = tmp_path / "bot"
    bot.mkdir()
    text = (
        "import os, sys, mine, engines\n"
        "print(mine.word, sys.prefix)\n"
        "try:\n"
        f"    open({str(home / 'secret')!r})\n"
        "    print('it read a secret')\n"
        "except OSError:\n"
        "    print('closed')\n"
    )
    (bot / "bot.py").write_text(text)
    trial = run(level, bot, str(interpreter), "-u", "./bot.py")
    assert (trial.out, trial.err) == (f"found {home / 'env'}\nclosed\n", "")


PROGRAMS = {
    "perl": ("perl", "-e", "use strict; use List::Util; print 'ok'"),
    "node": ("node", "-e", "setTimeout(() => console.log('ok'), 1)"),
    "awk": ("awk", 'BEGIN { print "ok" }'),
    "sh": ("sh", "-c", "echo ok > /dev/null; (echo ok | cat)"),
    "ruby": ("ruby", "-e", "puts 'ok'"),
    "php": ("php", "-r", "echo 'ok';"),
    "lua": ("lua", "-e", "print('ok')"),
}
PYTHON = """
import asyncio, subprocess, sys, threading

async def asked():
    process = await asyncio.create_subprocess_exec("/bin/echo", "one", stdout=-1)
    return (await process.communicate())[0].strip()

found = [asyncio.run(asked())]
thread = threading.Thread(target=lambda: found.append(b"two"))
thread.start()
thread.join()
found.append(subprocess.run(["/bin/sh", "-c", "echo three"], capture_output=True).stdout.strip())
ended = subprocess.Popen(["/bin/sleep", "60"])
ended.kill()
found.append(str(ended.wait()).encode())
print(b" ".join(found).decode())
"""


@pytest.mark.parametrize("level", ISOLATING)
def test_python_still_works(level: str, tmp_path: Path) -> None:
    """Threads, asyncio, forks and programs of its own work under the filter."""
    assert python(level, tmp_path, PYTHON).out == "one two three -9\n"


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("level", ISOLATING)
def test_programs_still_work(level: str, program: str, tmp_path: Path) -> None:
    """Programs in other languages run under the filter."""
    name, *words = PROGRAMS[program]
    trial = run(level, tmp_path, tool(name, "/usr/bin:/bin"), *words)
    assert (trial.out.strip(), trial.code) == ("ok", 0), trial.err


DEVICES = """
import os
print(*sorted(os.listdir("/dev")))
with open("/dev/null", "wb") as sink:
    print(sink.write(b"gone"))
for name in ("null", "zero", "urandom", "random"):
    with open(f"/dev/{name}", "rb", buffering=0) as source:
        print(len(source.read(4)))
print(*(os.path.samefile(f"/dev/{name}", f"/dev/fd/{place}")
        for place, name in enumerate(("stdin", "stdout", "stderr"))))
for path in ("/dev/note", "/dev/null/note", "/dev/tty"):
    try:
        open(path, "w")
        print("open")
    except OSError:
        pass
"""


def test_bwrap_shows_only_needed_devices(tmp_path: Path) -> None:
    """At level ``bwrap`` the devices that programs need work, and there are no others."""
    trial = python("bwrap", tmp_path, DEVICES)
    there = "fd null random shm stderr stdin stdout urandom zero"
    assert trial.out.split("\n") == [there, "4", *"0444", "True True True", ""], trial.err


# the launcher


def test_roots_bots_keep_nothing(tmp_path: Path) -> None:
    """Root's bot is a user of its own, in no group, without a power it could use or get."""
    root("give bots users of their own")
    text = "grep -E '^(Uid|Gid|Groups|Cap|NoNewPrivs)' /proc/self/status"
    for level in LIMITING:
        working(level)
        trial = run(level, tmp_path, "/bin/sh", "-c", text)
        if level == "landlock":
            continue  # it sees no /proc
        rows = dict(line.split(":\t", 1) for line in trial.out.splitlines())
        uids = set(rows["Uid"].split()) | set(rows["Gid"].split())
        assert len(uids) == 1
        assert slots.FIRST_UID <= int(uids.pop()) <= slots.LAST_UID
        assert rows["Groups"].strip() == ""
        kept = {rows[name] for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")}
        assert kept == {f"{0:016x}"}
        assert rows["NoNewPrivs"] == "1"


def test_what_root_keeps_to_himself_starts_nowhere(tmp_path: Path) -> None:
    """Where nothing bounds what it reads, no bot starts below a folder that only root may pass."""
    root("give bots users of their own")
    (tmp_path / "bot").mkdir()
    tmp_path.chmod(0o700)
    task = Task(("/bin/true",), str(tmp_path / "bot"))
    with pytest.raises(ClosedToOthers, match="chmod o\\+x") as refused:
        find_level(working("limits")).launch(task)
    assert f'"{tmp_path}"' in str(refused.value)
    (tmp_path / "bot" / "bot.py").write_text("print()\n")
    make_ready(describe(tmp_path / "bot" / "bot.py"), level="limits")
    assert run_trial(find_level(working("bwrap")).launch(task), SECONDS).code == 0


def test_root_lets_a_bot_through_to_its_own_alone(tmp_path: Path) -> None:
    """Landlock bounds what a bot reads of a closed folder: its own, and nothing beside it."""
    root("give bots users of their own")
    (tmp_path / "bot").mkdir()
    (tmp_path / "bot" / "own").write_text("mine")
    for beside in (tmp_path / "secret", tmp_path / "folder" / "secret"):
        beside.parent.mkdir(exist_ok=True)
        beside.write_text("hidden")
        beside.chmod(0o600)
    tmp_path.chmod(0o700)
    text = "cat own; cat ../secret ../folder/secret; ls ..; cat /etc/shadow /proc/1/environ"
    task = Task(("/bin/sh", "-c", text), str(tmp_path / "bot"))
    trial = run_trial(find_level(working("landlock")).launch(task), SECONDS)
    assert trial.out == "mine"
    assert trial.err.count("Permission denied") == 5


def may_mount() -> bool:
    """Return whether root may make mounts of its own here."""
    words = ("unshare", "--mount", "mount", "-o", "remount,bind,noatime", "/")
    return needs_slots() and subprocess.run(words, capture_output=True).returncode == 0


READS = """
import os
before = os.stat("note").st_atime_ns
open("note").read()
print(os.stat("note").st_atime_ns == before)
"""


def test_reading_leaves_no_note_of_roots_bots(tmp_path: Path) -> None:
    """What root's bots read at landlock, also a file of all, keeps its time of access."""
    if not may_mount():
        pytest.skip("only root may mount, and here not even root")
    note = tmp_path / "note"
    note.write_text("x")
    os.utime(note, (0, note.stat().st_mtime))
    assert python("landlock", tmp_path, READS).out == "True\n"
    assert note.stat().st_atime == 0
    assert showing_reads() == []
    note.read_text()  # our own mounts are as they were
    assert note.stat().st_atime > 0


SHOWS = "from arena.isolation.probes import showing_reads; print(*showing_reads())"


def test_an_ordinary_user_hears_of_notes() -> None:
    """Who cannot mount is told which places show reads, and that copies of bots do not."""
    working("landlock")
    done = as_user("user", "-c", f"import os; print(os.statvfs('/usr').f_flag & 1025)\n{SHOWS}")
    quiet, places = done.stdout.splitlines()
    assert ("/usr" in places.split()) == (quiet == "0"), done.stderr
    assert "tree-arena" not in places
