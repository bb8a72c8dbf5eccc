"""``arena balance`` and ``arena.measure_balance``: real matches, counted again from records."""

from __future__ import annotations

import json
import re
import signal
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from support.arena_command import ROOT, arena, output, submitted
from support.running import Running
from support.waiting import until

from arena import BotEntry, measure_balance
from arena.match.record import parse_record
from arena.store import open_store
from arena.values.errors import ArenaError, UsageError
from engines import EngineError

RANDOM = ("--bots", "random")


def measured(home: Path, *args: object) -> dict[str, Any]:
    """Run the command with ``--json``; what it printed, without the place of the home and times."""
    found: dict[str, Any] = json.loads(output(home, "balance", *args, "--json"))
    del found["kept"]
    assert all(row.pop("round_ms") >= 0 for row in found["rows"])
    return found


def labels(home: Path) -> list[str]:
    """Return the tournaments that a home has."""
    with open_store(home, create=False) as store:
        return [edition.label for edition in store.tournaments.all()]


def test_numbers_are_those_of_the_records(tmp_path: Path) -> None:
    """Wins, draws, lengths and kinds are what one counts in the matches that are kept."""
    args = ("leaves(tree=u)", *RANDOM, "--rounds", 4)
    (row,) = measured(tmp_path, *args)["rows"]
    exported = output(tmp_path / "balance", "export")
    records = [parse_record(line) for line in exported.splitlines()]
    assert len(records) == row["matches"] == 8
    assert row["duplicates"] == 0
    assert all(record.game == "leaves(tree=u)" and len(record.opening) == 2 for record in records)
    assert {tuple(sorted(seat.bot for seat in record.players)) for record in records} == {
        ("random", "random#2")
    }
    assert Counter(record.block for record in records).most_common(1)[0][1] == 2
    decided = [record.ranks for record in records if record.ranks != (1, 1)]
    first = sum(ranks == (1, 2) for ranks in decided)
    assert row["wins"][0][0] == pytest.approx(first / len(decided))
    assert row["wins"][1][0] == pytest.approx(1 - first / len(decided))
    assert row["drawn"][0] == pytest.approx(1 - len(decided) / 8)
    actions = [
        str(action) for record in records for _, action in (*record.opening, *record.actions)
    ]
    assert row["length"][0] == pytest.approx(len(actions) / 8)
    north = sum(action.startswith("N") for action in actions)
    assert row["kinds"]["N"] == pytest.approx(north / len(actions))
    assert (row["faulty"], row["undecided"]) == (0, 0)


def test_choices_are_counted(tmp_path: Path) -> None:
    """The only game for one with a hand of two: at the first decision as many as the engine has."""
    game = "the_tree(players=1,hand=2)"
    (row,) = measured(tmp_path, game, *RANDOM, "--rounds", 3)["rows"]
    assert row["verdict"] == "alone"
    assert row["wins"] is row["expected"] is None
    scores = sorted(
        parse_record(line).scores[0]  # type: ignore[index]
        for line in output(tmp_path / "balance", "export").splitlines()
    )
    assert row["points"][0] == pytest.approx(sum(scores) / 3)
    assert [row["points_spread"][place] for place in (0, 2, 4)] == scores
    with open_store(tmp_path / "balance", create=False) as store:
        records = [parse_record(text) for text in store.matches.texts()]
    from arena.match.replay import replay_states

    counts = [
        len(state.legal_actions(player))
        for record in records
        for state, (player, _) in zip(replay_states(record), record.actions, strict=False)
    ]
    assert row["branching"][0] == pytest.approx(sum(counts) / len(counts))


@pytest.mark.slow
def test_workers_and_going_on_change_nothing(tmp_path: Path) -> None:
    """One worker or two, at once or bit by bit, or fewer rounds than before: the same numbers."""
    one, two = tmp_path / "one", tmp_path / "two"
    whole = measured(one, "leaves", *RANDOM, "--rounds", 4)
    part = measured(two, "leaves", *RANDOM, "--rounds", 2, "--workers", 2)
    assert measured(two, "leaves", *RANDOM, "--rounds", 4, "--workers", 2) == whole
    assert len(labels(two / "balance")) == 1
    assert measured(two, "leaves", *RANDOM, "--rounds", 4) == whole
    assert measured(two, "leaves", *RANDOM, "--rounds", 2) == part
    assert len(labels(two / "balance")) == 1  # they are the first of those that are kept
    assert measured(two, "leaves", *RANDOM, "--rounds", 4, "--seed", 2) != whole


