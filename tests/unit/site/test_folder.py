"""The folder of a report: whose it is, what is replaced, what stays."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from arena.site.folder import LIST, write_folder
from arena.values.errors import UsageError


def write(folder: Path, **pages: str) -> None:
    """Write pages ``index`` and ``bots/…``."""
    files = {"index.html": pages.pop("index")}
    files |= {f"bots/{name.replace('_', '-')[1:]}.html": text for name, text in pages.items()}
    write_folder(folder, {name: lambda text=text: text for name, text in files.items()})  # type: ignore[misc]


def files_of(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): path.read_text()
        for path in folder.rglob("*")
        if path.is_file() and path.name != LIST
    }


@pytest.mark.parametrize("said", [None, "[]", "{}", '{"made by": "me", "files": []}', "\xff"])
def test_folder_of_others_is_refused(tmp_path: Path, said: str | None) -> None:
    """A folder with files that are no report's is refused."""
    (tmp_path / "index.html").write_text("mine")
    if said is not None:
        (tmp_path / LIST).write_text(said)
    with pytest.raises(UsageError, match=r"no report"):
        write(tmp_path, index="one")
    assert (tmp_path / "index.html").read_text() == "mine"


def test_a_list_from_elsewhere_removes_nothing(tmp_path: Path) -> None:
    """Names in a list that no report has are no files of ours."""
    site, outside = tmp_path / "site", tmp_path / "outside.html"
    outside.write_text("mine")
    site.mkdir()
    names = ["../outside.html", str(outside), "bots/../../outside.html", 5]
    (site / LIST).write_text(json.dumps({"made by": "arena report", "files": names[:3]}))
    write(site, index="one")
    assert outside.read_text() == "mine"


def test_link_in_place_of_unfinished_page_is_not_followed(tmp_path: Path) -> None:
    """A symbolic link in place of an unfinished page is replaced, and its target stays."""
    site, outside = tmp_path / "site", tmp_path / "outside.txt"
    write(site, index="one")
    outside.write_text("mine")
    (site / "index.html.part").symlink_to(outside)
    (site / f"{LIST}.part").symlink_to(tmp_path / "nowhere.txt")
    write(site, index="two")
    assert outside.read_text() == "mine"
    assert not (tmp_path / "nowhere.txt").exists()
    assert files_of(site) == {"index.html": "two"}
    assert not (site / "index.html").is_symlink()
