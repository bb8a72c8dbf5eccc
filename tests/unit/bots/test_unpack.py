"""Archives of bots: what is unpacked, and what is refused, of which nothing stays."""

from __future__ import annotations

import errno
import os
import re
import stat
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from support.archive_texts import END_OF_TAR, gz, pax, tar, tar_header, zip_of, zip_with
from support.bot_files import write

import arena.bots.unpack as unpack
from arena.bots.program import describe
from arena.bots.unpack import unpacked
from arena.machine.run_folder import own_folder
from arena.values.errors import BotError
from arena.values.model import DEFAULT_BOT_SIZE

PACKERS: dict[str, Callable[..., bytes]] = {
    "bot.zip": zip_of,
    "bot.tar": tar,
    "bot.tar.gz": lambda *entries: gz(tar(*entries)),
}
BOT = ("bot.py", b"print(1)\n")
HEADERS = [b"\1" * 512] * 20  # more than is read at once


@pytest.fixture(autouse=True)
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Have everything unpacked below a folder of the test's own, which must be empty in the end."""
    folder = tmp_path / "scratch"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    return Path(own_folder())


def refusal(tmp_path: Path, data: bytes, name: str, most: int = DEFAULT_BOT_SIZE) -> str:
    """Return why an archive is refused, without its path; nothing may be left of it."""
    path = write(tmp_path / name, data)
    with pytest.raises(BotError) as caught, unpacked(path, most) as folder:  # noqa: PT012  # whichever finds it
        describe(folder)
        pytest.fail("it was taken")
    assert os.listdir(own_folder()) == ["lock"]
    message = str(caught.value)
    assert message.startswith(str(path))
    assert message.isprintable()
    assert "unpack-" not in message
    return message.removeprefix(f"{path}: ")


class TestWhatIsUnpacked:
    """Archives as people make them."""

    @pytest.mark.parametrize("name", PACKERS)
    def test_files_arrive_and_are_gone_afterwards(
        self, name: str, tmp_path: Path, scratch: Path
    ) -> None:
        """Every file has its content; the folder ends with the block."""
        files = {"bot.yaml": b"{name: oak, language: python}", "bot.py": b"x" * 100_000}
        files |= {"data/a/book.txt": b"", "data/é.txt": b"1"}
        (tmp_path / name).write_bytes(PACKERS[name](*files.items()))
        with unpacked(tmp_path / name) as folder:
            found = {
                str(path.relative_to(folder)): path.read_bytes()
                for path in folder.rglob("*")
                if path.is_file()
            }
            assert found == files
            assert describe(folder).name == "oak"
        assert os.listdir(scratch) == ["lock"]

    def test_the_same_files_are_the_same_bot(self, tmp_path: Path) -> None:
        """A folder, its zip, its tar and its tar.gz have one hash, executable bit and all."""
        folder = tmp_path / "oak"
        (folder / "sub").mkdir(parents=True)
        (folder / "bot.py").write_bytes(BOT[1])
        write(folder / "sub" / "run", "x", 0o755)
        with zipfile.ZipFile(tmp_path / "oak.zip", "w") as archive:
            for path in sorted(folder.rglob("*")):
                archive.write(path, path.relative_to(tmp_path))
        for name, mode in (("oak.tar", "w"), ("oak.tar.gz", "w:gz"), ("oak.tgz", "w:gz")):
            for form in (tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT):
                with tarfile.open(tmp_path / name, mode, format=form) as made:  # type: ignore[call-overload]  # modes are literals
                    made.add(folder, "." if form == tarfile.GNU_FORMAT else "oak")
                with unpacked(tmp_path / name) as found:
                    assert describe(found).hash == describe(folder).hash
        with unpacked(tmp_path / "oak.zip") as found:
            assert describe(found).hash == describe(folder).hash

    def test_modes_are_reduced(self, tmp_path: Path) -> None:
        """Of a mode only the owner's right to execute counts; set-uid and the like are gone."""
        blocks = [
            (tar_header("bot.py", 0, mode=0o7777)),
            (tar_header("data", 0, mode=0o7666)),
            (tar_header("folder/", 0, b"5", mode=0o7000)),
        ]
        (tmp_path / "bot.tar").write_bytes(tar(*blocks))
        (tmp_path / "bot.zip").write_bytes(zip_of(BOT, mode=stat.S_IFREG | 0o4777))
        with unpacked(tmp_path / "bot.tar") as folder:
            modes = {
                path.name: stat.S_IMODE(path.stat().st_mode)
                for path in folder.iterdir()
                if path.is_file()
            }
            assert modes == {"bot.py": 0o755, "data": 0o644}
            assert stat.S_IMODE((folder / "folder").stat().st_mode) & 0o7022 == 0
        with unpacked(tmp_path / "bot.zip") as folder:
            assert stat.S_IMODE((folder / "bot.py").stat().st_mode) == 0o755

    def test_a_bad_bot_is_told_by_the_archives_name(self, tmp_path: Path) -> None:
        """What is wrong with the files does not name a folder that is gone."""
        path = write(tmp_path / "oak.zip", zip_of(("bot.yaml", b"{nme: oak}"), ("x", b"")))
        with pytest.raises(BotError) as caught, unpacked(path) as folder:
            describe(folder)
        assert str(caught.value).startswith(f'{path}/bot.yaml:1: unknown key "nme"')


