"""What the bundle of a Swiss tournament or a knockout may say of its rounds and matches."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.arena_command import output, refused, tournament
from support.bundles import (
    MANIFEST,
    RECORDS,
    Change,
    Contents,
    entries_of,
    forged,
    lines_changed,
    put_together,
)

import arena as api
from arena.bundle.manifest import format_numbers
from arena.store import open_store
from arena.tournament.change import fingerprint
from arena.values.errors import ArenaError, BundleError, UsageError

pytestmark = pytest.mark.slow

FILE_ENTRY, ROUNDS = "tournament.yaml", "rounds.jsonl"
PLAYERS = "random, {name: one, bot: random}, {name: two, bot: random}"
KEYS = {"seed": 7, "max_decisions": 4, "max_faults": 1, "sandbox": "none"}


def bundle_of(folder: Path, format_: str, **keys: object) -> Path:
    """Return the bundle of a tournament of three entrants, or four, that was run."""
    bundle, last = folder / "small.arena", ", {name: last, bot: random}"
    bots = f"[{PLAYERS}{last if format_ == 'knockout' else ''}]"
    file = tournament(folder, bots, format=format_, **KEYS, **keys)
    output(folder / "home", "run", file, "--quiet")
    api.export_bundle(folder / "home", bundle)
    return bundle


@pytest.fixture(scope="module")
def swiss(tmp_path_factory: pytest.TempPathFactory) -> Contents:
    """Return what the bundle of two rounds of three entrants holds."""
    return entries_of(bundle_of(tmp_path_factory.mktemp("swiss"), "swiss", rounds=2))


@pytest.fixture(scope="module")
def knockout(tmp_path_factory: pytest.TempPathFactory) -> Contents:
    """Return what the bundle of a knockout of four entrants holds."""
    return entries_of(bundle_of(tmp_path_factory.mktemp("knockout"), "knockout"))


def rounds_of(contents: Contents) -> list[dict[str, Any]]:
    return [json.loads(line) for line in contents[ROUNDS].splitlines()]


def other_rounds(
    contents: Contents, target: Path, change: Change, *, left: int | None = None
) -> Path:
    """Write a bundle with other rounds, and with so many of its matches; all hashes fit."""
    change(rounds := rounds_of(contents))
    lines = contents[RECORDS].splitlines(keepends=True)[:left]

    def shorten(manifest: Any) -> None:
        part = manifest["entries"].pop()
        manifest["matches"] = part["matches"] = len(lines)
        part["numbers"] = format_numbers(range(len(lines)))
        manifest["entries"] += [part] * bool(lines)

    written = {name: data for name, data in contents.items() if name != RECORDS}
    written[ROUNDS] = "".join([json.dumps(each) + "\n" for each in rounds]).encode()
    if lines:
        written[RECORDS] = b"".join(lines)
    return forged(written, target / "forged.arena", manifest=shorten)


def wrong_rounds(file: Path) -> str:
    """Return what is said of the rounds of a bundle, which is refused by both commands."""
    home = file.with_name("other")
    with pytest.raises(ArenaError, match="round"):
        api.import_bundle(file, home)
    assert not home.exists()
    output(home, "bundle", "verify", file, code=1)
    return " ".join(api.verify_bundle(file).differences[ROUNDS])


def matches_of(plan: dict[str, Any]) -> int:
    """Return how many matches a round has: each block of a meeting in both seatings."""
    meetings = [one for one in plan["meetings"] if len(one["entrants"]) == 2]
    return 2 * len(plan["blocks"]) * sum("walkover" not in one for one in meetings)


def test_a_swiss_tournament_has_all_rounds_of_its_file(swiss: Contents, tmp_path: Path) -> None:
    """A bundle is unfinished after the first of two rounds, whatever its manifest says."""
    left = matches_of(rounds_of(swiss)[0]["plan"])
    is_unfinished(other_rounds(swiss, tmp_path, lambda rounds: rounds.pop(), left=left))


def is_unfinished(file: Path) -> None:
    """Make sure that a bundle is sound, and that its tournament is not over."""
    found = api.verify_bundle(file)
    assert (found.is_right, found.finished) == (True, False)
    home = file.with_name("third")
    assert not api.import_bundle(file, home).finished
    with open_store(home, create=False) as store:
        (edition,) = store.tournaments.all()
    assert edition.ended is None


def test_points_of_the_last_round_may_be_missing(swiss: Contents, tmp_path: Path) -> None:
    """They follow from its matches."""

    def forget(rounds: list[dict[str, Any]]) -> None:
        rounds[-1]["points"] = None

    file = other_rounds(swiss, tmp_path, forget)
    assert api.import_bundle(file, tmp_path / "home").finished
    again = api.export_bundle(tmp_path / "home", tmp_path / "again.arena").file
    assert entries_of(again)[ROUNDS] == swiss[ROUNDS]


def test_knockout_without_winner_is_unfinished(knockout: Contents, tmp_path: Path) -> None:
    """The bundle of a knockout is not over after the semi-finals."""
    rounds = rounds_of(knockout)
    final = next(n for n, each in enumerate(rounds) if each["plan"]["round"] == 2)
    left = sum(matches_of(each["plan"]) for each in rounds[:final])

    def shorten(rounds: list[dict[str, Any]]) -> None:
        del rounds[final:]

    is_unfinished(other_rounds(knockout, tmp_path, shorten, left=left))


def test_a_seeded_knockout_begins_with_all_entrants(tmp_path: Path) -> None:
    """In the order of another table, which a bundle does not have, but nobody is left out."""
    bundle_of(tmp_path, "round-robin", name="table", rounds=1)
    bundle = bundle_of(tmp_path, "knockout", seeding="table")
    assert api.verify_bundle(bundle).differences == {}
    assert api.import_bundle(bundle, tmp_path / "sound").finished

    def leave_out(rounds: list[dict[str, Any]]) -> None:
        del rounds[1:]
        rounds[0]["points"] = None
        for meeting in rounds[0]["plan"]["meetings"]:
            del meeting["entrants"][1:]

    (tmp_path / "second").mkdir()
    file = other_rounds(entries_of(bundle), tmp_path / "second", leave_out, left=0)
    assert "pairings" in wrong_rounds(file)


# what takes a machine's time or memory, or says what nobody played


@pytest.mark.parametrize("points", ["1e-999999999", "1e999999999", "1_0/2_0"])
def test_points_are_plain_fractions(swiss: Contents, points: str, tmp_path: Path) -> None:
    """A few letters can say a number of a gigabyte."""

    def give(stored: Any) -> None:
        stored["points"][0][0] = points

    rounds = lines_changed(swiss[ROUNDS], give)
    file = forged(swiss, tmp_path / "small.arena", {ROUNDS: rounds})
    with pytest.raises(BundleError, match=ROUNDS):
        api.verify_bundle(file)


def test_arguments_are_those_of_the_file(swiss: Contents, tmp_path: Path) -> None:
    """Entrants and records agree, and the tournament's file says something else."""

    def strengthen(value: Any) -> None:
        for player in value.get("players", value.get("entrants")):
            player["args"] = ["--strong"]

    records = {RECORDS: lines_changed(swiss[RECORDS], strengthen)}
    file = forged(swiss, tmp_path / "small.arena", records, manifest=strengthen)
    with pytest.raises(BundleError, match="args of"):
        api.verify_bundle(file)


