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
def test_text_that_is_no_id_has_no_file(match: str) -> None:
    """A text that is no match's id is a ``ValueError``, and names no file."""
    with pytest.raises(ValueError, match="no id"):
        match_file(match)
