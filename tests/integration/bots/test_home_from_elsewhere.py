"""A home that somebody else made: nothing of what its maker put there runs, overwrites or hangs."""

from __future__ import annotations

import importlib.util
import shutil
from importlib._bootstrap_external import _code_to_hash_pyc  # type: ignore[attr-defined]
from pathlib import Path

import pytest
from support.arena_command import arena, process, tournament
from support.bot_files import write
from support.cached import copies_in
from support.needs import tool

pytestmark = pytest.mark.slow


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A tournament of bundled bots, one of which is built, and of a bot named by its path."""
    tool("cc")
    write(tmp_path / "oak/bot.py", "import helper, random, runpy\n")
    write(tmp_path / "oak/helper.py", "import json\n")
    return tournament(tmp_path, "[random-c, greedy, {name: oak, run: oak}]", opening="{plies: 2}")


def lay_traps(home: Path, witness: Path) -> None:
    """Put beside every snapshot, and where things were built, what would write to a file."""
    evil = f"open({str(witness)!r}, 'a').write(__file__)\n"
    program = f"#!/bin/sh\necho built >> '{witness}'\nexec cat\n"
    snapshots = [*home.glob("bots/*/*/")]
    assert len(snapshots) == 3
    for folder in snapshots:
        for name in ("random", "json", "sitecustomize"):  # modules that bots import
            (folder / f"{name}.py").write_text(evil)
        for source in folder.glob("*.py"):
            cached = Path(importlib.util.cache_from_source(str(source)))
            cached.parent.mkdir(exist_ok=True)
            # it names the hash of the honest source, so that Python believes it
            right = importlib.util.source_hash(source.read_bytes())
            code = compile(evil, str(source), "exec")
            cached.unlink(missing_ok=True)
            cached.write_bytes(_code_to_hash_pyc(code, right, True))
        built = home / "builds" / folder.name
        for made in (folder / "bot", built / "bot"):
            made.unlink(missing_ok=True)
            write(made, program, 0o755)


def test_planted_files_in_home_do_not_run(file: Path, tmp_path: Path, own_cache: Path) -> None:
    """Of a home from elsewhere only programs with the right hash are run.

    A file beside them makes another program; bytecode is nobody's, and is not copied.
    """
    home, witness = tmp_path / "home", tmp_path / "witness"
    words = ("run", file, "--sandbox", "none", "--allow-unsafe", "--workers", 1, "--quiet")
    made = process(home, *words)
    assert made.returncode == 0, made.stderr
    for left in home.glob("arena.db*"):
        left.unlink()
    for copy in copies_in(own_cache):
        shutil.rmtree(own_cache / copy)
    lay_traps(home, witness)
    tmp_path.chmod(0o777)  # so that root's bots could write there
    tried = process(home, *words)
    assert tried.returncode == 2, tried.stderr
    assert tried.stderr.count("was changed") == 3, tried.stderr
    for name in ("random.py", "json.py", "sitecustomize.py", "bot"):
        for added in home.glob(f"bots/*/*/{name}"):
            added.unlink()
    tried = process(home, *words)  # among the bytecode that is left
    assert tried.returncode == 0, tried.stderr
    assert not witness.exists(), witness.read_text()
    assert len(copies_in(own_cache)) == 3


def test_planted_program_would_run(tmp_path: Path, file: Path, own_cache: Path) -> None:
    """The traps of the test above work: a copy in the user's own cache is believed."""
    home, witness = tmp_path / "home", tmp_path / "witness"
    arena(home, "run", file, "--sandbox", "none", "--workers", 1, "--quiet")
    for built in own_cache.glob("*/bot"):
        built.chmod(0o755)
        built.write_text(f"#!/bin/sh\necho built >> '{witness}'\nexit 3\n")
    arena(home, "run", file, "--new", "--sandbox", "none", "--workers", 1, "--quiet")
    assert witness.exists()
