"""Reports in a browser: tables that sort, links, names, contrast, phones."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.reported import filled_home

from arena.site.report import write_report

pytestmark = pytest.mark.slow

Open = Callable[..., Any]
BOTS = ("oak", "elm", "fir", "<b>bold</b>", "a\u202eb", "n" * 60)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report of six bots, oak before elm and elm before fir, with pages of matches."""
    home = tmp_path_factory.mktemp("home")
    filled_home(home, BOTS, matches=60, faults=4)
    write_report(home, home / "site", pages="faults")
    return home / "site"


def column(page: Any, table: str, label: str) -> list[str]:
    """Return the cells of a table's column, from top to bottom."""
    heads = page.locator(f"{table} thead th").all_text_contents()
    at = [head.strip() for head in heads].index(label)
    rows = page.locator(f"{table} tbody tr").all()
    return [row.locator("th, td").nth(at).text_content().strip() for row in rows]


def head(page: Any, table: str, label: str) -> Any:
    """Return the button of a column; its name has an arrow, too, once the table is sorted."""
    words = re.compile(f"^{re.escape(label)}$")
    return page.locator(f"{table} thead button").filter(has_text=words)


def test_a_click_sorts_a_table(open_page: Open, site: Path) -> None:
    """Numbers the largest first, words from a to z; a second click turns it round."""
    page = open_page(site / "index.html")
    for label, key in (("rank", int), ("wins", int), ("faults", int)):
        head(page, "#standings", label).click()
        found = [key(text) for text in column(page, "#standings", label)]
        assert found == sorted(found, reverse=True)
        head(page, "#standings", label).click()
        assert [key(text) for text in column(page, "#standings", label)] == found[::-1]
    head(page, "#standings", "bot").click()
    names = column(page, "#standings", "bot")
    assert names.index("elm") < names.index("fir") < names.index("oak")


def test_the_keyboard_sorts_a_table(open_page: Open, site: Path) -> None:
    """Enter on a head does what a click does, and its state is there to be read out."""
    page = open_page(site / "index.html")
    head(page, "#standings", "Elo").focus()
    page.keyboard.press("Enter")
    header = page.locator("#standings th[aria-sort]")
    assert header.get_attribute("aria-sort") == "descending"
    page.keyboard.press(" ")
    assert header.get_attribute("aria-sort") == "ascending"
    scores = [int(text) for text in column(page, "#standings", "Elo")]
    assert scores == sorted(scores)


def test_links_lead_from_page_to_page(open_page: Open, site: Path) -> None:
    """From the table to a bot, to its opponent, back; and to a match with a page."""
    page = open_page(site / "index.html")
    page.locator("#standings").get_by_role("link", name="oak", exact=True).click()
    assert page.locator("h1").text_content() == "oak"
    page.get_by_role("link", name="elm", exact=True).first.click()
    assert page.locator("h1").text_content() == "elm"
    page.get_by_role("link", name="open", exact=True).click()
    assert page.locator("h1").text_content() == "open"
    page.locator("#faults details a").first.click()
    page.locator("#board svg").first.wait_for()
    assert "/matches/" in page.url
    page.locator("h1 a").first.click()
    assert "/bots/" in page.url
    page.locator("#opponents td.results a").first.click()
    page.get_by_role("link", name=re.compile("Next match|Previous match")).first.click()
    page.get_by_role("link", name="open", exact=True).click()
    page.locator("#cross td a").first.click()
    assert page.locator("tr:target").count() == 1


def test_names_in_report_stay_text(open_page: Open, site: Path) -> None:
    """A hostile name in a report makes no element."""
    page = open_page(site / "index.html")
    assert page.locator("main b, main script").count() == 0
    names = column(page, "#standings", "bot")
    assert "<b>bold</b>" in names
    assert "a\\u202eb" in names


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [(1200, 900), (360, 740)])
@pytest.mark.parametrize("file", ["index.html", "bots/1-oak.html"])
def test_report_is_readable(
    open_page: Open,
    accessible: Callable[[Any], None],
    site: Path,
    file: str,
    size: tuple[int, int],
    scheme: str,
) -> None:
    """The controls of a report have names, its texts contrast, and it fits a phone, all open."""
    page = open_page(site / file, size=size, scheme=scheme)
    for details in page.locator("summary").all():
        if details.locator("xpath=..").get_attribute("open") is None:
            details.click()
    accessible(page)
    for frame in page.locator(".scroll").all():
        if frame.is_visible() and frame.evaluate("node => node.scrollWidth > node.clientWidth"):
            assert frame.get_attribute("tabindex") == "0"
            assert frame.get_attribute("aria-label")
