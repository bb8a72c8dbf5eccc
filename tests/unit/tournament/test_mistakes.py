"""Mistakes in a tournament file: each is told with its place, what was found and expected."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from arena.tournament.parse import parse_tournament
from arena.values.errors import TournamentFileError

TABLE = yaml.safe_load(Path(__file__).with_name("mistakes.yaml").read_text(encoding="utf-8"))
HEAD = "name: t\ngame: leaves\nbots: [random, greedy]\n"


def mistakes(text: str, folder: Path = Path()) -> list[str]:
    """Return what is told of a file, a line each."""
    with pytest.raises(TournamentFileError) as caught:
        parse_tournament(text, "t.yaml", folder)
    return str(caught.value).split("\n")


@pytest.mark.parametrize(
    ("file", "here", "told"), [(block["file"], *row) for block in TABLE for row in block["rows"]]
)
def test_one_mistake_is_one_line(file: str, here: str, told: str, tmp_path: Path) -> None:
    """A file with one mistake is answered with just the line that tells it, and its place."""
    (tmp_path / "x.py").touch()
    (line,) = mistakes(file.replace("HERE", here), tmp_path)
    if told.endswith("…"):
        line = line[: len("t.yaml:" + told) - 1] + "…"
    assert line == f"t.yaml:{told}"


@pytest.mark.parametrize(
    ("games", "named"),
    [
        ("game: the_tree", "the_tree"),
        ("game: build_your_arboretum(advantage=1)", "build_your_arboretum(advantage=1)"),
        ("games: [leaves, the_tree, the_tree(players=1)]", "the_tree and the_tree(players=1)"),
    ],
)
def test_kept_processes_and_hidden_deals(games: str, named: str) -> None:
    """A process that is kept would meet a hidden deal again: that is refused, with its place."""
    head = f"name: t\n{games}\nbots: [random, greedy]\n"
    (told,) = mistakes(head + "processes: reuse\n")
    assert told.startswith(f"t.yaml:4:12: processes: reuse is not for {named}, where a deal is hid")
    assert "expected fresh" in told
    fresh = parse_tournament(head + "processes: fresh\n", "t.yaml", Path())
    assert fresh.processes == "fresh"


def test_a_missing_file_is_named_with_its_line(tmp_path: Path) -> None:
    """``run`` and ``opening.file`` must exist; the nearest name beside them is told."""
    (tmp_path / "oak.py").touch()
    text = (
        "name: t\ngame: leaves\nbots:\n  - random\n  - {name: a, run: oka.py}\n"
        "opening: {file: zzz/o.txt}\n"
    )
    first, second = mistakes(text, tmp_path)
    assert first == 't.yaml:5:20: bots[1].run: there is no "oka.py"; did you mean "oak.py"?'
    # a long path is cut, so only its beginning is compared
    assert second.startswith(
        f't.yaml:6:17: opening.file: there is no "zzz/o.txt"; looked for {str(tmp_path)[:30]}'
    )


@pytest.mark.parametrize(
    ("keys", "path", "word"),
    [
        ("format: knockout\nrounds: 3", "rounds", "blocks"),
        ("format: swiss\nstop: {matches: 4}", "stop", "rounds"),
        ("challengers: 1", "challengers", "round-robin"),
        ("format: gauntlet\nblocks: 2", "blocks", "challengers"),
        ("format: swiss\nseeding: other", "seeding", "swiss"),
        ("format: knockout\nseeding: t", "seeding", "another"),
        ("format: gauntlet\nchallengers: 2", "bots", "challengers"),
        ("format: gauntlet\nchallengers: 0", "challengers", "1"),
        ("format: ladder\nblocks: 2", "blocks", "batch"),
        ("format: ladder\nbatch: 0", "batch", "1"),
        ("format: ladder\nstop: {sigma: 0}", "stop.sigma", "0.01"),
        ("format: ladder\nstop: {sprt: {}}", "stop.sprt", "compare"),
        ("format: swiss\nbatch: 4", "batch", "rounds"),
        ("format: ladder\nwithout: [mcts@2]", "without[0]", "entrant"),
    ],
)
def test_keys_that_a_format_does_not_take_are_refused(keys: str, path: str, word: str) -> None:
    """What a key would mean for another format is never ignored; the message names what goes."""
    (line,) = mistakes(HEAD + keys + "\n")
    assert f" {path}: " in line
    assert word in line


@pytest.mark.parametrize("format_", ["swiss", "knockout"])
def test_formats_for_two_refuse_games_for_more(format_: str) -> None:
    """A game for three is refused with the formats that play it."""
    text = "name: t\ngame: the_tree(players=3)\nbots: [a, b, c]\n"
    (line,) = mistakes(text + f"format: {format_}\n")
    assert " format: " in line
    assert "gauntlet" in line


@pytest.mark.parametrize("format_", ["gauntlet", "ladder"])
def test_some_formats_are_for_two_and_more(format_: str) -> None:
    """In a game for one nobody meets anybody."""
    text = f"name: t\ngame: the_tree(players=1)\nbots: [a, b]\nformat: {format_}\n"
    (line,) = mistakes(text)
    assert " format: " in line
    assert "round-robin" in line


def test_games_of_a_ladder_are_for_equally_many() -> None:
    """Those who meet play all of its games; what they are for is named."""
    text = "name: t\ngames: [leaves, the_tree(players=3)]\nbots: [a, b, c]\nformat: ladder\n"
    (line,) = mistakes(text)
    assert " games: " in line
    assert "leaves for 2 and the_tree(players=3) for 3" in line


@pytest.mark.usefixtures("small_games")
def test_setups_are_checked(tmp_path: Path) -> None:
    """Each line of an opening file that no match can begin with is told with its number."""
    (tmp_path / "o.txt").write_text("9 0,0,0 0\nnonsense\n0 9,0,0 -\n")
    text = "name: t\ngame: pebbles\nbots: [a, b, c]\nopening: {file: o.txt}\n"
    first, second = mistakes(text, tmp_path)
    start = f"t.yaml:4:17: opening.file: {tmp_path}/o.txt"
    assert first.startswith(f"{start}:2: ")
    assert second == f"{start}:3: the game is over there"


def test_more_matches_than_can_be_played_are_counted() -> None:
    """A schedule of 2 * 10^12 matches is refused with its number, at once."""
    assert mistakes(HEAD + "rounds: 1000000000000\n") == [
        "t.yaml:4:9: rounds: that makes 2,000,000,000,000 matches or more; "
        "at most 1,000,000,000 can be played"
    ]


def test_all_mistakes_are_told_at_once_in_the_order_of_the_file() -> None:
    """Types, ranges, words, near misses and what concerns several keys stand in one list."""
    text = """\
