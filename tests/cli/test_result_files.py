"""The file that a person names for a result: what it is decides how it is written."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.arena_command import output, refused, tournament


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a home in which a tournament of two matches was run."""
    folder = tmp_path_factory.mktemp("files")
    output(folder / "home", "run", tournament(folder, rounds=1, seed=1))
    return folder / "home"


def test_export_into_link_writes_target(home: Path, tmp_path: Path) -> None:
    """An export into a link writes the file that it leads to, and the link stays."""
    (tmp_path / "there").write_text("old and longer than what comes" * 10_000)
    for name in ("there", "new"):
        link = tmp_path / f"to-{name}"
        link.symlink_to(name)
        output(home, "export", "-o", link)
        assert link.is_symlink()
        assert (tmp_path / name).read_text() == output(home, "export")


def test_export_replaces_file_as_a_whole(home: Path, tmp_path: Path) -> None:
    """An export replaces a file at once, and leaves it where the export fails."""
    file = tmp_path / "records.jsonl"
    file.write_text("old\n")
    with file.open() as opened:
        output(home, "export", "-o", file)
        assert opened.read() == "old\n"
    whole = file.read_text()
    assert whole == output(home, "export")
    refused(home, "export", "nothing", "-o", file)
    assert file.read_text() == whole
    assert [path.name for path in tmp_path.iterdir()] == ["records.jsonl"]
