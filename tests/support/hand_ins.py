"""25 hand-ins as a learning platform gives them: folders named after people, with all oddities."""

from __future__ import annotations

import csv
import io
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from support.bot_programs import program

__all__ = ["HAND_INS", "HandedIn", "make_hand_ins", "own_word"]

SUFFIX = "assignsubmission_file"
CRASH = 'if decision == "3" and len(actions) % 2: raise ValueError("MARK: no move")'
ILLEGAL = 'print("play", "nowhere" if decision == "4" else actions[0], decision, flush=True)'
LAST = 'print("play", actions[-1], decision, flush=True)'
MIDDLE = 'print("play", actions[len(actions) // 2], decision, flush=True)'
HOSTILE = 'print("MARK</pre><script>alert(1)</script>", file=sys.stderr)'
SHELL = """\
#!/bin/sh
# MARK
while read -r verb first rest; do
  case $verb in
    hello) echo "ready want=legal" ;;
    legal) action=$first ;;
    go) echo "play $action $first" ;;
    quit) exit ;;
  esac
done
"""


class HandedIn(NamedTuple):
    """What a student handed in.

    Attributes:
        person: as the platform writes the name.
        name: what a bot of that person is called.
        group: of the person.
        files: by their paths, an archive by its name with the files in it as a mapping.
        works: whether there is a bot in it.
    """

    person: str
    name: str
    group: str
    files: Mapping[str, object]
    works: bool = True


def own_word(name: str) -> str:
    """Return a word that stands in the program of this bot alone, and that it may write."""
    return f"word-of-{name}."


def _python(**acts: str) -> str:
    return f"# MARK\n{program(**acts)}"


HAND_INS = (
    HandedIn("Ada Adler", "ada-adler", "A", {"bot.py": _python()}),
    HandedIn("Bernd Bär", "bernd-baer", "A", {"abgabe.zip": {"bot.py": _python(answer=LAST)}}),
    HandedIn(
        "Carla Costa",
        "carla-costa",
        "A",
        {"c.zip": {"README.md": "mine", "LICENSE": "MIT", "mein bot/bot.py": _python()}},
    ),
    HandedIn("David Dorn", "david-dorn", "B", {"Exercise 1 (final).py": _python(answer=MIDDLE)}),
    HandedIn("Emil Ernst", "emil-ernst", "B", {"bot.py": _python(answer=LAST)}),
    HandedIn(
        "Fatima Faris",
        "fatima-faris",
        "B",
        {
            "bot.py": f"import helper\n{_python(answer=MIDDLE)}",
            "helper.py": "X = 1\n",
            "__pycache__/helper.cpython-311.pyc": "old",
            ".DS_Store": "x",
        },
    ),
    HandedIn(
        "Greta Groß",
        "greta-gross",
        "C",
        {"g.zip": {"Bot/bot.py": _python(), "__MACOSX/Bot/._bot.py": "x", "Bot/.DS_Store": "x"}},
    ),
    HandedIn("Hugo Hahn", "hugo-hahn", "C", {"bot.sh": SHELL}),
    HandedIn("Иван Иванов", "иван-иванов", "C", {"bot.py": _python(answer=LAST)}),
    HandedIn("李 小龙", "李-小龙", "D", {"bot.py": _python(answer=MIDDLE)}),
    HandedIn("Karl Kraus", "karl-kraus", "D", {"bot.ipynb": '{"cells": []}'}, works=False),
    HandedIn("Lena Lang", "lena-lang", "D", {"bot.pdf": "%PDF-1.4 "}, works=False),
    HandedIn("Mia Moser", "mia-moser", "E", {"bot.rar": "Rar!\x1a\x07"}, works=False),
    HandedIn("Nils Nord", "nils-nord", "E", {"bot.py.txt": _python()}, works=False),
    HandedIn(
        "Olga Orlow",
        "olga-orlow",
        "E",
        {
            "bot.py": _python(),
            ".venv/pyvenv.cfg": "home = /usr/bin\n",
            ".venv/lib/site.py": "raise SystemExit\n",
        },
    ),
    HandedIn("Paul Smith", "paul-smith", "F", {"bot.py": "\ufeff" + _python()}),
    HandedIn("Quirin Quast", "quirin-quast", "F", {"bot.py": 'print("Hello!")\n'}, works=False),
    HandedIn("Rosa Roth", "rosa-roth", "F", {"bot.py": _python(asked=HOSTILE)}),
    HandedIn("Sven Schulz", "sven-schulz", "G", {"bot.py": _python(asked=CRASH)}),
    HandedIn("Tina Thal", "tina-thal", "G", {"bot.py": _python(answer=ILLEGAL)}),
    HandedIn("Uwe Unruh", "uwe-unruh", "G", {"bot.tar.gz": {"bot.py": _python(answer=LAST)}}),
    HandedIn("Vera Voss", "vera-voss", "H", {"main.py": _python(asked=HOSTILE)}),
    HandedIn("Willi Wolf", "willi-wolf", "H", {"sub/inner/bot.py": _python()}),
    HandedIn("Xenia =1+1", "xenia-1-1", "H", {"bot.py": _python(asked=HOSTILE)}),
    HandedIn("Yves Yilmaz", "yves-yilmaz", "=H", {"bot.py": _python(answer=MIDDLE)}),
)


def make_hand_ins(folder: Path) -> list[Path]:
    """Write all hand-ins below a folder, each as a folder of its own; return these."""
    made = []
    for number, one in enumerate(HAND_INS, start=4711):
        place = folder / f"{one.person}_{number}_{SUFFIX}"
        _write(place, one.files, own_word(one.name))
        made.append(place)
    return made


def write_names(file: Path) -> None:
    """Write who is who, as ``arena submit --names`` reads it."""
    with file.open("w", newline="", encoding="utf-8") as out:
        rows = csv.writer(out)
        rows.writerow(["pattern", "name", "person", "group"])
        rows.writerows([f"{one.person}_*", one.name, one.person, one.group] for one in HAND_INS)


def _write(folder: Path, files: Mapping[str, object], word: str) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, Mapping):
            path.write_bytes(_packed(name, content, word))
        else:
            path.write_text(str(content).replace("MARK", word), encoding="utf-8")


def _packed(name: str, files: Mapping[str, object], word: str) -> bytes:
    data = io.BytesIO()
    texts = {path: str(text).replace("MARK", word).encode() for path, text in files.items()}
    if name.endswith(".zip"):
        with zipfile.ZipFile(data, "w") as archive:
            for path, text in texts.items():
                archive.writestr(path, text)
        return data.getvalue()
    with tarfile.open(fileobj=data, mode="w:gz") as tar:
        for path, text in texts.items():
            info = tarfile.TarInfo(path)
            info.size = len(text)
            tar.addfile(info, io.BytesIO(text))
    return data.getvalue()
