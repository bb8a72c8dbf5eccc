"""Builds and start lines: where they happen, what they leave, how they fail."""

from __future__ import annotations

import os
import py_compile
import re
import shutil
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from importlib.util import cache_from_source
from pathlib import Path
from typing import NoReturn

import pytest
from support.bot_files import write
from support.cached import copies_in
from support.ran import PYTHON, printed
from support.waiting import until

from arena.bots.build import build
from arena.bots.program import describe
from arena.bots.ready import make_ready
from arena.isolation import confined
from arena.isolation.choose import choose_level
from arena.isolation.trial import Trial
from arena.machine.procfs import pids, text_of
from arena.process import cache_room
from arena.process.folders import entries_below, shows_reads
from arena.sandbox import Task
from arena.values.errors import BotBuildError, BotError

pytestmark = pytest.mark.usefixtures("own_cache")


def script_bot(tmp_path: Path, build_script: str, start: str = "[./oak]") -> Path:
    """Write a bot whose build is a shell script, as a folder."""
    script = write(tmp_path / "oak-source" / "build.sh", build_script)
    manifest = f"{{name: oak, start: {start}, build: [sh, ./build.sh]}}"
    return write(script.with_name("bot.yaml"), manifest).parent


MAKES_OAK = "printf '#!/bin/sh\\necho ok\\n' > oak; chmod +x oak; mkdir -p out; echo x > out/log\n"