ganes: [leaves]
rounds: 0
bots:
  - random
  - {nme: x, bot: greedy, args: [1], clock: {mvoe: 1s, move: fast}}
  - random
rounds: 2
clock: {inc: 1s}
sandbox: bwrapp
"""
    assert [line.partition(": ")[0] for line in mistakes(text)] == [
        "t.yaml:1:1",
        "t.yaml:1:1",
        "t.yaml:1:1",
        "t.yaml:5:6",
        "t.yaml:5:34",
        "t.yaml:5:46",
        "t.yaml:5:62",
        "t.yaml:6:5",
        "t.yaml:7:1",
        "t.yaml:8:14",
        "t.yaml:9:10",
    ]


def test_the_list_of_mistakes_is_bounded() -> None:
    """Of a thousand mistakes fifty are told, and the number of the others."""
    text = HEAD + "".join(f"x{number}: 1\n" for number in range(1000))
    told = mistakes(text)
    assert len(told) == 51
    assert told[-1] == "t.yaml: and 950 more mistakes"


@pytest.mark.parametrize("how", ["format: compare", "stop: {sprt: {}}"])
def test_a_comparison_is_of_as_many_bots_as_meet(how: str) -> None:
    """One bot against those that fill the other seats, in one game."""
    three = "name: t\ngame: leaves\nbots: [random, greedy, mcts]\n"
    (line,) = mistakes(three + how)
    assert line.startswith("t.yaml:3:7: bots: ")
    assert "leaves takes 2 bots, found 3" in line
    two = "name: t\ngames: [leaves, treeblox]\nbots: [random, greedy]\n"
    (line,) = mistakes(two + how)
    assert line.startswith("t.yaml:2:8: games: ")
    alone = 'name: t\ngame: "the_tree(players=1)"\nbots: [random]\n'
    (line,) = mistakes(alone + how)
    assert "nobody to compare" in line
