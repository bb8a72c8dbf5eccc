"""Whatever starts a bot's programs watches their memory: ``check``, ``submit`` and builds."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from support.bot_programs import program
from support.cached import copies_in
from support.needs import working
from support.told import told

from arena.check import StepState, check_bot
from arena.check.submit import submit
from arena.isolation.confined import run_build
from arena.sandbox.cgroups.own_group import find_home
from arena.values.errors import ArenaError
from arena.values.model import BotEntry

pytestmark = pytest.mark.usefixtures("no_process_left")

MIB = 1 << 20
LIMIT = 192 * MIB
REASON = "held more than its 192 MiB of memory"
ATE = "3 GiB are taken"  # what a program says that nobody has stopped

# takes 3 GiB within some seconds
EATS = f"""\
held = []
while len(held) < 48:
    held.append(b"x" * (64 << 20))
    time.sleep(0.04)
print("{ATE}", file=sys.stderr, flush=True)
"""

# without a group of the kernel's, and with one; every level is tried in tests/hostile
WAYS = pytest.mark.parametrize(
    ("level", "grouped"), [("none", False), pytest.param("bwrap", True, marks=pytest.mark.slow)]
)


def prepare(level: str, grouped: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have bots run at a level, with a group that limits memory or without any."""
    working(level)
    if not grouped:
        monkeypatch.setattr("arena.session.launch.take_group", lambda *_: None)
    elif (home := find_home()) is None or "memory" not in home.controllers:
        pytest.skip("control groups that limit memory are not given to this user")


def eater(folder: Path, when: str) -> Path:
    """Write a bot that takes 3 GiB."""
    folder.chmod(0o755)
    path = folder / "eater.py"
    path.write_text(program(**{when: EATS}))
    return path


@WAYS
def test_check_of_bot_over_memory_fails(
    level: str, grouped: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot over its memory before it is ready fails that step, with the reason."""
    prepare(level, grouped, monkeypatch)
    entry = BotEntry("eater", run=str(eater(tmp_path, "first")), memory_bytes=LIMIT)
    report = check_bot(entry, tmp_path / "home", game="leaves", sandbox=level)
    [failed] = [step for step in report.steps if step.finding.verdict is StepState.FAILED]
    assert failed.name == "hello"
    assert failed.finding.detail.startswith("memory")
    assert REASON in failed.finding.detail
    assert "memory" in failed.finding.remedy
    assert ATE not in failed.finding.stderr


@WAYS
def test_build_over_memory_is_stopped(
    level: str, grouped: bool, tmp_path: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A build over its memory is stopped, and its bot refused with the reason."""
    prepare(level, grouped, monkeypatch)
    monkeypatch.setattr(sys.modules["arena.check.submit"], "level_for", lambda *_, **__: level)
    monkeypatch.setattr("arena.isolation.confined.MEMORY_BYTES", LIMIT)
    bot = tmp_path / "bot"
    bot.mkdir()
    eater(bot, "first")
    python = "[python3, -S, eater.py]"
    (bot / "bot.yaml").write_text(f"{{name: oak, start: {python}, build: {python}}}")
    said = told(ArenaError, submit, bot, "oak", tmp_path / "home")
    assert "the build" in said
    assert REASON in said
    assert ATE not in said
    assert not copies_in(own_cache)


def test_empty_files_of_a_build(tmp_path: Path) -> None:
    """A build that fills a folder in memory with empty files is stopped as bots are."""
    working("bwrap")
    makes = "for k in itertools.count(): open(f'/tmp/{k}', 'w').close()"
    (tmp_path / "build.py").write_text(f"import itertools\n{makes}\n")
    tmp_path.chmod(0o755)
    trial = run_build((sys.executable, "-S", "build.py"), tmp_path, 20, "bwrap")
    assert "files in memory" in trial.stopped
    assert trial.code is None