@pytest.mark.parametrize("most", [None, 6, 2])
def test_match_that_stops_early_is_refused(
    swiss: Contents, most: int | None, tmp_path: Path
) -> None:
    """A match that ends before the decisions that the file sets is refused."""

    def stop(manifest: Any) -> None:
        config = manifest["edition"]["config"]
        config["max_decisions"] = most
        manifest["edition"]["fingerprint"] = fingerprint(config)
        manifest["entries"] = [part for part in manifest["entries"] if part["name"] != FILE_ENTRY]

    contents = {name: data for name, data in swiss.items() if name != FILE_ENTRY}
    found = api.verify_bundle(forged(contents, tmp_path / "small.arena", manifest=stop))
    wrong = [each for where, each in found.differences.items() if where.startswith(RECORDS)]
    assert len(wrong) == found.matches > 0
    assert all("decisions" in sentence for each in wrong for sentence in each)


@pytest.mark.parametrize(
    "given_up",
    [[("x", 0)], [("0123456789abcdef", 1 << 53)], [("0123456789abcdef", 0), ("y", 0)]],
    ids=["id", "number", "twice"],
)
def test_undecided_match_must_be_in_schedule(
    swiss: Contents, given_up: list[tuple[str, int]], tmp_path: Path
) -> None:
    """An undecided match that is not in the schedule is refused before a home is made."""
    undecided = [{"id": match, "number": number, "reason": "?"} for match, number in given_up]
    file = tmp_path / "small.arena"
    forged(swiss, file, manifest=lambda manifest: manifest.update(undecided=undecided))
    with pytest.raises(BundleError, match="undecided"):
        api.import_bundle(file, tmp_path / "home")
    assert not (tmp_path / "home").exists()


