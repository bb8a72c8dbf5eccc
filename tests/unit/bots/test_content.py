"""The files of a bot: which count, which are refused, and what they hash to."""

from __future__ import annotations

import os
import stat
import subprocess
from pathlib import Path

import pytest
from support.bot_files import write

import arena.bots.content as content
from arena.bots.content import copy_files, hash_files, list_files
from arena.values.errors import BotError
from arena.values.model import DEFAULT_BOT_SIZE


def test_the_hash_tells_apart_what_plays_differently(tmp_path: Path) -> None:
    """Content, a name, the executable bit and the start line each change the hash."""
    write(tmp_path / "bot", "one")

    def now(*start: str) -> str:
        return hash_files(tmp_path, list_files(tmp_path), start or ("./bot",))

    seen = [now(), now("./bot", "-v"), now("./bot-v")]
    write(tmp_path / "bot", "two")
    seen.append(now())
    (tmp_path / "bot").chmod(0o755)
    seen.append(now())
    (tmp_path / "bot").rename(tmp_path / "bot2")
    seen.append(now())
    assert len(set(seen)) == len(seen)


def test_a_link_inside_stands_for_its_content(tmp_path: Path) -> None:
    """Links to a file and to a folder of the bot count as copies of them."""
    write(tmp_path / "lib" / "a.txt", "A")
    (tmp_path / "b.txt").symlink_to("lib/a.txt")
    (tmp_path / "other").symlink_to("lib")
    files = list_files(tmp_path)
    assert [file.name for file in files] == ["b.txt", "lib/a.txt", "other/a.txt"]
    copy_files(tmp_path, files, tmp_path / "copy")
    copied = [tmp_path / "copy" / file.name for file in files]
    assert [path.read_text() for path in copied] == ["A", "A", "A"]
    assert not any(path.is_symlink() for path in copied)


def test_what_is_no_regular_file_inside_is_refused(tmp_path: Path) -> None:
    """Links out, to nothing or in a circle, pipes, sockets and devices are told one by one."""
    outside = tmp_path / "secret"
    outside.write_text("s")
    folder = tmp_path / "bot-folder"
    folder.mkdir()
    thing = folder / "thing"

    def refusal() -> str:
        with pytest.raises(BotError) as caught:
            list_files(folder)
        thing.unlink()
        return str(caught.value)

    for target, said in [
        (str(outside), "a link out of the bot's folder"),
        ("../bot-folder-2", "a link out of the bot's folder"),
        ("gone", "a link to nothing"),
        (".", "round in a circle"),
        ("thing", "a link to nothing"),
        ("/dev/null", "a link out of the bot's folder"),
    ]:
        thing.symlink_to(target)
        assert said in refusal()
    os.mkfifo(thing)
    assert "or a device; a bot is made of regular files only" in refusal()
    os.mknod(thing, stat.S_IFSOCK)  # to bind one there its path may be too long
    assert "regular files only" in refusal()


@pytest.mark.parametrize(
    ("swap", "now"),
    [
        ("rm b && ln -s ../secret/b b", "a link out of the bot's folder"),
        ("rm b && mkfifo b", "a pipe"),
        ("rm -r sub && ln -s ../secret/sub sub", "a link out of the bot's folder"),
        ("cd .. && rm -r bot && ln -s secret bot", "a link out of the bot's folder"),
    ],
)
def test_what_was_swapped_is_not_read(swap: str, now: str, tmp_path: Path) -> None:
    """A file or folder, the bot's own too, that is a link or a pipe once it is read is refused."""
    for name in ("bot/b", "bot/sub/a", "secret/b", "secret/sub/a"):
        write(tmp_path / name)
    folder = tmp_path / "bot"
    files = list_files(folder)
    subprocess.run(["sh", "-c", swap], cwd=folder, check=True)
    with pytest.raises(BotError, match=r"changed while it was read|expected a file"):
        hash_files(folder, files, ("x",))
    with pytest.raises(BotError, match=r"changed while it was read|expected a file"):
        copy_files(folder, files, tmp_path / "copy")
    with pytest.raises(BotError, match=now):
        list_files(folder)


def test_the_limits_are_those_promised() -> None:
    """10,000 files and 256 MiB."""
    assert (content.MAX_FILES, DEFAULT_BOT_SIZE) == (10_000, 256 * 1024 * 1024)


def test_folders_lie_thirty_two_deep_at_most(tmp_path: Path) -> None:
    """What lies in 32 folders is found, deeper ones are refused."""
    write(tmp_path.joinpath("bot", *"a" * 32, "x"))
    assert len(list_files(tmp_path / "bot")) == 1
    write(tmp_path.joinpath("bot", *"a" * 33, "x"))
    with pytest.raises(BotError, match="more than 32 levels"):
        list_files(tmp_path / "bot")


def test_what_cannot_be_read_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file without permission is named with the reason."""
    write(tmp_path / "a")

    def refuse(*args: object, **keys: object) -> int:
        raise PermissionError(13, "Permission denied")

    files = list_files(tmp_path)
    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(BotError, match=r"/a: Permission denied"):
        hash_files(tmp_path, files, ("x",))
