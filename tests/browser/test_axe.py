"""axe-core, which knows the rules of accessible pages, finds nothing on any page."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.explained import explanation
from support.recorded import recorded
from support.reported import filled_home
from support.serving import Serving

from arena.record.replay import replay_states
from arena.report.replay_data import replay_of
from arena.report.replay_explained import explained_replay
from arena.report.replay_page import replay_page
from arena.site.report import write_report
from engines import game_names

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

FOUND = """() => axe.run().then((found) => found.violations.map(
  ({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 200)}`))"""
LOST = "Failed to load resource"  # the server ends before the page does
LOOKS = [((1280, 900), "light"), ((390, 844), "dark")]


@pytest.fixture(scope="module")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Give the program, as npm has it."""
    npm, folder = shutil.which("npm"), tmp_path_factory.mktemp("axe")
    if npm is None:
        pytest.skip("no npm (Debian: npm)")
    words = [
        npm,
        "install",
        "--ignore-scripts",
        "--no-audit",
        "--prefix",
        str(folder),
        "axe-core@4",
    ]
    try:
        done = subprocess.run(words, capture_output=True, timeout=120)
    except subprocess.TimeoutExpired:
        pytest.skip("npm had no answer about axe-core in two minutes")
    if done.returncode:
        pytest.skip(f"npm has no axe-core: {done.stderr[-200:]!a}")
    return (folder / "node_modules/axe-core/axe.min.js").read_text(encoding="utf-8")


@pytest.fixture
def clean(open_page: Callable[..., Any], axe: str) -> Callable[..., None]:
    """Give a function that looks at a page, wide and narrow, light and dark."""

    def clean(text: str | Path, ready: str = "main") -> None:
        for size, scheme in LOOKS:
            page = open_page(text, size=size, scheme=scheme, lost=LOST)
            page.locator(ready).first.wait_for()
            page.evaluate(axe)
            assert page.evaluate(FOUND) == [], (size, scheme)
            if page.locator("#primer[open]").count():  # above the board, which is not looked at
                page.locator("#close").click()
                assert page.evaluate(FOUND) == [], (size, scheme)
            page.close()

    return clean


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("home")
    filled_home(home, ("oak", "elm", "fir"), matches=30, faults=3)
    write_report(home, home / "site", pages=2)
    return home


@pytest.mark.parametrize("game", ["leaves", "treeblox", "the_tree", "arborius"])
def test_replay_is_accessible(clean: Callable[..., None], game: str) -> None:
    """The page of a match passes axe-core, in every game."""
    record = recorded(game, most=8)
    clean(replay_page(replay_of(record, replay_states(record), ())), "#board svg")


def test_explanation_is_accessible(clean: Callable[..., None]) -> None:
    """The page of an explained match passes axe-core."""
    record = recorded("leaves", most=5)
    states = replay_states(record)
    replay = explained_replay(replay_of(record, states, ()), explanation(), states)
    clean(replay_page(replay), "#mistake")


@pytest.mark.parametrize("name", ["index.html", "bots/1-oak.html", "matches"])
def test_report_is_accessible(clean: Callable[..., None], home: Path, name: str) -> None:
    """The report's pages of the table, a bot and a match pass axe-core."""
    path = home / "site" / name
    clean(next(path.iterdir()) if path.is_dir() else path)


def test_live_page_is_accessible(clean: Callable[..., None], home: Path) -> None:
    """The live page passes axe-core."""
    with Serving(home) as serving:
        clean(serving.address)


def test_lobby_is_accessible(
    clean: Callable[..., None], open_page: Callable[..., Any], tmp_path: Path
) -> None:
    """The lobby, and the pages to begin and to join, pass axe-core."""
    with Serving(tmp_path, "--play") as lobby:
        page = open_page(lobby.address, lost=LOST)
        card = page.locator("form", has_text="Connect Four")
        card.get_by_role("button", name="With a friend").click()
        page.locator("#board .lit").first.wait_for()
        invitation = page.get_by_label("The link for a friend").input_value()
        clean(lobby.address, "form")
        clean(invitation, "#join")
        clean(page.url, "#board .lit")


@pytest.mark.parametrize("game", game_names())
def test_page_of_match_is_accessible(clean: Callable[..., None], tmp_path: Path, game: str) -> None:
    """The page of a match that is played passes axe-core."""
    words = (game, "human", "random", "--web", "--seed", "5")
    with Serving(tmp_path, *words, command="play") as match:
        clean(match.address, "#board > *")