BAD_NAMES = {
    "../x": "a way out", "a/../../x": "a way out", "..": "a way out", "/etc/passwd": "a way out",
    "//x": "a way out", ".": "a second entry", "a\nb": "U+000A", "a\x1b[2J": "U+001B",
    "a\x9bb": "U+009B", "a\u202eb": "U+202E", "a\u200bb": "U+200B",
    "/".join("a" * 34): "at most 32 folders", "x" * 256: "name too long",
}  # fmt: skip


@pytest.mark.parametrize("packer", PACKERS)
@pytest.mark.parametrize("name", BAD_NAMES)
def test_names_are_names_within_the_archive(name: str, packer: str, tmp_path: Path) -> None:
    """A name that leads out, hides something, or is too long is refused."""
    if packer == "bot.zip":
        data = zip_of(BOT, (name, b"x"))
    else:
        data = tar(BOT, pax(f"path={name}"), tar_header("a"))
        data = gz(data) if packer.endswith("gz") else data
    found = refusal(tmp_path, data, packer)
    if "U+" in BAD_NAMES[name]:
        assert "printable text" in found
    else:
        assert found.startswith('entry "'), found
        assert BAD_NAMES[name] in found


@pytest.mark.parametrize("packer", PACKERS)
@pytest.mark.parametrize(
    ("one", "other"),
    [("bot.py", "bot.py"), ("bot.py", "./bot.py"), ("a", "a/b"),
     ("a/b", "a"), ("a//b", "./a/./b")],
)  # fmt: skip
def test_every_name_is_there_once(one: str, other: str, packer: str, tmp_path: Path) -> None:
    """A second entry changes nothing of the first, and a file is no folder as well."""
    found = refusal(tmp_path, PACKERS[packer]((one, b"x"), (other, b"y")), packer)
    assert "a second entry of this name" in found


@pytest.mark.parametrize(
    "mode",
    [stat.S_IFLNK | 0o777, stat.S_IFIFO, stat.S_IFSOCK, stat.S_IFCHR, stat.S_IFBLK,
     stat.S_IFDIR | 0o755, 0o170000],
)  # fmt: skip
@pytest.mark.parametrize("system", [0, 3])
def test_a_zip_holds_files_and_folders_only(mode: int, system: int, tmp_path: Path) -> None:
    """What the mode says counts, whatever system the archive claims to come from."""
    found = refusal(tmp_path, zip_of(("thing", b"/etc"), mode=mode, system=system), "bot.zip")
    assert found.startswith('entry "thing": expected regular files and folders only')


