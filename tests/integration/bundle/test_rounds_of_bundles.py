"""The planned rounds of a bundle: what a Swiss tournament or a knockout may say, and what not."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.arena_command import arena, output
from support.bundles import MANIFEST, Contents, entries_of, put_together

import arena as api
from arena.bundle.manifest import format_numbers
from arena.values.errors import ArenaError

pytestmark = pytest.mark.slow

RECORDS, ROUNDS = "records/000000.jsonl", "rounds.jsonl"
DEAD = "raise SystemExit(3)\n"
PLAYERS = "random, {name: one, bot: random}, {name: two, bot: random}"
SWISS = f"""\
name: small
game: leaves
format: swiss
rounds: 2
seed: 7
max_decisions: 4
max_faults: 1
sandbox: none
bots: [{PLAYERS}]
"""
KNOCKOUT = f"""\
name: small
game: leaves
format: knockout
seed: 7
max_decisions: 4
max_faults: 1
sandbox: none
bots: [{PLAYERS}, {{name: last, bot: random}}]
"""

Change = Callable[[list[dict[str, Any]]], object]


def bundle_of(folder: Path, text: str, *runs: tuple[str, ...]) -> Path:
    """Return the bundle of a tournament that was run; each of the runs has its options."""
    file, home = folder / "small.yaml", folder / "home"
    (folder / "dead.py").write_text(DEAD)
    file.write_text(text)
    for options in runs or ((),):
        output(home, "run", file, "--quiet", "--allow-unsafe", *options)
    bundle = folder / "small.arena"
    api.export_bundle(home, bundle)
    return bundle


@pytest.fixture(scope="module")
def swiss(tmp_path_factory: pytest.TempPathFactory) -> Contents:
    """Return what the bundle of two rounds of three entrants holds."""
    return entries_of(bundle_of(tmp_path_factory.mktemp("swiss"), SWISS))


@pytest.fixture(scope="module")
def knockout(tmp_path_factory: pytest.TempPathFactory) -> Contents:
    """Return what the bundle of a knockout of four entrants holds."""
    return entries_of(bundle_of(tmp_path_factory.mktemp("knockout"), KNOCKOUT))


def rounds_of(contents: Contents) -> list[dict[str, Any]]:
    return [json.loads(line) for line in contents[ROUNDS].splitlines()]


def forged(
    contents: Contents, target: Path, change: Change, *, ended: bool = True, left: int | None = None
) -> Path:
    """Write a bundle with other rounds, and with so many of its matches; all hashes fit."""
    rounds = rounds_of(contents)
    change(rounds)
    lines = contents[RECORDS].splitlines(keepends=True)[:left]
    manifest = json.loads(contents[MANIFEST])
    part = manifest["entries"].pop()
    manifest["matches"] = part["matches"] = len(lines)
    part["numbers"] = format_numbers(range(len(lines)))
    if not ended:
        manifest["edition"]["ended"] = None
    written = {name: data for name, data in contents.items() if name != RECORDS}
    written[ROUNDS] = "".join([json.dumps(each) + "\n" for each in rounds]).encode()
    if lines:
        manifest["entries"].append(part)
        written[RECORDS] = b"".join(lines)
    written[MANIFEST] = json.dumps(manifest).encode()
    return put_together(target / "forged.arena", written)


def wrong_rounds(file: Path) -> str:
    """Return what is said of the rounds of a bundle, which is refused by both commands."""
    home = file.with_name("other")
    with pytest.raises(ArenaError, match="round"):
        api.import_bundle(file, home)
    assert not home.exists()
    said = arena(home, "bundle", "verify", file)
    assert said.returncode == 1, said.stderr
    return " ".join(api.verify_bundle(file).differences[ROUNDS])


def matches_of(plan: dict[str, Any]) -> int:
    """Return how many matches a round has: each block of a meeting in both seatings."""
    meetings = [one for one in plan["meetings"] if len(one["entrants"]) == 2]
    return 2 * len(plan["blocks"]) * sum("walkover" not in one for one in meetings)


def test_a_swiss_tournament_has_all_rounds_of_its_file(swiss: Contents, tmp_path: Path) -> None:
    """A bundle cannot be over after the first of two rounds; it can be unfinished."""
    [first, _] = rounds_of(swiss)
    left = matches_of(first["plan"])
    said = wrong_rounds(forged(swiss, tmp_path, lambda rounds: rounds.pop(), left=left))
    assert "over" in said
    assert "round 2" in said
    unfinished = forged(swiss, tmp_path, lambda rounds: rounds.pop(), left=left, ended=False)
    assert api.verify_bundle(unfinished).is_right
    assert not api.import_bundle(unfinished, tmp_path / "third").finished


def test_a_last_round_that_is_over_has_points(swiss: Contents, tmp_path: Path) -> None:
    """Without them nobody knows what it brought."""

    def forget(rounds: list[dict[str, Any]]) -> None:
        rounds[-1]["points"] = None

    assert "over" in wrong_rounds(forged(swiss, tmp_path, forget))


def test_a_knockout_ends_with_one_winner(knockout: Contents, tmp_path: Path) -> None:
    """Not after the semi-finals."""
    rounds = rounds_of(knockout)
    final = next(n for n, each in enumerate(rounds) if each["plan"]["round"] == 2)
    left = sum(matches_of(each["plan"]) for each in rounds[:final])

    def shorten(rounds: list[dict[str, Any]]) -> None:
        del rounds[final:]

    assert "over" in wrong_rounds(forged(knockout, tmp_path, shorten, left=left))


def test_a_seeded_knockout_begins_with_all_entrants(tmp_path: Path) -> None:
    """In the order of another table, which a bundle does not have, but nobody is left out."""
    table = SWISS.replace("small", "table").replace("swiss\nrounds: 2", "round-robin\nrounds: 1")
    bundle_of(tmp_path, table)
    bundle = bundle_of(tmp_path, f"{KNOCKOUT}seeding: table\n")
    assert is_sound(bundle)

    def leave_out(rounds: list[dict[str, Any]]) -> None:
        del rounds[1:]
        rounds[0]["points"] = None
        for meeting in rounds[0]["plan"]["meetings"]:
            del meeting["entrants"][1:]

    (tmp_path / "second").mkdir()
    file = forged(entries_of(bundle), tmp_path / "second", leave_out, left=0, ended=False)
    assert "pairings" in wrong_rounds(file)


def is_sound(bundle: Path) -> bool:
    """Make sure that a bundle is right and can be taken in; return whether it is over there."""
    found = api.verify_bundle(bundle)
    assert found.differences == {}
    return api.import_bundle(bundle, bundle.with_name("other")).finished
