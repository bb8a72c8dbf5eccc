"""Virtual environments that bots may be started by, in folders such as an organiser has."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from support.bot_programs import program

PYTHON = "bin/python3"
# which files of a pattern a bot can read
READS = """\
import glob
said = []
for path in glob.glob({pattern!r}):
    try:
        said.append(open(path).read().strip())
    except OSError:
        pass
"""
ANSWERS = 'print("log", said)\nprint("play", actions[0], flush=True)'


@contextlib.contextmanager
def on_disk() -> Iterator[Path]:
    """Yield a folder on a disk that all users can enter; ``tmp_path`` may lie in memory."""
    with tempfile.TemporaryDirectory(prefix="arena-test-", dir="/var/tmp") as name:
        Path(name).chmod(0o755)
        yield Path(name).resolve()


def venv(folder: Path) -> Path:
    """Make a virtual environment whose Python is a link to this one's, and a file beside it."""
    words = (sys.executable, "-m", "venv", "--without-pip", "--symlinks", folder)
    subprocess.run(words, check=True)
    assert (folder / PYTHON).is_symlink()
    (folder / "conf").mkdir()
    (folder / "conf" / "settings").write_text("DB_PASSWORD=hunter2\n")
    return folder


def package(place: Path, name: str, version: str) -> None:
    """Install a package of one line, its version, into a virtual environment."""
    (site,) = place.glob("lib/python3*/site-packages")
    (site / f"{name}.py").write_text(f"version = {version!r}\n")
    for old in site.glob(f"{name}-*.dist-info"):
        shutil.rmtree(old)
    distribution(site, name, version)


def distribution(site: Path, name: str, version: str = "1.0", games: str = "") -> Path:
    """Write what a wheel says of itself; ``games``: its entry points, a line each."""
    info = site / f"{name.replace('-', '_')}-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    (info / "entry_points.txt").write_text(f"[engines.games]\n{games}" if games else "")
    return info


def bot(folder: Path, start: object, pattern: object = "", environment: str = "") -> Path:
    """Write a bot that is started by a program, and reports in its log what it can read."""
    folder.mkdir()
    text = f"{{name: {folder.name}, language: python, start: ['{start}', bot.py]"
    text += f", environment: {environment}}}" if environment else "}"
    (folder / "bot.yaml").write_text(text)
    text = program(first=READS.format(pattern=str(pattern)), answer=ANSWERS)
    (folder / "bot.py").write_text(text)
    return folder
