"""``arena show --html`` and ``arena play --html``: which page is written, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.arena_command import ROOT, arena, output
from support.recorded import recorded

from arena.record.record import format_record


@pytest.fixture
def match(tmp_path: Path) -> Path:
    file = tmp_path / "match.json"
    file.write_text(format_record(recorded("the_tree", most=4)) + "\n")
    return file


def test_show_html_writes_page(tmp_path: Path, match: Path) -> None:
    """``show --html`` writes the page into the file, and nothing to stdout."""
    done = arena(tmp_path, "show", match, "--html", tmp_path / "m.html")
    assert (done.returncode, done.stdout) == (0, "")
    assert str(tmp_path / "m.html") in done.stderr
    assert "Seed of the deal" in (tmp_path / "m.html").read_text()


def test_page_for_seat_lacks_other_hand(tmp_path: Path, match: Path) -> None:
    """The page of ``--seat 1`` lacks the setup with the other hand."""
    arena(tmp_path, "show", match, "--html", tmp_path / "open.html")
    output(tmp_path, "show", match, "--html", tmp_path / "own.html", "--seat", "1")
    setup = json.loads(match.read_text())["setup"]
    assert setup in (tmp_path / "open.html").read_text()
    assert setup not in (tmp_path / "own.html").read_text()


def test_play_html_has_output_of_bots(tmp_path: Path) -> None:
    """The page of ``play --html`` has what a bot wrote to stderr."""
    bot = tmp_path / "talker.py"
    source = (ROOT / "bots/random_python/bot.py").read_text()
    bot.write_text(f"import sys\nprint('I am here', file=sys.stderr, flush=True)\n{source}")
    page = tmp_path / "m.html"
    output(tmp_path, "play", "leaves", bot, "random", "--seed", "1", "--html", page)
    assert "I am here" in page.read_text()


def test_play_html_checks_file_before_match(tmp_path: Path) -> None:
    """``play --html`` with a file that cannot be written plays no match."""
    page = tmp_path / "no" / "m.html"
    done = output(tmp_path, "play", "leaves", "random", "random", "--html", page, code=2)
    assert "decisions" not in done
