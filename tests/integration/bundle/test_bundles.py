"""A tournament carried from one home to another as a bundle, and gone on with there."""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import IO, Any

import pytest
from support.arena_command import arena, messages, output, refused, tournament
from support.ash_homes import BOT, submit_bot
from support.bundles import forged
from support.needs import only_these_work
from support.sql import sql
from support.timeless import timeless

import arena as api
from arena.bundle import export
from arena.bundle.frame import write_frame
from arena.record.record import parse_record
from arena.record.recorded import Replay
from arena.store import open_store
from arena.store.match_rows import read_matches
from arena.values.tables import MatchRow
from engines import load_game


def written(folder: Path, elm: object = "elm.py") -> Path:
    keys = {"name": "fair", "rounds": 2, "seed": 7, "workers": 2}
    bots = f"[random, ash, {{name: elm, run: {elm}}}]"
    return tournament(folder, bots, clock="{move: 10s, first: 10s}", **keys)


def begun(folder: Path) -> tuple[Path, Path]:
    """Return a home with a submitted bot, and a tournament's file beside another bot."""
    (folder / "elm.py").write_text(f"{BOT}# elm\n")
    submit_bot(folder / "home", "ash")
    return folder / "home", written(folder)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Return the home of a tournament that is over, and its bundle."""
    home, file = begun(tmp_path_factory.mktemp("played"))
    output(home, "run", file, "--quiet")
    bundle = file.with_name("fair.arena")
    arena(home, "bundle", "create", "-o", bundle)
    return home, bundle


@pytest.mark.slow
def test_bundle_with_bots_is_private(played: tuple[Path, Path], tmp_path: Path) -> None:
    """A bundle with bots has mode 600; one without bots follows the umask, and plays nothing."""
    home, bundle = played
    assert bundle.stat().st_mode & 0o777 == 0o600
    before, without = os.umask(0o022), tmp_path / "open.arena"
    try:
        arena(home, "bundle", "create", "-o", without, "--no-bots")
    finally:
        os.umask(before)
    assert without.stat().st_mode & 0o777 == 0o644
    assert "without bots" in refused(home, "bundle", "verify", without, "--rerun", 1)


@pytest.mark.slow
def test_export_follows_no_link_of_partial_file(played: tuple[Path, Path], tmp_path: Path) -> None:
    """An export does not write through a link with the name of its unfinished file."""
    (tmp_path / "victim").write_text("of value")
    (tmp_path / "out.jsonl.part").symlink_to("victim")
    output(played[0], "export", "-o", tmp_path / "out.jsonl")
    assert (tmp_path / "victim").read_text() == "of value"
    assert (tmp_path / "out.jsonl").read_text() == output(played[0], "export")


@pytest.mark.slow
def test_bundle_is_verified_without_home(played: tuple[Path, Path], tmp_path: Path) -> None:
    """``bundle verify --rerun 2 --seed 9`` checks all matches, plays two, and makes no home."""
    bundle, home = played[1], tmp_path / "none"
    said = output(home, "bundle", "verify", bundle, "--rerun", 2, "--seed", 9)
    assert "12 matches verified: all right" in said
    assert said.count("identical") == 2
    assert "--seed 9" in said
    rows = json.loads(output(home, "bundle", "verify", bundle, "--rerun", 2, "--seed", 9, "--json"))
    assert [again["difference"] for again in rows["rerun"]] == [None, None]
    assert all(again["match"] in said for again in rows["rerun"])
    assert not home.exists()


def test_bundles_of_two_halves_are_merged(played: tuple[Path, Path], tmp_path: Path) -> None:
    """Two bundles with half of the matches each make the whole tournament, which is finished."""
    halves = []
    for half in (0, 1):
        home = tmp_path / f"half{half}"
        output(home, "bundle", "import", played[1])
        forget_matches(home, [number for number in range(12) if number % 2 == half])
        halves.append(tmp_path / f"{half}.arena")
        arena(home, "bundle", "create", "-o", halves[-1])
    merged = tmp_path / "merged"
    assert "6 matches imported; it is unfinished" in output(merged, "bundle", "import", halves[0])
    assert "6 matches imported; it is finished" in output(merged, "bundle", "import", halves[1])
    assert output(merged, "export") == output(played[0], "export")


def forget_matches(home: Path, forgotten: Collection[int]) -> None:
    """Take matches out of a home as if they had never been played."""
    for table in ("match", "record"):
        sql(home, f"DELETE FROM {table} WHERE number IN ({','.join(map(str, forgotten))})")
    sql(home, "UPDATE tally SET matches = (SELECT count(*) FROM match)")
    with open_store(home, create=True) as store:
        store.tournaments.reopen(1)


@pytest.mark.slow
def test_differing_match_refuses_import(played: tuple[Path, Path], tmp_path: Path) -> None:
    """A bundle with a match that went another way is refused; ``--keep`` keeps the home's own."""
    home, file = begun(tmp_path)
    output(home, "run", file, "--quiet")
    before = timeless(home)
    other = tmp_path / "other.arena"
    resigned(played[1], other)
    said = messages(home, "bundle", "import", other, code=1)
    assert "1 match went another way" in said
    assert "decision" in said
    kept = output(home, "bundle", "import", other, "--keep", code=1)
    assert "1 went another way here and were kept" in kept
    assert timeless(home) == before


