"""Mistakes in a tournament file: each is told with its place, what was found and expected."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from support.told import told

from arena.tournament.parse import parse_tournament
from arena.values.errors import TournamentFileError

TABLE = yaml.load(Path(__file__).with_name("mistakes.yaml").read_bytes(), yaml.CSafeLoader)
HEAD = "name: t\ngame: leaves\nbots: [random, greedy]\n"


def mistakes(text: str, folder: Path = Path()) -> list[str]:
    """Return what is told of a file, a line each."""
    return told(TournamentFileError, parse_tournament, text, "t.yaml", folder).split("\n")


@pytest.mark.parametrize(
    ("file", "here", "said"), [(block["file"], *row) for block in TABLE for row in block["rows"]]
)
def test_one_mistake_is_one_line(file: str, here: str, said: str, tmp_path: Path) -> None:
    """A file with one mistake is answered with just the line that tells it, and its place."""
    (tmp_path / "x.py").touch()
    (line,) = mistakes(file.replace("HERE", here), tmp_path)
    if said.endswith("…"):
        line = line[: len("t.yaml:" + said) - 1] + "…"
    assert line == f"t.yaml:{said}"


@pytest.mark.usefixtures("small_games")
def test_setups_are_checked(tmp_path: Path) -> None:
    """Each line of an opening file that no match can begin with is told with its number."""
    (tmp_path / "o.txt").write_text("9 0,0,0 0\nnonsense\n0 9,0,0 -\n")
    text = "name: t\ngame: pebbles\nbots: [a, b, c]\nopening: {file: o.txt}\n"
    first, second = mistakes(text, tmp_path)
    start = f"t.yaml:4:17: opening.file: {tmp_path}/o.txt"
    assert first.startswith(f"{start}:2: ")
    assert second == f"{start}:3: the game is over there"


def test_keys_that_are_right_are_checked_together() -> None:
    """Two keys that contradict each other are reported even if a third key is wrong."""
    text = "name: t\ngame: leaves\nbots: [a, a]\nformat: swis\nopening: {}\nchallengers: 2\n"
    assert [line.split(": ")[1] for line in mistakes(text)] == ["bots[1]", "format", "opening"]


def test_the_list_of_mistakes_is_bounded() -> None:
    """Of a thousand mistakes fifty are told, and the number of the others."""
    text = HEAD + "".join(f"x{number}: 1\n" for number in range(1000))
    found = mistakes(text)
    assert len(found) == 51
    assert found[-1] == "t.yaml: and 950 more mistakes"
