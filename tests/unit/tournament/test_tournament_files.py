"""Tournament files that are right: what they mean."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.ran import PYTHON, printed

from arena.tournament.from_python import check_given
from arena.tournament.parse import parse_tournament
from arena.values.model import Opening, Tournament


def read(text: str, folder: Path = Path()) -> Tournament:
    """Return what a file gives, which a program may give as well."""
    found = parse_tournament(text, "t.yaml", folder)
    assert check_given(found) == found
    return found


@pytest.mark.usefixtures("small_games")
def test_an_opening_file_holds_a_setup_a_line(tmp_path: Path) -> None:
    """Empty lines, CRLF and a byte order mark do not count."""
    (tmp_path / "o.txt").write_bytes(b"\xef\xbb\xbf5 0,0,0 1\r\n\r\n9 0,0,0 2\n\n")
    text = "name: t\ngame: pebbles\nbots: [a, b, c]\nopening: {file: o.txt}\n"
    assert read(text, tmp_path).opening == Opening(setups=("5 0,0,0 1", "9 0,0,0 2"))


def test_what_most_commands_need_imports_no_yaml() -> None:
    """Comparing, clocks, formats and units are there without PyYAML and pydantic."""
    rooms = ("change", "clocks", "format_keys", "names", "supported", "units")
    code = (
        f"import sys, {', '.join(f'arena.tournament.{room}' for room in rooms)};"
        "assert not {'yaml', 'pydantic'} & set(sys.modules)"
    )
    printed(PYTHON, "-c", code)


@pytest.mark.parametrize("bots", ["all", '"*"', "[all]", '["*"]', "[greedy, all]"])
def test_all_means_every_submitted_bot(bots: str) -> None:
    """By itself or in a list: one line with the pattern that every name fits."""
    found = read(f"name: t\ngame: leaves\nbots: {bots}\n").bots
    assert [bot.ref for bot in found if bot.is_pattern] == ["*"]
    assert len(found) == (2 if "greedy" in bots else 1)
