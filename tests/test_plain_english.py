"""Code, pages and help use plain words: each of these has a better one."""

from __future__ import annotations

import re

from support.doc_pages import ROOT

# what is written → what to write
WORDS = {
    r"anew": "again",
    r"but for": "except",
    r"(held|hold|holds|holding) (it |them |each |one )?against": "compared with, checked by",
    r"mend(s|ed)?": "fix",
    r"strangers?": "untrusted bots; somebody else",
    r"just if": "only if",
    r"too much of": "too many, in excess",
    r"bur(y|ied|ies)": "end, remove, reap",
    r"(stand|stands|stood) up": "leave",
    r"se(e|es|en) off": "end",
    r"gives? way": "leave",
    r"guests?": "bots",
    r"lest": "so that … not",
    r"amid(st)?": "during",
    r"heed(s|ed)?": "read, follow",
    r"haunted": "with dead processes",
    r"(sit|sits|sat) down": "begin, play",
}
ANY = "|".join(WORDS).replace("(", "(?:")  # a group of no number, so that a match is all of it
FORBIDDEN = re.compile(rf"\b(?:{ANY})\b", re.IGNORECASE)
QUOTED = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)  # examples, and names
PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
CODE = [
    *ROOT.glob("arena/**/*.py"),
    *ROOT.glob("engines/**/*.py"),
    *ROOT.glob("benchmarks/**/*.py"),
]


def test_words() -> None:
    """None of the words is in a page or in code."""
    found = {
        str(path.relative_to(ROOT)): FORBIDDEN.findall(QUOTED.sub("", path.read_text()))
        for path in (*PAGES, *CODE)
    }
    assert {path: words for path, words in found.items() if words} == {}


def test_words_are_found() -> None:
    """In any case, as whole words."""
    text = "It is held against anew. Buried. `anew` spending, blest"
    found = [match[0] for match in FORBIDDEN.finditer(QUOTED.sub("", text))]
    assert found == ["held against", "anew", "Buried"]
