"""Users for root's bots: nobody else can hold them, and dead processes do not make them useless."""

from __future__ import annotations

import contextlib
import errno
import os
import random
import resource
import shutil
import socket
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support.arena_users import ORDINARY, open_python
from support.few_slots import free_users
from support.needs import working

from arena.sandbox import LEVELS, claims, find_level, slots
from arena.sandbox.claims import take_claim
from arena.sandbox.interface import Launch, Task
from arena.sandbox.slots import Slot, lives, take_slot
from arena.session import probes
from arena.session.probes import probe
from arena.values.errors import Lack, lack_of

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root gives bots users of their own")

# is told user ids; has a dead child under each of them, until it is told no more
KEEPER = """
import os, sys
for word in sys.argv[1:]:
    child = os.fork()
    if child == 0:
        os.setresgid(int(word), int(word), int(word))
        os.setresuid(int(word), int(word), int(word))
        os._exit(0)
    os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
print("dead", flush=True)
sys.stdin.read()
"""

# becomes the user it is told of
NEXT = """
import os, sys
print("ready", flush=True)
uid = int(sys.stdin.readline())
os.setresuid(uid, uid, uid)
print("next", flush=True)
sys.stdin.read()
"""

# one that may read nothing tries to get in
STRANGER = """
import os, sys
for attempt in (os.listdir, os.chdir, lambda place: open(place + "/61000-0", "w"), os.rmdir):
    try:
        attempt(sys.argv[1])
    except PermissionError:
        continue
    print(attempt)
"""


@contextlib.contextmanager
def helper(*words: str) -> Iterator[subprocess.Popen[str]]:
    """Run a program until the block ends; it begins when the program has said something."""
    process = subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd="/"
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline()
        yield process
    finally:
        process.communicate("")


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> range:
    """Leave three users that are free, none of which we had before."""
    users = free_users(3)
    monkeypatch.setattr(slots, "_returned", [])
    monkeypatch.setattr(slots, "FIRST_UID", users[0])
    monkeypatch.setattr(slots, "LAST_UID", users[-1])
    return users


def dead_under(users: range | list[int]) -> contextlib.AbstractContextManager[object]:
    return helper(sys.executable, "-c", KEEPER, *map(str, users))


