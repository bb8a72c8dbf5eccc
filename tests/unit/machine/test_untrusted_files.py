"""Files that others named or filled: read up to a size, never waited for, never written through."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from arena.machine.untrusted_files import create_new, open_regular, read_regular


@pytest.mark.parametrize("path", ["/dev/zero", "/dev/null", "pipe", "folder", "no\0file"])
def test_what_is_no_file_is_refused(path: str, tmp_path: Path) -> None:
    """At once: a pipe that nobody writes to is not waited for."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match=r"expected a file, found a|null"):
        read_regular(tmp_path / path, 10)


def test_size(tmp_path: Path) -> None:
    """One that is as large as may be is read whole; a sparse one of a terabyte not at all."""
    file = tmp_path / "file"
    file.write_bytes(b"0123456789")
    assert read_regular(file, 10) == b"0123456789"
    with pytest.raises(OSError, match="more than 9 bytes"):
        read_regular(file, 9)
    os.truncate(file, 1 << 40)
    with pytest.raises(OSError, match="more than 64 MiB"):
        read_regular(file, 64 << 20)


def test_a_new_file_is_new(tmp_path: Path) -> None:
    """A link of that name is removed, and what it leads to stays as it is."""
    victim, part = tmp_path / "victim", tmp_path / "x.part"
    victim.write_text("of value")
    part.symlink_to(victim)
    os.close(create_new(part))
    assert victim.read_text() == "of value"
    assert part.is_file()
    assert not part.is_symlink()


def test_links_are_followed_only_where_that_is_wanted(tmp_path: Path) -> None:
    """A person may name a link; a fixed name in a home may be none."""
    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to("file")
    os.close(open_regular(tmp_path / "link"))
    with pytest.raises(OSError, match="symbolic link"):
        open_regular(tmp_path / "link", os.O_RDWR | os.O_NOFOLLOW)
