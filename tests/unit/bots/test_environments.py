"""Folders that an organiser names, and which programs may start a bot."""

from __future__ import annotations

import os
import pwd
from pathlib import Path

import pytest
from support.arena_command import as_json, output, refused
from support.bot_files import write
from support.environments import PYTHON, bot, venv

from arena.bots.environments import (
    add_environment,
    folders_with,
    list_environments,
    remove_environment,
)
from arena.bots.program import describe
from arena.bots.ready import make_ready
from arena.sandbox import visible
from arena.values.errors import BotError, UsageError


@pytest.fixture
def home(disk: Path) -> Path:
    return disk / "cup" / ".arena"


def test_a_folder_is_named_listed_and_taken_back(disk: Path, home: Path) -> None:
    """The list is kept in the home, where nobody else can write; each command prints its result."""
    folder = disk / "science"
    folder.mkdir()
    assert output(home, "environments", "add", "sci", folder).startswith(f"sci is {folder}")
    assert (home / "environments").stat().st_mode & 0o777 == 0o700
    rows = as_json(home, "environments", "list")["rows"]
    assert rows == [{"name": "sci", "folder": str(folder), "problem": "", "packages": ""}]
    folder.rename(disk / "sciences")
    (row,) = list_environments(home)
    assert 'did you mean "sciences"' in row.problem
    assert str(folder) in output(home, "environments", "remove", "sci")
    assert output(home, "environments", "list") == ""


def test_invalid_environment_is_refused(
    disk: Path, home: Path, monkeypatch: pytest.MonkeyPatch, own_cache: Path
) -> None:
    """A folder that cannot be an environment has exit code 2, with a near miss."""
    monkeypatch.setenv("HOME", str(disk / "people" / "ada"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(disk / "caches"))
    visible.homes.cache_clear()
    for name in ("science", "people/ada/venv", "caches/tree-arena/x", "cup/.arena/bots"):
        (disk / name).mkdir(parents=True)
    (disk / "file").touch()
    (disk / "link").symlink_to(disk / "people")
    add_environment(home, "science", disk / "science")
    service = next(one.pw_dir for one in pwd.getpwall() if one.pw_dir == "/usr/sbin")
    for words, said in {
        ("all", "/"): "whole machine",
        ("ada", disk / "people" / "ada"): "is a home folder",
        ("people", disk / "link"): f"holds the home folder {disk}/people/ada",
        ("tmp", "/tmp"): "is a home folder",
        ("service", service): "system's",
        ("proc", "/proc/self/cwd"): "to each program",
        ("cup", disk / "cup"): f"holds the arena's home {home}",
        ("bots", home / "bots"): "lies in the arena's home",
        ("cache", disk / "caches"): "holds the arena's cache",
        ("copies", disk / "caches" / "tree-arena" / "x"): "lies in the arena's cache",
        ("file", disk / "file"): "is not a folder",
        ("typo", disk / "scinece"): 'did you mean "science"',
        ("science", disk / "people" / "ada" / "venv"): "arena environments remove science",
        ("a/b", disk / "science"): "1 to 64 letters",
    }.items():
        assert said in refused(home, "environments", "add", *words)
    assert [one.name for one in list_environments(home)] == ["science"]
    with pytest.raises(UsageError, match='did you mean "science"'):
        remove_environment(home, "scence")
    visible.homes.cache_clear()


def test_a_list_that_others_can_write_counts_for_nothing(disk: Path, home: Path) -> None:
    """Whoever can write it could show bots the folders of others."""
    folder = disk / "science"
    (folder / "bin").mkdir(parents=True)
    add_environment(home, "science", folder)
    program = str(folder / "bin" / "python3")
    assert folders_with(program, home) == (str(folder),)
    if os.geteuid() == 0:
        os.chown(home / "environments" / "science", 61499, 61499, follow_symlinks=False)
        with pytest.raises(UsageError, match="another user"):
            folders_with(program, home)
    (home / "environments").chmod(0o777)
    with pytest.raises(UsageError, match="only you can write"):
        folders_with(program, home)


def test_the_smallest_folder_is_shown(disk: Path, home: Path) -> None:
    """Of folders within one another it is the inner one; a link and what it leads to are shown."""
    (disk / "all" / "one" / "bin").mkdir(parents=True)
    (disk / "link").symlink_to(disk / "all" / "one")
    add_environment(home, "all", disk / "all")
    add_environment(home, "link", disk / "link")
    both = (f"{disk}/link", f"{disk}/all/one")
    assert folders_with(f"{disk}/all/one/bin/x", home) == both
    assert folders_with(f"{disk}/link/bin/x", home) == both
    assert folders_with(f"{disk}/all/two", home) == (f"{disk}/all",)
    assert folders_with(f"{disk}/allowed", home) == ()


def test_program_of_named_folder_may_start_bot(
    disk: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Programs of the system, of a language, and of a named folder may start a bot."""
    place = venv(disk / "site")
    for tool in (disk / "node" / "bin" / "node", disk / "node" / "bin" / "npx"):
        write(tool, "#!/bin/sh\n", 0o755)
    monkeypatch.setenv("PATH", f"{disk}/node/bin:{os.environ['PATH']}")

    def start(program: object) -> tuple[str, ...]:
        source = disk / "bots" / f"bot{len(os.listdir(disk / 'bots'))}"
        return make_ready(describe(bot(source, program)), level="none", home=home).shown

    (disk / "bots").mkdir()
    for program in ("/bin/sh", disk / "node" / "bin" / "npx"):
        assert start(program) == ()
    for program in (place / PYTHON, f"/usr/bin/../..{place}/{PYTHON}"):
        with pytest.raises(BotError, match="arena environments add NAME DIR"):
            start(program)
    monkeypatch.setenv("PATH", f"{place}/bin:{os.environ['PATH']}")
    with pytest.raises(BotError, match='on the PATH: write "python3"'):
        start(place / PYTHON)
    add_environment(home, "site", place)
    assert start(place / PYTHON) == (str(place),)
