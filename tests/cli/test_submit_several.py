"""Several bots submitted at once: what is printed of each, and when the command is stopped."""

from __future__ import annotations

import json
import signal
import subprocess
from pathlib import Path

import pytest
from support.arena_command import ARENA, arena, environment
from support.bot_files import write
from support.bot_programs import program
from support.piped import Piped
from support.running import plays
from support.waiting import is_gone, until

from arena.machine.procfs import descendants
from arena.store import open_store

pytestmark = pytest.mark.slow

SILENT = "import time\ntime.sleep(1000)\n"


@pytest.mark.parametrize("option", [(), ("--json",)], ids=["table", "json"])
def test_interrupted_submit_prints_what_was_taken(option: tuple[str, ...], tmp_path: Path) -> None:
    """``submit`` stopped by Ctrl-C prints the bots taken so far, exit code 130."""
    home = tmp_path / "home"
    paths = [write(tmp_path / "oak.py", program()), write(tmp_path / "elm.py", SILENT)]
    texts = tmp_path / "texts"  # each is written once its bot is kept
    command = [*ARENA, "submit", *paths, "--allow-unsafe", *option, "--feedback", texts]
    process = Piped(command, env=environment(home), stderr=subprocess.PIPE)
    until(lambda: plays(process.pid, "elm.py") and (texts / "oak.txt").exists())
    below = [*descendants(process.pid)]
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, out + err
    if option:
        assert [row["name"] for row in json.loads(out)["rows"]] == ["oak"]
    else:
        assert "submitted" in out
    assert "Traceback" not in err
    with open_store(home, create=False) as store:
        assert [row.name for row in store.bots.all()] == ["oak"]
    until(lambda: all(map(is_gone, below)))


def test_refused_bots_are_told_the_cause_and_what_helps(tmp_path: Path) -> None:
    """The table names the error, the text for a person how to fix it, and no folder of ours."""
    (tmp_path / "syntax.py").write_text("if x = 1:\n    pass\n")
    write(tmp_path / "oak" / "bot.yaml", "{name: oak, start: [./oak], build: [sh, ./build.sh]}")
    (tmp_path / "oak" / "build.sh").write_text("echo oak.c:1:9: error: nothing >&2; exit 1")
    (tmp_path / "two").mkdir()
    for name in ("bot.py", "main.py"):
        (tmp_path / "two" / name).write_text(program())
    paths = [tmp_path / name for name in ("syntax.py", "oak", "two")]
    texts = tmp_path / "texts"
    done = arena(tmp_path / "home", "submit", *paths, "--feedback", texts, "--allow-unsafe")
    table = {
        path.name: line for path in paths for line in done.stdout.splitlines() if str(path) in line
    }
    assert "SyntaxError" in table["syntax.py"]
    assert "nothing" in table["oak"]
    for name in ("syntax", "oak"):
        assert "How to fix it" in (texts / f"{name}.txt").read_text()
    assert str(tmp_path) not in (texts / "two.txt").read_text()


def test_refusal_as_json_is_the_same_for_one_bot(tmp_path: Path) -> None:
    """A refused bot is the same JSON row alone and among several."""
    (tmp_path / "notes.txt").write_text("no bot")
    paths = [tmp_path / "notes.txt", tmp_path / "absent.py"]
    both = arena(tmp_path / "home", "submit", *paths, "--json")
    rows = json.loads(both.stdout)["rows"]
    assert [row["version"] for row in rows] == [None, None]
    for path, row in zip(paths, rows, strict=True):
        one = arena(tmp_path / "home", "submit", path, "--json")
        assert json.loads(one.stdout) == {"rows": [row]}
        assert (one.returncode, row["why"] in one.stderr) == (both.returncode, True)
