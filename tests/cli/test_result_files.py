"""The file that a person names for a result: what it is decides how it is written."""

from __future__ import annotations

import os
import subprocess
import threading
from pathlib import Path

import pytest
from support.arena_command import ARENA, arena, environment, output

HEAD = "name: small\ngame: leaves\nrounds: 1\nseed: 1\nbots: [greedy, random]\n"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a home in which a tournament of two matches was run."""
    folder = tmp_path_factory.mktemp("files")
    (folder / "small.yaml").write_text(HEAD)
    output(folder / "home", "run", folder / "small.yaml")
    return folder / "home"


def shell(home: Path, line: str, cwd: Path) -> str:
    """Run a line of bash in which ``arena`` is the command; return what it printed."""
    text = f'arena() {{ "{ARENA[0]}" -m arena "$@"; }}; {line}'
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", text],
        cwd=cwd,
        env=environment(home),
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_pipe_is_written_into(home: Path, tmp_path: Path) -> None:
    """A named pipe stays one, and its reader gets every line."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    output(home, "export", "-o", pipe)
    reader.join(60)
    assert pipe.is_fifo()
    assert read == [output(home, "export")]


def test_a_link_is_followed(home: Path, tmp_path: Path) -> None:
    """A link stays one, and what it leads to is written, there or not."""
    (tmp_path / "there").write_text("old and longer than what comes" * 10_000)
    for name in ("there", "new"):
        link = tmp_path / f"to-{name}"
        link.symlink_to(name)
        output(home, "export", "-o", link)
        assert link.is_symlink()
        assert (tmp_path / name).read_text() == output(home, "export")


def test_what_a_shell_hands_over(home: Path, tmp_path: Path) -> None:
    """Standard output by its name, and the pipe of a process substitution.

    A link like ``/dev/stdout`` stands for that: what replaces it must not break the machine.
    """
    lines = len(output(home, "export").splitlines())
    assert lines == 2
    (tmp_path / "stdout").symlink_to("/proc/self/fd/1")
    counted = shell(home, "arena export -o stdout | wc -l", tmp_path)
    assert counted.strip() == "2"
    shell(home, "arena export -o >(wc -l > count); wait $!", tmp_path)
    assert (tmp_path / "count").read_text().strip() == "2"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["count", "stdout"]


def test_a_plain_file_is_replaced_as_a_whole(home: Path, tmp_path: Path) -> None:
    """A reader that has it open keeps the old one; where the export fails, it stays."""
    file = tmp_path / "records.jsonl"
    file.write_text("old\n")
    with file.open() as opened:
        output(home, "export", "-o", file)
        assert opened.read() == "old\n"
    whole = file.read_text()
    assert whole == output(home, "export")
    assert arena(home, "export", "nothing", "-o", file).returncode == 2
    assert file.read_text() == whole
    assert [path.name for path in tmp_path.iterdir()] == ["records.jsonl"]


def test_a_file_that_cannot_be_written(home: Path, tmp_path: Path) -> None:
    """It is named as the person named it, exit code 2, before a match is played."""
    for path in (tmp_path, tmp_path / "gone" / "x.json"):
        for words in (
            ("export", "-o", path),
            ("play", "leaves", "greedy", "random", "--record", path),
        ):
            done = arena(home, *words)
            assert done.returncode == 2
            assert done.stdout == ""
            assert f"arena: {path}: " in done.stderr
    assert list(tmp_path.iterdir()) == []


def failing(command: str) -> tuple[str, ...]:
    """Return a command that fails after it was seen that its files can be written."""
    return {
        "play": ("play", "leaves", "greedy", "nosuch", "--record", "a", "--html", "b"),
        "explain": ("explain", "record.json", "--player", "9", "--html", "a"),
        "show": ("show", "nosuch", "--html", "a"),
    }[command]


@pytest.mark.parametrize("command", ["play", "explain", "show"])
def test_a_command_that_fails_leaves_no_file(command: str, tmp_path: Path) -> None:
    """Neither an empty file where there was none, nor a change of one that was there."""
    words = ("play", "leaves", "greedy", "random", "--seed", "1", "--record", "record.json")
    output(tmp_path / "home", *words, cwd=tmp_path)
    before = sorted(path.name for path in tmp_path.iterdir())
    assert arena(tmp_path / "home", *failing(command), cwd=tmp_path).returncode == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == before
    (tmp_path / "a").write_text("old\n")
    assert arena(tmp_path / "home", *failing(command), cwd=tmp_path).returncode == 2
    assert (tmp_path / "a").read_text() == "old\n"


@pytest.mark.parametrize("option", ["--record", "--html"])
def test_every_result_may_go_to_a_pipe(option: str, tmp_path: Path) -> None:
    """A page or a record is written into what a shell hands over, too."""
    line = f"arena play leaves greedy random --seed 1 {option} >(wc -c > count); wait $!"
    shell(tmp_path / "home", line, tmp_path)
    assert int((tmp_path / "count").read_text()) > 1000
