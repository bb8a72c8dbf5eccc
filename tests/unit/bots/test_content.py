"""The files of a bot: which count, which are refused, and what they hash to."""

from __future__ import annotations

import hashlib
import os
import shutil
import socket
from pathlib import Path

import pytest

import arena.bots.content as content
from arena.bots.content import File, copy_files, hash_files, list_files, one_file
from arena.values.errors import BotError


def write(path: Path, text: str = "x", mode: int = 0o644) -> None:
    """Write a file with its folders."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(mode)


def test_caches_do_not_count(tmp_path: Path) -> None:
    """Compiled Python, its folder and git's are no part of a bot, as folder or as file."""
    write(tmp_path / "bot.py")
    write(tmp_path / "sub" / "run", mode=0o755)
    write(tmp_path / "sub" / ".git")
    write(tmp_path / ".git" / "HEAD")
    write(tmp_path / "__pycache__" / "bot.cpython-311.pyc")
    write(tmp_path / "old.pyc")
    assert list_files(tmp_path) == (File("bot.py", False), File("sub/run", True))


def test_order_is_that_of_the_names_bytes(tmp_path: Path) -> None:
    """Files come in the order of their whole names, not folder by folder."""
    for name in ("b", "a/z", "a.c", "B", "é"):
        write(tmp_path / name)
    assert [file.name for file in list_files(tmp_path)] == ["B", "a.c", "a/z", "b", "é"]


def test_the_hash_is_what_the_page_says(tmp_path: Path) -> None:
    """The bytes that are hashed are those of docs/reference/bots.md."""
    write(tmp_path / "bot", "hello", 0o755)
    write(tmp_path / "data/t.txt", "")
    expected = hashlib.sha256(
        b"5:./bot3:--x"
        + (b"x3:bot" + hashlib.sha256(b"hello").digest())
        + (b"-10:data/t.txt" + hashlib.sha256(b"").digest())
    ).hexdigest()
    found = hash_files(tmp_path, list_files(tmp_path), ("./bot", "--x"))
    assert found == f"sha256:{expected}"


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

    thing.symlink_to(outside)
    assert "a link out of the bot's folder" in refusal()
    thing.symlink_to("../bot-folder-2")
    assert "a link out of the bot's folder" in refusal()
    thing.symlink_to("gone")
    assert "a link to nothing" in refusal()
    thing.symlink_to(".")
    assert "round in a circle" in refusal()
    thing.symlink_to("thing")
    assert "a link to nothing" in refusal()
    thing.symlink_to("/dev/null")
    assert "a link out of the bot's folder" in refusal()
    os.mkfifo(thing)
    assert "a pipe; a bot is made of regular files only" in refusal()
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(thing))
        assert "a socket" in refusal()


def test_a_file_swapped_for_a_link_out_is_not_read(tmp_path: Path) -> None:
    """What was a file when listed and is a link out when read is refused."""
    (tmp_path / "secret").write_text("s")
    folder = tmp_path / "bot"
    write(folder / "a")
    files = list_files(folder)
    (folder / "a").unlink()
    (folder / "a").symlink_to(tmp_path / "secret")
    with pytest.raises(BotError, match="changed while it was read"):
        hash_files(folder, files, ("x",))
    (folder / "a").unlink()
    os.mkfifo(folder / "a")
    with pytest.raises(BotError, match="changed while it was read"):
        copy_files(folder, files, tmp_path / "copy")


def test_too_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """More entries or bytes than the limits are an error before they are read."""
    for number in range(5):
        write(tmp_path / f"{number}", "12345678")
    monkeypatch.setattr(content, "MAX_FILES", 4)
    with pytest.raises(BotError, match="more than 4 files"):
        list_files(tmp_path)
    monkeypatch.setattr(content, "MAX_FILES", 5)
    files = list_files(tmp_path)
    monkeypatch.setattr(content, "MAX_BYTES", 39)
    with pytest.raises(BotError, match="more than 0 MiB"):
        list_files(tmp_path)
    monkeypatch.setattr(content, "MAX_BYTES", 7)  # so much has one of them grown meanwhile
    with pytest.raises(BotError, match="more than 0 MiB"):
        hash_files(tmp_path, files, ("x",))


