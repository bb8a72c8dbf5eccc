"""``bot.yaml``: what is read from it, and how its mistakes are told."""

from __future__ import annotations

import pytest

from arena.bots.bot_yaml import BotManifest, parse_manifest
from arena.values.errors import BotError
from arena.values.model import Needs

PLAIN = "name: x\nlanguage: c\n"


def test_every_key_is_read() -> None:
    """All keys arrive as they stand, what is needed in bytes and milliseconds."""
    text = (
        b"name: Oak\nlanguage: c\nstart: [./oak, --level, '3']\n"
        b"build: [make]\ngames: [leaves, 'leaves(tree=u)']\nneeds: {memory: 3GiB, start: 1m}\n"
        b"environment: torch\n"
    )
    assert parse_manifest(text, "bot.yaml") == BotManifest(
        name="Oak",
        language="c",
        start=("./oak", "--level", "3"),
        build=("make",),
        games=("leaves", "leaves(tree=u)"),
        needs=Needs(memory_bytes=3 << 30, start_ms=60_000),
        environment="torch",
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name: x\nlang: c\n", r'^d/bot\.yaml:2: unknown key "lang"; did you mean "language"\?$'),
        ("{name: x, sart: [a]}", r'^d/bot\.yaml:1: unknown key "sart"; did you mean "start"\?$'),
        ("name: x\nzzz: 1\n", r":2: unknown key .*; expected name, language, start, build, games"),
        ("language: c\n", r"^d/bot\.yaml: name is missing$"),
        ("name: x\n", r"expected a language, or a start line like \[python3, bot\.py\]"),
        ("name: 7\nlanguage: c\n", r':1: name is a text, found "7"'),
        ("name: ''\nlanguage: c\n", r':1: name is a text, found ""'),
        ("name: ../x\nlanguage: c\n", r":1: \"\.\./x\" cannot be a bot's name"),
        ("name: a+b\nlanguage: c\n", "cannot be a bot's name"),
        ("name: a@2\nlanguage: c\n", "cannot be a bot's name"),
        ("name: -rf\nlanguage: c\n", "cannot be a bot's name"),
        ("name: _run\nlanguage: c\n", "cannot be a bot's name"),
        (f"name: {'x' * 65}\nlanguage: c\n", "cannot be a bot's name"),
        ("name: 'a\\e'\nlanguage: c\n", "cannot be a bot's name"),
        ("name: x\nstart: ./x\n", r':2: start is a list of texts like .*, found "\./x"'),
        ("name: x\nstart: [./x, 3]\n", r':2: start is a list of texts like .*, found "3"'),
        ("name: x\nstart: []\n", ":2: start is a list of texts"),
        ("name: x\nlanguage: c\ngames: leaves\n", r":3: games is a list of texts like \[leaves\]"),
        ("name: x\nlanguage: [c]\n", ":2: language is a text"),
        ("- name\n", r"expected \{name, language, start, build, games, needs, environment\}"),
        ("", r"expected \{name, language, start, build, games, needs, environment\}"),
        (f"{PLAIN}needs: 3GiB\n", ":3: needs is like {memory: 3GiB, start: 60s}"),
        (f"{PLAIN}needs: {{memory: 3}}\n", ":3: needs: expected a size with its unit"),
        (f"{PLAIN}needs: {{memory: 1PiB}}\n", ":3: needs: expected"),
        (f"{PLAIN}needs: {{start: 25h}}\n", ":3: needs: expected a duration"),
        (f"{PLAIN}needs: {{start: none}}\n", ":3: needs: expected a duration"),
        (f"{PLAIN}needs: {{memry: 3GiB}}\n", ":3: needs is like {memory: 3GiB, start: 60s}"),
        ("name: [\n", r"d/bot\.yaml"),
        (f"name: x  #{'y' * 5000}\n", "a bot.yaml has at most 4096"),
    ],
)
def test_a_mistake_is_told_with_its_place(text: str, message: str) -> None:
    """Every mistake is a ``BotError`` that says the file, the line where it has one, and why."""
    with pytest.raises(BotError, match=message):
        parse_manifest(text.encode(), "d/bot.yaml")


def test_bytes_that_are_no_text_are_refused() -> None:
    """Latin-1 is told from UTF-8 by the place of its first bad byte."""
    with pytest.raises(BotError, match=r"bot\.yaml: not UTF-8 at byte 6"):
        parse_manifest(b"name: \xe9\n", "bot.yaml")
