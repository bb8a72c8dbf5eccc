"""A kept bot reads its last line before it plays again, or it has ended."""

from __future__ import annotations

import os
import signal
import sys
import threading
from pathlib import Path

import pytest

from arena.process.bot import BotProcess
from arena.sandbox import Task, find_level

LEAVES = "input(); print('read', flush=True); input()"


@pytest.mark.usefixtures("no_process_left")
def test_bot_without_cpu_has_longer_to_end(tmp_path: Path) -> None:
    """A kept bot that got no CPU, and ends at its last line, is found ended."""
    words = (sys.executable, "-I", "-S", "-c", LEAVES)
    bot = BotProcess(find_level("none").launch(Task(words, str(tmp_path))))
    try:
        os.set_blocking(bot.stdout, True)
        bot.write(b"first\n")
        assert os.read(bot.stdout, 64) == b"read\n"
        os.set_blocking(bot.stdout, False)
        os.kill(bot.pid, signal.SIGSTOP)  # as on a machine that is busy with others
        bot.write(b"end\n")
        later = threading.Timer(0.2, os.kill, (bot.pid, signal.SIGCONT))
        later.start()
        bot.settle(50)
        later.join()
        assert bot.has_exited()
    finally:
        bot.kill()
