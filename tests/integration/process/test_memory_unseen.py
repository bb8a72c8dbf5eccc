"""Memory that is easily missed from outside, as an ordinary user whom no control group helps."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.arena_users import as_user

LOOK = """
import json, os, shutil, sys, tempfile
from arena.process.bot import BotProcess
from arena.process.memory import usage
from arena.sandbox import Task, find_level

how, limit = sys.argv[1], int(sys.argv[2]) << 20
with tempfile.TemporaryDirectory() as folder:
    closed = shutil.copy("/bin/sleep", folder)
    os.chmod(closed, 0o111)
    words = (sys.executable, "-S", sys.argv[3], how, closed)
    bot = BotProcess(find_level("none").launch(Task(words, folder)))
    try:
        os.set_blocking(bot.stdout, True)
        said = b"" if how.startswith("unreadable") else os.read(bot.stdout, 64)
        while True:
            found = usage(bot.tree, limit, 256)
            if said or found.hidden:
                break
        print(json.dumps({"said": said.decode(), **found._asdict()}))
    finally:
        bot.tree.kill()
        bot.kill()
"""
BOT = Path(__file__).parents[1] / "programs" / "unseen.py"
MIB = 1 << 20


def looked_at(how: str, limit_mib: int) -> dict[str, object]:
    run = as_user("user", "-c", LOOK, how, str(limit_mib), str(BOT))
    assert run.returncode == 0, run.stderr
    found: dict[str, object] = json.loads(run.stdout)
    return found


@pytest.mark.parametrize("how", ["leader", "leader-file", "thread-file", "tables"])
def test_memory_of_threads_and_page_tables_counts(how: str) -> None:
    """A bot's memory counts that of all threads, ended ones too, and page tables."""
    found = looked_at(f"{how}=40", 32)
    assert found["said"] == "held\n"
    assert 40 * MIB <= int(str(found["memory_bytes"])) < 80 * MIB
    assert not found["hidden"]


@pytest.mark.parametrize("how", ["undumpable", "unreadable"])
def test_process_with_closed_descriptors_is_found(how: str) -> None:
    """A process whose open files nobody may list is reported as hidden."""
    assert looked_at(f"{how}=1", 32)["hidden"]
