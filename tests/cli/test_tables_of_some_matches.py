"""Tables of some of a home's matches, and lists of them, as people type them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from support.arena_command import ROOT, arena, environment, output

FIRST = """\
name: first
game: leaves
rounds: 2
seed: 7
bots: [greedy, random, random-sh]
opening: {plies: 2}
"""
# Treeblox begins the same every time, and the bots do not draw lots
SECOND = """\
name: second
game: treeblox
rounds: 3
seed: 7
bots: [{name: greedy, run: first.py}, {name: other, run: first.py}]
"""
TAKES_THE_FIRST = """\
for line in iter(input, "quit"):
    verb, _, rest = line.partition(" ")
    if verb == "hello": print("ready want=legal", flush=True)
    elif verb == "legal": first = rest.split()[0]
    elif verb == "go": print("play", first, flush=True)
"""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a home with two tournaments."""
    folder = tmp_path_factory.mktemp("tables")
    (folder / "first.py").write_text(TAKES_THE_FIRST)
    for name, text in (("first", FIRST), ("second", SECOND)):
        file = folder / f"{name}.yaml"
        file.write_text(text)
        output(folder / "home", "run", file)
    return folder / "home"


def games(home: Path, *args: object) -> dict[str, int]:
    rows = json.loads(output(home, "leaderboard", "--json", *args))["rows"]
    return {row["bot"]: row["games"] for row in rows}


@pytest.mark.slow
def test_several_tournaments(home: Path) -> None:
    """Two tournaments are merged, by either way to say it, under both names."""
    board = json.loads(output(home, "leaderboard", "first,second", "--json"))
    assert board["tournament"] == "first, second"
    # one of the two called greedy is another program
    played = sorted((row["bot"], row["games"]) for row in board["rows"])
    expected = [("greedy", 6), ("greedy", 8), ("other", 6), ("random", 8), ("random-sh", 8)]
    assert played == expected
    for args in (("--tournament", "first,second"), ("--all",)):
        rows = json.loads(output(home, "leaderboard", "--json", *args))["rows"]
        assert rows == board["rows"]
    assert arena(home, "leaderboard", "first", "--all").returncode == 2
    assert arena(home, "leaderboard", "first,nothing").returncode == 2


def test_some_bots(home: Path) -> None:
    """Of some bots only the matches with one another count."""
    assert games(home, "first", "--bots", "greedy,random") == {"greedy": 4, "random": 4}
    listed = output(home, "matches", "first", "--bots", "greedy@1,random", "--json")
    assert [sorted(row["bots"]) for row in json.loads(listed)["rows"]] == [["greedy", "random"]] * 4
    done = arena(home, "leaderboard", "first", "--bots", "greedy,rando")
    assert (done.returncode, 'did you mean "random"' in done.stderr) == (2, True)


def test_since(home: Path) -> None:
    """Matches that started before are left out; what is no time is refused."""
    assert games(home, "first", "--since", "2020-01-01") == games(home, "first")
    assert games(home, "first", "--since", "2999-01-01T10:00") == {}
    assert arena(home, "leaderboard", "first", "--since", "yesterday").returncode == 2
    assert len(json.loads(output(home, "matches", "first", "--json"))["rows"]) == 12
    late = json.loads(output(home, "matches", "first", "--since", "2999-01-01", "--json"))
    assert late["rows"] == []


def test_a_pipe_of_matches(home: Path) -> None:
    """What another program chooses of the matches is what a table is made of."""
    program = (
        "import json, sys\n"
        "for row in json.load(sys.stdin)['rows']:\n"
        "    if 'greedy' not in row['bots'] and row['started'] > '2020': print(row['id'])\n"
    )
    done = subprocess.run(
        f"'{sys.executable}' -m arena matches first --json"
        f" | '{sys.executable}' -c \"{program}\""
        f" | '{sys.executable}' -m arena leaderboard --matches - --json",
        shell=True,
        cwd=ROOT,
        env=environment(home),
        capture_output=True,
        text=True,
        check=True,
    )
    rows = json.loads(done.stdout)["rows"]
    assert {row["bot"]: row["games"] for row in rows} == {"random": 4, "random-sh": 4}


def test_matches_in_a_file(home: Path, tmp_path: Path) -> None:
    """Ids stand one a line; what is no match of the home is named."""
    rows = json.loads(output(home, "matches", "first", "--json"))["rows"]
    file = tmp_path / "chosen.txt"
    file.write_text("".join(f"{row['id']}\n" for row in rows[:3]) + "\n")
    assert sum(games(home, "--matches", file).values()) == 6
    file.write_text("feedfeedfeedfeed\n")
    done = arena(home, "leaderboard", "--matches", file)
    assert (done.returncode, "feedfeedfeedfeed" in done.stderr) == (2, True)


def test_columns(home: Path) -> None:
    """Columns are shown as asked for; seats add up to the games; nobody was late by far."""
    text = output(home, "leaderboard", "first", "--columns", "bot,seats,late,score", "--json")
    for row in json.loads(text)["rows"]:
        assert list(row) == ["bot", "seats", "late", "score"]
        assert sum(seat["wins"] + seat["draws"] + seat["losses"] for seat in row["seats"]) == 8
        assert row["late"] >= 0
    assert arena(home, "leaderboard", "--columns", "nothing").returncode == 2


def test_duplicates(home: Path) -> None:
    """Rounds without an opening repeat one block; it is said, with the remedy, and listed."""
    shown = output(home, "leaderboard", "second")
    assert "4 matches repeat others" in shown
    assert '"opening"' in shown
    assert json.loads(output(home, "leaderboard", "second", "--json"))["weightless"] == 4
    rows = json.loads(output(home, "matches", "second", "--json"))["rows"]
    repeats = json.loads(output(home, "matches", "second", "--duplicates", "--json"))["rows"]
    assert [row["repeats"] for row in repeats] == [rows[0]["id"], rows[1]["id"]] * 2
    assert [row["id"] for row in repeats] == [row["id"] for row in rows[2:]]
    assert "repeat" not in output(home, "leaderboard", "first")


def test_one_bot(home: Path) -> None:
    """``arena bots NAME`` lists a bot's matches; its rating ends at that of the leaderboard."""
    told = json.loads(output(home, "bots", "random", "--json"))
    assert told["bot"] == "random"
    assert len(told["rows"]) == 8
    board = json.loads(output(home, "leaderboard", "first", "--rating", "trueskill", "--json"))
    (row,) = [row for row in board["rows"] if row["bot"] == "random"]
    last = told["rows"][-1]
    assert (last["mu"], last["sigma"], last["score"]) == (row["mu"], row["sigma"], row["score"])
    assert sum(step["rank"] == 1 for step in told["rows"]) == row["wins"] + row["draws"]
    assert "tournament" in output(home, "bots", "greedy")
    done = arena(home, "bots", "gredy")
    assert (done.returncode, 'did you mean "greedy"' in done.stderr) == (2, True)
