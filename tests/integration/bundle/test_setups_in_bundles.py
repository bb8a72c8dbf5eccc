"""A tournament that begins from the setups of a file: its bundle holds them."""

from __future__ import annotations

import json
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest
from support.arena_command import messages, output, tournament
from support.bundles import entries_of, forged
from support.timeless import timeless

import arena as api

pytestmark = pytest.mark.slow

SETUPS = "setups.txt"
BOOK = ["#/#/#/#/# 0 10,10 1 *", ".#/#a/.#/.#/.# 1 9,10 2 *", ".b#/ba./##./.#./.#. 0 9,8 2 *"]


def written(folder: Path, rounds: int = 1) -> Path:
    """Write an opening book with empty lines, and return a tournament file that uses it."""
    (folder / "book.txt").write_text("\r\n\n".join(BOOK))
    keys = {"seed": 7, "opening": "{file: book.txt}", "sandbox": "none", "rounds": rounds}
    return tournament(folder, "[random, {name: other, bot: random}]", name="book", **keys)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the bundle of a tournament that was run; its home lies beside it."""
    folder = tmp_path_factory.mktemp("book")
    output(folder / "home", "run", written(folder), "--quiet")
    api.export_bundle(folder / "home", folder / "book.arena")
    return folder / "book.arena"


def test_bundle_with_setups_goes_on(played: Path, tmp_path: Path) -> None:
    """A bundle with an opening file goes on elsewhere, each block from its line."""
    other, unpacked = tmp_path / "other", tmp_path / "unpacked"
    output(other, "bundle", "import", played)
    with tarfile.open(played) as archive:
        archive.extractall(unpacked)
    file = unpacked / "tournament.yaml"
    file.write_text(file.read_text().replace("rounds: 1", "rounds: 3"))
    output(other, "run", file, "--extend", "--quiet")
    begun = [json.loads(line)["setup"] for line in output(other, "export").splitlines()]
    assert begun == [setup for setup in BOOK for _ in range(2)]
    # as at home, where the file is
    output(tmp_path / "home", "run", written(tmp_path, 3), "--quiet")
    assert timeless(tmp_path / "home") == timeless(other)


@pytest.mark.parametrize("change", [Path.unlink, lambda path: path.write_text("#")])
def test_a_home_that_has_no_copy_says_so(
    change: Callable[[Path], object], played: Path, tmp_path: Path
) -> None:
    """An earlier version kept none; or somebody changed it. A later run keeps one again."""
    other, bundle = tmp_path / "other", tmp_path / "out.arena"
    output(other, "bundle", "import", played)
    [kept] = (other / "openings").iterdir()
    change(kept)
    assert "setups" in messages(other, "bundle", "create", "-o", bundle)
    assert SETUPS not in entries_of(bundle)
    assert api.verify_bundle(bundle).is_right
    output(other, "run", written(tmp_path), "--quiet")
    assert "setups" not in messages(other, "bundle", "create", "-o", bundle)
    assert entries_of(bundle)[SETUPS] == entries_of(played)[SETUPS]


# bundles that somebody made


@pytest.mark.parametrize(("key", "value"), [("setup", BOOK[2]), ("opening", [[0, "A1-1"]])])
def test_match_from_other_setup_is_refused(
    played: Path, tmp_path: Path, key: str, value: object
) -> None:
    """A match that begins from another line than its block's is refused."""
    file = forged(played, tmp_path / "forged.arena", record=lambda it: it.update({key: value}))
    found = api.verify_bundle(file).differences
    assert any(f"{key} is not" in wrong for one in found.values() for wrong in one)


def test_no_file_is_written_through_a_link(played: Path, tmp_path: Path) -> None:
    """A home may be from anybody, and lead elsewhere."""
    other = tmp_path / "other"
    (tmp_path / "elsewhere").mkdir()
    other.mkdir()
    (other / "openings").symlink_to(tmp_path / "elsewhere")
    output(other, "bundle", "import", played)
    assert list((tmp_path / "elsewhere").iterdir()) == []
