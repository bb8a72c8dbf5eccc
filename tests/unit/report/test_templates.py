"""Pages: what strangers wrote stays text, and the policy knows exactly our styles and scripts."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html import unescape
from html.parser import HTMLParser
from importlib.resources import files

import pytest
from jinja2 import DictLoader
from support.hostile_names import HARMLESS, HOSTILE

from arena.report import templates
from arena.report.templates import render_page

PAGE = """\
{% extends "page.html" %}
{% block title %}{{ name }}{% endblock %}
{% block body %}<p title="{{ name }}">{{ name }}</p>{% endblock %}
"""


class Elements(HTMLParser):
    """The elements of a page, and the text in each up to the next tag."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None], list[str]]] = []
        self.inside = False
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs), []))
        self.inside = True

    def handle_endtag(self, tag: str) -> None:
        self.inside = False

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.found[-1][2].append(data)

    def texts(self, tag: str) -> list[str]:
        return ["".join(text) for name, _, text in self.found if name == tag]


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a template ``small.html`` beside those of the package."""
    environment = templates._environment()
    assert environment.loader is not None
    text = environment.loader.get_source(environment, "page.html")[0]
    monkeypatch.setattr(environment, "loader", DictLoader({"page.html": text, "small.html": PAGE}))


TAGS = ("</script><script>alert(1)</script>", "<!--<script>", "{{ 7 * 7 }}", "]]>", "&lt;b")


@pytest.mark.parametrize("name", [*HOSTILE, *HARMLESS, *TAGS], ids=ascii)
def test_foreign_text_makes_no_element(name: str) -> None:
    """Whatever a name is, a page has the same elements as with any other name."""
    plain = Elements(render_page("small.html", name="oak", data={"name": "oak"}))
    page = render_page("small.html", name=name, data={"name": name})
    hostile = Elements(page)
    assert [tag for tag, _, _ in hostile.found] == [tag for tag, _, _ in plain.found]
    assert all(c.isprintable() or c == "\n" for c in page)
    assert json.loads(hostile.texts("script")[0]) == {"name": name}


def test_hidden_characters_are_shown() -> None:
    """What turns the direction of writing is put out as the text that names it."""
    page = render_page("small.html", name="a\u202eb\x1b", data=None)
    assert '<p title="a\\u202eb\\x1b">a\\u202eb\\x1b</p>' in page


def test_policy_knows_what_is_ours() -> None:
    """Each style and script of a page has its hash in the policy; there are no other sources."""
    page = render_page("small.html", name="oak", styles=[".a{}"], scripts=["sort.js"], data=1)
    elements = Elements(page)
    [policy] = [a["content"] or "" for _, a, _ in elements.found if "http-equiv" in a]
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules["default-src"] == rules["base-uri"] == rules["form-action"] == "'none'"
    assert rules["img-src"] == "data:"
    scripts = [t for tag, a, t in elements.found if tag == "script" and "type" not in a]
    for key, texts in (
        ("style-src", elements.texts("style")),
        ("script-src", ["".join(text) for text in scripts]),
    ):
        hashed = [base64.b64encode(hashlib.sha256(text.encode()).digest()) for text in texts]
        assert rules[key].split(" ") == [f"'sha256-{value.decode()}'" for value in hashed]
    assert len(scripts) == 1
    assert len(elements.texts("style")) == 2


def test_page_without_scripts_allows_none() -> None:
    """A page without scripts has a policy that allows none."""
    assert "script-src 'none'" in unescape(render_page("small.html", name="oak"))


STATIC = files("arena.report") / "static"
SCRIPTS = [path.name for path in STATIC.iterdir() if path.name.endswith(".js")]


@pytest.mark.parametrize("name", SCRIPTS)
def test_scripts_put_text_as_text(name: str) -> None:
    """No script ends its own element, makes elements of text, or asks for anything."""
    text = (STATIC / name).read_text(encoding="utf-8")
    assert not re.search(
        r"</script|<!--|innerHTML|outerHTML|insertAdjacent|eval\(|document\.write", text
    )
    assert not re.search(r"https?://(?!www\.w3\.org/)|import ", text)


def test_scripts_are_small() -> None:
    """All pages together need at most 750 lines of them."""
    assert sum(len((STATIC / name).read_text().splitlines()) for name in SCRIPTS) <= 750


def test_templates_have_no_way_around() -> None:
    """No template switches escaping off, or has handlers or styles in attributes."""
    for path in (files("arena.report") / "templates").iterdir():
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"\|\s*safe|autoescape|\bon[a-z]+=|style=|javascript:", text), (
            path.name
        )
