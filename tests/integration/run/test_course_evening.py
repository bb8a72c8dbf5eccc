"""An evening of a course: 25 hand-ins, a run that is killed, a change, a restore, pages, marks."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest
from support.arena_command import messages, output, tournament
from support.bot_programs import program
from support.bundles import entries_of
from support.hand_ins import HAND_INS, TAKEN, moodle
from support.running import Running

BANNED, BETTER, HOSTILE = "mia-maier", "ada-adler", "david-dorn"
# not yet in the check, whose clock is another one
CRASH = 'if decision == "3" and "limit=900" in rest: raise ValueError("HERE: no move")'
ILLEGAL = """\
wrong = decision == "4" and "limit=900" in rest
print("play", "HERE" if wrong else actions[0], decision, flush=True)"""
WRITES = 'print("HERE</pre><script>alert(1)</script>", file=sys.stderr)'
OTHERS = {
    BANNED: program(asked=CRASH),
    BETTER: program(asked=CRASH),
    HOSTILE: program(asked=f"{WRITES}\n{CRASH}"),
    "paul-pohl": program(answer=ILLEGAL),
}
PEOPLE = {one.bot: one.person for one in TAKEN}
PERSONS = [person for bot, person in PEOPLE.items() if person != bot]


def own_word(bot: str) -> str:
    """Return a word of the program of one bot alone."""
    return f"word-of-{bot}."


def take_in(home: Path, folder: Path) -> None:
    """Hand in what a platform gave, some of it with faults, and say who is who."""
    made = moodle(folder / "downloads")
    for one, place in zip(HAND_INS, made, strict=True):
        if one.bot in OTHERS:
            (place / "bot.py").write_text(OTHERS[one.bot].replace("HERE", own_word(one.bot)))
    with (folder / "names.csv").open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(["pattern", "name", "person", "group"])
        rows.writerows([f"{one.person}_*", one.bot, one.person, "=H"] for one in HAND_INS)
    words = ("--names", folder / "names.csv", "--feedback", folder / "rejected")
    messages(home, "submit", "--game", "connect_four", *words, *made, code=1)


def write(folder: Path, without: str | None = None) -> Path:
    keys = {"seed": 2026, "clock": "{move: 900ms}", "opening": "{plies: 2}", "without": without}
    return tournament(folder, "[all, careful]", name="course", game="connect_four", **keys)


def table(home: Path) -> str:
    return output(home, "leaderboard", "course", "--format", "json")


@pytest.mark.nightly
def test_course_evening_ends_with_one_table(tmp_path: Path) -> None:
    """A course's run, killed and restored elsewhere, has one table in both homes."""
    home, elsewhere, file = tmp_path / "home", tmp_path / "elsewhere", write(tmp_path)
    take_in(home, tmp_path)
    running = Running(home, "run", file, "--verbose")
    running.until(times=40)
    output(home, "backup", tmp_path / "course.tar")
    running.kill()
    output(home, "restore", tmp_path / "course.tar", "--home", elsewhere)
    again = tmp_path / "downloads" / "better.py"
    again.write_text(f"# {own_word(BETTER)} at last\n{program()}")
    for place in (home, elsewhere):
        write(tmp_path)
        output(place, "submit", again, "--name", BETTER, "--game", "connect_four")
        output(place, "run", file, "--upgrade", BETTER, "--quiet")
        write(tmp_path, f"[{BANNED}]")
        output(place, "run", file, "--quiet")
    assert without_dates(table(home)) == without_dates(table(elsewhere))
    assert "all right" in output(elsewhere, "verify", "course")
    for place in (home, elsewhere):
        folder = tmp_path / f"{place.name}-pages"
        output(place, "report", "course", "--authors", folder, "--sims", 50)
        check_pages(folder)
        output(place, "export", "course", "--marks", folder / "marks.csv")
        check_marks(folder / "marks.csv", json.loads(table(place)))
    no_person(home, tmp_path)


def check_pages(folder: Path) -> None:
    """Everyone has a page, with no word of anybody else's program."""
    with (folder / "index.csv").open(encoding="utf-8", newline="") as lines:
        rows = {row["bot"]: row for row in csv.DictReader(lines)}
    assert rows.keys() == PEOPLE.keys()
    assert len({row["page"] for row in rows.values()}) == len(TAKEN)
    for name, row in rows.items():
        assert row["person"] == PEOPLE[name]
        page = (folder / row["page"]).read_text(encoding="utf-8")
        assert f"<h1>{name}</h1>" in page
        assert "<script" not in page
        others = [own_word(other) for other in OTHERS if other != name]
        assert not [word for word in others if word in page]
        assert not [person for person in PERSONS if person in page]
    banned = (folder / rows[BANNED]["page"]).read_text(encoding="utf-8")
    assert "none of its matches count" in banned
    crashes = (folder / rows[BETTER]["page"]).read_text(encoding="utf-8")
    assert re.search(r"\d+ × crash", crashes), "those of the version before"
    assert "ValueError" in crashes
    assert "× illegal" in (folder / rows["paul-pohl"]["page"]).read_text(encoding="utf-8")


def check_marks(file: Path, board: dict[str, list[dict[str, object]]]) -> None:
    """Everyone has one line, with the numbers of the table."""
    with file.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    found = {row["name"]: row for row in rows}
    assert len(found) == len(rows)
    assert found.keys() == {*PEOPLE, "careful"}
    for row in board["rows"]:
        mark = found[str(row["bot"])]
        assert (mark["rank"], mark["version"]) == (str(row["rank"]), str(row["version"]))
    assert (found[BETTER]["version"], found[BETTER]["out"]) == ("2", "")
    assert (found[BANNED]["rank"], "taken out" in found[BANNED]["out"]) == ("", True)
    assert {name: found[name]["person"] for name in PEOPLE} == PEOPLE
    assert {found[name]["group"] for name in PEOPLE} == {"'=H"}


def no_person(home: Path, folder: Path) -> None:
    """Nothing that leaves the home says who a person is."""
    output(home, "report", "course", "-o", folder / "site", "--pages", 3)
    output(home, "bundle", "create", "course", "-o", folder / "course.arena")
    said = output(home, "export", "course") + table(home)
    said += "".join(each.read_text() for each in (folder / "site").rglob("*.html"))
    said += b"".join(entries_of(folder / "course.arena").values()).decode("utf-8", "replace")
    assert not [person for person in PERSONS if person in said]


def without_dates(text: str) -> str:
    """Return a table without when a version was replaced."""
    return re.sub(r"\d{4}-\d\d-\d\d( \d\d:\d\d)?", "DATE", text)