@pytest.mark.slow
def test_a_stopped_measurement_goes_on(tmp_path: Path) -> None:
    """Ctrl-C says how to go on; what comes then is what an undisturbed measurement gives."""
    args = ("treeblox", *RANDOM, "--rounds", "25", "--json")
    folder = tmp_path / "home" / "balance"
    run = Running(tmp_path / "home", "balance", *args)
    until(lambda: _played(folder))
    run.process.send_signal(signal.SIGINT)
    assert run.end() == 130, run.said
    assert "Go on with: arena balance treeblox" in run.said
    assert 0 < _played(folder) < 50
    stopped = measured(tmp_path / "home", *args[:-1])
    assert stopped["rows"][0]["matches"] == 50
    assert stopped == measured(tmp_path / "other", *args[:-1])


def _played(home: Path) -> int:
    if not (home / "arena.db").exists():
        return 0
    try:
        with open_store(home, create=False) as store:
            return sum(
                len(list(store.matches.list(edition.id))) for edition in store.tournaments.all()
            )
    except ArenaError:  # it is just being made
        return 0


@pytest.mark.slow
def test_several_players_and_strengths(tmp_path: Path) -> None:
    """Three seats have three shares; the better bot sits once in each of them, deal by deal."""
    game = "the_tree(players=3)"
    rows = measured(tmp_path, game, "--bots", "random,greedy", "--rounds", 3)["rows"]
    assert [(row["bot"], row["opponent"], row["matches"]) for row in rows] == [
        ("random", "random", 9),
        ("greedy", "greedy", 9),
        ("greedy", "random", 9),
    ]
    assert all(len(row["wins"]) == 3 for row in rows[:2])
    assert sum(share[0] for share in rows[0]["wins"]) == pytest.approx(1.0)
    assert 0.0 <= rows[2]["score"][1] <= rows[2]["score"][0] <= rows[2]["score"][2] <= 1.0
    with open_store(tmp_path / "balance", create=False) as store:
        records = [parse_record(text) for text in store.matches.texts()]
    names = [tuple(seat.bot for seat in record.players) for record in records]
    mixed = [seats for seats in names if {*seats} == {"greedy", "random", "random#2"}]
    assert Counter(seats.index("greedy") for seats in mixed) == {0: 3, 1: 3, 2: 3}


def test_table_says_it_in_words(tmp_path: Path) -> None:
    """Variants stand side by side; each has a sentence, and the home's own tables stay as empty."""
    text = output(tmp_path, "balance", "leaves", "leaves(tree=u)", *RANDOM, "--rounds", 2)
    assert "wins by seat" in text.splitlines()[0]
    assert "leaves, random: player" in text
    assert "leaves(tree=u), random: " in text
    assert arena(tmp_path, "leaderboard").returncode == 2


def test_a_bot_that_fails_is_left_out(tmp_path: Path) -> None:
    """Its matches say nothing of the game, and are counted."""
    bad = tmp_path / "bad.py"
    bad.write_text("raise SystemExit('no')\n")
    found = measured(tmp_path / "home", "leaves", "--bots", bad, "--rounds", 2)
    (row,) = found["rows"]
    assert row["faulty"] == 4
    assert "verdict" not in row
    text = output(tmp_path / "home", "balance", "leaves", "--bots", bad, "--rounds", 2)
    assert "4 left out" in text


@pytest.mark.slow
def test_submitted_bots_and_changed_ones(tmp_path: Path) -> None:
    """A submitted bot plays as it was submitted; a file that changed is measured again."""
    home, bot = tmp_path / "home", tmp_path / "mine.py"
    bot.write_text((ROOT / "bots/random_python/bot.py").read_text())
    submitted(home, bot, "mine")
    rows = measured(home, "leaves", "--bots", "mine@1", "--bots", bot, "--rounds", 1)["rows"]
    assert [row["matches"] for row in rows] == [2, 2, 2]
    bot.write_text(bot.read_text() + "# changed\n")
    again = measured(home, "leaves", "--bots", bot, "--rounds", 1)["rows"]
    assert again[0]["matches"] == 2
    assert sum("#2" in label for label in labels(home / "balance")) == 1


