"""From a path to a program: which file starts, in which language, and what is refused."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from support.bot_files import write
from support.told import told

from arena.bots.program import describe
from arena.values.errors import BotError

SCRIPT = "#!/bin/sh\nexit\n"


def refusal(path: Path) -> str:
    """Return why a path is no bot."""
    return told(BotError, describe, path)


def test_a_folder_without_one_needs_one_main_file(tmp_path: Path) -> None:
    """Its only ``bot.*`` or ``main.*`` file is the bot; two or none are told."""
    folder = tmp_path / "oak"
    write(folder / "board.py")
    write(folder / "readme.md")
    assert "no bot.yaml, and no file called bot.* or main.*" in refusal(folder)
    assert "name the files" not in refusal(folder)
    write(folder / "other.py")
    assert "name the files" in refusal(folder)
    assert "rename the one that starts the bot to bot.py" in refusal(folder)
    assert "another language" not in refusal(folder)
    (folder / "other.py").unlink()
    write(folder / "main.py")
    write(folder / "main.md")
    write(folder / "sub" / "bot.py")
    program = describe(folder)
    assert (program.name, program.start) == ("oak", ("{tool}", "-u", "./main.py"))
    write(folder / "bot.js")
    assert "both bot.js and main.py could be the bot; say which in a bot.yaml" in refusal(folder)
    write(folder / "bot.yaml", "{name: oak, language: python}")
    assert describe(folder).start == ("{tool}", "-u", "./main.py")


def test_a_folder_of_folders_is_named_as_such(tmp_path: Path) -> None:
    """A folder whose files all lie deeper is refused by the names of the folders in it."""
    assert "there is no file in it" in refusal(tmp_path)
    for name in ("lib", "src"):
        write(tmp_path / name / "bot.py")
    assert "only the folders lib, src" in refusal(tmp_path)
    for number in range(10):
        write(tmp_path / str(number) / "bot.py")
    assert "9 and 2 more" in refusal(tmp_path)


def test_a_program_of_a_shell_with_line_ends_of_windows_is_told(tmp_path: Path) -> None:
    """A ``.sh`` file that ``sh`` would read with CR as part of its words is refused."""
    assert "LF line ends" in refusal(write(tmp_path / "bot.sh", "read -r line\r\nexit\r\n"))
    assert describe(write(tmp_path / "bot.js", "exit()\r\n")).language == "javascript"


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("bot.exe", "Windows"),
        ("bot.html", "web page"),
        ("Bot.class", "compiled"),
        ("x.doc", "word"),
    ],
)
def test_a_file_that_is_no_program_is_told(name: str, word: str, tmp_path: Path) -> None:
    """What people hand in by mistake is named, and what to hand in instead."""
    assert word in (said := refusal(write(tmp_path / name, "x")))
    assert "hand in" in said
    assert "another language" not in said
    shutil.copy("/bin/true", tmp_path / name)  # of that name, but a program that starts here
    (tmp_path / name).chmod(0o755)
    assert describe(tmp_path / name).start == (f"./{name}",)


def test_a_program_that_cannot_start_is_told(tmp_path: Path) -> None:
    """What ``execve`` would only call ENOENT, EACCES or ENOEXEC is explained before the match."""
    path = tmp_path / "oak"
    cases = [
        (SCRIPT, 0o644, f"{path}: not executable; chmod +x or name it with a known suffix"),
        ("#!/no/such -x\n", 0o755, 'the shebang "#!/no/such -x" names a program that is not there'),
        ("#!sh\n", 0o755, 'the shebang "#!sh" names a program that is not there'),
        (
            "#!/usr/bin/env no-such-thing\n",
            0o755,
            'names "no-such-thing", which is not on the PATH',
        ),
        ("#! \n", 0o755, "names no program"),
        ("#!/bin/sh\r\nexit\r\n", 0o755, "the shebang ends in CR"),
        ("\ufeff#!/bin/sh\n", 0o755, "a byte order mark (BOM) stands before the first line"),
        ("", 0o755, "the file is empty"),
        ("echo hi\n", 0o755, "no program or script with a shebang"),
    ]
    for content, mode, message in cases:
        assert message in refusal(write(path, content, mode))


def test_a_manifest_with_a_mistake_is_told_by_its_path(tmp_path: Path) -> None:
    """A bad key, an unknown language and a wrong file name each say which file it is."""
    write(tmp_path / "bot.yaml", "name: oak\nlanguage: pyton\n")
    assert refusal(tmp_path) == (
        f'{tmp_path}/bot.yaml: there is no language "pyton"; did you mean "python"?'
    )
    write(tmp_path / "bot.yaml", "name: oak\nlanguage: python\n")
    assert "no file called bot.* or main.* in the language python" in refusal(tmp_path)
    (tmp_path / "bot.yaml").rename(tmp_path / "bot.yml")
    assert refusal(tmp_path) == f"{tmp_path}/bot.yml: rename it to bot.yaml"


def test_a_link_may_lead_elsewhere_in_its_own_folder_only(tmp_path: Path) -> None:
    """A link named as a bot is resolved once, and refused if it leaves its folder."""
    real = write(tmp_path / "bots" / "real.py")
    link = tmp_path / "bots" / "link.py"
    link.symlink_to(real)
    assert describe(link).hash == describe(real).hash
    link.unlink()
    link.symlink_to(write(tmp_path / "secret.py"))
    assert "a link out of its folder" in refusal(link)
    link.unlink()
    link.symlink_to("gone.py")
    assert "a link out of its folder" in refusal(link)


def test_other_things_are_no_bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pipe and a device are told; ``.`` is the folder itself."""
    os.mkfifo(tmp_path / "pipe")
    assert "neither a file nor a folder" in refusal(tmp_path / "pipe")
    assert "neither a file nor a folder" in refusal(Path("/dev/null"))
    (tmp_path / "pipe").unlink()
    write(tmp_path / "sub" / "bot.py")
    monkeypatch.chdir(tmp_path / "sub")
    assert describe(Path(".")).name == "sub"
    (tmp_path / "sub" / "deep").mkdir()
    monkeypatch.chdir(tmp_path / "sub" / "deep")
    assert describe(Path("..")).name == "sub"
