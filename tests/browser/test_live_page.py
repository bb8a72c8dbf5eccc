"""The live page in Chromium: matches appear while a run goes on, and nothing else is asked for."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from support import looks
from support.arena_command import output
from support.held_up import held_up
from support.running import Running
from support.serving import Serving

from arena.serve.live import Live, live_page
from arena.store import open_store
from arena.values.running import RunningMatch
from arena.values.tables import EditionState, Leaderboard, LeaderboardRow, MatchRow

pytestmark = pytest.mark.slow

Open = Callable[..., Any]
Check = Callable[[Any], None]
TOURNAMENT = """\
name: seen
game: leaves
rounds: {rounds}
seed: 3
sandbox: none
bots: [random, greedy]
"""
CROOKED = """() => [...document.querySelectorAll("table")].filter((table) => {
  const row = table.tBodies[0]?.rows[0];
  if (!table.tHead || !row || !table.checkVisibility()) return false;
  const left = (cell) => Math.round(cell.getBoundingClientRect().left);
  return [...table.tHead.rows[0].cells].some((head, i) => left(head) !== left(row.cells[i]));
}).length"""
ROW = "#matches tbody tr"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "seen.yaml"
    path.write_text(TOURNAMENT.format(rounds=5000))
    return path


def test_matches_appear(open_page: Open, file: Path, tmp_path: Path) -> None:
    """From an empty home to a run that was stopped, without a reload."""
    home = tmp_path / "home"
    open_store(home, create=True).close()
    with Serving(home) as serving:
        page = open_page(serving.address)
        page.evaluate("window.here = true")  # which a reload would forget
        assert "No tournament yet" in page.locator("h1").text_content()
        run = Running(home, "run", file, "--verbose")
        page.locator(ROW).nth(3).wait_for()
        newest = page.locator(f"{ROW} a").first.get_attribute("href")
        page.wait_for_function(
            "old => document.querySelector('#matches tbody a').getAttribute('href') !== old",
            arg=newest,
        )
        assert page.locator("h1").text_content() == "seen"
        assert page.locator("#state").text_content() == "Running."
        assert re.match(r"\d+ of 10000 matches played · [\d.,]+ a minute · about ", facts(page))
        assert page.locator("#board tbody th").all_text_contents() == ["greedy", "random"]
        newest = page.frame_locator("#newest")  # plays to its end by itself, unless it is stopped
        newest.get_by_role("button", name="Pause").click()
        newest.locator("#board > svg").wait_for()
        newest.get_by_role("button", name="Play", exact=True).wait_for()
        assert run.stopped() == 130
        page.get_by_text("Not running now").wait_for()
        assert page.locator(ROW).count() <= 50
        assert page.evaluate("window.here")
        page.locator(f"{ROW} a").first.click()
        page.locator("#board > svg").wait_for()


def test_a_match_is_seen_while_it_is_played(
    open_page: Open, accessible: Check, tmp_path: Path
) -> None:
    """Its board is on the page until it is over, also on a phone."""
    home = tmp_path / "home"
    open_store(home, create=True).close()
    file, gate = held_up(tmp_path, "leaves")
    run = Running(home, "run", file, "--workers", "1")
    with Serving(home) as serving:
        page = open_page(serving.address, size=(390, 844))
        board = page.locator("#running img")
        board.wait_for()
        page.wait_for_function("() => document.querySelector('#running img')?.naturalWidth > 300")
        assert re.search(r"leaves, after \d+ decisions", page.locator("#running").inner_text())
        accessible(page)
        gate.touch()
        assert run.end() == 0
        board.wait_for(state="detached")
        page.locator(ROW).first.wait_for()
        page.close()


def test_open_pages_hear_of_more(
    open_page: Open, accessible: Check, file: Path, tmp_path: Path
) -> None:
    """The leaderboard changes; a page of the report offers more and changes nothing by itself.

    Without a script each page is what it was when it was loaded.
    """
    home = tmp_path / "home"
    file.write_text(TOURNAMENT.format(rounds=2))
    output(home, "run", file)
    at_once = "BOARD_SHARE=1 REPORT_SHARE=1"  # on a slow machine, too
    with Serving(home, limits=at_once) as serving:
        live, still = open_page(serving.address), open_page(serving.address, script=False)
        places = ("report/", "report/bots/1-random.html")
        reports = [open_page(serving.address, at=place, size=(360, 740)) for place in places]
        assert games(live) == games(still) == ["4", "4"]
        live.evaluate("window.here = true")  # which a reload would forget
        reports[0].get_by_role("button", name="bot").first.click()
        file.write_text(TOURNAMENT.format(rounds=3))
        output(home, "run", file, "--extend")
        live.wait_for_function(
            "() => [...document.querySelectorAll('#board tbody tr')]"
            ".every(row => row.cells[4].textContent === '6')"
        )
        assert games(live) == ["6", "6"]
        assert live.evaluate("window.here")
        assert games(still) == ["4", "4"]
        still.reload()
        assert games(still) == ["6", "6"]
        for page in reports:
            page.get_by_text("2 more matches").wait_for()
            accessible(page)
        report = reports[0]
        assert report.locator("#standings th[aria-sort]").text_content() == "bot"
        report.get_by_role("link", name="Load it again").click()
        report.locator("header p", has_text="bots, 6 matches").wait_for()
        assert report.locator("#newer").is_hidden()
        for page in (live, still, *reports):
            page.close()


def games(page: Any) -> list[str]:
    """Return the column of the leaderboard that says how many matches each bot played."""
    return list(page.locator("#board tbody td:nth-child(5)").all_text_contents())


def facts(page: Any) -> str:
    return str(page.locator("#facts").text_content())


class _Hostile(BaseHTTPRequestHandler):
    """Answers as the server would, if a tournament and its bots could be called anything."""

    first: Live
    later: Live

    def do_GET(self) -> None:
        if self.path == "/events":
            kind, text = "text/event-stream", "data: {}\n\n"
            _Hostile.first = self.later
        else:
            kind, text = "text/html; charset=utf-8", live_page(self.first, public=True)
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, format: str, *args: object) -> None:
        pass


def shown(names: Sequence[str], first: int) -> Live:
    """Return what is known of a tournament whose bots have these names, with ids from one on."""
    rows = [
        MatchRow((1, at), (name, name), (1, 2), ((0, name),), game=name, id=f"{at:016x}")
        for at, name in enumerate(names, first)
    ]
    board = [
        LeaderboardRow(1, name, 1, 1500.0, "order-free", 25.0, 8.0, 1, 1, 0, 0, 1.0, None, {})
        for name in names
    ]
    return Live(
        names[0],
        state=EditionState.RUNNING,
        matches=1,
        board=Leaderboard(None, tuple(board)),
        rows=tuple(rows),
        running=tuple([RunningMatch("", "", name, (name, name), 1, None) for name in names]),
        files=dict.fromkeys(names[:2], "bots/1.html"),
    )


def test_names_stay_text(open_page: Open) -> None:
    """Whatever a bot is called, its name is the text of a cell and makes nothing."""
    names = ["<img src=x onerror=alert(1)>", "</script><script>alert(1)</script>", "w" * 10**5]
    faults = [f"{name}: {name}" for name in names]
    _Hostile.first, _Hostile.later = shown(names[::-1], 0), shown(names, 3)
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Hostile)
    with server:
        Thread(target=server.serve_forever, daemon=True).start()
        page = open_page(f"http://127.0.0.1:{server.server_port}/", script=False)
        assert page.locator("#board tbody th").all_text_contents() == names[::-1]
        assert page.locator("tbody td.fault").all_text_contents() == faults[::-1]
        assert page.locator("img, #matches tbody td *:not(a, .seat, strong)").count() == 0
        page.close()
        page = open_page(f"http://127.0.0.1:{server.server_port}/", size=(360, 740))
        page.locator("h1", has_text="onerror").wait_for()
        assert page.locator("#board tbody th").all_text_contents() == names
        assert page.locator("tbody td.fault").all_text_contents() == faults
        bots = page.locator("#running li span:first-child").all_text_contents()
        assert bots == [f"{name} – {name}" for name in names]
        assert page.locator("script").count() == 2
        assert page.locator("img, #matches tbody td *:not(a, .seat, strong)").count() == 0
        assert looks.overflow(page) == 0
        page.close()
        server.shutdown()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_live_page_is_readable(
    open_page: Open, accessible: Check, file: Path, tmp_path: Path, scheme: str
) -> None:
    """The live page has contrast, named controls, and a phone's width."""
    home = tmp_path / "home"
    file.write_text(TOURNAMENT.format(rounds=2))
    output(home, "run", file)
    with Serving(home) as serving:
        page = open_page(serving.address, size=(360, 740), scheme=scheme)
        page.locator(ROW).first.wait_for()
        accessible(page)
        assert crooked(page) == 0
        page.locator("#report").click()
        page.locator("h2").first.wait_for()
        assert crooked(page) == 0
        page.close()


def crooked(page: Any) -> int:
    """Return how many tables have a column that does not begin under its head."""
    return int(page.evaluate(CROOKED))
