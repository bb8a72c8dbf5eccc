"""Hand-ins of a course, as its system gives them: who is taken, by which name, and who is not."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from support.arena_command import arena, as_json, refused
from support.bot_files import write
from support.bot_programs import program
from support.hand_ins import HAND_INS, HandedIn, canvas, classroom, moodle

from arena.check.submit import submit_all
from arena.sandbox import LevelProblem
from arena.store import open_store
from arena.store.people import Person

GAME = ("--game", "leaves(tree=u)", "--allow-unsafe")
# one of each kind: an archive by itself, another alphabet, an environment, copies, and refused ones
SOME = {"bernd-baer", "david-dorn", "emil-ernst", "李明", "mia-maier", "nora-nowak"}
SOME |= {one.bot for one in HAND_INS if one.refused}


def rows(home: Path, *words: object, code: int = 0) -> list[dict[str, Any]]:
    return list(as_json(home, "submit", *words, *GAME, code=code)["rows"])


def student(folder: Path, mark: str) -> Path:
    return write(folder / "bot.py", f"{program()}# {mark}\n").parent


def check(found: Sequence[dict[str, Any]], people: Sequence[HandedIn]) -> None:
    """Every hand-in has a row, with its person's bot or the reason why there is none."""
    by_name = {row["name"]: row for row in found}
    assert sorted(by_name) == sorted(one.bot for one in people)
    for one in people:
        row = by_name[one.bot]
        assert row["state"] == ("refused" if one.refused else "taken"), row
        assert one.refused in row["why"]


@pytest.mark.nightly
@pytest.mark.parametrize("form", ["folders", "folder", "archive"])
def test_moodle_course_is_taken_in(form: str, tmp_path: Path) -> None:
    """All 25 hand-ins of Moodle, in any form, give 16 bots and 9 reasons."""
    given = moodle(tmp_path / ("course.zip" if form == "archive" else "course"))
    if form == "folder":
        given = [tmp_path / "course"]
    home = tmp_path / "home"
    found = rows(home, *given, code=1)
    check(found, HAND_INS)
    assert [row["person"] for row in found] == sorted(one.person for one in HAND_INS) or (
        form == "folders" and [row["person"] for row in found] == [one.person for one in HAND_INS]
    )
    same = {row["name"]: row["why"] for row in found if "same content as" in row["why"]}
    assert sorted(same) in (["david-dorn"], ["emil-ernst"])  # who was later
    again = rows(home, *given, code=1)
    assert {row["state"] for row in again} == {"unchanged", "refused"}
    assert "tried before" in {row["name"]: row["why"] for row in again}["quinn-quast"]


@pytest.mark.slow
def test_part_of_course_gets_feedback(tmp_path: Path) -> None:
    """An odd hand-in is taken or refused, with a feedback file that names nobody else."""
    moodle(tmp_path / "course")
    people = [one for one in HAND_INS if one.bot in SOME]
    given = [path for path in (tmp_path / "course").iterdir() if person(path) in SOME]
    home, texts = tmp_path / "home", tmp_path / "feedback"
    check(rows(home, *given, "--feedback", texts, code=1), people)
    assert sorted(os.listdir(texts)) == sorted(f"{one.bot}.txt" for one in people)
    for one in people:
        text = (texts / f"{one.bot}.txt").read_text()
        assert (texts / f"{one.bot}.txt").stat().st_mode & 0o777 == 0o600
        assert (one.refused or f"{one.bot}, version 1") in text
        others = {other.person for other in HAND_INS} - {one.person}
        assert not [other for other in others if other in text]
    with open_store(home, create=False) as store:
        kept = store.people.all()
        for bot in ("mia-maier", "nora-nowak"):
            (row,) = store.bots.versions(bot)
            assert os.listdir(home / "bots" / "_run" / row.hash[7:]) == ["bot.py"]
    assert {bot: one.person for bot, one in kept.items()} == {
        one.bot: one.person for one in people if not one.refused
    }


def person(path: Path) -> str:
    (one,) = [one for one in HAND_INS if path.name.startswith(f"{one.person}_")]
    return one.bot


@pytest.mark.slow
def test_canvas_and_classroom_hand_ins_are_taken(tmp_path: Path) -> None:
    """Files of Canvas, also late ones, and folders of Classroom give a bot a person."""
    home = tmp_path / "home"
    given = [path for path in canvas(tmp_path / "canvas") if "_bot.py" in path.name]
    ada = next(path for path in given if "adler" in path.name)
    late = next(path for path in given if "LATE" in path.name)
    (row, other) = rows(home, ada, late)
    assert (row["name"], row["person"], row["state"]) == ("adlerada", "adlerada", "taken")
    assert other["state"] == "taken"
    assert "late" not in other["name"]
    logins = [
        path
        for path in classroom(tmp_path / "class")
        if path.name in ("four-ada-adler", "four-frida-oest")
    ]
    assert [row["name"] for row in rows(home, *logins)] == ["ada-adler", "frida-oest"]


