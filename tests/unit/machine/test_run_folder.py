"""The folder of a run: whoever looks knows a dead run from one that lives, and whose a word is."""

from __future__ import annotations

import contextlib
import os
import signal
import tempfile
from pathlib import Path

import pytest
from support.piped import Piped
from support.ran import PYTHON

from arena.machine import run_folder
from arena.machine.run_folder import dead_runs, is_word_of, new_word, own_folder, scratch_folder

PROGRAM = """\
import os, sys
from arena.machine.run_folder import leave_folder, new_word, own_folder
print(own_folder(), new_word(), flush=True)
if sys.stdin.readline() == "leave\\n":
    leave_folder()
"""


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Have folders of runs lie where no other test looks."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


class Other:
    """Another process with a folder of its own."""

    def __init__(self, place: Path) -> None:
        env = {**os.environ, "TMPDIR": str(place)}
        self.process = Piped([PYTHON, "-c", PROGRAM], env=env)
        self.folder, self.word = self.process.stdout.readline().split()

    def end(self, line: str = "\n") -> None:
        self.process.communicate(line)

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.communicate()


def test_only_killed_run_is_dead(place: Path) -> None:
    """Of a killed, an ended and a living run, only the killed one is found as dead, once."""
    killed, ended, lives = (Other(place) for _ in range(3))
    own = own_folder()
    with dead_runs([place]) as dead:
        assert not dead
    killed.kill()
    ended.end()
    with dead_runs([place, str(place)]) as dead, dead_runs([place]) as others:
        assert [*dead] == [killed.folder]
        assert not others, "nobody else takes it meanwhile"
        assert is_word_of(dead.values(), killed.word)
        assert not is_word_of(dead.values(), lives.word)
        assert not is_word_of(dead.values(), new_word())
    lives.end()
    assert sorted(place.iterdir()) == sorted([Path(own), Path(killed.folder)])


def test_run_with_leftovers_keeps_its_folder(place: Path) -> None:
    """A run that ends and reports leftovers leaves its folder to the next run."""
    other = Other(place)
    other.end("leave\n")
    with dead_runs([place]) as dead:
        assert is_word_of(dead.values(), other.word)


def test_words_of_run_tell_nothing() -> None:
    """Each word is 16 random hexadecimal digits, and only a word that the run made is accepted."""
    words = {new_word() for _ in range(100)}
    assert len(words) == 100
    assert all(len(word) == 16 and int(word, 16) >= 0 for word in words)
    key = run_folder._own_run()[0].key
    word = words.pop()
    assert is_word_of([os.urandom(32), key], word)
    changed = word[:-1] + ("0" if word[-1] != "0" else "1")
    for text in (changed, word[:-1], word.upper() + "0", "", f"{word}\n", "x" * 16):
        assert not is_word_of([key], text)
    assert str(os.getpid()) not in own_folder()


def test_scratch_folder_is_removed_after_error(place: Path) -> None:
    """A scratch folder is removed when its block raises, and is never taken for a dead run's."""
    with contextlib.suppress(KeyError), scratch_folder(place) as scratch:
        (scratch / "a" / "b").mkdir(parents=True)
        with dead_runs([place]) as dead:
            assert not dead
        raise KeyError
    assert not scratch.exists()


def test_removed_run_folder_is_made_again(place: Path) -> None:
    """A run folder that was cleaned up is made again; links and folders of others stay."""
    first = Path(own_folder())
    for path in first.iterdir():
        path.unlink()
    first.rmdir()
    (place / "elsewhere").mkdir()
    (place / ".arena-run-link").symlink_to(place / "elsewhere")
    assert own_folder() != str(first)
    assert Path(own_folder()).is_dir()
    with dead_runs([place]) as dead:
        assert not dead
    assert not os.listdir(place / "elsewhere")
