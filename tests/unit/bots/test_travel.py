"""Bots as archives: the same bot arrives, and nothing else does."""

from __future__ import annotations

import hashlib
import io
import os
import stat
import tarfile
from pathlib import Path

import pytest
from support.archive_texts import END_OF_TAR, pax, tar, tar_header

import arena.bots.content as content
from arena.bots.content import File
from arena.bots.find import find_program
from arena.bots.program import Program, describe
from arena.bots.ready import make_ready
from arena.bots.snapshots import open_snapshot, snapshot
from arena.bots.travel import pack_bot, unpack_bot
from arena.values.errors import BotError

BOT = ("bot.py", b"print(1)\n")
# sha256 over "{tool}", "-u", "./bot.py" and the file, as docs/reference/bots.md has the bytes
BOT_BYTES = b"6:{tool}2:-u8:./bot.py-6:bot.py" + hashlib.sha256(BOT[1]).digest()
BOT_HASH = f"sha256:{hashlib.sha256(BOT_BYTES).hexdigest()}"


def write(path: Path, text: str = "x", mode: int = 0o644) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(mode)
    return path


def travel(program: Program, home: Path) -> Program:
    return unpack_bot(pack_bot(program), program.hash, home)


class TestWhatArrives:
    """Bots as they are."""

    def test_a_built_bot_travels_as_it_was_given(self, tmp_path: Path) -> None:
        """What is looked up for a bot that was built is its source, without what was built."""
        folder = tmp_path / "oak"
        write(folder / "bot.yaml", "{name: oak, start: [./made], build: [cp, given, made]}")
        write(folder / "given", "#!/bin/sh\n", 0o755)
        program = snapshot(folder, tmp_path / "one")
        bot = make_ready(program, level="none")
        assert os.path.exists(os.path.join(bot.folder, "made"))
        found = find_program("oak", bot.hash, tmp_path / "one")
        arrived = travel(found, tmp_path / "two")
        assert [file.name for file in arrived.files] == ["bot.yaml", "given"]
        assert arrived.hash == bot.hash

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

    def test_a_file_arrives_without_its_neighbours(self, tmp_path: Path) -> None:
        """Of a folder of many bots just the one that was named is in the archive."""
        write(tmp_path / "bots" / "elm.py")
        oak = describe(write(tmp_path / "bots" / "oak.py", "print(1)"))
        found = travel(oak, tmp_path / "home")
        assert found.hash == oak.hash
        assert [file.name for file in found.files] == ["oak.py"]
        assert found.start == ("{tool}", "-u", "./oak.py")

    def test_what_arrived_is_a_snapshot(self, tmp_path: Path) -> None:
        """It opens as a snapshot, and arrives a second time as what is there already."""
        program = snapshot(write(tmp_path / "oak.py"), tmp_path / "one")
        first = travel(program, tmp_path / "two")
        before = (first.folder / "oak.py").stat().st_ino
        assert travel(program, tmp_path / "two") == first
        assert (first.folder / "oak.py").stat().st_ino == before
        assert open_snapshot(first.folder, program.hash, "oak").files == program.files
        names = os.listdir(tmp_path / "two" / "bots" / "_run")
        assert names == [program.hash[7:]]

    def test_the_same_bot_is_the_same_bytes(self, tmp_path: Path) -> None:
        """Owner, time, other mode bits and place leave no trace."""
        one = write(tmp_path / "a" / "oak.py", "print(1)", 0o600)
        os.utime(one, (1, 1))
        two = write(tmp_path / "b" / "oak.py", "print(1)", 0o664)
        assert pack_bot(describe(one)) == pack_bot(describe(two))

    def test_names_that_only_some_systems_refuse_arrive(self, tmp_path: Path) -> None:
        """A bot that is one as a folder can travel, whatever its files are called."""
        folder = tmp_path / "oak"
        names = ["bot.py", "BOT.txt", "bot.txt", "a\\b", "C:x", "é/ß", "__MACOSX/x", "x" * 255]
        names += ["/".join(["y" * 200] * 3) + "/z", "/".join("a" * 33), " space "]
        for name in names:
            write(folder / name, name)
        program = describe(folder)
        found = travel(program, tmp_path / "home")
        assert found.files == program.files
        assert {name: (found.folder / name).read_text() for name in names} == {n: n for n in names}

    def test_it_need_not_start_here(self, tmp_path: Path) -> None:
        """A bot for another machine arrives; whether it starts is asked when it is to start."""
        script = b"#!/opt/another/machine/tool\n"
        (tmp_path / "oak").write_bytes(script)
        files = (File("oak", True),)
        digest = content.hash_files(tmp_path, files, ("./oak",))
        program = Program("oak", tmp_path, files, ("./oak",), (), "", (), digest)
        for _ in range(2):  # as it comes, and as it lies there
            assert travel(program, tmp_path / "home").start == ("./oak",)

    def test_a_file_that_has_gone_is_named(self, tmp_path: Path) -> None:
        """What cannot be read when it is packed is an error with its name."""
        program = describe(write(tmp_path / "oak.py"))
        (tmp_path / "oak.py").unlink()
        with pytest.raises(BotError, match=r"oak\.py: No such file"):
            pack_bot(program)

    def test_a_file_that_has_grown_is_refused(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """No more than a bot may have is ever in memory."""
        program = describe(write(tmp_path / "oak.py", "x" * 100))
        monkeypatch.setattr("arena.bots.content.MAX_BYTES", 99)
        with pytest.raises(BotError, match="more than 0 MiB"):
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

    def test_the_bot_of_these_tests_would_arrive(self, tmp_path: Path) -> None:
        """But for what each test changes, the archive is good."""
        assert unpack_bot(tar(BOT), BOT_HASH, tmp_path).start == ("{tool}", "-u", "./bot.py")

    @pytest.mark.parametrize(
        ("name", "told"),
        [
            ("../x", "a way out of the archive"),
            ("a/../../x", "a way out of the archive"),
            ("..", "a way out of the archive"),
            ("/etc/passwd", "a way out of the archive"),
            ("a\nb", "printable text"),
            ("a\x1b[2J", "printable text"),
            ("a\u202eb", "printable text"),
            ("/".join("a" * 34), "at most 32 folders"),
            ("x" * 256, "name too long"),
        ],
    )
    def test_names(self, name: str, told: str, tmp_path: Path) -> None:
        """A name that leads out or hides something is refused."""
        found = refusal(tmp_path, tar(BOT, pax(f"path={name}"), tar_header("a")))
        assert told in found

    def test_a_name_that_is_no_utf8(self, tmp_path: Path) -> None:
        """Bytes that are no text are no name."""
        assert "printable text" in refusal(tmp_path, tar(BOT, tar_header("a\udcffa")))

    @pytest.mark.parametrize("kind", [b"1", b"2", b"3", b"4", b"6", b"S", b"Z"])
    def test_links_devices_and_the_like(self, kind: bytes, tmp_path: Path) -> None:
        """There are files and folders, and nothing else."""
        found = refusal(tmp_path, tar(BOT, tar_header("thing", 0, kind)))
        assert 'entry "thing": expected regular files' in found

    @pytest.mark.parametrize(
        "names", [("bot.py", "bot.py"), ("bot.py", "./bot.py"), ("a", "a/b"), ("a/b", "a")]
    )
    def test_every_name_is_there_once(self, names: tuple[str, str], tmp_path: Path) -> None:
        """No second entry changes the first one."""
        found = refusal(tmp_path, tar(*((name, b"x") for name in names)))
        assert ": a second entry of this name" in found

    def test_bombs(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """A size beyond what a bot may have is refused before the first byte is written."""
        found = refusal(tmp_path, tar(BOT, tar_header("big", 257 << 20)))
        assert 'entry "big": more than 256 MiB' in found
        found = refusal(tmp_path, tar(BOT, tar_header("big", 1 << 62)))
        assert 'entry "big": more than 256 MiB' in found
        monkeypatch.setattr("arena.bots.unpack.MAX_FILES", 9)
        found = refusal(tmp_path, tar(*((f"f{number}", b"") for number in range(10))))
        assert 'entry "f9": one too many; expected at most 9' in found
        found = refusal(tmp_path, tar(("/".join("abcdefghij"), b""), BOT))
        assert "one too many" in found

    def test_an_archive_that_is_none(self, tmp_path: Path) -> None:
        """Noise, compressed archives, what is cut off and what is empty are refused."""
        for archive in (b"", b"x" * 2000, os.urandom(5000), tar(BOT)[:600], tar(BOT)[:-1500]):
            assert ".tar: " in refusal(tmp_path, archive)
        packed = io.BytesIO()
        with tarfile.open(fileobj=packed, mode="w:gz") as made:
            made.addfile(tarfile.TarInfo("bot.py"))
        refusal(tmp_path, packed.getvalue())
        assert "no file in it" in refusal(tmp_path, END_OF_TAR)

    def test_another_bot(self, tmp_path: Path) -> None:
        """Content, a name or an executable bit that is another, or a file more: another hash."""
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

    def test_what_no_bot_has(self, tmp_path: Path) -> None:
        """Bytecode and caches, which count for nothing in a folder, are not kept."""
        found = unpack_bot(
            tar(BOT, ("sub/x.pyc", b"x"), ("__pycache__/x", b"")), BOT_HASH, tmp_path / "home"
        )
        assert os.listdir(found.folder) == ["bot.py"]

    def test_what_is_no_bot(self, tmp_path: Path) -> None:
        """A bad bot.yaml, or files of which none is the bot, are told without a path of ours."""
        found = refusal(tmp_path, tar(BOT, ("bot.yaml", b"{nme: oak}")))
        assert found.startswith("bot-")
        assert '.tar/bot.yaml:1: unknown key "nme"' in found
        assert str(tmp_path) not in refusal(tmp_path, tar(("a.py", b"1"), ("b.py", b"2")))

    @pytest.mark.parametrize("digest", ["", "sha256:../../x", "sha256:" + "A" * 64, "md5:1\x1b"])
    def test_a_hash_that_is_none(self, digest: str, tmp_path: Path) -> None:
        """It would become a path."""
        assert "expected a hash like sha256:" in refusal(tmp_path, tar(BOT), digest)