@pytest.mark.parametrize(
    ("args", "word"),
    [
        (("leafs",), "leaves"),
        (("leaves", "leaves(tree=line)"), "twice"),
        (("leaves", "--bots", "random,random"), "twice"),
        (("leaves", "--bots", "randon"), "random"),
        (("leaves", "--bots", "random,"), "bot"),
        (("leaves", "--rounds", "0"), "x>=1"),
        (("leaves", "--sandbox", "nowhere"), "bwrap"),
        ((), "GAME"),
    ],
)
def test_what_is_refused(tmp_path: Path, args: tuple[str, ...], word: str) -> None:
    """A mistake is a sentence with exit code 2, before anything is played."""
    done = arena(tmp_path / "home", "balance", *args)
    assert done.returncode == 2
    assert word in done.stderr
    assert not (tmp_path / "home" / "balance").exists()


def test_the_python_side(tmp_path: Path) -> None:
    """What it is handed is checked, and errors are raised."""
    home = tmp_path / "home"
    with pytest.raises(UsageError, match="at least one game"):
        measure_balance([], home)
    with pytest.raises(UsageError, match="at least one bot"):
        measure_balance(["leaves"], home, bots=[])
    with pytest.raises(UsageError, match="rounds"):
        measure_balance(["leaves"], home, rounds=0)
    with pytest.raises(EngineError):
        measure_balance(["leafs"], home)
    with pytest.raises(TypeError, match="bots"):
        measure_balance(["leaves"], home, bots=[BotEntry("x", ref="random")])  # type: ignore[list-item]
    assert not home.exists()


def test_a_page_and_a_search_that_is_doubled(tmp_path: Path) -> None:
    """One file with charts; with --ladder the last bot plays with two and four times as much."""
    page = tmp_path / "balance.html"
    bots = ("--bots", "random,mcts --simulations 1", "--ladder", "--html", page)
    done = arena(tmp_path / "home", "balance", "the_tree", *bots, "--rounds", 1)
    assert done.returncode == 0, done.stderr
    for bot in ("mcts --simulations 1", "mcts --simulations 2", "mcts --simulations 4"):
        assert f"the_tree, {bot}: " in done.stdout
    assert "mcts --simulations 4 - mcts --simulations 2: the first scores" in done.stdout
    text = page.read_text(encoding="utf-8")
    assert "Content-Security-Policy" in text
    assert text.count("<svg") > 5
    assert arena(tmp_path, "balance", "the_tree", *RANDOM, "--ladder").returncode == 2


def test_every_key_is_documented(tmp_path: Path) -> None:
    """The page names every key of a row, and of what a game looks like."""
    page = (ROOT / "docs/how-to/is-my-game-fair.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(\w+)`", page))
    found = json.loads(
        output(tmp_path, "balance", "the_tree", "--bots", "random,greedy", "--rounds", 1, "--json")
    )
    keys = {*found, *(key for row in found["rows"] for key in row), *found["rows"][0]["shape"]}
    keys |= {*found["rows"][0]["shape"]["moments"][0]}
    keys |= {*found["rows"][0]["shape"]["first_actions"][0]}
    assert keys <= named


@pytest.mark.slow
def test_until_settled_goes_on_by_itself(tmp_path: Path) -> None:
    """Two that look one action ahead: more rounds than asked for, then it is known; and again."""
    args = ("leaves", "--bots", "greedy", "--rounds", 2, "--until-settled")
    (row,) = measured(tmp_path, *args)["rows"]
    assert row["rounds"] in (4, 8, 16, 32, 64)
    assert row["level"] == pytest.approx(1 - 0.05 / 6)
    assert row["verdict"] == "unfair"
    assert row["more_rounds"] == 0
    assert measured(tmp_path, *args)["rows"] == [row]
    assert len(labels(tmp_path / "balance")) == 1
