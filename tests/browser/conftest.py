"""Pages in Chromium: each test fails as well by an error in the page, or a request it makes."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from support import looks

FOUND = """(rules) => axe.run(rules.length ? { runOnly: rules } : {}).then((found) =>
  found.violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 200)}`))"""
PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Start a browser, for the tests of a file."""
    api = pytest.importorskip("playwright.sync_api", reason="no playwright: the extra `slow-tests`")
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        pytest.skip("no Chromium (Debian: chromium)")
    args = ["--no-sandbox"] if os.geteuid() == 0 else []
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=args)
        yield browser
        browser.close()


@pytest.fixture
def open_page(browser: Any, tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """Give a function that opens a page as a file, at a position, in a window of some size.

    Instead of the page's text it takes the address of a page; or a file, whose folder has the pages
    that it leads to. Of what the browser says, ``lost`` is right: the beginning of messages about a
    server that has gone away. Without ``script`` the browser runs none.
    """
    wrong: list[str] = []
    contexts: list[Any] = []

    def open_page(
        text: str | Path,
        *,
        at: str = "",
        size: tuple[int, int] = (1200, 900),
        scheme: str = "light",
        lost: str = "-",
        script: bool = True,
    ) -> Any:
        if isinstance(text, Path):
            address, ours = text.as_uri(), text.parent.as_uri()
        elif text.startswith("http://"):
            address, ours = text, text[: text.index("/", len("http://")) + 1]
        else:
            file = tmp_path / f"page-{len(contexts)}.html"
            file.write_text(text, encoding="utf-8")
            address = ours = file.as_uri()
        width, height = size
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme=scheme,
            java_script_enabled=script,
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(20_000)

        def request(sent: Any) -> None:
            if not sent.url.startswith((ours, "data:")):
                wrong.append(f"request: {sent.url}")

        def said(message: Any) -> None:
            if message.type in ("error", "warning") and not message.text.startswith(lost):
                wrong.append(f"console: {message.text}")

        def dialog(shown: Any) -> None:
            wrong.append(f"dialog: {shown.message}")
            shown.dismiss()

        page.on("request", request)
        page.on("console", said)
        page.on("dialog", dialog)
        page.on("pageerror", lambda error: wrong.append(f"error: {error}"))
        page.goto(address + at)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert wrong == []


@pytest.fixture(scope="session")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Give axe-core, which knows the rules of accessible pages, as npm has it."""
    npm, folder = shutil.which("npm"), tmp_path_factory.mktemp("axe")
    if npm is None:
        pytest.skip("no npm (Debian: npm)")
    words = [npm, "install", "--ignore-scripts", "--no-audit", "--prefix", str(folder)]
    words += ["axe-core@4"]
    try:
        done = subprocess.run(words, capture_output=True, timeout=120)
    except subprocess.TimeoutExpired:
        pytest.skip("npm had no answer about axe-core in two minutes")
    if done.returncode:
        pytest.skip(f"npm has no axe-core: {done.stderr[-200:]!a}")
    return (folder / "node_modules/axe-core/axe.min.js").read_text(encoding="utf-8")


@pytest.fixture
def accessible(request: pytest.FixtureRequest) -> Callable[..., None]:
    """Give a function that refuses a page wider than its window, or with what axe-core finds.

    It may be given the rules of axe-core that matter; otherwise all do.
    """

    def accessible(page: Any, *rules: str) -> None:
        assert looks.overflow(page) == 0
        page.evaluate(request.getfixturevalue("axe"))  # skipped only here, where there is none
        assert page.evaluate(FOUND, rules) == []

    return accessible
