"""A tournament that begins from the setups of a file: its bundle holds them."""

from __future__ import annotations

import json
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.arena_command import arena, output
from support.bundles import MANIFEST, Contents, entries_of, forged, put_together

import arena as api
from arena.bundle import export
from arena.match.record import without_times
from arena.results.standings import choose
from arena.values.errors import BundleError, UsageError

pytestmark = pytest.mark.slow

SETUPS = "setups.txt"
BOOK = ["#/#/#/#/# 0 10,10 1 *", ".#/#a/.#/.#/.# 1 9,10 2 *", ".b#/ba./##./.#./.#. 0 9,8 2 *"]
FILE = """\
name: book
game: leaves
rounds: 1
seed: 7
opening: {file: book.txt}
sandbox: none
bots: [random, {name: other, bot: random}]
"""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the bundle of a tournament that was run; its home lies beside it."""
    folder = tmp_path_factory.mktemp("book")
    (folder / "book.txt").write_text("\r\n\n".join(BOOK))  # empty lines do not count
    (folder / "book.yaml").write_text(FILE)
    output(folder / "home", "run", folder / "book.yaml", "--quiet")
    api.export_bundle(folder / "home", folder / "book.arena")
    return folder / "book.arena"


def exported(home: Path) -> list[str]:
    return [without_times(line) for line in output(home, "export").splitlines()]


def longer(file: Path) -> Path:
    """Have the file of a tournament ask for three rounds."""
    file.write_text(file.read_text().replace("rounds: 1", "rounds: 3"))
    return file


def test_another_machine_goes_on_with_it(played: Path, tmp_path: Path) -> None:
    """What the bundle holds is enough: each block begins from the line that is its turn."""
    other, unpacked = tmp_path / "other", tmp_path / "unpacked"
    output(other, "import", played)
    with tarfile.open(played) as archive:
        archive.extractall(unpacked)
    output(other, "run", longer(unpacked / "tournament.yaml"), "--extend", "--quiet")
    begun = [json.loads(line)["setup"] for line in output(other, "export").splitlines()]
    assert begun == [setup for setup in BOOK for _ in range(2)]
    # as at home, where the file is
    (tmp_path / "book.txt").write_text("\n".join(BOOK))
    (tmp_path / "book.yaml").write_text(FILE)
    output(tmp_path / "home", "run", longer(tmp_path / "book.yaml"), "--quiet")
    assert exported(tmp_path / "home") == exported(other)


def test_an_imported_one_is_exported_as_the_same_bundle(played: Path, tmp_path: Path) -> None:
    """With the setups, which come from the home, and not from a file."""
    assert entries_of(played)[SETUPS].decode() == "\n".join(BOOK)
    output(tmp_path / "other", "import", played)
    written = api.export_bundle(tmp_path / "other", tmp_path / "again.arena")
    assert not written.lacks_setups
    assert entries_of(tmp_path / "again.arena") == entries_of(played)


def test_they_go_with_the_last_tournament_that_begins_from_them(
    played: Path, tmp_path: Path
) -> None:
    """Another edition keeps them."""
    other = tmp_path / "other"
    output(other, "import", played)
    (tmp_path / "book.txt").write_text("\n".join(BOOK))
    (tmp_path / "book.yaml").write_text(FILE)
    output(other, "run", tmp_path / "book.yaml", "--new", "--quiet")
    kept = list((other / "openings").iterdir())
    assert len(kept) == 1
    output(other, "tournaments", "remove", "book#1")
    assert list((other / "openings").iterdir()) == kept
    output(other, "tournaments", "remove", "book#2")
    assert list((other / "openings").iterdir()) == []


@pytest.mark.parametrize("change", [Path.unlink, lambda path: path.write_text("#")])
def test_a_home_that_has_no_copy_says_so(
    change: Callable[[Path], object], played: Path, tmp_path: Path
) -> None:
    """An earlier version kept none; or somebody changed it. A later run keeps one again."""
    other, bundle = tmp_path / "other", tmp_path / "out.arena"
    output(other, "import", played)
    [kept] = (other / "openings").iterdir()
    change(kept)
    said = arena(other, "export", "--bundle", bundle)
    assert said.returncode == 0
    assert "setups" in said.stderr
    assert SETUPS not in entries_of(bundle)
    assert api.verify_bundle(bundle).is_right
    (tmp_path / "book.txt").write_text("\n".join(BOOK))
    (tmp_path / "book.yaml").write_text(FILE)
    output(other, "run", tmp_path / "book.yaml", "--quiet")
    assert "setups" not in arena(other, "export", "--bundle", bundle).stderr
    assert entries_of(bundle)[SETUPS] == entries_of(played)[SETUPS]


def test_a_home_that_somebody_made_is_refused_in_words(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it keeps of the file need not speak of openings."""
    output(tmp_path / "other", "import", played)
    monkeypatch.setattr(export, "choose", lambda *of: choose(*of)._replace(config="{}"))
    with pytest.raises(UsageError, match="no tournament file"):
        api.export_bundle(tmp_path / "other", tmp_path / "out.arena")


