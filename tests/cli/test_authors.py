"""``arena report --authors``: a page an author, whose name stays, with nothing of anybody else."""

from __future__ import annotations

import base64
import csv
import html
import re
import shutil
import stat
from pathlib import Path

import pytest
from support.arena_command import output, refused, submitted, tournament
from support.bot_files import write
from support.bot_programs import program
from support.bundles import entries_of
from support.made_once import made_once
from support.reported import filled_home

from arena.site import authors
from arena.store import open_store
from arena.store.people import Person

pytestmark = pytest.mark.slow

WRITES = 'print("HERE", "</pre><script>alert(1)</script>\\x1b[2J", file=sys.stderr)'
# each writes its own word to stderr, reports it, and has it in its program
BOTS = {
    "ada": {"asked": f'{WRITES}\nif decision == "3": raise ValueError("HERE")'},
    "bela": {"asked": f'{WRITES}\nprint("info pv=HERE", flush=True)'},
    "carl": {"asked": f'{WRITES}\nif decision == "2": sys.exit(4)'},
    "dora": {"asked": WRITES},
}


def word(bot: str) -> str:
    return f"word-of-{bot}"


def make(folder: Path) -> None:
    home = folder / "home"
    for bot, acts in BOTS.items():
        text = program(**acts).replace("HERE", word(bot))
        submitted(home, write(folder / f"{bot}.py", text), bot)
    with open_store(home, create=False, change=True) as store:
        for bot in ("ada", "bela"):  # two students of one name
            store.people.set(Person(bot, "Ada Adler", "=1+1"))
        store.people.set(Person("carl", "-Carl"))
    keys = {"name": "course", "game": "connect_four", "rounds": 2, "seed": 7, "sandbox": "none"}
    for without in (None, "[carl]"):
        bots = "[ada, bela, carl, dora, careful]"
        file = tournament(folder, bots, **keys, opening="{plies: 2}", without=without)
        output(home, "run", file, "--quiet")


@pytest.fixture(scope="module")
def course(of_all_workers: Path) -> Path:
    """Return a folder with a home in which a course was played, and carl was taken out."""
    return made_once(of_all_workers / "course-of-four", make)


def listed(feedback: Path) -> dict[str, list[str]]:
    """Return the rows of the list, by bots."""
    rows = [*csv.reader((feedback / "index.csv").read_text().splitlines())]
    assert rows[0] == ["bot", "person", "group", "page"]
    return {row[0]: row[1:] for row in rows[1:]}


def written(course: Path, feedback: Path, *options: object) -> dict[str, str]:
    """Return the page of each bot."""
    output(course / "home", "report", "course", "--authors", feedback, "--sims", 10, *options)
    return {bot: (feedback / row[2]).read_text() for bot, row in listed(feedback).items()}


def test_each_author_has_own_page(course: Path, tmp_path: Path) -> None:
    """Each bot, out or not, has a page, and two people of one name have two."""
    pages = written(course, tmp_path / "f")
    rows = listed(tmp_path / "f")
    assert rows.keys() == BOTS.keys()
    assert len({row[2] for row in rows.values()}) == len(rows)
    assert [rows[bot][:2] for bot in BOTS] == [
        ["Ada Adler", "'=1+1"],
        ["Ada Adler", "'=1+1"],
        ["'-Carl", ""],
        ["", ""],
    ]
    for bot, page in pages.items():
        title, heading = re.findall(r"<(?:title|h1)>(.*?)</", page)
        assert (title, heading) == (f"{bot} in course", bot)
        assert "Adler" not in page
        assert "-Carl" not in page
        of_others = {word(other) for other in BOTS if other != bot}
        assert not [each for each in of_others if each in page]
    assert "taken out" in pages["carl"]
    assert "× crash" in pages["carl"], "in matches that do not count any more"
    assert "12 × crash" in pages["ada"]  # not against carl, who crashes first
    assert "taken out" not in pages["ada"]
    output(course / "home", "bundle", "create", "course", "-o", tmp_path / "course.arena")
    assert b"Adler" not in b"".join(entries_of(tmp_path / "course.arena").values())


def test_page_of_author_shows_check_fault_and_cost(course: Path, tmp_path: Path) -> None:
    """A page has the check, the row, the fault's traceback, and the costliest decision."""
    pages = written(course, tmp_path / "f")
    traceback = html.unescape(pages["ada"])
    assert f"ValueError: {word('ada')}" in traceback
    assert "at your decision 3" in pages["ada"]
    assert "of 4</dd>" in pages["ada"]
    assert "none of its matches count" in pages["carl"]
    for bot in ("bela", "dora"):
        assert re.search(r"player [01] \(", pages[bot]), "nothing was explained"
    assert all("passed" in page for page in pages.values())


def test_what_bots_wrote_is_text(course: Path, tmp_path: Path) -> None:
    """Marks of HTML are escaped, control characters visible, and no script may run."""
    pages = written(course, tmp_path / "f")
    for page in pages.values():
        assert "<script" not in page
        assert "\x1b" not in page
        assert "script-src 'none'" in html.unescape(page)
        assert not re.findall(r'(?:href|src)="(?!data:)', page)
    assert "&lt;/pre&gt;&lt;script&gt;alert(1)&lt;/script&gt;\\x1b[2J" in pages["ada"]


