"""``arena verify``: what is stored, and the ratings made from it."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from support.arena_command import arena, as_json, messages, output, refused, tournament
from support.sql import sql

from arena.packed.record_text import row_hash
from arena.store import open_store


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a home in which a small tournament was run."""
    folder = tmp_path_factory.mktemp("verify")
    games = {"game": None, "games": '[leaves, "leaves(tree=u)"]', "opening": "{plies: 2}"}
    keys = {"seed": 7, "clock": "{move: 10s, first: 10s}", "sandbox": "none"} | games
    file = tournament(folder, "[greedy, random, random-sh]", name="small", **keys)
    output(folder / "home", "run", file)
    return folder / "home"


@pytest.mark.parametrize("text", ["", "x: 1\n", "name: small\ngame: leaves\n"])
def test_file_of_other_kind_is_refused(tmp_path: Path, text: str) -> None:
    """``verify`` of a tournament file has exit code 2 and says what can be verified."""
    (tmp_path / "small.yaml").write_text(text)
    done = refused(tmp_path / "home", "verify", tmp_path / "small.yaml")
    assert "record" in done
    assert "bundle" in done
    assert "line 1 column 1" not in done


@pytest.fixture
def home(played: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return Path(shutil.copytree(played, tmp_path / "home"))


@pytest.mark.slow
def test_verify_of_tournament_checks_its_matches_only(home: Path) -> None:
    """``verify NAME`` checks that tournament's matches; a near name is asked for."""
    with open_store(home, create=False) as store:
        of_small = store.matches.count(store.tournaments.find("small").id)
    output(home, "run", tournament(home, name="other", rounds=1, sandbox="none"))
    for name, matches in (("small", of_small), ("small#1", of_small), ("other", 2)):
        assert as_json(home, "verify", name)["verified"] == matches
    for name, said in (("smal", '"small"'), ("small#2", "no edition 2"), ("feed", "no match")):
        assert said in refused(home, "verify", name)


def forge(home: Path, find: str, change: str) -> str:
    """Change a record's text and write the hash that fits, as who knows how could do; its id."""
    ((id,),) = sql(home, "SELECT id FROM record WHERE number = 4")
    with open_store(home, create=False) as store:
        text = store.matches.text(id)
    assert find in text
    forged = text.replace(find, change, 1).encode()
    forging = "UPDATE record SET dictionary = 0, data = ?, row_hash = ? WHERE id = ?"
    sql(home, forging, forged, row_hash(id, 0, data=forged), id)
    return str(id)


def record_of(home: Path) -> dict[str, object]:
    record = json.loads(output(home, "export").splitlines()[4])
    assert isinstance(record, dict)
    return record


@pytest.mark.slow
def test_played_matches_are_verified(home: Path) -> None:
    """``verify`` finds all matches right, together and one by one."""
    assert output(home, "verify") == "12 matches verified: all right\n"
    id = record_of(home)["id"]
    assert output(home, "verify", id) == "1 match verified: all right\n"


def test_forged_deal_seed_is_found(home: Path) -> None:
    """A record with a seed other than the tournament's deal is found; the seed stays hidden."""
    seed = record_of(home)["seed"]
    id = forge(home, f'"seed":"{seed}"', '"seed":"1"')
    done = output(home, "verify", code=1)
    assert f"{id}: its seed is not" in done
    assert str(seed) not in done, "it may be a secret"
    assert done.endswith("12 matches verified, 1 differ\n")
    assert arena(home, "verify", id).returncode == 1


def test_wrong_match_names_its_host(home: Path) -> None:
    """A match that differs is printed with the host of the cluster that played it."""
    id = forge(home, '"started"', '"host":"lab-7","started"')
    assert "lab-7" not in output(home, "verify", id)
    forge(home, '"version":1', '"version":99')
    assert "lab-7" in arena(home, "verify", id).stdout


@pytest.mark.parametrize(
    ("find", "change", "word"),
    [
        ('|0","seating"', '|1","seating"', "seed"),
        ('|0","seating"', '|x","seating"', "block"),
        ('"by":"rules"', '"by":"void"', "tables"),
        ('"hash":"sha256:', '"hash":"sha256:0', "hash"),
        ('"version":1', '"version":99', "version"),
        ('"args":[]', '"args":["--cheat"]', "args"),
        ('"players":[', '"on_timeout":"published","players":[', "on_timeout"),
    ],
)
def test_record_of_other_tournament_is_found(home: Path, find: str, change: str, word: str) -> None:
    """A record with another tournament, seating, program or clock is found."""
    id = forge(home, find, change)
    assert word in output(home, "verify", id, code=1)


def test_damaged_record_is_found_and_rest_verified(home: Path) -> None:
    """A damaged record is named, and all others are verified."""
    ((id,),) = sql(home, "SELECT id FROM record WHERE number = 4")
    sql(home, "UPDATE record SET data = substr(data, 2) WHERE number = 4")
    sql(home, "UPDATE match SET ranks = '1,1' WHERE number = 7")
    done = output(home, "verify", code=1)
    assert f"{id}: " in done
    assert "12 matches verified, 2 differ" in done
    assert "not as it was written" in output(home, "verify", id, code=1)
    for command in (["export"], ["show", id], ["reproduce", id]):
        done = messages(home, *command, code=3)
        assert "is damaged" in done
        assert len(done.splitlines()) == 1


def test_damage_found_by_sqlite_is_named(home: Path) -> None:
    """An index that lacks a row is named with the file, and the matches are verified."""
    ((root,),) = sql(home, "SELECT rootpage FROM sqlite_master WHERE name = 'record_id'")
    ((size,),) = sql(home, "PRAGMA page_size")
    with (home / "arena.db").open("r+b") as file:
        file.seek((root - 1) * size + 3)  # how many entries there are on the page: one less
        count = int.from_bytes(file.read(2), "big")
        file.seek((root - 1) * size + 3)
        file.write((count - 1).to_bytes(2, "big"))
    done = output(home, "verify", code=1)
    assert re.search(r"^arena\.db: .*damaged \(SQLite: .*--home", done, re.MULTILINE)


class TestRatings:
    """``arena verify --ratings``."""

    def test_ratings_agree_with_package(self, home: Path) -> None:
        """``verify --ratings`` finds the tables of all games as the package computes them."""
        lines = output(home, "verify", "--ratings").splitlines()
        assert [line.partition(":")[0] for line in lines] == [
            "small",
            "small, leaves",
            "small, leaves(tree=u)",
        ]
        assert all("trueskill package" in line and line.endswith("all right") for line in lines)
        assert output(home, "verify", "--ratings", "small").splitlines() == lines
        rows = as_json(home, "verify", "--ratings")["rows"]
        assert [(row["game"], row["matches"], row["differences"]) for row in rows] == [
            (None, 12, []),
            ("leaves", 6, []),
            ("leaves(tree=u)", 6, []),
        ]

    def test_changed_kept_ratings_are_found(self, home: Path) -> None:
        """Ratings in the store that were changed are found by ``verify --ratings``."""
        where = "WHERE part = 'standings' AND game = ''"
        ((data,),) = sql(home, f"SELECT data FROM cache_part {where}")
        kept = json.loads(data)
        kept["greedy"][0] += 1.0
        sql(home, f"UPDATE cache_part SET data = ? {where}", json.dumps(kept).encode())
        assert "package_mu" in output(home, "verify", "--ratings", code=1)
