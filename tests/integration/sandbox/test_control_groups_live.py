"""Control groups of this machine's kernel: bots are born in one, and all they do stays in it."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from support.arena_command import ROOT, tournament
from support.arena_users import ORDINARY, ordinary
from support.burners import one_core
from support.match_jobs import pebbles, seat
from support.needs import working
from support.running import Running, plays
from support.waiting import until

from arena.machine import run_folder
from arena.machine.run_folder import is_word_of
from arena.process.bot import BotProcess
from arena.process.launcher import end_strays
from arena.sandbox import Task
from arena.sandbox.cgroups.own_group import BOT, Home, find_home
from arena.sandbox.cgroups.remains import dead_groups
from arena.session.launch import launch_in_group
from arena.session.match_session import play_match
from arena.values.model import Clock, Record, Seat

HOME = find_home()
SHADOWS = Path(__file__).parents[1] / "programs" / "shadows.py"
CLOCK = Clock(move_ms=5000, first_ms=0, start_ms=10_000)
GROUPED = ("limits", "landlock", "bwrap")

pytestmark = [
    pytest.mark.skipif(HOME is None, reason="control groups are not given to this user"),
    pytest.mark.usefixtures("small_games"),
]


@pytest.fixture(params=GROUPED)
def level(request: pytest.FixtureRequest) -> str:
    """Return each level whose bots have groups."""
    name = str(request.param)
    return working(name)


@pytest.fixture
def home() -> Home:
    assert HOME is not None
    return HOME


def started(level: str, tmp_path: Path, code: str) -> BotProcess:
    """Start a Python program at a level, in a group; it says something as soon as it is ready."""
    tmp_path.chmod(0o755)
    task = Task((sys.executable, "-u", "-c", code), str(tmp_path))
    bot = BotProcess(launch_in_group(task, level))
    assert select.select([bot.stdout], [], [], 20)[0]
    assert bot.tree.group is not None
    return bot


def shadow(mode: str) -> Seat:
    return seat(mode, program=SHADOWS, clock=CLOCK)


def play(first: Seat, level: str, *, heap: int = 2) -> Record:
    """Play a bot in seat 0 against one that takes a while for each decision."""
    sleeper = seat("sleep=0.3", "0", clock=CLOCK)
    whole = pebbles(first, sleeper, heap=heap, sandbox=level)
    return play_match(whole).record


def ours(home: Home) -> list[str]:
    """Return the groups of bots that this process has started."""
    keys = [run_folder._own_run()[0].key]
    return [name for name in groups(home) if is_word_of(keys, name.removeprefix(BOT))]


# starting


def test_bot_without_its_group(tmp_path: Path) -> None:
    """Where the group has gone by the time a bot is started, the bot starts without one."""
    tmp_path.chmod(0o755)
    how = launch_in_group(Task(("/bin/cat",), str(tmp_path)), working("limits"))
    assert how.group is not None
    how.group.folder.rmdir()
    bot = BotProcess(how)
    bot.write(b"hello\n")
    assert select.select([bot.stdout], [], [], 20)[0]
    assert bot.tree.group is None
    bot.kill()


# what is done with a bot

GHOST = """if True:
    import os, time
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.closerange(0, 3)
            os.execve("/bin/sh", ["sh", "-c", "while :; do :; done"], {})
        os._exit(0)
    os.wait()
    print("ready")
    time.sleep(1000)