def test_two_persons_of_one_name_share_no_bot(tmp_path: Path) -> None:
    """Two persons of one name are refused together, and told apart by ``--names``."""
    first = student(tmp_path / "Paul Smith_1_assignsubmission_file", "first")
    second = student(tmp_path / "Paul Smith_2_assignsubmission_file", "second")
    home, texts = tmp_path / "home", tmp_path / "feedback"
    both = rows(home, first, second, code=2)
    assert [row["state"] for row in both] == ["refused", "refused"]
    counted: list[tuple[int, int]] = []
    assert len([*submit_all((first, second), home, progress=lambda *at: counted.append(at))]) == 2
    assert counted == [(0, 2), (1, 2), (2, 2)]
    assert not (home / "bots").exists()
    assert [row["state"] for row in rows(home, first)] == ["taken"]
    (row,) = rows(home, second, "--feedback", texts, code=2)
    assert (row["version"], "--names" in row["why"]) == (None, True)
    (text,) = [path.read_text() for path in texts.iterdir()]
    assert "paul-smith" not in text  # it is for one student, and names no other
    assert "moodle 1" not in text
    names = tmp_path / "names.csv"
    names.write_text(
        "pattern,name,person,group\n*_2_*,paul-2,Paul Smith II,red\nZoe*,zoe,Zoë Zorn,\n"
    )
    other, missing = rows(home, second, "--names", names)
    assert (other["name"], other["version"], other["state"]) == ("paul-2", 1, "taken")
    assert (missing["state"], missing["person"], missing["version"]) == (
        "missing",
        "Zoë Zorn",
        None,
    )
    with open_store(home, create=False) as store:
        assert [*store.people.all().values()] == [
            Person("paul-2", "Paul Smith II", "red", "moodle 2"),
            Person("paul-smith", "Paul Smith", "", "moodle 1"),
        ]
        assert len(store.bots.all()) == 2


@pytest.mark.slow
def test_what_a_list_said_stays_without_it(tmp_path: Path) -> None:
    """The next hand-in keeps person and group; only a list says otherwise."""
    home, names, source = tmp_path / "home", tmp_path / "names.csv", tmp_path / "ada.py"
    for text, listed, group in (
        ("*a.py,,Ada Adler,red", True, "red"),
        ("", False, "red"),
        ("*a.py,,,", True, ""),
    ):
        names.write_text(f"pattern,name,person,group\n{text}\n")
        source.write_text(f"{program()}# {text}\n")
        rows(home, source, *(("--names", names) if listed else ()))
        with open_store(home, create=False) as store:
            assert store.people.all()["ada"] == Person("ada", "Ada Adler", group, "ada")


@pytest.mark.parametrize("mark", [";", "\t"], ids=["semicolon", "tab"])
def test_a_file_of_names_as_spreadsheets_write_it(mark: str, tmp_path: Path) -> None:
    """Semicolons and tabs part the columns as well, where the header has them."""
    names, source = tmp_path / "names.csv", student(tmp_path / "ada", "x")
    names.write_text("pattern,name,person,group\nada,elm,A,\n".replace(",", mark), "utf-8-sig")
    (row,) = rows(tmp_path / "home", source, "--names", names)
    assert (row["name"], row["person"]) == ("elm", "A")


def test_a_line_of_names_that_fits_two_persons(tmp_path: Path) -> None:
    """Nobody's bot becomes another person's, whose mark it would then be."""
    course, names = tmp_path / "course", tmp_path / "names.csv"
    for number, name in enumerate(("Ada Adler", "Bela Adler")):
        student(course / f"{name}_{number}_assignsubmission_file", name)
    names.write_text("pattern,name,person,group\n*Adler*,,Ada Adler,\n")
    said = refused(tmp_path / "home", "submit", course, "--names", names, *GAME)
    assert "names.csv:2:" in said
    assert "Bela" in said
    assert not (tmp_path / "home").exists()


@pytest.mark.slow
def test_another_name_leaves_no_second_bot_unnamed(tmp_path: Path) -> None:
    """A person's bot of another name, which plays as well, is named; a retired one is not."""
    home, names = tmp_path / "home", tmp_path / "names.csv"
    ada = student(tmp_path / "Ada Adler_1_assignsubmission_file", "ada")
    rows(home, ada)
    names.write_text("pattern,name,person,group\nAda*,elm,Ada Adler,\n")
    (row,) = rows(home, ada, "--names", names)
    assert (row["name"], "arena bots retire ada-adler" in row["why"]) == ("elm", True)
    arena(home, "bots", "retire", "ada-adler")
    (row,) = rows(home, ada, "--names", names)
    assert "same person" not in row["why"]
    for folder in ("oak", "new/oak"):  # whose programs are called alike is not known
        student(tmp_path / folder, folder)
    rows(home, tmp_path / "oak")
    (row,) = rows(home, tmp_path / "new/oak", "--name", "fir")
    assert "same person" not in row["why"]