def test_a_full_cache_makes_room(
    tmp_path: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What nobody uses goes when something is made; what this process plays from stays."""
    monkeypatch.setattr(cache_room, "MOST_KIB", 1)
    first = make_ready(describe(script_bot(tmp_path, MAKES_OAK)))
    (own_cache / "unused").mkdir()
    (tmp_path / "oak.py").write_text("pass\n")
    second = make_ready(describe(tmp_path / "oak.py"))
    assert {*copies_in(own_cache)} == {Path(bot.folder).name for bot in (first, second)}


def test_what_changes_meanwhile_is_not_kept(tmp_path: Path, own_cache: Path) -> None:
    """Under a hash there is nothing else than what has that hash."""
    program = describe(script_bot(tmp_path, MAKES_OAK))
    (program.folder / "build.sh").write_text("changed")
    with pytest.raises(BotError, match="changed"):
        build(program, ("/bin/sh", "./build.sh"), level="none")
    assert copies_in(own_cache) == []


BINDS = "import socket; socket.socket(socket.AF_UNIX).bind('out/wire')"
WIRES = {
    "a pipe": "mkfifo out/wire",
    "a socket": f'{sys.executable} -c "{BINDS}"',
    "a device": "mknod out/wire c 1 3",
}


@pytest.mark.parametrize("kind", WIRES)
def test_what_would_join_matches_is_refused(kind: str, tmp_path: Path, own_cache: Path) -> None:
    """A build leaves files, folders and links: what else it leaves all matches would share."""
    if kind == "a device" and os.geteuid() != 0:
        pytest.skip("only root makes devices")
    program = describe(script_bot(tmp_path, f"{MAKES_OAK}ln -s /dev/null link\n{WIRES[kind]}\n"))
    with pytest.raises(BotBuildError, match=r"^oak: the build left .* or a device: out/wire$"):
        build(program, ("/bin/sh", "./build.sh"), level="none")
    assert copies_in(own_cache) == []


MAKES_NOTES = MAKES_OAK + "ln -s out link; touch -d 2150-01-01 out/log; touch -d 2150-01-01 .\n"


@pytest.mark.parametrize("made", ["built", "compiled", "copied"])
def test_reading_a_copy_leaves_no_trace(made: str, tmp_path: Path) -> None:
    """Files, folders and links of a copy keep their times of access, whoever reads them."""
    source = script_bot(tmp_path, MAKES_NOTES)
    if made != "built":
        (source / "bot.yaml").write_text("{name: oak, language: python, start: [python3, a.py]}")
        for name in ("a.py", "b.py")[: 2 if made == "compiled" else 1]:
            (source / name).write_text("x = 1\n")
    folder = Path(make_ready(describe(source)).folder)

    def times() -> dict[str, int]:
        found = [entry for entry, _ in entries_below(str(folder))]
        times = {entry.path: os.lstat(entry.path).st_atime_ns for entry in found}
        return {**times, str(folder): folder.stat().st_atime_ns}

    before = times()
    for path in map(Path, before):
        if path.is_symlink():
            os.readlink(path)
        elif path.is_file():
            path.read_bytes()
        else:
            os.listdir(path)
    assert times() == before
    assert len(before) > 2
    assert not shows_reads(folder)
    changed = [os.lstat(path).st_mtime for path in before]
    assert max(changed) <= time.time()


def test_a_build_that_hangs_is_ended_with_its_children(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Past its limit a build is killed, and so is what it left in the background."""
    program = describe(script_bot(tmp_path, "sleep 987 & sleep 986\n"))
    monkeypatch.setattr("arena.bots.build.BUILD_LIMIT_S", 0.3)
    before = time.monotonic()
    with pytest.raises(BotBuildError, match=r"took longer than 0\.3 s"):
        build(program, ("/bin/sh", "./build.sh"), level=choose_level())
    assert time.monotonic() - before < 10
    lines = ("sleep\x00987\x00", "sleep\x00986\x00")
    until(lambda: not [pid for pid in pids() if text_of(Path(f"/proc/{pid}/cmdline")) in lines], 10)


def test_ctrl_c_is_not_taken_for_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It ends a build also where what was made by then cannot be kept."""

    def interrupted(task: Task, level: str) -> NoReturn:
        shutil.rmtree(task.folder)
        raise KeyboardInterrupt

    monkeypatch.setattr(confined, "launch_in_group", interrupted)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    with pytest.raises(KeyboardInterrupt):
        build(describe(script_bot(tmp_path, MAKES_OAK)), ("/bin/sh", "./build.sh"), level="none")


def test_builders_at_once_keep_one(
    tmp_path: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two who build the same bot at the same time get the same folder, and nothing is left over."""
    program = describe(script_bot(tmp_path, MAKES_OAK))
    inside = threading.Barrier(2)

    def run(command: tuple[str, ...], folder: Path, *_: object) -> Trial:
        inside.wait()
        write(folder / "oak", "#!/bin/sh\n", 0o755)
        return Trial("", "", 0, True)

    monkeypatch.setattr("arena.bots.build.run_build", run)
    with ThreadPoolExecutor(2) as pool:
        one, other = pool.map(make_ready, [program] * 2)
    assert one == other
    assert copies_in(own_cache) == [Path(one.folder).name]


def test_a_missing_toolchain_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a compiler or interpreter the message names it and the package."""
    monkeypatch.setenv("PATH", str(tmp_path))
    for name, message in {
        "oak.c": r"^oak needs a C compiler \(cc\); install gcc$",
        "oak.js": r"^oak needs Node\.js \(node\); install nodejs$",
    }.items():
        (tmp_path / name).write_text("x")
        with pytest.raises(BotBuildError, match=message):
            make_ready(describe(tmp_path / name))


def test_a_program_that_is_not_there_is_told(tmp_path: Path) -> None:
    """A start line that cannot work is refused with what to write instead."""
    folder = write(tmp_path / "oak" / "run", "#!/bin/sh\n").parent
    for manifest, message in {
        "{name: o, start: [no-such-thing]}": 'o needs "no-such-thing", which is not on the PATH',
        "{name: o, start: [/no/such]}": 'o needs "/no/such", which is not there',
        "{name: o, start: [run]}": 'for the file in the bot\'s folder write "./run"',
        "{name: o, start: [./gone]}": '"./gone" is not in the bot\'s folder',
        "{name: o, start: [../run]}": "lies outside of the bot's folder",
        "{name: o, start: [./a/../../run]}": "lies outside of the bot's folder",
        "{name: o, start: [./run]}": "oak/run: not executable; chmod +x",
        "{name: o, start: [./gone], build: ['true']}": "is not in the bot's folder after the",
        "{name: o, start: [./run], build: [no-such-thing]}": 'needs "no-such-thing", which is not',
        "{name: o, start: [./run], build: [./run]}": "oak/run: not executable; chmod +x",
    }.items():
        (folder / "bot.yaml").write_text(manifest)
        with pytest.raises(BotError, match=re.escape(message)):
            make_ready(describe(folder))


def test_a_link_in_a_build_counts_for_itself(tmp_path: Path) -> None:
    """What it leads to is not of the build's making, and takes nothing of its room."""
    (tmp_path / "built").mkdir()
    (tmp_path / "tool").write_bytes(bytes(1 << 20))
    (tmp_path / "built" / "tool").symlink_to(tmp_path / "tool")
    assert confined.too_much(tmp_path / "built", most=1 << 16) is None


DEEP = "(i=0; while [ $i -lt 1500 ]; do mkdir d; cd d; i=$((i + 1)); done)\n"


def test_a_build_that_digs_is_stopped(tmp_path: Path, own_cache: Path) -> None:
    """Folders deeper than a path can name cost their bot the build, and nobody else anything."""
    with pytest.raises(BotBuildError, match="folders within one another"):
        make_ready(describe(script_bot(tmp_path, DEEP + MAKES_OAK)))
    assert copies_in(own_cache) == []


@pytest.mark.parametrize(
    "word", ["/proc/self/cwd/bin/tool", "/usr/../proc/./self/exe", "/dev/fd/0"]
)
def test_a_path_that_means_another_file_to_each(
    word: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot cannot name its own file so that we take it for one of ours."""
    write(tmp_path / "bin" / "tool", "#!/bin/sh\n", 0o755)
    monkeypatch.chdir(tmp_path)
    source = script_bot(tmp_path, MAKES_OAK, start=f"[{word}]")
    with pytest.raises(BotError, match="another file to each"):
        make_ready(describe(source))


def test_handed_in_bytecode_is_not_kept(tmp_path: Path) -> None:
    """A bot's own bytecode says something else than its source: the source plays."""
    source = write(tmp_path / "oak" / "helper.py", "WORD = 'source'\n").parent
    write(source / "bot.py", "import helper\n")
    write(source / "bot.yaml", "name: oak\nlanguage: python\n")
    other = write(tmp_path / "other.py", "WORD = 'smuggled'\n")
    unchecked = py_compile.PycInvalidationMode.UNCHECKED_HASH
    for target in (cache_from_source(source / "helper.py"), str(source / "helper.pyc")):
        py_compile.compile(str(other), target, invalidation_mode=unchecked)
    folder = Path(make_ready(describe(source), level="none").folder)
    said = printed(PYTHON, "-c", "import helper; print(helper.WORD)", cwd=folder)
    assert said == "source\n"
    assert not (folder / "helper.pyc").exists()
