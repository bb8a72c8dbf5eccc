"""Languages: found by scanning, unmistakable, and each able to run its smallest program."""

from __future__ import annotations

import dataclasses
import sys
from pathlib import Path

import pytest
from support.needs import toolchain

from arena.bots.probe import probe_language
from arena.process.languages import (
    all_languages,
    find_language,
    language_of,
    look_again,
    refuse_doubles,
)
from arena.process.languages.interface import build_line, find_tool, missing_tool, start_line
from arena.sandbox import LevelProblem
from arena.values.errors import BotError


def test_the_languages_of_the_folder_are_found() -> None:
    """Every module of the folder but the interface is a language."""
    assert [language.name for language in all_languages()] == [
        "awk",
        "c",
        "cpp",
        "go",
        "java",
        "javascript",
        "python",
        "rust",
        "shell",
    ]


def test_no_two_claim_a_name_or_suffix() -> None:
    """Our own languages share neither a name nor a suffix."""
    refuse_doubles((language, language.name) for language in all_languages())


def test_doubles_are_refused() -> None:
    """Two that claim one suffix are an error that shows both places."""
    c = find_language("c")
    other = dataclasses.replace(c, name="c-fast")
    with pytest.raises(BotError, match=r'claim "\.c": here and there'):
        refuse_doubles([(c, "here"), (other, "there")])


def test_an_unknown_name_has_a_near_miss() -> None:
    """A misspelt language is an error that names the nearest one."""
    with pytest.raises(BotError, match='there is no language "pyton"; did you mean "python"'):
        find_language("pyton")
    with pytest.raises(
        BotError, match="there are awk, c, cpp, go, java, javascript, python, rust, shell"
    ):
        find_language("")


@pytest.mark.parametrize(
    ("file_name", "name"),
    [
        ("bot.py", "python"),
        ("a.b.JS", "javascript"),
        ("bot.mjs", "javascript"),
        ("bot.c", "c"),
        ("bot.cc", "cpp"),
        ("bot.sh", "shell"),
        ("bot.awk", "awk"),
        ("bot.go", "go"),
        ("bot.rs", "rust"),
        ("Bot.java", "java"),
        ("bot", None),
        ("bot.exe", None),
        (".py", None),
    ],
)
def test_a_suffix_tells_the_language(file_name: str, name: str | None) -> None:
    """A file's language is that of its last suffix, in any case."""
    found = language_of(file_name)
    assert (found.name if found else None) == name


def test_python_is_the_arenas_own() -> None:
    """A Python bot runs on the interpreter that runs the arena, whatever the PATH says."""
    python = find_language("python")
    assert find_tool(python, "/nowhere") == sys.executable
    assert start_line(python, "x.py") == ("{tool}", "-u", "./x.py")
    assert build_line(python, "x.py") == ()


def test_a_file_is_no_option() -> None:
    """A source file called like an option is still named as a file."""
    assert build_line(find_language("c"), "-E.c") == (
        "{tool}",
        "-O2",
        "-o",
        "./-E",
        "./-E.c",
        "-lm",
    )


def test_tools_are_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tool found through a relative folder of the PATH is still named absolutely."""
    tool = tmp_path / "bin" / "gcc"
    tool.parent.mkdir()
    tool.touch(0o755)
    monkeypatch.chdir(tmp_path)
    assert find_tool(find_language("c"), "bin") == str(tool)
    assert find_tool(find_language("c"), "elsewhere") is None


def test_a_plugged_in_language_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A language of another package counts once its entry point is installed."""
    info = tmp_path / "arena_lua-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: arena-lua\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[arena.languages]\nlua = arena_lua:LANGUAGE\n")
    (tmp_path / "arena_lua.py").write_text(
        "from arena.process.languages import Language\n"
        'LANGUAGE = Language("lua", (".lua",), ("{tool}", "{source}"), "print(\'ok\')",\n'
        '                    ("lua5.4", "lua"), "Lua", "lua5.4")\n'
    )
    monkeypatch.syspath_prepend(tmp_path)
    look_again()
    try:
        found = language_of("bot.lua")
        assert found == find_language("lua")
        assert found is not None
        assert missing_tool(found) == "needs Lua (lua5.4); install lua5.4"
    finally:
        monkeypatch.undo()
        look_again()
    assert language_of("bot.lua") is None


@pytest.mark.parametrize("name", [language.name for language in all_languages()])
def test_the_probe_works(name: str) -> None:
    """A language whose toolchain is on the machine builds and runs its smallest program."""
    assert probe_language(find_language(toolchain(name))) is None


def test_a_broken_toolchain_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A probe that prints something else, and one that has no compiler, say so."""
    c = find_language("c")
    shell = find_language("shell")
    wrong = dataclasses.replace(shell, probe="echo no\n")
    found = probe_language(wrong)
    assert found is not None
    assert "printed 'no\\n'" in found.reason
    assert found.remedy == ""
    monkeypatch.setenv("PATH", str(tmp_path))
    assert probe_language(c) == LevelProblem("needs a C compiler (cc)", "install gcc")
