"""Whatever an archive is made of, it is unpacked within its folder or refused with a sentence."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from unittest import mock

from hypothesis import given
from hypothesis import strategies as st
from support.archive_texts import gz, pax, tar, tar_header, zip_of

from arena.bots.unpack import unpacked
from arena.values.errors import BotError

FILES = (("bot.py", b"print(1)\n" * 9), ("a/b.txt", b"x"), ("c/", b""))
GOOD = {
    "bot.zip": zip_of(*FILES),
    "bot.tar": tar(*FILES[:2], pax("path=d/e", "mtime=1.5"), tar_header("x"), tar_header("l")),
    "bot.tar.gz": gz(tar(*FILES[:2])),
}
changes = st.lists(
    st.tuples(st.floats(0, 1), st.binary(max_size=12), st.integers(0, 12)), min_size=1, max_size=6
)
names = st.text(st.sampled_from("ab./\\\0\n\x1bé:A "), max_size=12)


def unpack(name: str, data: bytes) -> None:
    """Unpack an archive; nothing may appear beside its folder, or stay."""
    with tempfile.TemporaryDirectory() as home:
        path = Path(home, name)
        path.write_bytes(data)
        before = tempfile.tempdir
        tempfile.tempdir = str(Path(home, "scratch"))
        os.mkdir(tempfile.tempdir)
        try:
            with (
                mock.patch("arena.bots.unpack.own_folder", return_value=tempfile.tempdir),
                unpacked(path),
            ):
                (scratch,) = Path(tempfile.tempdir).iterdir()
                (folder,) = scratch.iterdir()
                for found in folder.rglob("*"):
                    assert not found.is_symlink()
                    assert found.is_file() or found.is_dir()
        except BotError as error:
            told = str(error)
            assert told.isprintable()
            assert told.startswith(f"{path}: ")
        finally:
            left = os.listdir(tempfile.tempdir)
            tempfile.tempdir = before
        assert left == []
        assert sorted(os.listdir(home)) == sorted([name, "scratch"])


@given(st.sampled_from(sorted(GOOD)), changes)
def test_a_damaged_archive_is_refused_or_harmless(
    name: str, edits: list[tuple[float, bytes, int]]
) -> None:
    """Bytes put in, taken out and changed anywhere never lead out of the folder."""
    data = bytearray(GOOD[name])
    for where, new, gone in edits:
        at = int(where * len(data))
        data[at : at + gone] = new
    unpack(name, bytes(data))


@given(st.sampled_from(sorted(GOOD)), st.lists(names, min_size=1, max_size=4))
def test_any_names_are_refused_or_harmless(name: str, entries: list[str]) -> None:
    """Whatever entries are called, what is written lies in the folder."""
    if name == "bot.zip":
        data = zip_of(*((entry, b"x") for entry in dict.fromkeys(entries)))
    else:
        data = tar(*(pax(f"path={entry}") + tar_header("x") for entry in entries))
        data = gz(data) if name.endswith("gz") else data
    unpack(name, data)


@given(st.sampled_from(sorted(GOOD)), st.binary(max_size=200))
def test_any_bytes_are_refused(name: str, data: bytes) -> None:
    """Bytes that are no archive are refused with a sentence."""
    unpack(name, data)
