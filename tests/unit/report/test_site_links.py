"""File names of a report: plain, different from one another, and never a bot's text."""

from __future__ import annotations

import pytest
from support.hostile_names import HARMLESS, HOSTILE

from arena.report.site_links import FILES, bot_files, match_file


def test_hostile_names_are_harmless_and_apart() -> None:
    """Each file is in its folder, and no two differ in case alone."""
    names = [*HOSTILE, *HARMLESS, "Oak", "oak", "OAK", "1-oak"]
    files = bot_files(dict.fromkeys(names))
    assert all(FILES.fullmatch(file) for file in files.values())
    assert len({file.lower() for file in files.values()}) == len(set(names))
    assert max(map(len, files.values())) < 64


@pytest.mark.parametrize("match", ["", "..", "../../x", "0" * 7, "ABCDEF12", "0123456789abcdeg"])
def test_only_ids_are_files_of_matches(match: str) -> None:
    with pytest.raises(ValueError, match="no id"):
        match_file(match)


def test_a_match_has_a_file() -> None:
    assert match_file("1ac9a3625f0be6c1") == "matches/1ac9a3625f0be6c1.html"
    assert FILES.fullmatch("matches/1ac9a3625f0be6c1.html")


@pytest.mark.parametrize("name", ["../index.html", "bots/../x.html", "bots/1-a.html\n", "x.html"])
def test_no_other_file_is_of_a_report(name: str) -> None:
    assert not FILES.fullmatch(name)
