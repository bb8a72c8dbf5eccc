"""Nothing is lost: whatever is killed, and however many workers there are, the end is the same."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.arena_command import ROOT, arena, output
from support.running import Running

from arena.match.record import without_times

TOURNAMENT = """\
name: kill
game: leaves
rounds: {rounds}
seed: 3
bots:
  - random
  - random-awk
  - {{name: crasher, run: {root}/tests/integration/bots/scripted.py, args: [crash, "3"]}}
  - {{name: cheat, run: {root}/tests/integration/bots/scripted.py, args: [illegal, "5"]}}
clock: {{move: 10s, first: 10s}}
opening: {{plies: 1}}
"""


def export(home: Path) -> list[str]:
    return [without_times(line) for line in output(home, "export").splitlines()]


def board(home: Path) -> str:
    return output(home, "leaderboard", "--json") + output(home, "leaderboard", "--crosstable")


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("kill") / "kill.yaml"
    path.write_text(TOURNAMENT.format(rounds=2, root=ROOT))
    return path


@pytest.fixture(scope="module")
def undisturbed(file: Path) -> Path:
    """Return the home of a run with one worker that nobody disturbed."""
    home = file.parent / "undisturbed"
    output(home, "run", file, "--workers", 1)
    return home


@pytest.mark.slow
def test_workers_change_nothing(file: Path, undisturbed: Path) -> None:
    """One worker and several give the same records, times aside, and the same leaderboard."""
    home = file.parent / "workers"
    output(home, "run", file, "--workers", 4)
    assert export(home) == export(undisturbed)
    assert board(home) == board(undisturbed)


def test_killed_run_ends_the_same(file: Path, undisturbed: Path) -> None:
    """A run killed with SIGKILL again and again, and started again, ends as if undisturbed."""
    home = file.parent / "killed"
    ends = list(killed_at_random(home, file, random.Random(4)))
    assert ends.count(-signal.SIGKILL) >= 2
    assert export(home) == export(undisturbed)
    assert board(home) == board(undisturbed)
    assert output(home, "verify").endswith("all right\n")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_killed_run_many_times(file: Path, undisturbed: Path, seed: int) -> None:
    """The same with other instants, killing the whole process group, or the runner alone."""
    home = file.parent / f"killed{seed}"
    for _ in killed_at_random(home, file, random.Random(seed), whole_group=bool(seed % 2)):
        pass
    assert export(home) == export(undisturbed)
    assert board(home) == board(undisturbed)


def killed_at_random(
    home: Path, file: Path, rng: random.Random, *, whole_group: bool = True
) -> Iterator[int]:
    """Start the run until it ends by itself, each time killing it a while after it began to play.

    Yields how each ended.

    The instant is set by how many matches are stored, and a part of a match's time.
    """
    shutil.rmtree(home, ignore_errors=True)
    for attempt in range(40):
        run = Running(home, "run", file, "--workers", 2, "--verbose")
        if attempt < 4:
            with contextlib.suppress(AssertionError):  # it may come to its end
                run.until(times=rng.randrange(1, 5))  # so many matches are stored first
            with contextlib.suppress(subprocess.TimeoutExpired):  # a moment of a match
                run.process.wait(rng.random() * 0.15)
            if run.process.poll() is None:
                if whole_group:
                    os.killpg(run.process.pid, signal.SIGKILL)
                else:
                    run.process.kill()
        code = run.wait()
        yield code
        if code == 0:
            return
    raise AssertionError("the run did not come to its end")


def test_second_runner_is_refused(file: Path, tmp_path: Path) -> None:
    """While one runner is at a tournament a second one is refused with the first's pid."""
    slow = tmp_path / "slow.yaml"
    slow.write_text(TOURNAMENT.format(rounds=200, root=ROOT))
    home = tmp_path / "home"
    run = Running(home, "run", slow, "--verbose")
    run.until()
    done = arena(home, "run", slow)
    assert done.returncode == 2
    assert str(run.process.pid) in done.stderr
    run.process.send_signal(signal.SIGINT)
    assert run.end() == 130
    assert f"Go on with: arena run {slow}" in run.said
    assert output(home, "verify").endswith("all right\n")


@pytest.mark.slow
def test_bot_that_writes_beside_itself(tmp_path: Path) -> None:
    """A bot that leaves files in its folder does not stop its tournament from going on."""
    bot = tmp_path / "writer.py"
    text = (ROOT / "bots/random_python/bot.py").read_text()
    bot.write_text(
        text.replace("import random\n", "import random\nopen('notes', 'a').write('x')\n")
    )
    file = tmp_path / "t.yaml"
    file.write_text(
        "name: t\ngame: leaves\nsandbox: none\nbots: [random, {name: writer, run: writer.py}]\n"
    )
    home = tmp_path / "home"
    first = output(home, "run", file)
    assert list(home.glob("bots/_run/*/notes"))
    assert output(home, "run", file) == first
    output(home, "run", file, "--new")


@pytest.mark.slow
def test_long_books_and_long_logs(tmp_path: Path) -> None:
    """Jobs and results larger than a pipe pass one another, and every setup of a book is used."""
    bot = tmp_path / "chatty.py"
    text = (ROOT / "bots/random_python/bot.py").read_text()
    bot.write_text(
        text.replace(
            '        print("play"', "        sys.stderr.write('x' * 90_000)\n        print(\"play\""
        )
    )
    setups = ["#/#/#/#/# 0 10,10 1 *", ".#./###/.#. 0 10,10 1 *"] * 6000
    (tmp_path / "book.txt").write_text("\n".join(setups) + "\n")
    file = tmp_path / "t.yaml"
    file.write_text(
        "name: t\ngame: leaves\nrounds: 4\nopening: {file: book.txt}\nworkers: 2\n"
        "bots:\n  - {name: a, run: chatty.py}\n"
        f"  - {{name: b, run: chatty.py, args: [{'y' * 50_000}]}}\n"
    )
    home = tmp_path / "home"
    output(home, "run", file)
    starts = [
        without_times(line).split('"setup":"')[1][:3]
        for line in output(home, "export").splitlines()
    ]
    assert starts == ["#/#", "#/#", ".#.", ".#."] * 2
    assert len(list((home / "logs" / "t").iterdir())) == 16


def test_impossible_opening(tmp_path: Path) -> None:
    """An opening that would end every game is refused before anything is played."""
    file = tmp_path / "t.yaml"
    file.write_text("name: t\ngame: leaves\nopening: {plies: 30}\nbots: [random, greedy]\n")
    done = arena(tmp_path / "home", "run", file)
    assert done.returncode == 2
    assert "no random opening of 30 plies" in done.stderr


@pytest.mark.parametrize("mode", ["talk", "exit"])
def test_kept_processes_change_nothing(tmp_path: Path, mode: str) -> None:
    """With ``reuse``, what a bot does after the end of a game costs it nothing in the next one."""
    bot = tmp_path / "after.py"
    action = 'print("Game over!", flush=True)' if mode == "talk" else "break"
    text = (ROOT / "bots/random_python/bot.py").read_text()
    bot.write_text(
        text.replace(
            'elif verb == "quit":',
            f'elif verb == "end":\n        {action}\n    elif verb == "quit":',
        )
    )
    file = tmp_path / "t.yaml"
    file.write_text(
        "name: t\ngame: leaves\nrounds: 8\nprocesses: reuse\nworkers: 2\n"
        "bots: [random, {name: after, run: after.py}]\n"
    )
    home = tmp_path / "home"
    output(home, "run", file)
    assert output(home, "leaderboard", "--json").count('"faults":{}') == 2
