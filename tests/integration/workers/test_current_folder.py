"""Nothing of the folder that a command is typed in is imported: bots may well lie there."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from support.arena_command import process

pytestmark = pytest.mark.slow

TRAPS = ("random", "json", "logging", "selectors", "signal", "threading", "arena", "engines")
RUN = "run --game leaves --bots random,greedy --rounds 1 --quiet"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with programs that are called as modules are; each tells that it ran."""
    place = tmp_path / "bots"
    place.mkdir()
    for name in TRAPS:
        text = f"open({str(place / name)!r}, 'w').close()\nraise SystemExit('imported {name}')\n"
        (place / f"{name}.py").write_text(text)
    return place


@pytest.mark.parametrize(
    "command",
    [
        f"{RUN} --sandbox none",
        f"{RUN} --cluster local:1",
        "play leaves greedy random --seed 1 --sandbox none",
    ],
)
def test_nothing_of_current_folder_is_imported(command: str, folder: Path, tmp_path: Path) -> None:
    """A run, in its fork server, workers or hosts, and ``play`` import nothing that lies there."""
    script = Path(sys.executable).with_name("arena")  # as ``python -m`` looks there by itself
    done = process(tmp_path / "home", *command.split(), start=[script], cwd=folder)
    imported = [name for name in TRAPS if (folder / name).exists()]
    assert (done.returncode, imported) == (0, []), done.stderr