def test_names_of_pages_stay_and_are_random(course: Path, tmp_path: Path) -> None:
    """A page written again keeps its random name; a page of no bot is removed."""
    written(course, tmp_path / "f")
    before = listed(tmp_path / "f")
    assert all(re.fullmatch(r"pages/[0-9a-f]{32}\.html", row[2]) for row in before.values())
    (tmp_path / "f" / before["dora"][2]).unlink()
    gone = tmp_path / "f" / "pages" / f"{'0' * 32}.html"
    gone.write_text("of a bot that is not there any more")
    with (tmp_path / "f" / "index.csv").open("a") as file:
        file.write(f"eve,,,pages/{gone.name}\nfay,,,../../{gone.name}\ngil,{before['ada'][2]}\n")
        file.write(f"bela2,,,{before['ada'][2]}\n")
    written(course, tmp_path / "f")
    assert listed(tmp_path / "f") == before
    assert not gone.exists()
    assert len([*(tmp_path / "f" / "pages").iterdir()]) == len(BOTS) + 1
    assert (tmp_path / "f" / "pages" / "index.html").read_text() == ""
    written(course, tmp_path / "g")
    assert not {row[2] for row in before.values()} & {r[2] for r in listed(tmp_path / "g").values()}
    mode = (tmp_path / "f" / "index.csv").stat().st_mode
    assert stat.S_IMODE(mode) == 0o600


def test_a_bot_of_another_person_has_another_page(course: Path, tmp_path: Path) -> None:
    """Whoever had the bot's name before knows the address of that page, which is gone."""
    home = tmp_path / "home"
    shutil.copytree(course / "home", home)
    words = ("report", "course", "--authors", tmp_path / "f", "--sims", 0)
    output(home, *words)
    before = listed(tmp_path / "f")
    with open_store(home, create=False, change=True) as store:
        store.people.set(Person("bela", "Bela Behr", "=1+1"))
        store.people.set(Person("dora", "Dora Dorn"))  # nobody was known
    output(home, *words)
    after = listed(tmp_path / "f")
    assert {bot for bot in BOTS if after[bot][2] != before[bot][2]} == {"bela"}
    assert not (tmp_path / "f" / before["bela"][2]).exists()


def test_saved_match_of_page_is_reproduced(course: Path, tmp_path: Path) -> None:
    """The record on a page is played again with its author's program."""
    page = written(course, tmp_path / "f")["ada"]
    link = re.search(r'href="data:application/json;base64,([^"]+)" download="(.*?)"', page)
    assert link is not None
    record = base64.b64decode(link[1]).decode()
    assert word("bela") not in record
    assert word("carl") not in record
    (tmp_path / link[2]).write_text(record)
    seat = re.search(r"--seat (\d) --against", page)
    assert seat is not None
    words = ("--seat", seat[1], "--against", course / "ada.py", "--sandbox", "none")
    assert "identical" in output(tmp_path / "none", "reproduce", tmp_path / link[2], *words)


def test_match_with_hidden_deal_is_not_on_page(
    course: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A match whose deal others have still to meet has no record or decision on a page."""
    monkeypatch.setattr(authors, "may_be_public", lambda store, edition: lambda number, game: False)
    pages = "".join(written(course, tmp_path / "f").values())
    assert "12 × crash" in pages
    assert "download=" not in pages
    assert "player 1 (" not in pages
    assert not [bot for bot in BOTS if word(bot) in pages]


def test_hostile_names_and_versions(tmp_path: Path) -> None:
    """No name makes a file or a tag; entrants that are versions of one bot have one page."""
    names = ("../x", "<script>alert(1)</script>", "a\u202eb", "Oak", "oak")
    filled_home(tmp_path / "home", names, matches=20, faults=5)
    output(tmp_path / "home", "report", "--authors", tmp_path / "f", "--sims", 5)
    files = sorted(path.name for path in (tmp_path / "f" / "pages").iterdir())
    assert len(files) == len(names) + 1
    assert all(re.fullmatch(r"[0-9a-f]{32}\.html|index\.html", name) for name in files)
    text = "".join(path.read_text() for path in (tmp_path / "f" / "pages").iterdir())
    assert "<script" not in text
    assert "\u202e" not in text
    filled_home(tmp_path / "one", ("oak", "oak@2", "oak@3"), same_program=True)
    output(tmp_path / "one", "report", "--authors", tmp_path / "g", "--sims", 0)
    [(bot, (*_, page))] = listed(tmp_path / "g").items()
    assert bot == "one"
    assert "1 × crash" in (tmp_path / "g" / page).read_text(), "of whichever version"


def test_folders_that_are_not_ours(course: Path, tmp_path: Path) -> None:
    """Nothing is written into a folder with other files, or through a link."""
    mine = write(tmp_path / "mine" / "index.csv", "student,mark\nada,1\n").parent
    said = refused(course / "home", "report", "--authors", mine, "--sims", 0)
    assert "new folder" in said
    written(course, tmp_path / "f")
    shutil.rmtree(tmp_path / "f" / "pages")
    (tmp_path / "f" / "pages").symlink_to(mine)
    refused(course / "home", "report", "--authors", tmp_path / "f", "--sims", 0)
    assert [*mine.iterdir()] == [mine / "index.csv"]
    assert "--authors" in refused(course / "home", "report", "course")