def test_the_same_slots_again(few: range, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who has given slots back gets the same again, so that the same start is ordered again."""
    monkeypatch.setattr(random, "randrange", lambda count: 0)
    one, two = take_slot(again=True), take_slot(again=True)
    assert [one.uid, two.uid] == [few[0], few[1]]
    one.close()
    two.close()
    monkeypatch.setattr(random, "randrange", lambda count: 2)
    again = [take_slot(again=True) for _ in few]
    assert [slot.uid for slot in again] == [few[0], few[1], few[2]]
    for slot in again:
        slot.close()


def test_where_notes_stay_no_bot_follows_another(
    few: range, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At level limits a file may outlive a bot: the next one is not made its owner on purpose."""
    working("limits")
    monkeypatch.setattr(random, "randrange", lambda count: 0)
    how = find_level("limits").launch(Task(argv=("/bin/true",), folder=str(tmp_path)))
    assert how.slot is not None
    assert how.slot.uid == few[0]
    how.give_up()
    monkeypatch.setattr(random, "randrange", lambda count: 1)
    for again in (False, True):
        slot = take_slot(again=again)
        assert slot.uid == few[1], again
        slot.close()


# dead processes


@pytest.mark.parametrize("level", LEVELS)
def test_dead_processes_block_no_level(level: str, few: range) -> None:
    """A level that works does so as well where every slot has a zombie of somebody else's."""
    working(level)
    with dead_under(few):
        assert all(map(lives, few))
        assert probe(level) is None


def test_a_slot_with_dead_processes_is_the_last_choice(few: range) -> None:
    """What is dead counts against what a user may have, so a user without is taken first."""
    with dead_under([few[0], few[2]]):
        clean = take_slot()
        assert clean.uid == few[1]
        others = [take_slot(), take_slot()]
        assert {slot.uid for slot in others} == {few[0], few[2]}
        with pytest.raises(OSError, match="taken") as none:
            take_slot()
        assert lack_of(none.value) is Lack.SLOTS
        for slot in (clean, *others):
            slot.close()
            assert slot.empty
        take_slot().close()


def test_a_dead_first_thread_hides_nothing(few: range) -> None:
    """A process whose first thread has ended looks like a zombie; it is seen and ended."""
    slot = take_slot()
    code = (
        "import ctypes, os, sys, threading, time\n"
        f"os.setresuid({slot.uid}, {slot.uid}, {slot.uid})\n"
        "def go_on():\n"
        "    while open('/proc/self/stat').read().rpartition(')')[2].split()[0] != 'Z': pass\n"
        "    print('on', flush=True)\n"
        "    time.sleep(600)\n"
        "threading.Thread(target=go_on).start()\n"
        f"ctypes.CDLL(None).syscall({60 if os.uname().machine == 'x86_64' else 93}, 0)\n"
    )
    with helper(sys.executable, "-c", code):
        assert slots._running(slot.uid)
        slot.close()
        assert slot.empty
        assert not slots._running(slot.uid)


@pytest.mark.parametrize("level", ["landlock", "limits"])
def test_a_probe_looks_while_the_slot_is_its_own(
    level: str, few: range, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who gets the slot when the probe's program has ended is not taken for what it left."""
    working(level)
    trial: Callable[..., object] = vars(probes)["run_trial"]
    with helper(sys.executable, "-c", NEXT) as somebody:

        def and_then_somebody_else(how: Launch, seconds: float) -> object:
            done = trial(how, seconds)
            assert how.slot is not None
            assert somebody.stdin is not None
            assert somebody.stdout is not None
            somebody.stdin.write(f"{how.slot.uid}\n")
            somebody.stdin.flush()
            assert somebody.stdout.readline() == "next\n"
            return done

        monkeypatch.setattr(probes, "run_trial", and_then_somebody_else)
        assert probe(level) is None


@pytest.mark.parametrize("level", ["landlock", "limits"])
def test_a_probe_sees_what_cannot_be_ended(
    level: str, few: range, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A level at which something stays under the slot's user does not work."""
    working(level)
    trial: Callable[..., object] = vars(probes)["run_trial"]

    def nothing_can_be_ended(how: Launch, seconds: float) -> object:
        with monkeypatch.context() as stays:
            stays.setattr(Slot, "end", lambda slot: False)
            return trial(how, seconds)

    monkeypatch.setattr(probes, "run_trial", nothing_can_be_ended)
    problem = probe(level)
    assert problem is not None
    assert "still there" in problem.reason
    assert all(slot.end() for slot in slots._stuck)  # as the kernel does at last
    take_slot().close()  # which gives back what could not be ended then
    assert slots._stuck == []


# who holds a user


def test_names_hold_no_slot(few: range) -> None:
    """Abstract names, which anybody can bind, have nothing to do with slots."""
    with contextlib.ExitStack() as bound:
        for uid in few:
            one = bound.enter_context(socket.socket(socket.AF_UNIX))
            with contextlib.suppress(OSError):  # bound by somebody already
                one.bind(f"\0tree-arena/slot/{uid}")
        taken = [take_slot() for _ in few]
    for slot in taken:
        slot.close()


def test_a_stranger_cannot_enter() -> None:
    """The folder of claims is closed to every other user."""
    python = open_python()
    setpriv = shutil.which("setpriv")
    if python is None or setpriv is None:
        pytest.skip("no Python here can be run by an ordinary user")
    become = ("--reuid", str(ORDINARY), "--regid", str(ORDINARY), "--clear-groups")
    done = subprocess.run(
        [setpriv, *become, python, "-c", STRANGER, claims._folder()],
        capture_output=True,
        text=True,
        check=True,
        cwd="/",
    )
    assert done.stdout == ""


def take_claim_and_release(uid: int) -> bool:
    claim = take_claim(uid)
    if claim is not None:
        claim.release()
    return claim is not None


def test_what_a_killed_run_leaves_is_free(few: range) -> None:
    """A claim's file stays, and holds nothing: only its lock does."""
    left, held = take_slot(), take_slot()
    os.close(left._claim._descriptor)  # as the kernel does
    assert take_claim(held.uid) is None
    assert take_claim_and_release(left.uid)
    held.close()
    assert take_claim_and_release(held.uid)


def test_programs_do_not_inherit_a_claim(few: range) -> None:
    """A claim ends with its holder, although a program that the holder started goes on."""
    claim = take_claim(few[0])
    assert claim is not None
    process = subprocess.Popen(["cat"], stdin=subprocess.PIPE, close_fds=False)
    assert not take_claim_and_release(few[0])
    os.close(claim._descriptor)  # as the kernel does
    assert take_claim_and_release(few[0])
    process.communicate()


CLAIMANT = """
import os, random, sys
from arena.sandbox.claims import take_claim
uid, place, seed = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
rng, taken = random.Random(seed), 0
for _ in range(int(sys.argv[4])):
    claim = take_claim(uid)
    if claim is None:
        continue
    taken += 1
    os.close(os.open(place, os.O_CREAT | os.O_EXCL))  # nobody else may be in here
    os.sched_yield()
    os.unlink(place)
    if rng.random() < 0.2:
        os.close(claim._descriptor)  # as if it were killed
    else:
        claim.release()
print(taken)
"""


def test_many_who_want_the_same_user(few: range, tmp_path: Path) -> None:
    """However many try, one at a time has it, and somebody gets it; also after kills."""
    words = (sys.executable, "-c", CLAIMANT, str(few[0]), str(tmp_path / "inside"))
    running = [
        subprocess.Popen(
            [*words, str(seed), "400"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parent.parent.parent,
        )
        for seed in range(4)
    ]
    said = [process.communicate() for process in running]
    assert [err for _, err in said] == [""] * 4
    assert sum(int(out) for out, _ in said) > 0
    assert take_claim_and_release(few[0])


# where claims lie


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """Return two places for the folder of claims instead of the machine's."""
    one, two = tmp_path / "one", tmp_path / "two"
    for place in (one, two):
        place.mkdir(mode=0o755)
    monkeypatch.setattr(claims, "PLACES", (str(one), str(two)))
    return one, two


def test_a_folder_of_root_alone(places: tuple[Path, Path]) -> None:
    """It is made in the first place that there is, open to nobody else."""
    assert claims._folder() == f"{places[0]}/{claims.NAME}"
    assert claims._folder() == f"{places[0]}/{claims.NAME}"
    assert stat.S_IMODE((places[0] / claims.NAME).stat().st_mode) == 0o700


@pytest.mark.parametrize("how", ["missing", "open to all", "somebody's", "a file"])
def test_a_place_that_will_not_do(places: tuple[Path, Path], how: str) -> None:
    """A place that is not there, or where others could take the folder away, is passed over."""
    one = places[0]
    if how == "open to all":
        one.chmod(0o777)
    elif how == "somebody's":
        os.chown(one, ORDINARY, ORDINARY)
    else:
        one.rmdir()
        if how == "a file":
            one.touch()
    assert claims._folder().startswith(f"{places[1]}/")
    one.rmdir() if one.is_dir() else one.unlink(missing_ok=True)


def test_a_place_that_cannot_be_written(
    places: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the system is mounted to be read only, the next place is taken."""
    make = os.mkdir

    def mkdir(path: str, mode: int = 0o777) -> None:
        if path.startswith(f"{places[0]}/"):
            raise OSError(errno.EROFS, os.strerror(errno.EROFS), path)
        make(path, mode)

    monkeypatch.setattr(os, "mkdir", mkdir)
    assert claims._folder().startswith(f"{places[1]}/")


def test_a_shared_place_will_do_if_sticky(places: tuple[Path, Path]) -> None:
    """Where anybody may make files, but nobody remove those of others, the folder is safe."""
    places[0].chmod(0o1777)
    assert claims._folder().startswith(f"{places[0]}/")


@pytest.mark.parametrize("how", ["somebody's", "open", "a link", "a file"])
def test_a_folder_that_somebody_else_made(places: tuple[Path, Path], how: str) -> None:
    """A folder of that name that others can enter is refused, by its name; it is not gone round.

    Two arenas that used different folders would give the same user to two bots.
    """
    folder = places[0] / claims.NAME
    if how == "a link":
        (places[1] / "real").mkdir(mode=0o700)
        folder.symlink_to(places[1] / "real")
    elif how == "a file":
        folder.touch(0o700)
    else:
        folder.mkdir(mode=0o700)
        if how == "open":
            folder.chmod(0o755)
        else:
            os.chown(folder, ORDINARY, ORDINARY)
    with pytest.raises(PermissionError, match="have it removed") as refused:
        take_slot()
    assert str(folder) in str(refused.value)
    assert lack_of(refused.value) is None


def test_no_place_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without any place for claims root starts no bot."""
    monkeypatch.setattr(claims, "PLACES", ("/nowhere",))
    with pytest.raises(PermissionError, match="/nowhere"):
        take_slot()


def test_without_a_descriptor_nothing_is_kept(few: range) -> None:
    """A claim that fails half way leaves no descriptor."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)
    count = len(os.listdir("/proc/self/fd"))
    lowest = os.open("/dev/null", os.O_RDONLY)
    os.close(lowest)
    failed = []
    for more in range(3):
        resource.setrlimit(resource.RLIMIT_NOFILE, (lowest + more, most[1]))
        try:
            take_slot().close()
        except OSError as error:
            failed.append(lack_of(error))
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, most)
    assert failed[:1] == [Lack.DESCRIPTORS]
    assert set(failed) == {Lack.DESCRIPTORS}
    assert len(os.listdir("/proc/self/fd")) == count
