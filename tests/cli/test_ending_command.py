"""``arena tournaments end``: a tournament ended before all of it was played."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from support.arena_command import arena, as_json, messages, output, refused, tournament
from support.slowly import slowly
from support.sql import sql

import arena as api
from arena.run import runner
from arena.store import runner_lock

BOTS = "[random, {name: other, bot: random}, {name: third, bot: random}]"


def begun(folder: Path, matches: int, **keys: object) -> tuple[Path, Path]:
    """Return a file and a home where its run was stopped after so many matches.

    A block has 2 matches, and each of the 4 rounds of 3 bots has 3 blocks.
    """
    keys = {"name": "lab", "rounds": 4, "workers": 1, "sandbox": "none"} | keys
    file, home = tournament(folder, BOTS, **keys), folder / "home"

    def tell(progress: api.Progress) -> None:
        if progress.settled == matches:
            raise KeyboardInterrupt

    keep = runner._Run._keep

    def one_by_one(run: Any, played: Any) -> None:
        for one in played:  # what comes together is stored together, and then told
            keep(run, [one])

    with mock.patch.object(runner._Run, "_keep", one_by_one), pytest.raises(KeyboardInterrupt):
        api.run_tournament(api.read_tournament(file), home, progress=tell)
    return file, home


def row(home: Path) -> dict[str, Any]:
    (found,) = as_json(home, "tournaments")["rows"]
    assert isinstance(found, dict)
    return found


def games(home: Path) -> int:
    rows = as_json(home, "leaderboard", "lab")["rows"]
    return sum(int(row["games"]) for row in rows) // 2


@pytest.mark.slow
def test_ended_tournament_counts_whole_blocks(tmp_path: Path) -> None:
    """``tournaments end`` counts 4 of 5 matches, as whole blocks, and shows the seed."""
    file, home = begun(tmp_path, 5)
    ((seed,),) = sql(home, "SELECT seed FROM tournament")
    assert (row(home)["state"], games(home)) == ("unfinished", 5)
    assert seed not in output(home, "export", "lab")
    done = arena(home, "tournaments", "end", "lab")
    assert done.returncode == 0
    assert "4 of 5 matches" in done.stdout
    assert seed in done.stderr
    assert (row(home)["state"], row(home)["matches"], games(home)) == ("ended", 5, 4)
    board = as_json(home, "leaderboard", "lab")
    assert (board.get("unfinished"), board["ended"]) == (None, True)
    assert "ended before" in output(home, "leaderboard", "lab")
    output(home, "report", "lab", "-o", home / "report")
    assert "matches,\nended." in (home / "report" / "index.html").read_text()
    assert "5/24" in output(home, "tournaments")
    records = [json.loads(line) for line in output(home, "export", "lab").splitlines()]
    assert [record["seed"] is None for record in records] == [False] * 4
    assert "5 matches" in output(home, "verify")
    # which is so only once
    assert "ended" in refused(home, "tournaments", "end", "lab")
    # and the command that began it plays nothing
    done = arena(home, "run", file)
    assert (done.returncode, games(home), row(home)["matches"]) == (0, 4, 5)
    assert "--extend" in done.stderr


@pytest.mark.slow
def test_ended_tournament_goes_on_with_extend(tmp_path: Path) -> None:
    """An ended tournament of an open game is played to its end with ``--extend``."""
    file, home = begun(tmp_path, 5)
    ended = api.end_tournament(home, "lab")
    assert (ended.matches, ended.counted) == (5, 4)
    output(home, "run", file, "--extend")
    assert (row(home)["state"], games(home)) == ("finished", 24)


@pytest.mark.parametrize(
    ("seed", "code", "state"), [(None, 2, "ended"), *slowly([(1 << 100, 0, "finished")])]
)
def test_hidden_deals_stay_ended(tmp_path: Path, seed: int | None, code: int, state: str) -> None:
    """With hidden hands, ``--extend`` works only if the file had the seed."""
    file, home = begun(tmp_path, 3, game="the_tree", seed=seed)
    ended = api.end_tournament(home, "lab")
    assert (ended.counted, ended.seed is None) == (2, bool(seed))
    done = arena(home, "run", file, "--extend")
    assert (done.returncode, row(home)["state"]) == (code, state)
    if code:
        assert "lab#2" in done.stderr
        assert "--new" in done.stderr
        assert f"public since {api.list_tournaments(home)[0].last_run[:10]}" in done.stderr
        # the last table, and no advice that would be refused
        assert "--extend" not in messages(home, "run", file)


def test_running_tournament_is_not_ended(tmp_path: Path) -> None:
    """``tournaments end`` of a running tournament names its process, exit code 2."""
    _, home = begun(tmp_path, 3)
    with runner_lock(home, "lab"):
        assert "pid" in refused(home, "tournaments", "end", "lab")
    assert row(home)["state"] == "unfinished"


def test_bundle_of_ended_tournament_is_ended(tmp_path: Path) -> None:
    """An ended tournament that is imported from a bundle counts the same matches as before."""
    _, home = begun(tmp_path, 5)
    api.end_tournament(home, "lab")
    bundle, other = tmp_path / "lab.arena", tmp_path / "other"
    output(home, "bundle", "create", "lab", "-o", bundle)
    assert "5 of 24 matches" in output(home, "bundle", "verify", bundle)
    output(other, "bundle", "import", bundle)
    assert (row(other)["state"], row(other)["matches"], games(other)) == ("ended", 5, 4)
    assert output(other, "bundle", "import", bundle)
    assert row(other)["state"] == "ended"


@pytest.mark.parametrize("how", ["swiss", "knockout", *slowly(["ladder"])])
def test_every_format_can_be_ended(tmp_path: Path, how: str) -> None:
    """A tournament of any format is ended in the middle of its matches."""
    rounds = {"ladder": None, "knockout": None, "swiss": 2}[how]
    stop = "{matches: 40}" if how == "ladder" else None
    file, home = begun(tmp_path, 3, seed=1, format=how, rounds=rounds, stop=stop)
    ended = api.end_tournament(home, "lab")
    assert (ended.matches, ended.counted, ended.seed) == (3, 2, None)
    output(home, "run", file)
    assert (row(home)["state"], row(home)["matches"]) == ("ended", 3)
    output(home, "bundle", "create", "lab", "-o", tmp_path / "lab.arena")
    output(tmp_path / "other", "bundle", "import", tmp_path / "lab.arena")
    assert row(tmp_path / "other")["state"] == "ended"
    output(home, "run", file, "--extend")
    assert row(home)["state"] in ("finished", "decided", "resting")
