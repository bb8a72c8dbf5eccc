"""The file that a person names for a result: what it is decides how it is written."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest
from support.arena_command import arena, output

HEAD = "name: small\ngame: leaves\nrounds: 1\nseed: 1\nbots: [greedy, random]\n"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a home in which a tournament of two matches was run."""
    folder = tmp_path_factory.mktemp("files")
    (folder / "small.yaml").write_text(HEAD)
    output(folder / "home", "run", folder / "small.yaml")
    return folder / "home"


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
