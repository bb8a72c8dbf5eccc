"""A bundle of format 1 is taken in, and goes on, as one that is made now.

``format_1.arena`` is a gauntlet of leaves from a book of two setups, without programs: ``random``
and ``other``, the same with more in its environment, each lost twice to ``slow``, which is
``greedy`` with a clock of its own.
"""

from __future__ import annotations

import tarfile
from pathlib import Path

import pytest
from support.arena_command import as_json, output
from support.bundles import entries_of, forged

import arena as api
from arena.values.errors import BundleError

BUNDLE = Path(__file__).with_name("format_1.arena")
FILE = "tournament.yaml"


@pytest.mark.slow
def test_bundle_of_format_1_goes_on_from_its_file(tmp_path: Path) -> None:
    """A bundle of format 1 is imported, and goes on with its own file."""
    home = tmp_path / "home"
    assert api.verify_bundle(BUNDLE).is_right
    assert api.import_bundle(BUNDLE, home).added == 4
    with tarfile.open(BUNDLE) as archive:
        archive.extractall(tmp_path)
    file = tmp_path / FILE
    file.write_text(file.read_text().replace("rounds: 1", "rounds: 2"))
    output(home, "run", file, "--extend", "--quiet")
    games = {row["bot"]: row["games"] for row in as_json(home, "leaderboard")["rows"]}
    assert games == {"slow": 8, "random": 4, "other": 4}
    again = api.export_bundle(home, tmp_path / "again.arena", bots=False)
    assert (again.matches, api.verify_bundle(again.file).is_right) == (8, True)


@pytest.mark.parametrize(
    ("text", "instead"),
    [
        ("challengers: 2", "challengers: 1"),
        ("sandbox: none", "sandbox: auto"),
        ("LEVEL: '1'", "LEVEL: '2'"),
        ("memory: 512MiB", "run: /bin/sh"),
        ("seed: 7", "seed: 7\nwithout: [slow]"),
    ],
)
def test_file_that_contradicts_manifest_is_refused(text: str, instead: str, tmp_path: Path) -> None:
    """A bundle whose tournament file contradicts its manifest is refused with the file."""
    changed = entries_of(BUNDLE)[FILE].replace(text.encode(), instead.encode())
    with pytest.raises(BundleError, match=FILE):
        api.verify_bundle(forged(BUNDLE, tmp_path / "forged.arena", {FILE: changed}))


@pytest.mark.parametrize("change", [{"clock": 5}, {"bots": []}, {"games": {"leaves": 1}}], ids=str)
def test_invalid_config_of_manifest_is_refused(change: dict[str, object], tmp_path: Path) -> None:
    """A bundle whose manifest has a config of no tournament is refused."""
    file = tmp_path / "forged.arena"
    forged(BUNDLE, file, manifest=lambda value: value["edition"]["config"].update(change))
    with pytest.raises(BundleError, match="config"):
        api.verify_bundle(file)
