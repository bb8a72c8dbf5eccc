"""Names that nobody gave in good faith, for bots, entrants and tournaments."""

from __future__ import annotations

HOSTILE = (
    "",
    " ",
    ".",
    "..",
    "../x",
    "a/b",
    "/etc/passwd",
    "a\\b",
    "-rf",
    "--help",
    "con",
    "CON",
    "nul.txt",
    "Com1",
    "a b",
    "a\tb",
    "a\nb",
    "a\rb",
    "a\0b",
    "a\x1b[2Jb",
    "\x1b]0;title\x07",
    "a\x9bb",
    "a|b",
    "a+b",
    "a;rm -rf",
    "; rm -rf ~",
    "x" * 10_000,
    "x" * 65,
    "\u6728" * 33,
    "a" + "\u0301" * 300,
    "a" + "\u0301" * 6 + "b",
    "\u0301a",
    "a\u202eb",  # right to left override
    "a\u2066b",
    "a\u200bb",  # zero width space
    "a\u200db",
    "\ufeffa",
    "a\u00adb",  # soft hyphen
    "a\u3164b",  # a letter that shows nothing
    "a\u2800b",
    "a\ufe0fb",
    "a\u2028b",
    "a\U000e0041b",
    "\ue000",
    "\ud800",
    "'",
    '"',
    "`id`",
)

# names of entrants that look dangerous and are data; a submitted bot's name has only ASCII letters,
# digits and "-_."
HARMLESS = ("$(id)", "$HOME", "%s%n", "{x}", "<b>", "&lt", "=1*1", "@x", "~root", "*", "a#b", "😀")
