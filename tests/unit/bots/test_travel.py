"""Bots as archives: the same bot arrives, and nothing else does."""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path

import pytest
from support.archive_texts import END_OF_TAR, tar, tar_header
from support.bot_files import write

from arena.bots.find import find_program
from arena.bots.program import Program, describe
from arena.bots.ready import make_ready
from arena.bots.snapshots import keep
from arena.bots.travel import pack_bot, unpack_bot
from arena.values.errors import BotError

BOT = ("bot.py", b"print(1)\n")
# sha256 over "{tool}", "-u", "./bot.py" and the file, as docs/reference/bots.md has the bytes
BOT_BYTES = b"6:{tool}2:-u8:./bot.py-6:bot.py" + hashlib.sha256(BOT[1]).digest()
BOT_HASH = f"sha256:{hashlib.sha256(BOT_BYTES).hexdigest()}"


def travel(program: Program, home: Path) -> Program:
    return unpack_bot(pack_bot(program), program.hash, home)


class TestWhatArrives:
    """Bots as they are."""

    def test_a_built_bot_travels_as_it_was_given(self, tmp_path: Path) -> None:
        """What is looked up for a bot that was built is its source, without what was built."""
        folder = tmp_path / "oak"
        write(folder / "bot.yaml", "{name: oak, start: [./made], build: [cp, given, made]}")
        write(folder / "given", "#!/bin/sh\n", 0o755)
        program = keep(describe(folder), tmp_path / "one")
        bot = make_ready(program, level="none")
        assert os.path.exists(os.path.join(bot.folder, "made"))
        found = find_program("oak", bot.hash, tmp_path / "one")
        arrived = travel(found, tmp_path / "two")
        assert [file.name for file in arrived.files] == ["bot.yaml", "given"]
        assert arrived.hash == bot.hash

    def test_a_bot_that_asks_arrives_as_it_starts(self, tmp_path: Path) -> None:
        """A source that is executable and begins with ``#!`` starts by itself there, too."""
        source = write(tmp_path / "gpt.py", "#!/usr/bin/python3\n", 0o755)
        program = describe(source, asks=True)
        assert program.start == ("./gpt.py",)
        arrived = travel(program, tmp_path / "two")
        assert (arrived.hash, arrived.start) == (program.hash, program.start)

    def test_a_folder_arrives_whole(self, tmp_path: Path) -> None:
        """Content, executable bits and the hash are the same; links arrived as what they mean."""
        folder = tmp_path / "oak"
        write(folder / "bot.yaml", "{name: elm, language: python, games: [leaves]}")
        write(folder / "bot.py", "print(1)")
        write(folder / "lib" / "run", "#!/bin/sh\n", 0o755)
        write(folder / "__pycache__" / "bot.pyc", "cache")
        (folder / "link").symlink_to("lib/run")
        found = travel(describe(folder), tmp_path / "home")
        assert found.hash == describe(folder).hash
        assert (found.name, found.language, found.games) == ("elm", "python", ("leaves",))
        assert found.folder == tmp_path / "home" / "bots" / "_run" / found.hash[7:]
        modes = {
            path.relative_to(found.folder).as_posix(): stat.filemode(path.lstat().st_mode)
            for path in found.folder.rglob("*")
        }
        assert modes == {
            "bot.py": "-r--r--r--",
            "bot.yaml": "-r--r--r--",
            "lib": "drwxr-xr-x",
            "lib/run": "-r-xr-xr-x",
            "link": "-r-xr-xr-x",
        }

    def test_the_same_bot_is_the_same_bytes(self, tmp_path: Path) -> None:
        """Owner, time, other mode bits and place leave no trace."""
        one = write(tmp_path / "a" / "oak.py", "print(1)", 0o600)
        os.utime(one, (1, 1))
        two = write(tmp_path / "b" / "oak.py", "print(1)", 0o664)
        assert pack_bot(describe(one)) == pack_bot(describe(two))

    def test_a_file_that_has_grown_is_refused(self, tmp_path: Path) -> None:
        """No more than was described is ever in memory, and no more than may be carried."""
        program = describe(write(tmp_path / "oak.py", "x" * 100))
        with pytest.raises(BotError, match="cannot be carried"):
            pack_bot(program, 99)
        for text in ("x" * 101, "x" * 99):
            write(tmp_path / "oak.py", text)
            with pytest.raises(BotError, match="changed while it was read"):
                pack_bot(program)


def refusal(tmp_path: Path, archive: bytes, digest: str = BOT_HASH) -> str:
    """Return why an archive is refused; nothing may be left of it."""
    with pytest.raises(BotError) as caught:
        unpack_bot(archive, digest, tmp_path / "home")
    left = [path for path in tmp_path.rglob("*") if path.is_file() or path.is_symlink()]
    assert left == []
    shelf = tmp_path / "home" / "bots" / "_run"
    assert not shelf.exists() or os.listdir(shelf) == []
    assert str(caught.value).isprintable()
    return str(caught.value)


class TestWhatIsRefused:
    """Archives that nobody honest has made."""

    def test_changed_archive_has_another_hash(self, tmp_path: Path) -> None:
        """Another content, name or executable bit, or one file more, gives another hash."""
        good = tar_header("bot.py", len(BOT[1]))
        content = BOT[1] + bytes(512 - len(BOT[1]))
        assert unpack_bot(good + content + END_OF_TAR, BOT_HASH, tmp_path / "good").hash == BOT_HASH
        for wrong in (
            tar(("bot.py", b"print(2)\n")),
            tar(("bots.py", BOT[1])),
            tar(BOT, ("more.py", b"")),
            tar_header("bot.py", len(BOT[1]), mode=0o755) + content + END_OF_TAR,
        ):
            with pytest.raises(BotError, match="it holds another bot, sha256:"):
                unpack_bot(wrong, BOT_HASH, tmp_path / "home")
        assert os.listdir(tmp_path / "home" / "bots" / "_run") == []

    def test_archive_drops_caches(self, tmp_path: Path) -> None:
        """Bytecode and caches in an archive are not kept."""
        found = unpack_bot(
            tar(BOT, ("sub/x.pyc", b"x"), ("__pycache__/x", b"")), BOT_HASH, tmp_path / "home"
        )
        assert os.listdir(found.folder) == ["bot.py"]

    def test_archive_without_bot_is_refused(self, tmp_path: Path) -> None:
        """An archive with a bad ``bot.yaml`` or no main file is refused without a path of ours."""
        found = refusal(tmp_path, tar(BOT, ("bot.yaml", b"{nme: oak}")))
        assert found.startswith("bot-")
        assert '.tar/bot.yaml:1: unknown key "nme"' in found
        assert str(tmp_path) not in refusal(tmp_path, tar(("a.py", b"1"), ("b.py", b"2")))

    @pytest.mark.parametrize("digest", ["", "sha256:../../x", "sha256:" + "A" * 64, "md5:1\x1b"])
    def test_path_as_hash_is_refused(self, digest: str, tmp_path: Path) -> None:
        """A hash that is a path is refused."""
        assert "expected a hash like sha256:" in refusal(tmp_path, tar(BOT), digest)
