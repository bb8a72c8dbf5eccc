"""Bytecode beside the Python files that play: made by us of the source, and of nothing else."""

from __future__ import annotations

import stat
import subprocess
import sys
from importlib.util import MAGIC_NUMBER, cache_from_source, source_hash
from pathlib import Path

import pytest
from support.cached import copies_in

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


def caches(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.pyc"))


def test_imports_are_compiled_once(tmp_path: Path) -> None:
    """Each file that can be imported has bytecode that names the hash of its source."""
    source = bot(tmp_path / "oak")
    (source / "deep").mkdir()
    (source / "deep" / "down.py").write_text("x = 1\n")
    folder = played(source)
    names = ["bot.py", "deep/down.py", "helper.py"]
    assert caches(folder) == sorted(cache_from_source(name) for name in names)
    for name in names:
        cache = folder / cache_from_source(name)
        data = cache.read_bytes()
        checked = (3).to_bytes(4, "little")  # by its hash, at each import: PEP 552
        assert data[:8] == MAGIC_NUMBER + checked
        assert data[8:16] == source_hash((folder / name).read_bytes())
        assert stat.S_IMODE(cache.stat().st_mode) == 0o444
        assert stat.S_IMODE(cache.parent.stat().st_mode) == 0o755
    before = cache.stat().st_ino
    assert played(source) == folder
    assert cache.stat().st_ino == before
    assert copies_in(folder.parent) == [folder.name]
    assert not (source / "__pycache__").exists()


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