"""


def test_ghosts_die_at_once(level: str, tmp_path: Path, home: Home) -> None:
    """What left its parent, its session and its environment behind dies with its group."""
    bot = started(level, tmp_path, GHOST)
    group = bot.tree.group
    assert group is not None
    assert len(bot.tree.members()) == 2
    assert group.kill()
    assert group.is_empty(5000)
    bot.kill()
    end_strays()
    assert not group.folder.exists()
    assert not ours(home)


def test_stopped_as_a_whole(level: str, tmp_path: Path) -> None:
    """A frozen bot uses no CPU time with any of its processes, and goes on when it may."""
    bot = started(level, tmp_path, GHOST)
    group = bot.tree.group
    assert group is not None
    try:
        bot.tree.freeze()
        events = os.open(group.folder / "cgroup.events", os.O_RDONLY)
        poll = select.poll()
        poll.register(events, select.POLLPRI)
        while b"frozen 1" not in os.pread(events, 100, 0):
            assert poll.poll(5000)
        os.close(events)
        before = group.cpu_ns()
        assert before > 0
        bot.has_exited(wait_ms=100)
        assert group.cpu_ns() == before
        bot.tree.thaw()
        until(lambda: group.cpu_ns() >= before + 20_000_000)
    finally:
        bot.kill()


# what a bot is charged


@pytest.mark.slow
@pytest.mark.parametrize(
    ("level", "mode"), [("limits", "orphans"), ("landlock", "orphans"), ("bwrap", "unreaped")]
)
def test_hidden_children_are_charged(level: str, mode: str) -> None:
    """Ten children of 20 ms each are charged, though nobody waits for them or knows them."""
    working(level)
    with one_core():
        record = play(shadow(mode), level)
    assert (record.by, record.faults) == ("rules", ())
    assert record.actions[0][0] == 0
    assert (record.decisions[0].cpu_ms or 0) >= 190


@pytest.mark.slow
def test_hidden_pondering_is_seen(level: str) -> None:
    """An orphan that computes while others decide marks its bot, which is stopped then."""
    record = play(shadow("ponder"), level, heap=4)
    assert [player.pondered for player in record.players] == [True, False]
    assert (record.by, record.faults) == ("rules", ())


# what is left


@pytest.mark.slow
def test_the_next_run_sweeps(tmp_path: Path) -> None:
    """Of a run that was killed with its workers no group is left once there is another one."""
    working("landlock")
    small = {"rounds": 1, "sandbox": "landlock", "workers": 2}
    (tmp_path / "silent.py").write_text("import time\ntime.sleep(1000)\n")
    file = tournament(tmp_path, "[random, ./silent.py]", **small)
    with tempfile.TemporaryDirectory(dir="/tmp") as short:
        # a place of its own: runs of other tests sweep as well
        run = Running(tmp_path / "home", "run", file, TMPDIR=short)
        until(lambda: plays(run.process.pid, "silent.py"))
        run.kill()
        with run_folder.dead_runs([short]) as dead:
            keys = [*dead.values()]
        assert [*dead_groups(keys)]
        tournament(tmp_path, "[random, random-sh]", **small)
        assert Running(tmp_path / "home", "run", file, "--new", TMPDIR=short).end() == 0
        assert not [*dead_groups(keys)]


def groups(home: Home) -> set[str]:
    """Return the groups of bots that there are."""
    return {name for name in os.listdir(home.folder) if name.startswith(BOT)}


# whose it is


TRIES = """
from arena.process.bot import BotProcess
from arena.sandbox import Task
from arena.session.launch import launch_in_group
bot = BotProcess(launch_in_group(Task(("/bin/cat",), "/"), "limits"))
if (group := bot.tree.group) is None:
    print("no group")
else:
    born = group.members() == (bot.pid,)
    print(group.folder.parent, born and group.freeze(), group.kill(), group.is_empty(2000))
bot.kill()
"""


@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a group to another user")
def test_ordinary_user_with_a_group_of_its_own(home: Home) -> None:
    """Where a group was handed to a user all of it works as well, and elsewhere there is none."""
    user = ordinary()
    given = home.folder / f"arena-test-{os.getpid()}"
    given.mkdir()
    line = ("/bin/sh", "-c", 'echo $$ > "$0/cgroup.procs" && exec "$@"', str(given), *user)
    try:
        for owner, expected in ((0, "no group\n"), (ORDINARY, f"{given} True True True\n")):
            for path in (given, given / "cgroup.procs", given / "cgroup.subtree_control"):
                os.chown(path, owner, owner)
            done = subprocess.run(
                [*line, "-B", "-c", TRIES],
                cwd=ROOT,
                env={"PATH": os.defpath, "PYTHONPATH": f"{ROOT}:{ROOT / 'tests'}"},
                capture_output=True,
                text=True,
                timeout=60,
                check=False,
            )
            assert (done.stdout, done.stderr) == (expected, "")
        assert not [path for path in given.iterdir() if path.is_dir()]
    finally:
        given.rmdir()
