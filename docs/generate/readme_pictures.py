"""The pictures of README, made of real matches: a board of each game, a replay and a report.

``python docs/generate/readme_pictures.py`` writes them into ``docs/pictures``. It needs Chromium
and the extra ``browser``.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
PICTURES = ROOT / "docs" / "pictures"

# after what part of its match each game is drawn
BOARDS = {
    "leaves": 0.8,
    "treeblox": 0.6,
    "the_tree": 0.9,
    "build_your_arboretum": 0.9,
    "arborius": 0.5,
    "connect_four": 0.8,
}
REPLAY = "leaves"
WIDTH, HEIGHT = 960, 600


def main() -> None:
    """Write all pictures."""
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        positions = {}
        for game, part in BOARDS.items():
            record = work / f"{game}.json"
            _arena(work, "play", game, "greedy", "random", "--seed", "3", "--record", record)
            at = positions[game] = int(part * len(json.loads(record.read_text())["actions"]))
            _arena(work, "show", record, "--at", at, "--svg", PICTURES / f"{game}.svg")
        _arena(work, "run", ROOT / "tournaments" / "quickstart.yaml")
        _arena(work, "show", work / f"{REPLAY}.json", "--html", work / "replay.html")
        _arena(work, "report", "-o", work / "site")
        _photograph(
            {
                "replay": f"{(work / 'replay.html').as_uri()}#{positions[REPLAY]}",
                "report": (work / "site" / "index.html").as_uri(),
            }
        )


def _arena(work: Path, *words: object) -> None:
    command = [sys.executable, "-m", "arena", *map(str, words)]
    environment = {**os.environ, "ARENA_HOME": str(work / "home")}
    subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)


def _photograph(pages: dict[str, str]) -> None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        args = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=args)
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        for name, address in pages.items():
            page.goto(address)
            page.screenshot(path=PICTURES / f"{name}.jpg", type="jpeg", quality=85)
        browser.close()


if __name__ == "__main__":
    main()
