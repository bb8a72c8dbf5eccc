"""Twenty-five hand-ins as courses get them, with what organisers see in them every year.

Each is a person with a folder of files. The same 25 are written as Moodle, Canvas and GitHub
Classroom give them, or as Moodle's one archive.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from support.archive_texts import gz, tar, zip_of
from support.bot_programs import program


class HandedIn(NamedTuple):
    """What a person handed in.

    Attributes:
        person: as the course's system writes the name.
        bot: what the bot is called, if it is taken.
        files: by path in the person's folder.
        refused: words of the reason; '' if the hand-in is taken.
    """

    person: str
    bot: str
    files: Mapping[str, bytes]
    refused: str = ""


def _bot(mark: str) -> bytes:
    """Return a program that plays any game, whose content nobody else has."""
    return f"{program()}# {mark}\n".encode()


def _c(mark: str) -> bytes:
    text = (Path(__file__).parents[2] / "bots" / "kit" / "c" / "bot.c").read_text()
    return f"{text}/* {mark} */\n".encode()


_VENV = {
    "venv/pyvenv.cfg": b"home = /usr/bin\n",
    "venv/lib/python3.11/site-packages/bot.py": b"raise SystemExit('not this one')\n",
}
_DAVIDS = _bot("david")
_NORAS = {"bot.py": _bot("nora"), **_VENV}
_OTTOS = {"LICENSE": b"MIT", "o-main/bot.py": _bot("otto"), "o-main/x/y.txt": b"y"}

HAND_INS = (
    HandedIn("Ada Adler", "ada-adler", {"bot.py": _bot("ada")}),
    HandedIn("Bernd Bär", "bernd-baer", {"abgabe.zip": zip_of(("bot.py", _bot("bernd")))}),
    HandedIn("Yara Young", "yara-young", {"bot.py": b""}, "empty"),
    HandedIn("Xenia Xu", "xenia-xu", {"one.py": _bot("x1"), "two.py": _bot("x2")}, "bot.*"),
    HandedIn(
        "Chloé Martin",
        "chloe-martin",
        {"My Bot (2).zip": zip_of(("My Bot/bot.py", _bot("chloe")), ("__MACOSX/._bot.py", b"x"))},
    ),
    HandedIn("David Dorn", "david-dorn", {"bot.py": _DAVIDS}),
    HandedIn("Emil Ernst", "emil-ernst", {"bot.py": _DAVIDS, "bot.pyc": b"x"}),
    HandedIn("Frida Øst", "frida-oest", {"project/bot.py": _bot("frida"), "README.md": b"Hello."}),
    HandedIn("Greta Groß", "greta-gross", {"bot.tar.gz": gz(tar(("g/main.py", _bot("greta"))))}),
    HandedIn("Hugo Hahn", "hugo-hahn", {"bot.c": _c("hugo")}),
    HandedIn("Иван Петров", "иван-петров", {"bot.py": _bot("ivan")}),
    HandedIn("Jörg O'Neill", "joerg-o-neill", {"bot.py": b"\xef\xbb\xbf" + _bot("joerg")}),
    HandedIn("Karl-Heinz Kühn", "karl-heinz-kuehn", {"Mein Bot.py": _bot("karl")}),
    HandedIn("李明", "李明", {"bot.py": _bot("li")}),
    HandedIn("Mia Maier", "mia-maier", {"bot.py": _bot("mia"), **_VENV}),
    HandedIn("Nora Nowak", "nora-nowak", {"a.zip": zip_of(*_NORAS.items())}),
    HandedIn("Otto Ohm", "otto-ohm", {"o.zip": zip_of(*_OTTOS.items())}),
    HandedIn("Paul Pohl", "paul-pohl", {"bot.py": _bot("paul").replace(b"\n", b"\r\n")}),
    HandedIn("Quinn Quast", "quinn-quast", {"bot.py": b"print('Hello!')\n"}, "step"),
    HandedIn("Rosa Roth", "rosa-roth", {"bot.py.txt": _bot("rosa")}, "rename it to bot.py"),
    HandedIn("Sami Sommer", "sami-sommer", {"report.pdf": b"%PDF-1.4\n"}, "a PDF"),
    HandedIn("Tina Thal", "tina-thal", {"bot.ipynb": b'{"cells": []}'}, "a notebook"),
    HandedIn("Udo Uhl", "udo-uhl", {"bot.rar": b"Rar!\x1a\x07\0"}, ".zip"),
    HandedIn("Vera Voss", "vera-voss", {"v.zip": zip_of(("../../evil.py", b"x"))}, "out of"),
    HandedIn("Willi Wolf", "willi-wolf", {"bot.py": b"def f(:\n"}, "step"),
)
TAKEN = tuple(one for one in HAND_INS if not one.refused)
FIRST = 4711  # the number that Moodle gives to the first of them


def _moodle_name(number: int, one: HandedIn) -> str:
    return f"{one.person}_{FIRST + number}_assignsubmission_file"


def moodle(target: Path, count: int = len(HAND_INS)) -> list[Path]:
    """Write the first hand-ins as Moodle's folders into a new folder, or as its one archive.

    Args:
        target: the folder; a name that ends with ``.zip`` is written as one archive.
        count: how many.
    """
    people = HAND_INS[:count]
    files = {
        f"{_moodle_name(number, one)}/{name}": content
        for number, one in enumerate(people)
        for name, content in one.files.items()
    }
    if target.suffix == ".zip":
        target.write_bytes(zip_of(*files.items()))
        return [target]
    _write(target, files)
    return [target / _moodle_name(number, one) for number, one in enumerate(people)]


def canvas(target: Path) -> list[Path]:
    """Write those hand-ins that are one file as Canvas does: files in one folder."""
    files = {}
    for number, one in enumerate(HAND_INS):
        if len(one.files) == 1:
            (name, content), *_ = one.files.items()
            last = re.sub(r"[^\w]", "", "".join(reversed(one.person.lower().split())))
            late = "_LATE" if number % 2 else ""
            files[f"{last}{late}_{1000 + number}_{2000 + number}_{name}"] = content
    _write(target, files)
    return sorted(target.iterdir())


def classroom(target: Path) -> list[Path]:
    """Write the hand-ins as GitHub Classroom clones them: ``four-submissions/four-LOGIN``."""
    place = target / "four-submissions"
    for one in HAND_INS:
        login = one.bot if one.bot.isascii() else f"login-{len(one.person)}"
        folder = {".git/HEAD": b"ref: x\n", "README.md": b"# four\n", **one.files}
        _write(place / f"four-{login}", folder)
    return sorted(place.iterdir())


def _write(folder: Path, files: Mapping[str, bytes]) -> None:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
