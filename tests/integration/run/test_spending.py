"""What answers cost, by what bots report, ends a tournament or takes an entrant out of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.arena_command import as_json, messages, output, tournament
from support.bot_programs import program
from support.sql import sql

pytestmark = pytest.mark.slow

COSTS = 'print(f"info cost={sys.argv[1]} calls=1", flush=True)'  # each answer
# in Connect Four, where each plays the first column that is not full, player 0 wins by its 11th
# answer or so: what it takes does not matter, as it is the same in each match
KEYS = {"game": "connect_four", "rounds": 4, "seed": 7, "sandbox": "none"}
KEYS |= {"opening": "{plies: 2}", "clock": "{move: 10s}"}
OTHERS = '{name: cheap, run: bot.py, args: ["0.001"]}, {name: free, run: bot.py, args: ["0"]}'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the bot."""
    (tmp_path / "bot.py").write_text(program(asked=COSTS))
    return tmp_path


def run(folder: Path, home: str, *words: str, most: float = 1e9, stop: str | None = None) -> str:
    """Run the tournament; return what was said beside the table."""
    dear = f'{{name: dear, run: bot.py, args: ["0.1"], most: {{cost: {most}}}}}'
    file = tournament(folder, f"[{dear}, {OTHERS}]", **KEYS, stop=stop)
    return messages(folder / home, "run", file, *words)


def board(folder: Path, home: str) -> Any:
    return as_json(folder / home, "leaderboard")


def matches(folder: Path, home: str) -> Any:
    return as_json(folder / home, "matches")["rows"]


def costs_in_order(rows: Any) -> list[float]:
    """Return the costs that bots have reported so far, after each match in schedule order."""
    sums, total = [], 0.0
    for row in sorted(rows, key=lambda row: row["number"]):
        total += sum(seat.get("cost", 0) for seat in row["costs"])
        sums.append(round(total, 9))
    return sums


def test_stop_by_costs_is_exact(folder: Path) -> None:
    """``stop: {info: …}`` ends a tournament at the same match for any number of workers."""
    run(folder, "whole", "--workers", "2")
    sums = costs_in_order(matches(folder, "whole"))
    assert len(sums) == 24
    limit = sums[9]
    stop = f"{{info: {{cost: {limit}}}}}"
    boards = []
    for workers in ("1", "3"):
        run(folder, workers, "--workers", workers, stop=stop)
        counted = [row["number"] for row in matches(folder, workers) if row["counted"]]
        assert sorted(counted) == list(range(10))
        found = board(folder, workers)
        assert found["costs"]["cost"] == limit
        boards.append(found)
    assert boards[0] == boards[1]
    again = run(folder, "1", "--workers", "1", stop=stop)
    assert len(matches(folder, "1")) <= 12, "nothing was played beyond what was under way"
    assert "cost" not in again
    run(folder, "1", "--extend", stop=f"{{info: {{cost: {sums[14]}}}}}")
    counted = [row["number"] for row in matches(folder, "1") if row["counted"]]
    assert sorted(counted) == list(range(15))
    assert output(folder / "1", "verify").endswith("verified: all right\n")
    # a run that was killed before it stored the stop, and then ended by a person
    stop = f"json_set(config, '$.stop', json('{{\"info\": {{\"cost\": {limit}}}}}'))"
    sql(folder / "whole", f"UPDATE tournament SET config = {stop}, ended = NULL")
    output(folder / "whole", "tournaments", "end", "cup")
    counted = [row["number"] for row in matches(folder, "whole") if row["counted"]]
    assert sorted(counted) == list(range(10))


def test_bot_over_its_costs_is_out(folder: Path) -> None:
    """A bot over its ``most`` leaves the table, with the same rows for any number of workers."""
    found = []
    for workers in ("1", "3"):
        said = run(folder, workers, "--workers", workers, most=2.0)
        assert "dear used up its most: to continue, raise it" in said
        found.append(board(folder, workers))
        (out,) = found[-1]["out"]
        assert out["bot"] == "dear"
        assert "cost came to" in out["reason"]
        assert {row["bot"]: row["games"] for row in found[-1]["rows"]} == {"cheap": 8, "free": 8}
        assert found[-1]["rows"][0].keys() >= {"costs", "score"}
    assert found[0] == found[1]
    bundle = folder / "spent.bundle"
    output(folder / "1", "bundle", "create", "-o", bundle)
    output(folder / "other", "bundle", "import", bundle)
    assert board(folder, "other")["out"] == found[0]["out"]
    run(folder, "1", most=100.0)
    assert [row["games"] for row in board(folder, "1")["rows"]] == [16, 16, 16]
    assert "out" not in board(folder, "1")


def test_leaderboard_shows_costs(folder: Path) -> None:
    """Costs are shown in columns asked for, as a sum below the table, and with a match."""
    run(folder, "home", "--workers", "2")
    table = output(folder / "home", "leaderboard", "--columns", "bot,calls,cost")
    head, *rows = [line.split() for line in table.splitlines()[:4]]
    assert head == ["bot", "calls", "cost"]
    calls = {row[0]: int(row[1]) for row in rows}
    assert {row[0]: row[2] for row in rows} == {
        "dear": f"{calls['dear'] / 10:.4f}",
        "cheap": f"{calls['cheap'] / 1000:.4f}",
        "free": "0.0000",
    }
    assert f"{sum(calls.values()):,} calls" in table
    csv = output(folder / "home", "leaderboard", "--columns", "bot,cost", "--format", "csv")
    assert csv.splitlines()[0] == "bot,cost"
    assert "calls" in output(folder / "home", "show", matches(folder, "home")[0]["id"])
    assert output(folder / "home", "export").count('"costs":{') == 48


def test_comparison_that_spent_all_is_over_where_its_bundle_is_read(folder: Path) -> None:
    """A tournament of the format ``compare`` that its costs ended is over in another home, too."""
    bots = '[{name: dear, run: bot.py, args: ["0.1"]}, {name: cheap, run: bot.py, args: ["0"]}]'
    keys = {**KEYS, "format": "compare", "stop": "{info: {cost: 3.0}}"}
    messages(folder / "home", "run", tournament(folder, bots, **keys))
    output(folder / "home", "bundle", "create", "-o", folder / "spent.bundle")
    output(folder / "other", "bundle", "import", folder / "spent.bundle")
    states = [as_json(folder / home, "tournaments")["rows"] for home in ("home", "other")]
    assert [row["state"] for (row,) in states] == ["decided", "decided"]
