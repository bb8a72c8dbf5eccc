"""Bytecode beside the snapshots of Python bots: made by us of the source, and of nothing else."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from importlib.util import MAGIC_NUMBER, cache_from_source, source_hash
from pathlib import Path

import pytest

from arena.bots.confined import BuildOutcome
from arena.bots.program import Program, describe
from arena.bots.ready import make_ready
from arena.bots.snapshots import open_snapshot, snapshot


def bot(folder: Path, **others: str) -> Path:
    """Write a bot that imports ``helper``; the names of ``others`` get the suffix .py."""
    folder.mkdir()
    for name, text in {"bot": "import helper", "helper": "WORD = 'source'", **others}.items():
        (folder / f"{name}.py").write_text(f"{text}\n")
    (folder / "bot.yaml").write_text("name: oak\nlanguage: python\n")
    return folder


def kept(source: Path, home: Path) -> Program:
    """Snapshot a bot and have it made ready at the level that isolates least: nothing is run."""
    program = snapshot(source, home)
    make_ready(program, home, level="none")
    return program


def caches(program: Program) -> list[str]:
    return sorted(
        path.relative_to(program.folder).as_posix() for path in program.folder.rglob("*.pyc")
    )


def test_imports_are_compiled_once(tmp_path: Path) -> None:
    """Each file that can be imported has bytecode that names the hash of its source."""
    source = bot(tmp_path / "oak")
    (source / "deep").mkdir()
    (source / "deep" / "down.py").write_text("x = 1\n")
    program = kept(source, tmp_path / "home")
    names = ["bot.py", "deep/down.py", "helper.py"]
    assert caches(program) == sorted(cache_from_source(name) for name in names)
    for name in names:
        cache = program.folder / cache_from_source(name)
        data = cache.read_bytes()
        checked = (3).to_bytes(4, "little")  # by its hash, at each import: PEP 552
        assert data[:8] == MAGIC_NUMBER + checked
        assert data[8:16] == source_hash((program.folder / name).read_bytes())
        assert stat.S_IMODE(cache.stat().st_mode) == 0o444
        assert stat.S_IMODE(cache.parent.stat().st_mode) == 0o755
    before = cache.stat().st_ino
    make_ready(program, tmp_path / "home", level="none")
    assert cache.stat().st_ino == before
    assert sorted(os.listdir(program.folder.parent)) == sorted(
        [program.folder.name, f"{program.folder.name}.files"]
    )


def test_who_a_bot_is_does_not_change(tmp_path: Path) -> None:
    """Its hash is that of its source, with bytecode beside it and without."""
    source = bot(tmp_path / "oak")
    program = kept(source, tmp_path / "home")
    assert caches(program)
    assert program.hash == describe(source).hash
    assert open_snapshot(program.folder, program.hash, "oak").hash == program.hash


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
    program = kept(source, tmp_path / "home")
    said = subprocess.run(
        [sys.executable, "-c", "import helper; print(helper.WORD)"],
        cwd=program.folder,
        capture_output=True,
        text=True,
        check=True,
    )
    assert said.stdout == "source\n"
    assert not (program.folder / "helper.pyc").exists()


def test_nothing_of_the_bot_is_run(tmp_path: Path) -> None:
    """It does not even matter what its files are called: the compiler imports its own."""
    witness = tmp_path / "witness"
    evil = f"import pathlib; pathlib.Path({str(witness)!r}).write_text('')"
    names = ("compileall", "py_compile", "sitecustomize", "usercustomize", "os", "struct")
    program = kept(bot(tmp_path / "oak", **dict.fromkeys(names, evil)), tmp_path / "home")
    assert len(caches(program)) == 2 + len(names)
    assert not witness.exists()


@pytest.mark.parametrize(
    "text", ["print 'old'", "\0", "(" * 100_000, "-" * 1_000_000 + "1"], ids=lambda text: text[:4]
)
def test_what_cannot_be_compiled(tmp_path: Path, text: str) -> None:
    """A file that is no Python, or kills the compiler, is no reason to refuse the bot."""
    program = kept(bot(tmp_path / "oak", broken=text), tmp_path / "home")
    assert cache_from_source("broken.py") not in caches(program)
    assert make_ready(program, tmp_path / "home", level="none").folder == str(program.folder)


def test_what_takes_too_long_is_not_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One file that the compiler cannot finish costs no start but the first."""
    tries: list[Path] = []

    def endless(command: object, folder: Path, *_: object) -> BuildOutcome:
        tries.append(folder)
        return BuildOutcome(None, b"")

    monkeypatch.setattr("arena.bots.bytecode.run_build", endless)
    program = kept(bot(tmp_path / "oak"), tmp_path / "home")
    make_ready(program, tmp_path / "home", level="none")
    assert (len(tries), caches(program)) == (1, [])


def test_a_single_file_is_not_compiled(tmp_path: Path) -> None:
    """Python compiles what it is started with each time; there is nothing else here."""
    (tmp_path / "oak.py").write_text("pass\n")
    assert caches(kept(tmp_path / "oak.py", tmp_path / "home")) == []


def test_where_a_bot_lies_itself_nothing_is_written(tmp_path: Path) -> None:
    """Only snapshots get bytecode: the folder that somebody works in is not ours."""
    source = bot(tmp_path / "oak")
    make_ready(describe(source), tmp_path / "home", level="none")
    assert not (source / "__pycache__").exists()
