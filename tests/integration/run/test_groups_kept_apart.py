"""Groups kept apart: bots of one group do not meet, and groups are readable in the home alone."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest
from support.arena_command import arena, as_json, output, refused
from support.ash_homes import course, submit_bot

from arena.schedule.pairings import pairings, some
from arena.store import open_store
from arena.store.people import Person

GROUPS = {"s00": "Secret Owls", "s01": "Secret Owls", "s02": "Foxes", "s03": "Foxes", "s04": ""}


def submit(home: Path, name: str) -> None:
    submit_bot(home, name)
    with open_store(home, create=True) as store:
        store.people.set(Person(name, f"Person {name}", GROUPS[name]))


def write(folder: Path, bots: str, rounds: int = 1, apart: str = "group") -> Path:
    return course(folder, bots, rounds=rounds, apart=apart)


def met(home: Path) -> dict[frozenset[str], int]:
    """Return how many matches each two played."""
    return Counter(frozenset(row["bots"]) for row in as_json(home, "matches")["rows"])


def expected(names: list[str], games: int) -> dict[frozenset[str], int]:
    """Return the pairs whose groups differ, or of whom one has none."""
    pairs = combinations(names, 2)
    return {
        frozenset(pair): games
        for pair in pairs
        if GROUPS.get(pair[0], "") != GROUPS.get(pair[1], "") or not GROUPS.get(pair[0])
    }


@pytest.mark.slow
def test_bots_of_one_group_do_not_meet(tmp_path: Path) -> None:
    """Bots whose owners share a group never meet, even if newcomers or rounds are added."""
    home = tmp_path / "home"
    for name in ("s00", "s01", "s02", "s04"):
        submit(home, name)
    file = write(tmp_path, "[all, random]")
    output(home, "run", file)
    names = ["s00", "s01", "s02", "s04", "random"]
    assert met(home) == expected(names, 2)
    submit(home, "s03")
    with open_store(home, create=True) as store:  # which changes nothing of a tournament under way
        store.people.set(Person("s04", "Person s04", "Secret Owls"))
    write(tmp_path, "[all, random]", rounds=2)
    output(home, "run", file, "--extend")
    assert met(home) == expected([*names, "s03"], 4)
    assert "all right" in output(home, "verify", "--ratings")
    bundle, other = tmp_path / "course.arena", tmp_path / "other"
    output(home, "bundle", "create", "course", "-o", bundle)
    output(other, "bundle", "import", bundle)
    assert met(other) == met(home)
    output(home, "report", "-o", tmp_path / "report", "--public")
    public = [
        output(home, "export").encode(),
        bundle.read_bytes(),
        *(path.read_bytes() for path in (tmp_path / "report").rglob("*.html")),
    ]
    for text in public:
        assert not any(word in text for word in (b"Secret Owls", b"Foxes", b"Person s0"))


@pytest.mark.slow
def test_groups_of_file_keep_entrants_apart(tmp_path: Path) -> None:
    """``apart`` keeps entrants from meeting; unknown names and formats by results are refused."""
    home = tmp_path / "home"
    file = write(tmp_path, "[random, random-sh, greedy]", apart="[[random, random-sh]]")
    output(home, "run", file)
    pairs = [{"random", "greedy"}, {"random-sh", "greedy"}]
    assert met(home) == {frozenset(pair): 2 for pair in pairs}
    write(tmp_path, "[random, random-sh, greedy]", apart="[[random, nobody]]")
    assert 'apart: no entrant is called "nobody"' in arena(home, "run", file).stderr
    write(tmp_path, "[random, random-sh, greedy]", apart="none")
    refused(home, "run", file, "--extend")
    file.write_text(file.read_text().replace("apart: none", "apart: group\nformat: swiss"))
    assert "apart: not for the format swiss" in refused(home, "run", file)


@pytest.mark.parametrize(("entrants", "players"), [(7, 2), (6, 3), (5, 4)])
def test_pairings_without_groups_keep_their_order(entrants: int, players: int) -> None:
    """Pairings that remain have the order of all."""
    groups = [(0, 1, 2), (3, 4)]
    every = pairings(entrants, players)
    left = some(every, groups)
    wanted = [
        one
        for one in map(every.at, range(every.total))
        if all(len(set(group) & set(one)) < 2 for group in groups)
    ]
    assert [left.at(index) for index in range(left.total)] == wanted