@pytest.mark.slow
def test_text_for_a_person_has_nothing_for_the_organiser(tmp_path: Path) -> None:
    """What was tried before is named where the organiser reads it only, and all are counted."""
    home, texts = tmp_path / "home", tmp_path / "texts"
    bad = student(tmp_path / "Bela Bad_2_assignsubmission_file", "bela")
    (bad / "bot.py").write_text("def f(:\n")
    given = (bad, student(tmp_path / "Ada Adler_1_assignsubmission_file", "ada"))
    options = ("--feedback", texts, *GAME)
    arena(home, "submit", *given, *options)
    first = (texts / "bela-bad.txt").read_text()
    done = arena(home, "submit", *given, *options)
    assert (texts / "bela-bad.txt").read_text() == first
    assert "tried before" in done.stderr
    assert "1 refused, 1 unchanged" in done.stderr


def test_refused_hand_in_gets_what_helps(tmp_path: Path) -> None:
    """What is no bot is refused with the way out."""
    lost = write(tmp_path / "Lea Lost_3_assignsubmission_file" / "bot.pl", "1;\n")
    (row,) = rows(tmp_path / "home", lost.parent, code=2)
    assert "needs a bot.yaml such as" in row["why"]


@pytest.mark.slow
def test_courses_among_other_paths_are_named(tmp_path: Path) -> None:
    """All hand-ins in one archive or folder, beside another path, are to be given alone."""
    given = [*moodle(tmp_path / "course.zip", 2), tmp_path / "old", tmp_path / "oak.py"]
    moodle(tmp_path / "old", 2)
    given[2].write_text(program())
    own = tmp_path / "Ada Adler_1_assignsubmission_file" / "adlerada_12_345_bot.py"
    write(own, program())  # as another course's system called a person's own file
    found = rows(tmp_path / "home", *given, own.parent, code=1)
    assert [row["state"] for row in found] == ["refused", "refused", "taken", "taken"]
    for row in found[:2]:
        assert "alone" in row["why"]


def test_compiler_that_fails_is_no_fault_of_the_bot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where no program of its language can be built, a bot is not refused for good."""
    monkeypatch.setattr("arena.check.submit.probe_language", lambda *_: LevelProblem("no", ""))
    (tmp_path / "oak.c").write_text("int main(\n")
    for _ in range(2):
        (row,) = rows(tmp_path / "home", tmp_path / "oak.c", code=2)
        assert "organiser" in row["why"]
        assert "tried before" not in row["why"]


def test_archive_of_person_is_that_persons_bot(tmp_path: Path) -> None:
    """An archive that holds a folder named after another person is its sender's bot."""
    inner = student(tmp_path / "Ada Adler_1_assignsubmission_file", "not Ada's")
    eve = tmp_path / "Eve Evil_2_assignsubmission_file"
    eve.mkdir()
    shutil.make_archive(str(eve / "all"), "zip", tmp_path, inner.name)
    (row,) = rows(tmp_path / "home", eve)
    assert (row["name"], row["person"], row["state"]) == ("eve-evil", "Eve Evil", "taken")
    gradescope = tmp_path / "submission_77"  # which has no name, and is unpacked
    shutil.copytree(inner, gradescope / inner.name)
    (row,) = rows(tmp_path / "home", gradescope)
    assert (row["name"], row["person"], row["state"]) == ("submission_77", "", "taken")


@pytest.mark.slow
def test_odd_file_names_of_hand_ins_are_harmless(tmp_path: Path) -> None:
    """Hand-ins whose names are no text, or have control characters, are printed safely."""
    odd = [b"o\xffdd_2_assignsubmission_file", "x\x1b[2J\u202e_3_assignsubmission_file".encode()]
    course = tmp_path / "course"
    for name in odd:
        student(course / os.fsdecode(name), name.hex())
    home, texts = tmp_path / "home", tmp_path / "feedback"
    done = arena(home, "submit", course, *GAME, "--feedback", texts)
    assert (done.returncode, "not UTF-8" in done.stderr) == (1, True), done.stderr
    assert "\x1b" not in done.stdout + done.stderr
    assert "\u202e" not in done.stdout + done.stderr
    for path in texts.iterdir():
        assert "\x1b" not in path.read_text()
    with open_store(home, create=False) as store:
        for one in store.people.all().values():
            assert one.person.isprintable()
        assert len(store.bots.all()) == 1


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("name,person\n", ":1:"),
        ("pattern,name,person,group\nx\n", ":2:"),
        ("pattern,name,person,group\na*,oak,Ada,\nb*,Oak,Bela,\n", ":3:"),
        ('pattern,name,person,group\n"a', ":2:"),
    ],
)
def test_a_file_of_names_that_is_wrong(text: str, where: str, tmp_path: Path) -> None:
    """The line is named, and nothing is tried."""
    names = tmp_path / "names.csv"
    names.write_text(text)
    bot = student(tmp_path / "ada", "ada")
    said = refused(tmp_path / "home", "submit", bot, "--names", names, *GAME)
    assert f"names.csv{where}" in said
    assert not (tmp_path / "home").exists()
