"""Files that others named or filled: read up to a size, never waited for, never written through."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from arena.machine.untrusted_files import open_regular, read_regular, whole_file


@pytest.mark.parametrize("path", ["/dev/zero", "/dev/null", "pipe", "folder", "no\0file"])
def test_read_of_special_file_is_refused_at_once(path: str, tmp_path: Path) -> None:
    """Reading a pipe, folder or device is refused at once, without waiting for a writer."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match=r"expected a file, found a|null"):
        read_regular(tmp_path / path, 10)


def test_file_over_limit_is_not_read(tmp_path: Path) -> None:
    """A file of exactly the limit is read; one byte more, or a sparse terabyte, is refused."""
    file = tmp_path / "file"
    file.write_bytes(b"0123456789")
    assert read_regular(file, 10) == b"0123456789"
    with pytest.raises(OSError, match="more than 9 bytes"):
        read_regular(file, 9)
    os.truncate(file, 1 << 40)
    with pytest.raises(OSError, match="more than 64 MiB"):
        read_regular(file, 64 << 20)


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    """A link in place of the temporary file is not followed; a failure leaves the old file."""
    victim, path = tmp_path / "victim", tmp_path / "x"
    victim.write_text("of value")
    (tmp_path / "x.part").symlink_to(victim)
    with whole_file(path, private=True) as file:
        file.write(b"first")
        assert not path.exists()
    with pytest.raises(ZeroDivisionError), whole_file(path) as file:
        file.write(bytes(1 // 0))
    assert (path.read_text(), path.stat().st_mode & 0o777) == ("first", 0o600)
    assert victim.read_text() == "of value"
    assert {each.name for each in tmp_path.iterdir()} == {"victim", "x"}


def test_two_writers_of_one_file_mix_nothing(tmp_path: Path) -> None:
    """Of two that write one file at a time that which began last does, and the other one fails."""
    path = tmp_path / "x"
    first, last = whole_file(path), whole_file(path)
    first.__enter__().write(b"first")
    file = last.__enter__()
    with pytest.raises(OSError, match="another process"):
        first.__exit__(None, None, None)
    assert not path.exists()
    file.write(b"last")
    last.__exit__(None, None, None)
    assert [(each.name, each.read_text()) for each in tmp_path.iterdir()] == [("x", "last")]


def test_link_is_followed_unless_forbidden(tmp_path: Path) -> None:
    """A link is opened, but with ``O_NOFOLLOW`` it is refused as a symbolic link."""
    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to("file")
    os.close(open_regular(tmp_path / "link"))
    with pytest.raises(OSError, match="symbolic link"):
        open_regular(tmp_path / "link", os.O_RDWR | os.O_NOFOLLOW)
