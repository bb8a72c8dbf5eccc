"""Tournament files and manifests that nobody wrote in good faith, and what is told of them.

Each is bytes, made when asked for, and the beginning of a sentence that must stand in the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

HEAD = "name: t\ngame: leaves\n"
GOOD = HEAD + "bots: [random, greedy]\n"
FULL = 256 * 1024

Made = Callable[[], str | bytes]


def _aliases() -> str:
    text = "a: &a [x, x, x, x, x, x, x, x, x]\n"
    for one, other in zip("abcdefgh", "bcdefghi", strict=True):
        text += f"{other}: &{other} [{', '.join([f'*{one}'] * 9)}]\n"
    return text


def _merges() -> str:
    text = "a0: &a0 {k0: v}\n"
    for number in range(1, 1000):
        text += f"a{number}: &a{number} {{<<: [*a{number - 1}, *a{number - 1}], k{number}: v}}\n"
    return text


TOURNAMENTS: Mapping[str, tuple[Made, str]] = {
    # bombs
    "aliases": (_aliases, ":1:4: anchors and aliases (&name, *name) are not allowed"),
    "alias": (lambda: "a: *b\n", ":1:4: anchors and aliases (&name, *name) are not allowed"),
    "merges": (_merges, ":1:5: anchors and aliases (&name, *name) are not allowed"),
    "merge": (lambda: "a:\n  <<: {b: 1}\n", ":2:3: a: merge keys (<<) are not allowed"),
    "python": (lambda: "a: !!python/object/apply:os.system [id]\n", ":1:4: tags like "),
    "binary": (lambda: "a: !!binary aGk=\n", ":1:4: tags like "),
    "tag": (lambda: GOOD + "seed: !!int '3'\n", ":4:7: tags like "),
    "brackets": (lambda: "[" * 10_000, ":1:33: more than 32 levels deep"),
    "many brackets": (lambda: "[" * FULL, ":1:33: more than 32 levels deep"),
    "braces": (lambda: "{a: " * (FULL // 4), ":1:129: more than 32 levels deep"),
    "dashes": (lambda: "- " * (FULL // 2), ":1:65: more than 32 levels deep"),
    "question marks": (lambda: "? " * (FULL // 2), ":1:3: a key is a text"),
    "too large": (lambda: GOOD + "#" * FULL, "more than 262144 bytes"),
    "many lines": (lambda: "\n" * FULL, ":1:1: expected a mapping with name, game and bots"),
    "comments": (lambda: "# x\n" * (FULL // 4), ":1:1: expected a mapping with name, game"),
    "documents": (lambda: "---\n" * (FULL // 4), ":2:1: a second document begins"),
    "directives": (lambda: "%X\n" * (FULL // 4), "not YAML"),
    "a long text": (lambda: HEAD + f"bots: {'x ' * 120_000}\n", "bots: expected a list, found"),
    "a long number": (lambda: GOOD + f"rounds: {'9' * 250_000}\n", "expected a whole number"),
    "a long time": (lambda: GOOD + f"rounds: {'1:' * 100_000}1\n", "expected a whole number"),
    "a long block": (lambda: GOOD + "seed: |\n" + " x\n" * 80_000, "expected a whole"),
    "odd keys": (lambda: "? a\n" * 60_000, ":1: more than 20000 keys and values"),
    "escapes": (lambda: '"' + "\\u0041" * 43_000 + '"', "expected a mapping with name, game"),
    "unknown keys": (
        lambda: HEAD + "".join(f"rouns{n}: 1\n" for n in range(9_000)),
        'unknown key; did you mean "rounds"?',
    ),
    "unknown games": (
        lambda: "name: t\ngames: [" + ",".join(f"leavs{n}" for n in range(15_000)) + "]\nbots: [a]",
        ":2:8: games: expected at most 1000 of them",
    ),
    "missing files": (
        lambda: HEAD + "bots: [" + ",".join(f"{{run: filenam{n}}}" for n in range(6_000)) + "]",
        'there is no "filenam0"',
    ),
    "equal names": (lambda: HEAD + f"bots: [{'a,' * 19_000}]\n", 'two entrants are called "a"'),
    "a name to compose": (
        lambda: "name: " + "\u0f71\u0f72" * 40_000 + "\ngame: leaves\nbots: [a, b]\n",
        "a name is at most 64 columns wide, found more",
    ),
    # what it means is not what it looks like
    "a key twice": (
        lambda: GOOD + "rounds: 1\nrounds: 2\n",
        "rounds: given twice, first on line 4",
    ),
    "date": (lambda: GOOD + "rounds: 2024-01-01\n", "expected a whole number, found"),
    "inf": (lambda: GOOD + "clock: {main: .inf}\n", ":4:15: clock.main: expected a duration"),
    "NaN": (lambda: GOOD + "clock: {main: NaNs}\n", ":4:15: clock.main: expected a duration"),
    "huge time": (lambda: GOOD + "clock: {move: 1e9h}\n", ":4:15: clock.move: expected a duration"),
    "10^13 rounds": (lambda: GOOD + f"rounds: {10**13}\n", "expected at most 1000000000000"),
    "10^5 bots": (lambda: HEAD + "bots: [" + "a,\n" * 100_000 + "]\n", "more than 262144 bytes"),
    "25,000 bots": (
        lambda: HEAD + "bots: [" + ",".join(f"b{n}" for n in range(25_000)) + "]\n",
        "more than 20000 keys and values",
    ),
    # who plays
    "null": (lambda: "~\n", ":1:1: expected a mapping with name, game and bots, found nothing"),
    "look-alikes": (
        lambda: HEAD + "bots: [{name: r\u0430ndom, bot: random}, random]\n",
        'looks like the name of bots[0]: "random" and "r\\u0430ndom"',
    ),
    # what is no text
    "NUL": (lambda: GOOD + "# \0\n", ":4:3: character U+0000 cannot stand in a file"),
    "escape": (lambda: GOOD + "# \x1b[2J\n", ":4:3: character U+001B cannot stand in a file"),
    "escaped escape": (lambda: GOOD + '"\\e[2J": 1\n', ":4:1: \\x1b[2J: unknown key"),
    "escaped NUL": (lambda: GOOD + 'sandbox: "\\0"\n', ":4:10: a text holds NUL"),
    "no UTF-8": (lambda: GOOD.encode() + b"# \xff\n", ":4: not UTF-8 at byte"),
    "UTF-16": (lambda: GOOD.encode("utf-16"), ":1: not UTF-8 at byte 0"),
    "tabs": (lambda: HEAD + "bots:\n\t- random\n", "; indent with spaces, not tabs"),
}

BOT = "{name: oak, language: python}\n"

MANIFESTS: Mapping[str, tuple[Made, str]] = {
    "brackets": (lambda: "[" * 4096, ":1:33: more than 32 levels deep"),
    "braces": (lambda: "{a: " * 1024, ":1:129: more than 32 levels deep"),
    "aliases": (_aliases, ":1:4: anchors and aliases (&name, *name) are not allowed"),
    "merge": (lambda: "{<<: {name: oak}, language: c}\n", "merge keys (<<) are not allowed"),
    "python": (lambda: "name: !!python/name:os.system\n", ":1:7: tags like "),
    "a key twice": (lambda: "{name: oak, name: elm}\n", "name: given twice, first on line 1"),
    "keys with dots": (lambda: ".".join("a" * 400) + ": 1\n", ":1: unknown key "),
    "a device": (lambda: "{name: con, language: c}\n", '"con" is the name of a device'),
    "numbers": (lambda: "{name: oak, start: [./x, 010, 1.50]}\n", ":1: start is a list of texts"),
    "NUL": (lambda: '{name: oak, start: ["a\\0b"]}\n', "a text holds NUL"),
    "a long start": (
        lambda: "{name: oak, start: [" + "a," * 1900 + "1]}\n",
        ":1: start is a list of texts",
    ),
    "no UTF-8": (lambda: b"name: \xff\n", "not UTF-8 at byte 6"),
}
