"""Bytecode beside the Python files that play: made by us of the source, and of nothing else."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import cache_from_source
from pathlib import Path

import pytest

from arena.bots.program import describe
from arena.bots.ready import make_ready

pytestmark = pytest.mark.usefixtures("own_cache")


def bot(folder: Path, **others: str) -> Path:
    """Write a bot that imports ``helper``; the names of ``others`` get the suffix .py."""
    folder.mkdir()
    for name, text in {"bot": "import helper", "helper": "WORD = 'source'", **others}.items():
        (folder / f"{name}.py").write_text(f"{text}\n")
    (folder / "bot.yaml").write_text("name: oak\nlanguage: python\n")
    return folder


def played(source: Path) -> Path:
    """Have a bot made ready at the level that isolates least; return where it plays."""
    return Path(make_ready(describe(source), level="none").folder)


def test_handed_in_bytecode_is_not_kept(tmp_path: Path) -> None:
    """A bot's own bytecode says something else than its source: the source plays."""
    source = bot(tmp_path / "oak")
    other = tmp_path / "other.py"
    other.write_text("WORD = 'smuggled'\n")
    place = Path(cache_from_source(str(source / "helper.py")))
    place.parent.mkdir()
    compile_unchecked = (
        "import py_compile, sys; py_compile.compile(sys.argv[1], sys.argv[2],"
        " invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)"
    )
    for target in (place, source / "helper.pyc"):
        command = [sys.executable, "-c", compile_unchecked, str(other), str(target)]
        subprocess.run(command, check=True)
    folder = played(source)
    said = subprocess.run(
        [sys.executable, "-c", "import helper; print(helper.WORD)"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    assert said.stdout == "source\n"
    assert not (folder / "helper.pyc").exists()