def resigned(bundle: Path, target: Path) -> None:
    """Write a bundle in which a bot gave up at once in a match, as the rules allow."""

    def give_up(record: dict[str, Any]) -> None:
        record["actions"], record["decisions"] = (
            [[0, None]],
            [{"ms": 1.0, "cpu_ms": 1.0, "charged_ms": 1.0, "late": False}],
        )
        record["ranks"], record["scores"], record["by"] = [2, 1], None, "resign"
        told = Replay(parse_record(json.dumps(record)), load_game(record["game"])).referee.players
        for place, player in enumerate(record["players"]):
            player["sent"] = told[place].sent()

    forged(bundle, target, record=give_up)


def test_forged_record_is_named(played: tuple[Path, Path], tmp_path: Path) -> None:
    """A bundle with a forged record is refused with entry, line and reason, and makes no home."""

    def lie(record: dict[str, Any]) -> None:
        record["ranks"] = record["ranks"][::-1]

    file = forged(played[1], tmp_path / "forged.arena", record=lie, line=3)
    for words in (("bundle", "verify", file), ("bundle", "import", file)):
        said = arena(tmp_path / "home", *words)
        assert said.returncode == 1
        assert "records/000000.jsonl, line 4" in said.stdout + said.stderr
        assert "the ranks are" in said.stdout + said.stderr
    assert not (tmp_path / "home").exists()


def test_imported_bots_need_isolation(
    played: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where nothing isolates, a bot of a bundle is started only with a level that is named."""
    home, file = tmp_path / "home", written(tmp_path)
    output(home, "bundle", "import", played[1])
    (tmp_path / "elm.py").write_text(f"{BOT}# elm\n")
    match = json.loads(output(home, "matches", "--json", "--bot", "ash"))["rows"][0]["id"]

    only_these_work(monkeypatch, "limits", "none")
    for words in (
        ("run", file),
        ("reproduce", match),
        ("bundle", "verify", played[1], "--rerun", 12),
    ):
        assert "isolate" in refused(home, *words)
    assert "identical" in output(home, "reproduce", match, "--sandbox", "none")


def test_bundle_is_written_entry_by_entry(
    played: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bundle is written with the matches of one entry in memory at a time."""
    begun: list[str] = []

    def one_by_one(out: IO[bytes], entries: Iterable[tuple[str, bytes]]) -> None:
        def each() -> Iterator[tuple[str, bytes]]:
            for entry in entries:
                begun.append(entry[0])
                yield entry

        begun.append("written from here on")
        write_frame(out, each())

    def rows(*args: Any, **named: Any) -> Iterator[MatchRow]:
        for row in read_matches(*args, **named):
            begun.append(f"read {row.number}")
            yield row

    monkeypatch.setattr(export, "MOST_MATCHES", 1)
    monkeypatch.setattr(export, "write_frame", one_by_one)
    monkeypatch.setattr("arena.store.matches.read_matches", rows)
    api.export_bundle(played[0], tmp_path / "many.arena")
    writing = begun[begun.index("written from here on") :]
    # the next record is read to know that the entry is full
    assert writing.index("records/000000.jsonl") < writing.index("read 2")
