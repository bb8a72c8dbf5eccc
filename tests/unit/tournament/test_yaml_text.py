"""YAML as tournament files are read: what words mean, and what is not read at all."""

from __future__ import annotations

import pytest

from arena.tournament.yaml_text import load_yaml
from arena.values.errors import TournamentFileError


@pytest.mark.parametrize(
    "word",
    [
        "no",
        "yes",
        "on",
        "off",
        "y",
        "n",
        "No",
        "017",
        "0o17",
        "0x1f",
        "0b11",
        "1_000",
        "12:30:45",
        "1:30",
        "2026-11-21",
        ".5",
        ".inf",
        ".nan",
        "+.inf",
        "1e",
        "=",
        "٣",
    ],
)
def test_words_like_yes_are_texts(word: str) -> None:
    """Words that YAML 1.1 reads as booleans, numbers or dates are texts."""
    assert load_yaml(f"[{word}]", "f").value == [word]
    assert load_yaml(f"{{{word}: x}}", "f").value == {word: "x"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: &x 1\nb: *x\n", r"^f:1:4: anchors"),
        ("a: *x\n", r"^f:1:4: anchors and aliases"),
        ("a: !!python/object/apply:os.system [id]\n", r"^f:1:4: tags like .*os\.system"),
        ("a: !!str 1\n", r"^f:1:4: tags"),
        ("!x {}\n", r"^f:1:1: tags"),
        ("a: {<<: {b: 1}}\n", r"^f:1:5: a: merge keys"),
        ("a: 1\n---\nb: 1\n", r"^f:2:1: a second document"),
        ('a: "\\0"\n', r"^f:1:4: a text holds NUL"),
        ('a: "\\ud800"\n', r"^f:1:4: a text holds NUL or half"),
        ("a: b\nc: \x00\n", r"^f:2:4: character U\+0000 cannot"),
        ("a: \x1b[2J\n", r"^f:1:4: character U\+001B cannot"),
        ("a: \ud800\n", r"^f:1:4: character U\+D800 cannot"),
        ("a:\n\tb: 1\n", r"^f:2:1: not YAML: .*tabs"),
        ("a: [1\n", r"^f:2:1: not YAML: expected"),
        ("a: b: c\n", r"^f:1:5: not YAML"),
        ('a: "x\n', r"not YAML"),
        ("[a]: b\n", r"^f:1:1: a key is a text, not a list"),
        ("? {a: b}\n: c\n", r"^f:1:3: a key is a text, not a list"),
        ("1: a\n", r"^f:1:1: a key is a text; write it in quotes: \"1\"$"),
        ("a: {true: b}\n", r"^f:1:5: a: a key is a text"),
        ("a: 1\nb: 2\na: 3\n", r"^f:3:1: a: given twice, first on line 1$"),
        ("a: {b: {c: 1}, b: 2}\n", r"^f:1:16: a\.b: given twice, first on line 1$"),
        ("x" * (256 * 1024 + 1), r"^f: 262145 bytes; a file has at most 262144$"),
    ],
)
def test_unsafe_or_invalid_yaml_is_refused(text: str, message: str) -> None:
    """Anchors, tags, doubled keys and broken YAML are refused with their place."""
    with pytest.raises(TournamentFileError, match=message):
        load_yaml(text, "f")


def test_control_characters_do_not_reach_the_message() -> None:
    """A key that holds an escape sequence is told escaped."""
    with pytest.raises(TournamentFileError) as caught:
        load_yaml('"\\e[2J": 1\n"\\e[2J": 2\n', "f\x1b")
    assert "\x1b" not in str(caught.value)
    assert "\\x1b[2J: given twice" in str(caught.value)
