"""What everybody may read of a tournament with hidden hands while others have still to play."""

from __future__ import annotations

import html
import json
import re
from collections import defaultdict
from pathlib import Path
from urllib.parse import urljoin

import pytest
from support.arena_command import output, process, tournament
from support.running import Running
from support.serving import Serving

KEYS = {"game": "the_tree", "rounds": 2, "sandbox": "none", "workers": 1}
KEYS |= {"seed": 296018361524876003361480173045822364141}


def crawl(serving: Serving) -> dict[str, str]:
    """Return all pages that links lead to, by their addresses."""
    todo, pages = ["", "report/", "events-not-there"], dict[str, str]()
    while todo:
        page = todo.pop()
        if page in pages:
            continue
        answer, pages[page] = serving.ask(page)
        links = re.findall(r'href="([^"#]+)"', pages[page] if answer.status == 200 else "")
        todo += [urljoin(page, html.unescape(link)) for link in links]
    return pages


@pytest.mark.slow
def test_no_deal_that_is_still_to_be_met(tmp_path: Path) -> None:
    """Of a killed tournament no page that is served or written for all shows such a hand."""
    file = tournament(tmp_path, "[random, greedy, {name: another, bot: random}]", **KEYS)
    home = tmp_path / "home"
    run = Running(home, "run", file, "--verbose")
    run.until(times=1)
    run.kill()
    records = [json.loads(line) for line in output(home, "export").splitlines()]
    played = defaultdict(list)
    for record in records:
        played[record["block"].rpartition("|")[2]].append(record)
    still = [record for found in played.values() if len(found) < 6 for record in found]
    assert still
    assert all(record["seed"] is None for record in records)
    with Serving(home, "--public") as public, Serving(home) as private:
        pages = {page: html.unescape(text) for page, text in crawl(public).items()}
        for record in still:
            page = f"report/matches/{record['id']}.html"
            assert public.ask(page)[0].status == 404
            assert not [page for page, text in pages.items() if record["setup"] in text]
            assert record["setup"] in html.unescape(private.text(page))
    output(home, "report", "-o", tmp_path / "site", "--public", "--pages", "all")
    written = [html.unescape(path.read_text()) for path in (tmp_path / "site").rglob("*.html")]
    assert written
    assert not [text for text in written for record in still if record["setup"] in text]
    assert process(home, "run", file).returncode == 0
    with Serving(home, "--public") as public:
        for record in still:
            assert record["setup"] in html.unescape(
                public.text(f"report/matches/{record['id']}.html")
            )