def test_a_zip_is_not_encrypted_nor_oddly_packed(tmp_path: Path) -> None:
    """Flags of encryption and methods other than stored and deflated are refused."""
    data = zip_of(BOT)
    for flag in (0x1, 0x40):
        found = refusal(tmp_path, zip_with(data, [("central", 8, "H", flag)]), "bot.zip")
        assert found.startswith('entry "bot.py": ')
    for method in (1, 9, 12, 14, 93, 99):
        found = refusal(tmp_path, zip_with(data, [("central", 10, "H", method)]), "bot.zip")
        assert found.startswith('entry "bot.py": ')


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ([("local", 30, "B", ord("x"))], "cannot be unpacked: File name in directory"),
        ([("central", 24, "I", 3)], "cannot be unpacked: Bad CRC-32"),
        ([("central", 24, "I", 10)], "another size than the 10 bytes it says"),
        ([("central", 24, "I", 1 << 31)], "more than 256 MiB; bot_size"),
        ([("central", 16, "I", 0)], "cannot be unpacked: Bad CRC-32"),
        ([("central", 42, "I", 1)], "cannot be unpacked: Bad magic number"),
        ([("central", 42, "I", 1 << 30)], "cannot be unpacked"),
        ([("central", 6, "H", 99)], "cannot be unpacked: zip file version 9.9"),
        ([("central", 0, "I", 0)], "cannot be unpacked: Bad magic number"),
        ([("local", 26, "H", 60_000)], "cannot be unpacked"),
    ],
)
def test_a_zip_that_lies_is_found_out(
    changes: list[tuple[str, int, str, int]], told: str, tmp_path: Path
) -> None:
    """List and headers that differ, wrong sizes, checksums and places end the unpacking."""
    found = refusal(tmp_path, zip_with(zip_of(BOT), changes), "bot.zip")
    assert told in found


def test_overlapping_entries_are_counted_as_often_as_they_are_named(tmp_path: Path) -> None:
    """Many names for one packed content, each within bounds, are too much together."""
    megabyte = b"\0" * (1 << 20)
    data = zip_of(*((f"f{number}", megabyte) for number in range(17)))
    assert len(data) < 30_000
    found = refusal(tmp_path, data, "bot.zip", 16 << 20)
    assert found.startswith('entry "f16": more than 16 MiB; bot_size')


