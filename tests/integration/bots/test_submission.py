"""What is submitted is what is kept, whatever a bot does to its folder while it is checked."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from support.bot_programs import program
from support.needs import working

from arena.bots.find import enter
from arena.bots.program import describe
from arena.bots.snapshots import kept_folder
from arena.check.submit import submit
from arena.store import open_store
from arena.values.errors import CheckFailed
from arena.values.model import BotEntry

# plays, and before that does what it should not
HABIT = """\
try:
    exec(open("habit.txt").read())
except OSError:
    pass  # its folder is closed to it here
"""


def bot(folder: Path, habit: str) -> Path:
    """Write a bot with a habit, as a folder."""
    folder.mkdir()
    (folder / "bot.py").write_text(program(first=HABIT))
    (folder / "habit.txt").write_text(habit)
    return folder


@pytest.mark.parametrize("level", ["limits", "none"])
def test_file_written_during_check_is_no_part_of_bot(
    level: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot that writes a log during its check keeps its hash."""
    working(level)
    monkeypatch.setattr(sys.modules["arena.check.submit"], "level_for", lambda *_, **__: level)
    tmp_path.chmod(0o755)
    source = bot(tmp_path / "oak", "open('debug.log', 'a').write(f'{os.getpid()}')")
    expected = describe(source).hash
    home = tmp_path / "home"
    first = submit(source, "oak", home, game="leaves")
    assert (first.hash, first.version, first.new) == (expected, 1, True)
    other = submit(source, "ash", home, game="leaves")  # checked where the log lies already
    assert (other.hash, other.version, other.new) == (expected, 1, True)
    again = submit(source, "oak", home, game="leaves")
    assert (again.hash, again.version, again.new) == (expected, 1, False)
    kept = kept_folder(home, expected)
    assert sorted(os.listdir(kept)) == ["bot.py", "habit.txt"]
    assert os.listdir(home / "bots") == [kept.parent.name]
    assert os.listdir(kept.parent) == [kept.name]


def test_bot_that_changes_its_files_plays_as_submitted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot that changes its own files plays as submitted at its next start."""
    monkeypatch.setattr(sys.modules["arena.check.submit"], "level_for", lambda *_, **__: "none")
    habit = "os.chmod('bot.py', 0o644); open('bot.py', 'a').write('# other')"
    home, source = tmp_path / "home", bot(tmp_path / "oak", habit)
    done = submit(source, "oak", home, game="leaves")
    assert done.hash == describe(source).hash
    with open_store(home, create=False) as store:
        entrant = enter(BotEntry("oak", ref="oak"), store.bots, home, level="none")
    assert describe(Path(entrant.bot.folder)).hash == done.hash


def test_bot_for_another_game_is_told_how_to_name_it(tmp_path: Path) -> None:
    """A refused bot is pointed to ``--game`` only if nobody named the game that it was tried in."""
    file = tmp_path / "bot.py"
    file.write_text(program(asked="sys.exit(1)"))
    with pytest.raises(CheckFailed, match="--game GAME"):
        submit(file, "oak", tmp_path / "home")
    with pytest.raises(CheckFailed) as refusal:
        submit(file, "oak", tmp_path / "home", game="leaves")
    assert "--game" not in str(refusal.value)
