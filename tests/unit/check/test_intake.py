"""Whose a hand-in is, by its path, and where the bot in it lies."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.archive_texts import zip_of
from support.bot_files import write

from arena.bots.find import check_submission_name
from arena.check.intake import bot_in, plain_name, sources, whose
from arena.check.submit import HandIn
from arena.values.errors import BotError


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Greta Groß", "Greta-Gross"),
        ("Jo\u0308rg", "Joerg"),  # as macOS writes it
        ("Łukasz Żółć", "Lukasz-Zolc"),
        ("Иван Петров", "Иван-Петров"),
        ("Ἀθηνᾶ", "Ἀθηνᾶ"),
        ("..", ""),
        ("../../etc/passwd", "etc-passwd"),
        ("a\u202eb\x1b[2J", "a-b-2J"),
        ("x" * 100, "x" * 64),
    ],
)
def test_name_of_hand_in_is_made_plain(text: str, name: str) -> None:
    """Latin letters are spelt out, other alphabets stay, all else becomes a hyphen."""
    assert plain_name(text) == name


@given(st.text(max_size=80))
def test_plain_name_is_valid_or_refused(text: str) -> None:
    """Whatever a folder is called, its plain name is valid for a bot or refused."""
    name = plain_name(text)
    assert plain_name(name) == name
    assert not set(name) & set("/\\\x00 \n@+*?[]")
    with contextlib.suppress(BotError):
        assert check_submission_name(name) == name


def test_person_is_read_from_names_of_course_system() -> None:
    """Who handed in is read from Moodle's, Canvas's or Classroom's part of the name."""
    moodle = {
        whose(Path(f"Ada_B_7_assignsubmission_file{end}")) for end in ("", "_", "_x_8_9_y.py")
    }
    assert moodle == {("ada_b", "Ada_B", "", "moodle 7")}
    odd = whose(Path("Ada_B_7_assignsubmission_file_8_assignsubmission_file"))
    assert "7" not in odd.origin.split()
    assert odd.bot not in ("ada_b", "ada-b")
    canvas = {whose(Path(f"adler{late}_12_34_{own}")) for late in ("", "_LATE") for own in "xy"}
    assert canvas == {("adler", "adler", "", "canvas 12")}
    assert whose(Path("hw-submissions/hw-ada-b")) == ("ada-b", "ada-b", "", "classroom ada-b")
    assert whose(Path("other/hw-ada-b")) == ("hw-ada-b", "", "", "hw-ada-b")


def zipped(path: Path, *names: str) -> Path:
    return write(path, zip_of(*((name, b"x") for name in names)))


def test_archive_of_course_is_read_only_if_alone(tmp_path: Path) -> None:
    """An archive is taken for a whole course only if it is the only path given."""
    inner = [f"{name}_{number}_assignsubmission_file/bot.py" for number, name in enumerate("ab")]
    archive = zipped(tmp_path / "all.zip", *inner, "__MACOSX/x")
    with sources([archive]) as found:
        assert [Path(one.shown).name for one in found] == [name[:-7] for name in inner]
        assert all(one.path.is_dir() for one in found)
    assert not found[0].path.exists()
    other = zipped(tmp_path / "eve.zip", "bot.py")
    with sources([archive, other]) as found:
        assert [one.path for one in found] == [archive, other]
    own = zipped(tmp_path / "Eve_9_assignsubmission_file" / "x.zip", *inner).parent
    with sources([own]) as found:
        assert [one.path for one in found] == [own]
    mixed = zipped(tmp_path / "mixed.zip", *inner, "bot.py")
    with sources([mixed]) as found:
        assert [one.path for one in found] == [mixed]


def test_bot_is_found_in_nested_folder(tmp_path: Path) -> None:
    """A bot is looked for in the only folder or archive of a hand-in, not behind links."""
    deep = tmp_path / "deep" / "a" / "b"
    deep.mkdir(parents=True)
    (tmp_path / "deep" / "LICENSE.txt").touch()
    (deep / "bot.py").touch()
    with bot_in(tmp_path / "deep") as place:
        assert place == deep
    (tmp_path / "deep" / "main.py").touch()
    with bot_in(tmp_path / "deep") as place:
        assert place == tmp_path / "deep"
    link = tmp_path / "link"
    link.mkdir()
    (link / "x").symlink_to(deep)
    with bot_in(link) as place:
        assert place == link


@pytest.mark.parametrize("name", ["../../evil", "a/b", "n" * 300, ""])
def test_a_name_that_was_refused_leads_nowhere(name: str, tmp_path: Path) -> None:
    """The feedback lies in its folder, whatever the bot was to be called."""
    path = tmp_path / HandIn("course/b.py", name, refusal="no name").feedback
    path.touch()
    assert path.parent.samefile(tmp_path)
    assert path.name.startswith("b.py-")


@pytest.mark.parametrize("others", [False, True])
def test_a_name_in_letters_of_four_bytes(others: bool, tmp_path: Path) -> None:
    """There is room for the ending of a file that is being written."""
    name = "\U00020000" * 62
    (tmp_path / f"{HandIn(f'{name}.py', name, others=others).feedback}.part").touch()