# bundles that somebody made


def test_a_match_that_begins_elsewhere(played: Path, tmp_path: Path) -> None:
    """It must be the line of its block; nothing is played on the way there."""
    texts = {"setup": BOOK[2], "opening": [[0, "A1-1"]]}
    for key, value in texts.items():

        def begin(record: dict[str, Any], key: str = key, value: object = value) -> None:
            record[key] = value

        found = api.verify_bundle(forged(played, tmp_path / "forged.arena", record=begin))
        assert any(f"{key} is not" in wrong for one in found.differences.values() for wrong in one)


def with_setups(contents: Contents, data: bytes) -> Contents:
    return {name: data if name == SETUPS else old for name, old in contents.items()}


@pytest.mark.parametrize(
    ("data", "word"),
    [
        ("\n".join(BOOK[:2]).encode(), SETUPS),
        (b"", SETUPS),
        (b"\xff", SETUPS),
        (b"\n" * ((4 << 20) + 1), "at most 4194304 bytes"),
    ],
    ids=["others", "none", "noise", "bomb"],
)
def test_other_setups(data: bytes, word: str, played: Path, tmp_path: Path) -> None:
    """They are those of the hash that the tournament has, and not more than a file may hold."""
    contents = with_setups(entries_of(played), data)
    with pytest.raises(BundleError, match=word):
        api.import_bundle(put_together(tmp_path / "forged.arena", contents), tmp_path / "other")
    assert not (tmp_path / "other").exists()


def test_setups_of_no_tournament(played: Path, tmp_path: Path) -> None:
    """A tournament without a file of setups has no such entry."""
    (tmp_path / "plain.yaml").write_text(FILE.replace("opening: {file: book.txt}\n", ""))
    output(tmp_path / "home", "run", tmp_path / "plain.yaml", "--quiet")
    api.export_bundle(tmp_path / "home", tmp_path / "plain.arena")
    contents = entries_of(tmp_path / "plain.arena")
    assert SETUPS not in contents
    manifest = json.loads(contents[MANIFEST])
    manifest["entries"].insert(1, {"name": SETUPS, "bytes": 0, "sha256": ""})
    head = {MANIFEST: json.dumps(manifest).encode(), "tournament.yaml": contents["tournament.yaml"]}
    with pytest.raises(BundleError, match=SETUPS):
        api.verify_bundle(
            put_together(tmp_path / "forged.arena", {**head, SETUPS: b"x", **contents, **head})
        )


def test_no_file_is_written_through_a_link(played: Path, tmp_path: Path) -> None:
    """A home may be from anybody, and lead elsewhere."""
    other = tmp_path / "other"
    (tmp_path / "elsewhere").mkdir()
    other.mkdir()
    (other / "openings").symlink_to(tmp_path / "elsewhere")
    output(other, "import", played)
    assert list((tmp_path / "elsewhere").iterdir()) == []
