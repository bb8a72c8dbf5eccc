"""Tests of what the levels share: what others can reach, where engines is, what is counted."""

from __future__ import annotations

import errno
import os
import shutil
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

import engines
from arena.machine import procfs
from arena.sandbox import landlock, limits
from arena.sandbox.diagnosis import explain
from arena.sandbox.importable import import_folder
from arena.sandbox.interface import Task
from arena.sandbox.orders import isolating, orders
from arena.sandbox.visible import ClosedToOthers, check_open, closed_at, plain_path
from arena.values.errors import Lack
from arena.values.model import Import


def test_a_folder_that_is_closed_above(tmp_path: Path) -> None:
    """A path is open to all only if each folder above it can be passed, and it can be read."""
    base = Path(tempfile.mkdtemp(dir="/tmp"))
    try:
        base.chmod(0o755)
        file = base / "inner" / "file"
        file.parent.mkdir()
        file.parent.chmod(0o711)
        file.write_text("")
        file.chmod(0o644)
        check_open([str(file)])
        assert closed_at(str(file)) == ""
        assert closed_at(str(file.parent)) == str(file.parent)  # it can be passed, and not listed
        file.chmod(0o640)
        assert closed_at(str(file)) == str(file)
        file.chmod(0o644)
        base.chmod(0o750)
        assert closed_at(str(file)) == str(base)
        with pytest.raises(ClosedToOthers) as refused:
            check_open(["/usr", str(file)])
        for part in (f'"{file}"', f'"{base}"', f"chmod o+x {base}", "bwrap"):
            assert part in str(refused.value)
        assert closed_at("/usr/missing") == ""
    finally:
        file.unlink()
        file.parent.rmdir()
        base.rmdir()


def test_a_plain_path_is_the_same_file(tmp_path: Path) -> None:
    """Folders on the way are followed as the kernel does; a program that is a link stays one."""
    real = tmp_path / "real" / "deep"
    real.mkdir(parents=True)
    (real / "tool").symlink_to("/bin/sh")
    (tmp_path / "link").symlink_to(real)
    (real.parent / "deep2").mkdir()
    assert plain_path(f"{tmp_path}/link/../deep/tool") == f"{os.path.realpath(real)}/tool"
    assert plain_path("tool") == f"{os.getcwd()}/tool"


def test_engines_lies_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder holds a link to engines and nothing else, and is the same the next time."""
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path))
    folder, (source,) = import_folder()
    assert os.listdir(folder) == ["engines"]
    assert source == str(Path(engines.__file__).resolve().parent)
    assert os.path.realpath(os.path.join(folder, "engines")) == source
    assert import_folder() == (folder, (source,))
    assert os.stat(folder).st_mode & 0o777 == 0o755


def test_plugins_lie_beside_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What else is to be imported is linked under its own name, in folders that we make."""
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path))
    (tmp_path / "shared" / "nim").mkdir(parents=True)
    (tmp_path / "help.py").write_text("")
    imports = (
        Import("shared/nim", str(tmp_path / "shared" / "nim")),
        Import("nim_help.py", str(tmp_path / "help.py")),
    )
    folder, sources = import_folder(imports)
    assert sorted(os.listdir(folder)) == ["engines", "nim_help.py", "shared"]
    assert not os.path.islink(os.path.join(folder, "shared"))
    for name, path in imports:
        assert os.path.realpath(os.path.join(folder, name)) == path
        assert path in sources
    assert import_folder(imports) == (folder, sources)
    assert import_folder()[0] != folder


def test_engines_of_somebody_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where ours has gone, or others have made something in its place, another one is made."""
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path))
    folder = Path(import_folder()[0])
    shutil.rmtree(folder)
    second = Path(import_folder()[0])
    assert os.listdir(second) == ["engines"]
    shutil.rmtree(second)
    second.symlink_to(tmp_path)
    third = Path(import_folder()[0])
    assert third not in (folder, second)
    assert os.listdir(third) == ["engines"]


IMPORTS = """
import multiprocessing, os, sys
from arena.machine.owner import mark_in_name, own_mark
from arena.sandbox.importable import import_folder

def make():
    folder = import_folder()[0]
    assert mark_in_name(folder) == own_mark()
    assert os.listdir(folder) == ["engines"]
    return folder

if __name__ == "__main__":
    ours = make()
    process = multiprocessing.get_context("fork").Process(target=make)
    process.start()
    process.join()
    assert process.exitcode == 0
    assert [ours] == [entry.path for entry in os.scandir(os.path.dirname(ours))]
"""


def test_engines_go_with_their_process(tmp_path: Path) -> None:
    """Each process, a worker as well, has a folder with its mark, and removes it at its end."""
    env = {**os.environ, "TMPDIR": str(tmp_path)}
    subprocess.run([sys.executable, "-c", IMPORTS], check=True, env=env, timeout=60)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    ("version", "words"),
    [
        # linux/landlock.h: rights to files, TCP from 4 on, scopes from 6 on
        (1, (0x1FFF,)),
        (2, (0x3FFF,)),
        (3, (0x7FFF,)),
        (4, (0x7FFF, 3)),
        (5, (0xFFFF, 3)),
        (6, (0xFFFF, 3, 3)),
        (7, (0xFFFF, 3, 3)),
        (9, (0xFFFF, 3, 3)),
    ],
)
def test_rulesets(version: int, words: tuple[int, ...]) -> None:
    """Each version of Landlock is asked for all that it knows, and for nothing else."""
    attribute = landlock.ruleset(version)
    assert struct.unpack(f"={len(attribute) // 8}Q", attribute) == words


def test_tasks_are_counted() -> None:
    """This process is counted among its user's, each thread of it once."""
    mine = len(os.listdir("/proc/self/task"))
    assert procfs.tasks_of(os.geteuid()) >= mine
    assert procfs.tasks_of(4_000_000_000) == 0
    task = Task(("./bot",), "/", processes=5)
    assert limits.process_limit(task, None) >= 5 + mine


def test_orders_end_before_the_program() -> None:
    """Whatever a path is called, it is one word, and the program comes after the last order."""
    paths = [(13, "/a=b:c d\n--")]
    isolation = isolating(tell=3, ruleset=b"\x01", paths=paths, program=b"\x06")
    words = orders(7, {4: 0}, uid=61000, isolation=isolation)
    assert words == (
        "parent=7",
        "limit=4:0",
        "uid=61000",
        "tell=3",
        "ruleset=01",
        "filter=06",
        "path=13:/a=b:c d\n--",
        "--",
    )


@pytest.mark.parametrize(
    ("step", "code", "remedy"),
    [
        ("landlock", errno.EPERM, "container"),
        ("privileges", errno.EPERM, "container"),
        ("filter", errno.EINVAL, "CONFIG_SECCOMP_FILTER"),
        ("limits", errno.EPERM, "ulimit"),
        ("user", errno.EINVAL, "too few users"),
        ("user", errno.EPERM, "root's powers"),
    ],
)
def test_complaints_of_the_launcher(step: str, code: int, remedy: str) -> None:
    """What the launcher says of a failed step comes with what helps, whatever its words are."""
    problem = explain(f"something before\nconfine: {step} {code}: any words\n")
    assert problem.reason == "any words"
    assert remedy in problem.remedy


def test_a_lack_of_the_launcher() -> None:
    """What the launcher lacked is known by the number of the error."""
    problem = explain(f"confine: landlock {errno.EMFILE}: any words")
    assert problem.lack is Lack.DESCRIPTORS
    assert explain(f"confine: landlock {errno.EPERM}: any words").lack is None
