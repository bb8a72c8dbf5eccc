"""``arena report``: what is on its pages, where links lead, and what nobody is to see."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.arena_command import output, refused
from support.reported import LOGGED, SECRETS, SEED, filled_home
from support.sql import sql

from arena.site.folder import LIST
from arena.site.report import write_report
from arena.store import open_store
from engines import UnknownGame

HOSTILE = ("../x", "<script>alert(1)</script>", "a\u202eb", "Oak", "oak")


def links_and_ids(page: str) -> tuple[list[str], set[str]]:
    """Return what a page refers to outside of scripts, and the ids in it."""
    tags = " ".join(re.findall(r"<[a-z][^>]*>", re.sub(r"(?s)<script\b.*?</script>", "", page)))
    links, ids = (re.findall(rf' (?:{name})="([^"]*)"', tags) for name in ("href|src", "id"))
    return links, set(ids)


def files_of(site: Path) -> dict[str, str]:
    found = [path for path in site.rglob("*") if path.is_file()]
    return {str(path.relative_to(site)): path.read_text(encoding="utf-8") for path in found}


def report(home: Path, site: Path, *options: object) -> dict[str, str]:
    assert output(home, "report", "-o", site, *options) == ""
    return files_of(site)


def test_every_link_leads_to_a_file(tmp_path: Path) -> None:
    """All links are relative and lead to files of the report, or to places in them.

    Hostile names name no file, and end up in pages as text.
    """
    ids = filled_home(tmp_path, HOSTILE, matches=20)
    files = report(tmp_path, tmp_path / "site", "--pages", "3")
    assert len(files) == len(HOSTILE) + 3 + 2
    places = {name: links_and_ids(text) for name, text in files.items() if name != LIST}
    assert sum(len(links) for links, _ in places.values()) > 100
    for name, (links, _) in places.items():
        for link in links:
            if link == "data:,":
                continue
            path, _, place = link.partition("#")
            there = (tmp_path / "site" / name).parent / path if path else tmp_path / "site" / name
            target = str(there.resolve().relative_to((tmp_path / "site").resolve()))
            assert target in files, f"{name} leads to {link}"
            if path and place:
                assert place in places[target][1], f"{name} leads to {link}"
    assert f"matches/{ids[-1]}.html" in files
    assert f"matches/{ids[-1]}.html" in files["index.html"]
    assert not [name for name in files if ".." in name or "script" in name.replace("-script", "")]
    assert all("<script>alert" not in text for text in files.values())
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in files["index.html"]
    assert all("\u202e" not in text for text in files.values())


def test_report_has_page_for_each_match_unless_large(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All matches have pages, unless too large; then the index names ``--pages all``.

    So it is if one of them cannot be made.
    """
    ids = filled_home(tmp_path, matches=12)
    site = tmp_path / "site"
    assert write_report(tmp_path, site).matches == len(ids)
    assert {f"matches/{one}.html" for one in ids} < {*files_of(site)}
    assert "--pages all" not in files_of(site)["index.html"]
    for most in (100, 60_000):  # less than one page, and than ten
        monkeypatch.setattr("arena.site.report.MOST_BYTES", most)
        assert write_report(tmp_path, site).matches == 0
        files = files_of(site)
        assert not [name for name in files if name.startswith("matches/")]
        assert "--pages all" in files["index.html"]
    monkeypatch.undo()
    monkeypatch.setattr("arena.site.report.match_text", _raises)
    assert write_report(tmp_path, site).matches == 0


def _raises(*args: object, **named: object) -> str:
    raise UnknownGame("none of that name")


def test_damaged_output_does_not_stop_report(tmp_path: Path) -> None:
    """A match with damaged output has a page that says so, and all others are whole."""
    ids = filled_home(tmp_path)
    sql(tmp_path, "UPDATE said SET said = x'00' WHERE record = (SELECT min(record) FROM said)")
    files = report(tmp_path, tmp_path / "site", "--pages", "all")
    pages = {name: text for name, text in files.items() if name.startswith("matches/")}
    assert [name for name, text in pages.items() if "is damaged" in text] == [
        f"matches/{ids[0]}.html"
    ]
    assert sum(LOGGED in text for text in pages.values()) == len(ids) - 1
    public = report(tmp_path, tmp_path / "public", "--pages", "all", "--public")
    assert set(public) == set(files)
    assert not [name for name, text in public.items() if "is damaged" in text]


@pytest.mark.parametrize("ended", [True, False])
def test_public_report_hides_private_data(tmp_path: Path, ended: bool) -> None:
    """A public report has no stderr, path, host or argument, and no seed before the end."""
    filled_home(tmp_path, ended=ended, faults=2)
    files = report(tmp_path, tmp_path / "site", "--public", "--pages", "all")
    everything = "\n".join([*files, *files.values()])
    assert [word for word in (*SECRETS, str(tmp_path)) if word in everything] == []
    assert (str(SEED) in everything) == ended
    assert ("Seed of the deal" in everything) == ended
    assert "crash" in files["index.html"]
    assert "score" in files["bots/1-oak.html"]


@pytest.mark.parametrize("seed", ["secret", 123454321012345])
def test_seed_is_not_in_report_before_end(tmp_path: Path, seed: str | int) -> None:
    """Before the end a report shows no seed, and of a secret one its hash."""
    filled_home(tmp_path, ended=False, seed=seed)
    with open_store(tmp_path, create=False) as store:
        digest = store.tournaments.find("open").seed_hash
    number = str(SEED if seed == "secret" else seed)
    files = report(tmp_path, tmp_path / "site", "--pages", "all")
    assert all(number not in text for text in files.values())
    assert (digest in files["index.html"]) == (seed == "secret")
    with open_store(tmp_path, create=True) as store:
        store.tournaments.end(store.tournaments.find("open").id)
    assert number in report(tmp_path, tmp_path / "site")["index.html"]


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (("-o", "mine"), "no report"),
        (("-o", "mine/file"), "found a file"),
        (("-o", "site", "--pages", "some"), "faults"),
        (("-o", "site", "--pages", "-1"), "faults"),
        (("nobody", "-o", "site"), "nobody"),
        ((), "-o"),
    ],
)
def test_unsafe_report_is_refused(tmp_path: Path, options: tuple[str, ...], word: str) -> None:
    """A report into a folder with other files, or with wrong options, has exit code 2."""
    filled_home(tmp_path)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "file").write_text("mine")
    assert word in refused(tmp_path, "report", *options, cwd=tmp_path)
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["file"]
    assert not (tmp_path / "site").exists()
