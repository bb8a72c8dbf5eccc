"""Tests of which folders a program needs to see."""

from __future__ import annotations

import sys
import sysconfig
from pathlib import Path

import pytest
from support.bot_files import write

from arena.sandbox import visible
from arena.sandbox.visible import needed


@pytest.fixture(autouse=True)
def _forget() -> None:
    """What was found for an earlier test's folders is not found again."""
    visible.needed.cache_clear()


def program(path: Path) -> Path:
    return write(path, "\x7fELF", 0o755)


def within(path: str, folders: tuple[str, ...]) -> bool:
    return any(Path(path).is_relative_to(folder) for folder in folders)


def test_system_program_needs_no_folder() -> None:
    """A program of the system, or of the bot's own folder, needs no other folder."""
    assert needed("/bin/sh") == ()
    assert needed("./bot") == ()


def test_own_interpreter_shows_standard_library_only() -> None:
    """With the arena's interpreter a bot sees the standard library, no packages."""
    shown = needed(sys.executable)
    if sys.prefix != sys.base_prefix:
        assert not within(sysconfig.get_path("purelib"), (*shown, *visible.SYSTEM))
    for path in (visible.base_python(), sysconfig.get_path("stdlib")):
        path = str(Path(path).absolute())
        assert within(path, (*shown, *visible.SYSTEM)) or not Path(path).exists()
    for place in (sys.prefix, sys.base_prefix):
        assert not within(f"{place}/cup/.arena", shown)


def test_environment_in_project_shows_its_libraries(tmp_path: Path) -> None:
    """Of a virtual environment in a project only its own libraries are shown."""
    tool = program(tmp_path / "bin" / "python3")
    for name in ("conf/settings", "lib/secret.rb", "lib/python3.11/site.py", "lib/libmkl.so.2"):
        program(tmp_path / name)
    assert needed(str(tool)) == (f"{tmp_path}/bin", f"{tmp_path}/lib")
    (tmp_path / "pyvenv.cfg").touch()
    visible.needed.cache_clear()
    names = ("bin", "lib/libmkl.so.2", "lib/python3.11", "pyvenv.cfg")
    assert needed(str(tool)) == tuple(f"{tmp_path}/{name}" for name in names)


def test_java_shows_its_conf(tmp_path: Path) -> None:
    """The folder ``conf`` is shown beside a Java, and beside no other program."""
    tool = program(tmp_path / "bin" / "java")
    program(tmp_path / "conf" / "security")
    assert needed(str(tool)) == (f"{tmp_path}/bin",)
    program(tmp_path / "lib" / "modules")
    visible.needed.cache_clear()
    assert needed(str(tool)) == tuple(f"{tmp_path}/{name}" for name in ("bin", "conf", "lib"))


def test_link_is_shown_with_its_way(tmp_path: Path) -> None:
    """A link is shown with each link on its way and the folder it leads to."""
    real = program(tmp_path / "real" / "bin" / "tool")
    between = tmp_path / "between"
    between.symlink_to(real)
    link = tmp_path / "here" / "bin" / "tool"
    link.parent.mkdir(parents=True)
    link.symlink_to("../../between")
    assert needed(str(link)) == (f"{tmp_path}/between", f"{tmp_path}/here/bin", str(real.parent))


def test_home_is_never_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a program in ``~/bin`` only the file is shown, of a Python its ``bin`` and ``lib``."""
    monkeypatch.setattr(visible, "homes", lambda: frozenset({str(tmp_path)}))
    tool = program(tmp_path / "bin" / "tool")
    (tmp_path / "lib").mkdir()
    assert needed(str(tool)) == (str(tool),)
    for name in ("base_prefix", "base_exec_prefix"):
        monkeypatch.setattr(sys, name, str(tmp_path))
    monkeypatch.setattr(sys, "executable", str(tool))
    monkeypatch.setattr(visible, "base_python", lambda: str(tool))
    visible.needed.cache_clear()
    assert needed(str(tool)) == (f"{tmp_path}/bin", f"{tmp_path}/lib")