def test_the_limits_are_those_promised() -> None:
    """10,000 files and 256 MiB."""
    assert (content.MAX_FILES, content.MAX_BYTES) == (10_000, 256 * 1024 * 1024)


def test_a_sparse_file_is_refused_by_its_size(tmp_path: Path) -> None:
    """A file of 10 GB is refused without reading it."""
    with open(tmp_path / "big", "wb") as file:
        file.truncate(10_000_000_000)
    with pytest.raises(BotError, match="more than 256 MiB"):
        list_files(tmp_path)


def test_names_that_could_fool_a_terminal_are_refused(tmp_path: Path) -> None:
    """Control characters and bytes that are no text may not stand in a file's name."""
    for name in (b"a\x1b[2J", b"a\nb", b"\xff"):
        path = os.path.join(os.fsencode(tmp_path), name)
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY))
        with pytest.raises(BotError, match="a file's name is printable text"):
            list_files(tmp_path)
        with pytest.raises(BotError, match="a file's name is printable text"):
            one_file(tmp_path, os.fsdecode(name))
        os.unlink(path)


def test_a_name_that_hides_something_is_refused(tmp_path: Path) -> None:
    """Names are judged as everything that is shown: no invisible letters, no piles of marks."""
    for name in ("a\u3164", "a\u202eb", "\u0301a", "a" + "\u0301" * 5):
        write(tmp_path / name)
        with pytest.raises(BotError, match="a file's name is printable text"):
            list_files(tmp_path)
        (tmp_path / name).unlink()
    write(tmp_path / "e\u0301.txt")
    assert len(list_files(tmp_path)) == 1


def test_hard_links_are_files(tmp_path: Path) -> None:
    """Two names of one file count as two files, each with its content."""
    write(tmp_path / "bot" / "a", "same")
    os.link(tmp_path / "bot" / "a", tmp_path / "bot" / "b")
    files = list_files(tmp_path / "bot")
    copy_files(tmp_path / "bot", files, tmp_path / "copy")
    assert [(tmp_path / "copy" / name).read_text() for name in ("a", "b")] == ["same", "same"]
    assert (tmp_path / "copy" / "a").stat().st_nlink == 1


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


def test_a_file_that_grows_for_ever_ends_at_the_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that gets longer as fast as it is read is given up at 256 MiB, not read on."""
    write(tmp_path / "a")
    files = list_files(tmp_path)
    monkeypatch.setattr(content, "MAX_BYTES", 10 << 20)
    monkeypatch.setattr(os, "read", lambda descriptor, size: b"x" * size)
    with pytest.raises(BotError, match="more than 10 MiB"):
        hash_files(tmp_path, files, ("x",))
    with pytest.raises(BotError, match="more than 10 MiB"):
        copy_files(tmp_path, files, tmp_path / "copy")


def test_a_folder_swapped_for_a_link_out_is_not_read(tmp_path: Path) -> None:
    """What was a folder when listed and leads elsewhere when read is refused, the bot's own too."""
    write(tmp_path / "secret" / "sub" / "a", "s")
    folder = tmp_path / "bot"
    write(folder / "sub" / "a")
    files = list_files(folder)
    shutil.rmtree(folder / "sub")
    (folder / "sub").symlink_to(tmp_path / "secret" / "sub")
    with pytest.raises(BotError, match="changed while it was read"):
        hash_files(folder, files, ("x",))
    shutil.rmtree(folder)
    folder.symlink_to(tmp_path / "secret")
    with pytest.raises(BotError, match="changed while it was read"):
        hash_files(folder, files, ("x",))
    with pytest.raises(BotError, match="changed while it was read"):
        copy_files(folder, files, tmp_path / "copy")
    with pytest.raises(BotError, match="a link out of the bot's folder"):
        list_files(folder)
