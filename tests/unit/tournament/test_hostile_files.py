"""Files that nobody wrote in good faith are answered at once, and cost next to nothing."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from support.hostile_files import MANIFESTS, TOURNAMENTS
from support.ran import PYTHON, ran

from arena.tournament.parse import read_tournament

CPU_S = 5  # the dearest takes 0.7 s on a quiet machine, and over 2 s on a slow one with other work
MEMORY = 100_000_000

pytestmark = pytest.mark.slow

# reads every file with a limit of its own on time, and on memory beyond what was there before
READER = """
import json, math, resource, sys
from pathlib import Path
from arena.values.errors import ArenaError
from arena.bots.bot_yaml import parse_manifest
from arena.tournament.parse import parse_tournament, read_tournament

def limit(what, value):
    resource.setrlimit(what, (value, resource.getrlimit(what)[1]))

parse_tournament("name: t\\ngame: leaves\\nbots: [a, b]\\n", "f", Path())
for path in map(Path, sys.argv[3:]):
    used = resource.getrusage(resource.RUSAGE_SELF)
    limit(resource.RLIMIT_CPU, math.ceil(used.ru_utime + used.ru_stime) + int(sys.argv[1]))
    limit(resource.RLIMIT_AS, int(Path("/proc/self/statm").read_text().split()[0]) * 4096
          + int(sys.argv[2]))
    try:
        if path.name.startswith("bot-"):
            parse_manifest(path.read_bytes(), str(path))
        else:
            read_tournament(path)
    except ArenaError as error:
        print(json.dumps([path.name, str(error)]), flush=True)
"""


def write(folder: Path, name: str, content: str | bytes) -> Path:
    """Write a file of the corpus."""
    path = folder / f"{name.replace(' ', '-')}.yaml"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def answers(folder: Path) -> Mapping[str, str]:
    """Return what is told of each file that was refused, by its name; in the order they were read.

    The kernel ends the reader where one file takes more than five seconds of CPU time, or more
    than 100 MB of memory.
    """
    for number in range(1000):  # near names are looked for among those beside a missing file
        (folder / f"filename{number}").touch()
    paths = [write(folder, name, make()) for name, (make, _) in TOURNAMENTS.items()]
    paths += [write(folder, f"bot-{name}", make()) for name, (make, _) in MANIFESTS.items()]
    done = ran(PYTHON, "-c", READER, CPU_S, MEMORY, *paths)
    told = dict(map(json.loads, done.stdout.splitlines()))
    last = next((path.name for path in paths if path.name not in told), None)
    assert done.returncode == 0, f"ended at {last}: {done.returncode}\n{done.stderr[-2000:]}"
    assert last is None, f"{last} was accepted"
    return {name: told_of.replace(f"{folder}/", "") for name, told_of in told.items()}


def test_a_hostile_file_is_refused_with_a_sentence(tmp_path: Path) -> None:
    """Each is told with file, line and key, on printable lines, and not at length."""
    told = answers(tmp_path)
    expected = {name: words for name, (_, words) in TOURNAMENTS.items()}
    expected |= {f"bot-{name}": words for name, (_, words) in MANIFESTS.items()}
    for name, words in expected.items():
        file = f"{name.replace(' ', '-')}.yaml"
        lines = told[file].split("\n")
        assert words in told[file], file
        assert all(line.isprintable() and line.startswith(f"{file}:") for line in lines), lines
        assert len(lines) <= (1 if name.startswith("bot-") else 51), file


def test_many_bots_are_planned_lazily(tmp_path: Path) -> None:
    """19,000 bots make 361 million matches, which are counted and not listed."""
    text = "name: t\ngame: leaves\nbots: [" + ",".join(f"b{n}" for n in range(19_000)) + "]\n"
    assert len(read_tournament(write(tmp_path, "t", text)).bots) == 19_000
