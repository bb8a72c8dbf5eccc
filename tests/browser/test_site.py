"""The site: searching finds the page that answers, and every page can be read, also offline."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from support.looks import overflow

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parent.parent.parent
FIRST = 3  # whoever searches looks at so many

# what people type, and the pages that answer it, which were written down first
QUESTIONS = {
    "memory limit": "reference/tournament-file reference/bots security faq",
    "how do I limit memory": "reference/tournament-file reference/bots security faq",
    "my bot is late": "faq reference/clocks",
    "timeout": "reference/clocks faq",
    "bot times out": "reference/clocks faq",
    "resume": "faq",
    "how do I stop and continue": "faq",
    "what does los mean": "reference/leaderboard glossary faq",
    "how is elo computed": "reference/leaderboard faq",
    "how do I add a game": "how-to/add-a-game",
    "write a bot in rust": "project/bots/README faq",
    "numpy in my bot": "how-to/prepare-a-machine faq reference/bots",
    "dependencies": "how-to/prepare-a-machine faq reference/bots",
    "traceback": "how-to/why-did-i-lose how-to/debug-a-bot faq",
    "stderr of my bot": "how-to/why-did-i-lose how-to/debug-a-bot faq",
    "why did I lose": "how-to/why-did-i-lose",
    "play against my bot in the browser": "how-to/play-in-a-browser",
    "how many rounds do I need": "faq how-to/did-my-change-help reference/leaderboard",
    "is my bot better": "how-to/did-my-change-help faq",
    "run on several machines": "how-to/run-on-several-machines",
    "import results from csv": "reference/leaderboard reference/cli faq",
    "backup": "faq reference/store how-to/run-a-course-tournament",
    "windows": "faq install",
    "sandbox docker": "faq security how-to/prepare-a-machine",
    "same match again with seed": "how-to/reproduce-a-match faq",
}


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *args: object) -> None:
        """Write nothing."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Build the site, and serve it; yields its address."""
    pytest.importorskip("material", reason="no mkdocs-material")
    folder = tmp_path_factory.mktemp("site")
    words = ["-m", "mkdocs", "build", "-q", "--strict", "-d", str(folder)]
    env = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    subprocess.run([sys.executable, *words], cwd=ROOT, env=env, check=True)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()
    thread.join()


def pages() -> list[str]:
    """Return the addresses of the site's pages, but for decisions."""
    pages = [str(path.relative_to(ROOT / "docs")) for path in sorted((ROOT / "docs").rglob("*.md"))]
    return [
        page.replace("README.md", "index.md").replace(".md", ".html")
        for page in pages
        if not page.startswith("decisions/")
    ]


def found(page: Any, words: str) -> list[str]:
    """Type words into the search, and return the pages that it lists first."""
    field, said = page.locator("input[data-md-component=search-query]"), ".md-search-result__meta"
    for typed, answer in (("", "Type to"), (words, "matching document")):
        field.fill(typed)
        field.press("End")  # it looks when a key is released
        page.locator(said, has_text=answer).wait_for(timeout=60_000)
    links = "items => items.map(item => item.querySelector('a').pathname.slice(1))"
    listed: list[str] = page.locator(".md-search-result__item").evaluate_all(links)
    return [link.removesuffix(".html") for link in listed[:FIRST]]


@pytest.mark.timeout(300)
def test_search_answers(site: str, open_page: Any) -> None:
    """Of what 25 people type, at least 22 find a page that answers it among the first three."""
    page = open_page(site, at="index.html")
    listed = {words: found(page, words) for words in QUESTIONS}
    right = {words: {*pages} & {*QUESTIONS[words].split()} for words, pages in listed.items()}
    missed = {words: listed[words] for words, pages in right.items() if not pages}
    assert len(missed) <= len(QUESTIONS) - 22, missed


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["index", "tutorial/first-bot", "reference/cli"])
def test_site_has_contrast(
    site: str, open_page: Any, accessible: Any, name: str, scheme: str
) -> None:
    """No text of a page is too pale; other rules are the theme's own business."""
    accessible(open_page(site, at=f"{name}.html", scheme=scheme), "color-contrast")


@pytest.mark.timeout(300)
def test_every_page_fits_a_phone_and_asks_nobody(site: str, open_page: Any) -> None:
    """Without scripts no page is wider than a phone, and none asks another server for anything."""
    page = open_page(site, at="index.html", size=(390, 844), script=False)
    for name in pages():
        page.goto(f"{site}{name}")
        assert overflow(page) == 0, name


def test_a_page_leads_to_the_next(site: str, open_page: Any) -> None:
    """At its end a page has a link to the one after it."""
    page = open_page(site, at="tutorial/first-bot.html")
    assert page.locator(".md-footer__link--next").get_attribute("href") == "for-researchers.html"