@pytest.mark.parametrize("packer", PACKERS)
def test_one_entry_too_many_is_refused(
    packer: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first entry above the limit is named; folders that nobody listed count as well."""
    monkeypatch.setattr(unpack, "MAX_FILES", 100)
    found = refusal(tmp_path, PACKERS[packer](*((str(n), b"") for n in range(101))), packer)
    assert found == 'entry "100": one too many; expected at most 100'
    deep = "/".join("a" * 30)
    found = refusal(tmp_path, PACKERS[packer](*((f"{n}/{deep}", b"") for n in range(6))), packer)
    assert "one too many" in found
    monkeypatch.setattr(unpack, "LISTED", 100)
    left_out = (("v/pyvenv.cfg" if n == 0 else f"v/{n}", b"") for n in range(101))
    found = refusal(tmp_path, PACKERS[packer](*left_out, BOT), packer)
    assert found.startswith('entry "v/100": one too many')
    folders = ((f"{n % 50}/", b"") for n in range(102))  # only a zip can list folders like that
    found = refusal(tmp_path, zip_of(*folders), "bot.zip")
    assert "one too many" in found


def below_zero(told: str) -> str:
    """Return how a size below zero is refused: by us, or by a ``tarfile`` that looks for it.

    Python 3.14 does, and so do older ones that a distribution has patched.
    """
    return f"{told}|invalid offset|no file in it"


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: tar(tar_header("bot.py", -1024)), below_zero("more than 256 MiB; bot_size")),
        (lambda: tar(tar_header("bot.py", 1 << 60)), "more than 256 MiB; bot_size"),
        (lambda: tar(pax("size=-1024"), tar_header("bot.py")),
         below_zero("more than 256 MiB; bot_size")),
        (lambda: tar(tar_header("x", 1 << 40, b"x"), *HEADERS), "a header that no bot needs"),
        (lambda: tar(tar_header("x", -1024, b"x"), *HEADERS),
         below_zero("a header that no bot needs")),
        (lambda: tar(tar_header("x", 1 << 40, b"L"), *HEADERS), "a header that no bot needs"),
        (lambda: tar(tar_header("x", -512, b"L"), *HEADERS),
         below_zero("a header that no bot needs")),
        (lambda: tar(*[pax("a=b")] * 5000, tar_header("x")), "maximum recursion depth"),
        (lambda: tar(pax("GNU.sparse.major=1", "GNU.sparse.minor=0"), tar_header("x")),
         "cannot be unpacked"),
        (lambda: tar(pax("GNU.sparse.map=0,1"), tar_header("x")), "regular files"),
        pytest.param(
            lambda: tar(pax("GNU.sparse.major=1", "GNU.sparse.minor=0"), tar_header("x", 2 << 20),
                        b"1000000\n" + b"1\n" * (1 << 20)), "a header that no bot needs",
            marks=pytest.mark.slow),
        (lambda: tar_header("bot.py", 10) + b"12345", 'entry "bot.py": cannot be unpacked'),
        (lambda: tar_header("bot.py"), "cut off, or a broken header"),
        (lambda: tar_header("bot.py") + b"garbage" * 200, "cut off, or a broken header"),
        (lambda: tar_header("bot.py") + tar_header("a")[:300], "cut off, or a broken header"),
        (lambda: b"", "empty file"),
        (lambda: b"x" * 2000, "cannot be unpacked"),
        (lambda: END_OF_TAR, "no file in it"),
        (lambda: tar(tar_header("a/", 0, b"5")), "no file in it"),
    ],
)  # fmt: skip
def test_a_tar_that_lies_is_found_out(make: Callable[[], bytes], told: str, tmp_path: Path) -> None:
    """Sizes, headers and ends that cannot be are refused, packed by gzip or not."""
    data = make()
    assert re.search(told, refusal(tmp_path, data, "bot.tar"))
    assert re.search(told, refusal(tmp_path, gz(data), "bot.tgz"))


def test_a_bomb_costs_little(tmp_path: Path) -> None:
    """Nothing is written of more than a bot may have, whatever the archive says of its size."""
    most = 4 << 20
    bomb = gz(tar(("bot.py", b"\0" * (5 << 20))))
    assert len(bomb) < 20_000
    assert "more than 4 MiB; bot_size" in refusal(tmp_path, bomb, "bot.tar.gz", most)
    behind = gz(tar(BOT) + b"\0" * (20 << 20))
    assert "more than 4 MiB" in refusal(tmp_path, behind, "bot.tar.gz", most)
    data = zip_of(("bot.py", b"\0" * (5 << 20)))
    assert "more than 4 MiB; bot_size" in refusal(tmp_path, data, "bot.zip", most)
    # the same, and its list says that it is small
    data = zip_with(data, [("central", 24, "I", 100)])
    assert "Bad CRC-32" in refusal(tmp_path, data, "bot.zip", most)


def test_a_full_disk_is_no_fault_of_the_archive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error is the machine's, and names no entry."""

    def full(*words: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("shutil.copyfileobj", full)
    (tmp_path / "bot.zip").write_bytes(zip_of(BOT))
    with pytest.raises(OSError, match="No space left"), unpacked(tmp_path / "bot.zip"):
        pytest.fail("it was unpacked")
    assert os.listdir(own_folder()) == ["lock"]


def test_an_archive_is_a_regular_file(tmp_path: Path) -> None:
    """A link, a pipe and a file of 10 GB called like archives are not opened or not read."""
    (tmp_path / "real").write_bytes(zip_of(BOT))
    (tmp_path / "link.zip").symlink_to("real")
    os.mkfifo(tmp_path / "pipe.zip")
    with open(tmp_path / "big.zip", "wb") as file:
        file.truncate(10_000_000_000)
    for name, told in {
        "link.zip": "a link; name the archive itself",
        "pipe.zip": "expected a file, found a pipe",
        "big.zip": "expected an archive of at most 256 MiB",
    }.items():
        with pytest.raises(BotError, match=told), unpacked(tmp_path / name):
            pytest.fail("it was opened")