def test_too_long_record_is_refused_unread(swiss: Contents, tmp_path: Path) -> None:
    """A record that is too long is refused before it is read."""
    first, rest = swiss[RECORDS].split(b"\n", 1)
    longer = first[:-1] + b',"more":[' + b",".join([b"[]"] * (1 << 22)) + b"]}"
    file = forged(swiss, tmp_path / "small.arena", {RECORDS: longer + b"\n" + rest})
    with pytest.raises(BundleError, match=rf"{RECORDS}: expected at most 8388608 bytes"):
        api.verify_bundle(file)


def test_a_round_that_is_too_long(swiss: Contents, tmp_path: Path) -> None:
    """Rounds are refused at their first long line, before anything interprets it."""
    longer = b'{"points":null,"plan":[' + b"[]," * (1 << 20) + b"[]]}\n"
    file = forged(swiss, tmp_path / "small.arena", {ROUNDS: longer})
    with pytest.raises(BundleError, match=rf"{ROUNDS}: expected lines of at most 1048576 bytes"):
        api.verify_bundle(file)


def test_rounds_of_format_without_rounds_are_refused(tmp_path: Path) -> None:
    """Rounds in the bundle of a format that plans none are refused unread."""
    contents = entries_of(bundle_of(tmp_path, "round-robin", rounds=2))
    manifest = json.loads(contents[MANIFEST])
    manifest["entries"].insert(1, {"name": ROUNDS})
    added = {**contents, MANIFEST: json.dumps(manifest).encode(), ROUNDS: b"[]" * (1 << 20)}
    names = [MANIFEST, *[entry["name"] for entry in manifest["entries"]]]
    file = put_together(tmp_path / "small.arena", {name: added[name] for name in names})
    with pytest.raises(BundleError, match=rf"{ROUNDS}: nothing is planned"):
        api.verify_bundle(file)


def test_too_long_match_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A match that no bundle can hold is named with its size, and with the key that helps."""
    bundle_of(tmp_path, "swiss", rounds=2)
    home, file = tmp_path / "home", tmp_path / "other.arena"
    longest = max(output(home, "export").splitlines(), key=len)
    monkeypatch.setattr("arena.bundle.export.MOST_RECORDS", len(longest))
    said = refused(home, "bundle", "create", "-o", file)
    assert not file.exists()
    for word in (json.loads(longest)["id"], str(len(longest) + 1), "max_decisions"):
        assert word in said
    monkeypatch.setattr("arena.bundle.export.MOST_ROUND", 10)
    with pytest.raises(UsageError, match=r"a plan of \d+ bytes"):
        api.export_bundle(home, file)
