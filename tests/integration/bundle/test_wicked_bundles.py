"""Bundles that somebody made to take a machine's time or memory, or to say what nobody played."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.arena_command import arena
from support.bundles import MANIFEST, Contents, entries_of, put_together

import arena as api
from arena.values.errors import BundleError

pytestmark = pytest.mark.slow

FILE_ENTRY, RECORDS, ROUNDS = "tournament.yaml", "records/000000.jsonl", "rounds.jsonl"
FILE = """\
name: small
game: leaves
format: swiss
rounds: 2
seed: 7
max_decisions: 4
bots: [greedy, {name: other, bot: greedy}]
"""


@pytest.fixture(scope="module")
def swiss(tmp_path_factory: pytest.TempPathFactory) -> Contents:
    """Return what the bundle of a small tournament with planned rounds holds."""
    folder = tmp_path_factory.mktemp("swiss")
    (folder / "small.yaml").write_text(FILE)
    assert arena(folder / "home", "run", folder / "small.yaml", "--quiet").returncode == 0
    api.export_bundle(folder / "home", folder / "small.arena")
    return entries_of(folder / "small.arena")


def lines_changed(data: bytes, change: Callable[[Any], object]) -> bytes:
    """Return lines of JSON, each of them changed."""
    values = [json.loads(line) for line in data.splitlines()]
    for value in values:
        change(value)
    return "".join([json.dumps(value, separators=(",", ":")) + "\n" for value in values]).encode()


@pytest.mark.parametrize("points", ["1e-999999999", "1e999999999", "1_0/2_0"])
def test_points_are_plain_fractions(swiss: Contents, points: str, tmp_path: Path) -> None:
    """A few letters can say a number of a gigabyte."""

    def give(stored: Any) -> None:
        stored["points"][0][0] = points

    forged = {**swiss, ROUNDS: lines_changed(swiss[ROUNDS], give)}
    file = put_together(tmp_path / "small.arena", forged)
    with pytest.raises(BundleError, match=ROUNDS):
        api.verify_bundle(file)


def test_arguments_are_those_of_the_file(swiss: Contents, tmp_path: Path) -> None:
    """Entrants and records agree, and the tournament's file says something else."""

    def strengthen(value: Any) -> None:
        for player in value.get("players", value.get("entrants")):
            player["args"] = ["--strong"]

    forged = {
        **swiss,
        MANIFEST: lines_changed(json.dumps(json.loads(swiss[MANIFEST])).encode(), strengthen),
        RECORDS: lines_changed(swiss[RECORDS], strengthen),
    }
    file = put_together(tmp_path / "small.arena", forged)
    with pytest.raises(BundleError, match="args of"):
        api.verify_bundle(file)


@pytest.mark.parametrize("most", [None, 6, 2])
def test_a_match_ends_after_as_many_decisions_as_the_file_says(
    swiss: Contents, most: int | None, tmp_path: Path
) -> None:
    """Whoever is losing could be given a draw by a record that stops in time."""
    manifest = json.loads(swiss[MANIFEST])
    config = manifest["edition"]["config"]
    config["max_decisions"] = most
    text = json.dumps(config, sort_keys=True, separators=(",", ":"))
    manifest["edition"]["fingerprint"] = hashlib.sha256(text.encode()).hexdigest()
    manifest["entries"] = [part for part in manifest["entries"] if part["name"] != FILE_ENTRY]
    forged = {**swiss, MANIFEST: json.dumps(manifest).encode()}
    del forged[FILE_ENTRY]
    found = api.verify_bundle(put_together(tmp_path / "small.arena", forged))
    wrong = [each for where, each in found.differences.items() if where.startswith(RECORDS)]
    assert len(wrong) == found.matches == 4
    assert all("decisions" in sentence for each in wrong for sentence in each)


@pytest.mark.parametrize(
    "given_up",
    [[("x", 0)], [("0123456789abcdef", 1 << 53)], [("0123456789abcdef", 0), ("y", 0)]],
    ids=["id", "number", "twice"],
)
def test_matches_that_were_given_up_are_of_the_schedule(
    swiss: Contents, given_up: list[tuple[str, int]], tmp_path: Path
) -> None:
    """They are refused before there is a home, and not by the store when half is written."""
    manifest = json.loads(swiss[MANIFEST])
    manifest["undecided"] = [
        {"id": match, "number": number, "reason": "?"} for match, number in given_up
    ]
    forged = {**swiss, MANIFEST: json.dumps(manifest).encode()}
    file = put_together(tmp_path / "small.arena", forged)
    with pytest.raises(BundleError, match="undecided"):
        api.import_bundle(file, tmp_path / "home")
    assert not (tmp_path / "home").exists()


def test_a_record_that_is_too_long(swiss: Contents, tmp_path: Path) -> None:
    """It is refused before it is read: read, it would take more than twenty times its size."""
    first, rest = swiss[RECORDS].split(b"\n", 1)
    longer = first[:-1] + b',"more":[' + b",".join([b"[]"] * (1 << 22)) + b"]}"
    file = put_together(tmp_path / "small.arena", {**swiss, RECORDS: longer + b"\n" + rest})
    with pytest.raises(BundleError, match=rf"{RECORDS}: expected at most 8388608 bytes"):
        api.verify_bundle(file)
