"""Trusted bots that are unable to play for a while: outages, rests, and runs killed in one."""

from __future__ import annotations

import json
import os
import re
import signal
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from support.arena_command import as_json, messages, output, process
from support.bot_programs import program
from support.drawn_runs import FOR_EVER, DrawnFates, run, stored
from support.finished import records_of
from support.needs import working
from support.running import Running
from support.waiting import words_of

from arena.machine.procfs import descendants
from arena.progress import rests
from arena.results.standings import read_leaderboard
from arena.run.runner import run_tournament
from arena.store import open_store
from arena.tournament.parse import read_tournament
from arena.values.model import BotEntry, Stop, Tournament
from arena.values.tables import LeaderboardRow, UnableRow

pytestmark = pytest.mark.slow

# its first starts are unable: at the first decision, and every other one at the second;
# and every start while there is a file `down`
COUNTED = """
folder, times = sys.argv[1], int(sys.argv[2])
def started():
    for number in range(1000):
        try:
            os.close(os.open(f"{folder}/start{number}", os.O_CREAT | os.O_EXCL))
            return number
        except FileExistsError:
            pass
number = started()
"""
FAILS = """
if os.path.exists(f"{folder}/down") or number < times and int(decision) == 1 + number % 2:
    print("unable HTTP 503 from the server", flush=True)
    continue
"""
Keys = Mapping[str, object]
OTHERS, MATCHES = ("first", "second"), 12


def write(
    folder: Path, times: int = 0, key: str = "ask", gpt: Keys | None = None, **keys: object
) -> Path:
    """Write the file of a tournament of two and ``gpt``, whose first starts are unable."""
    folder.mkdir(exist_ok=True)
    (folder / "gpt.py").write_text(program(first=COUNTED, asked=FAILS))
    (folder / "other.py").write_text(program())
    bots: list[object] = [{"name": name, "run": "other.py", "args": [name]} for name in OTHERS]
    args = [str(folder), str(times)]
    bots.append({"name": "gpt", key: "gpt.py", "args": args, **(gpt or {})})
    file = folder / "t.yaml"
    usual = {"name": "t", "game": "leaves", "rounds": 2, "seed": 7, "workers": 1, "sandbox": "none"}
    file.write_text(json.dumps({**usual, "bots": bots, **keys}))
    return file


def facts(home: Path) -> list[object]:
    """Return what of all matches does not depend on the time."""
    return [
        (one.id, one.seed, one.setup, one.actions, one.ranks, [seat.seed for seat in one.players])
        for one in records_of(home)
    ]


def rows(home: Path) -> list[LeaderboardRow]:
    """Return the table without times, and without who was unable."""
    none = UnableRow()
    return [
        row._replace(mean_ms=None, used_ms=0.0, unable=none) for row in read_leaderboard(home).rows
    ]


def unable(home: Path) -> dict[str, UnableRow]:
    return {row.bot: row.unable for row in read_leaderboard(home).rows}


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rests that take milliseconds."""
    monkeypatch.setattr(rests, "FIRST_PAUSE", 0.01)


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The home of a tournament in which nobody was unable."""
    folder = tmp_path_factory.mktemp("calm")
    run_tournament(read_tournament(write(folder)), folder / "home")
    assert set(unable(folder / "home").values()) == {UnableRow()}
    return folder / "home"


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize(("workers", "more"), [(1, {}), (3, {}), (3, {"at_once": 1})])
def test_outage_changes_no_result(workers: int, more: Keys, calm: Path, tmp_path: Path) -> None:
    """After an outage every match is played from its first decision, and the table is the same."""
    home = tmp_path / "home"
    file = write(tmp_path, times=4, workers=workers, gpt=more)
    summary = run_tournament(read_tournament(file), home)
    assert (summary.played, summary.undecided, summary.unable) == (MATCHES, [], {})
    assert facts(home) == facts(calm)
    assert rows(home) == rows(calm)
    with open_store(home, create=False) as store:
        assert store.matches.count_void(1) == 0  # none of it was an attempt
    found = unable(home)
    gpt = found.pop("gpt")
    assert 1 <= gpt.interrupted <= 2  # twice, be it in one match
    assert gpt.interrupted <= gpt.matches <= 4
    assert set(found.values()) == {UnableRow()}
    for words in (["verify", "t"], ["verify", "--ratings", "t"]):
        output(home, *words)


@pytest.mark.usefixtures("quick")
def test_unable_bot_is_shown_in_table(tmp_path: Path) -> None:
    """A bot unable in over a tenth of its matches has a line below the table."""
    home = tmp_path / "home"
    run_tournament(read_tournament(write(tmp_path, times=2, rounds=1)), home)
    shown = as_json(home, "leaderboard")["rows"]
    none, once = ({"matches": n, "interrupted": n} for n in (0, 1))
    found = {row["bot"]: row["unable"] for row in shown}
    # the same match twice, once after an answer
    assert found == {"first": none, "second": none, "gpt": once}
    text = output(home, "leaderboard", "--columns", "bot,unable")
    assert "matches 1, interrupted 1" in text
    assert "gpt was unable to play on in 1 match" in text
    csv = output(home, "leaderboard", "--columns", "bot,unable", "--format", "csv")
    assert "gpt,matches:1 interrupted:1" in csv
    assert as_json(home, "leaderboard", "--game", "leaves")["rows"] == shown
    other = tmp_path / "many/home"  # one interrupted match of 20 is not named
    run_tournament(read_tournament(write(tmp_path / "many", times=2, rounds=5)), other)
    assert unable(other)["gpt"].interrupted == 1
    assert "unable" not in output(other, "leaderboard")


def test_unable_of_isolated_bot_is_crash(tmp_path: Path) -> None:
    """An isolated bot that says ``unable`` has crashed."""
    file = write(tmp_path, key="run", rounds=1)
    (tmp_path / "down").touch()
    summary = run_tournament(read_tournament(file), tmp_path / "home")
    assert summary.played == 6
    faults = {row.bot: row.faults for row in read_leaderboard(tmp_path / "home").rows}
    assert faults == {"gpt": {"crash": 4}, "first": {}, "second": {}}


def test_run_ends_once_unable_for_is_over(tmp_path: Path) -> None:
    """With a bot unable for too long, the rest is played, then exit code 3 names both ways on."""
    home, file = tmp_path / "home", write(tmp_path, unable_for="0s")
    (tmp_path / "down").touch()
    assert messages(home, "run", file, "--dry-run").count("gpt is unable") == 1
    said = messages(home, "run", file, code=3)
    assert re.search(r"gpt, unable since \d\d:\d\d \(HTTP 503", said)
    assert "same command" in said
    assert "without: [gpt]" in said
    assert len(records_of(home)) == 4
    (shown,) = as_json(home, "tournaments")["rows"]
    assert shown["state"] == "unfinished"
    output(home, "run", write(tmp_path, without=["gpt"]))
    assert len(records_of(home)) == 4
    (tmp_path / "down").unlink()
    output(home, "run", write(tmp_path))
    assert len(records_of(home)) == MATCHES


def test_secret_in_reason_of_unable_is_hidden(tmp_path: Path) -> None:
    """A secret in the text of ``unable`` is shown by its name."""
    working("bwrap")
    file = write(tmp_path, unable_for="0s", sandbox="bwrap", gpt={"secrets": ["API_KEY"]})
    says = 'print("unable 401 for", os.environ["API_KEY"], flush=True)\ncontinue'
    (tmp_path / "gpt.py").write_text(program(asked=says))
    home = tmp_path / "home"
    ended = process(home, "run", file, "--verbose", API_KEY="sk-0123456789")
    assert ended.returncode == 3, ended.stderr
    assert "401 for [API_KEY]" in ended.stderr
    assert "sk-0123456789" not in ended.stdout + ended.stderr
    assert not any(b"sk-0123456789" in one.read_bytes() for one in home.rglob("*") if one.is_file())


def waits(folder: Path, workers: int = 1) -> Running:
    """Start a run that waits for ``gpt``, as all others have played."""
    (folder / "down").touch()
    running = Running(folder / "home", "run", write(folder, workers=workers))
    running.until("waiting for gpt")
    return running


@pytest.mark.parametrize("workers", [1, 2])
def test_run_killed_in_a_rest_loses_nothing(workers: int, calm: Path, tmp_path: Path) -> None:
    """A run killed while a bot rests goes on: nothing is lost, played twice or counted anew."""
    waits(tmp_path, workers=workers).kill()
    before = unable(tmp_path / "home")["gpt"]
    assert before.matches >= 1
    (tmp_path / "down").unlink()
    output(tmp_path / "home", "run", tmp_path / "t.yaml")
    assert facts(tmp_path / "home") == facts(calm)
    assert rows(tmp_path / "home") == rows(calm)
    assert unable(tmp_path / "home")["gpt"] == before


def test_a_worker_that_is_killed_in_a_rest(calm: Path, tmp_path: Path) -> None:
    """Another takes its place, and nothing is lost."""
    running = waits(tmp_path, workers=2)
    for pid in descendants(running.process.pid):
        if b"forkserver" in words_of(pid):
            os.kill(pid, signal.SIGKILL)
    (tmp_path / "down").unlink()
    assert running.end() == 0, running.said
    assert facts(tmp_path / "home") == facts(calm)


def test_ctrl_c_in_a_rest(tmp_path: Path) -> None:
    """Ctrl-C ends a run that waits for a bot, with exit code 130."""
    running = waits(tmp_path)
    assert running.stopped() == 130


def test_unable_bot_beside_cluster_waits(tmp_path: Path) -> None:
    """With ``--cluster`` matches of an unable bot wait on this machine, hosts play the others."""
    home, file = tmp_path / "home", write(tmp_path, unable_for="4s", workers=2, gpt={"at_once": 1})
    (tmp_path / "down").touch()
    ended = process(home, "run", file, "--cluster", "local:1")
    assert ended.returncode == 3, ended.stderr
    assert "without: [gpt]" in ended.stderr
    assert len(records_of(home)) == MATCHES // 3
    assert len(list(tmp_path.glob("start*"))) <= 4  # at 0, 1, 3 and 4 s
    (tmp_path / "down").unlink()
    assert process(home, "run", file, "--cluster", "local:1").returncode == 0
    assert len(records_of(home)) == MATCHES


# what others play meanwhile; only the workers are not real

BOTS = tuple(BotEntry(f"b{number}", ref="random") for number in range(4))
OPEN = Tournament("open", ("leaves",), BOTS, seed=7, workers=2)
TEST = Stop(sprt=(0.0, 300.0, 0.2, 0.2))
FORMATS = {
    "round-robin": replace(OPEN, rounds=3),
    "swiss": replace(OPEN, format="swiss", rounds=3),
    "knockout": replace(OPEN, format="knockout"),
    "ladder": replace(OPEN, format="ladder", rounds=3, stop=Stop(sigma=4.0)),
    "compare": replace(OPEN, format="compare", bots=BOTS[:2], rounds=50, workers=1, stop=TEST),
}


@pytest.mark.parametrize("format_", [*FORMATS])
def test_every_format_goes_on_after_an_outage(format_: str, tmp_path: Path) -> None:
    """An outage that ends a run, and a later run: the rounds, the stop and the table of no outage.

    Meanwhile all that is planned is played but what needs the one that is unable.
    """
    of = FORMATS[format_]
    run(of, tmp_path / "calm", DrawnFates(Random(0)), [])
    home = tmp_path / "rough"
    down = DrawnFates(Random(0), unable={"b0": FOR_EVER})
    summary = run(replace(of, unable_for_ms=9000), home, down, [])
    assert [*summary.unable] == ["b0"]
    with open_store(home, create=False) as store:
        played = [row.entrants for row in store.matches.read(None)]
    assert all("b0" not in names for names in played)
    others = {"round-robin": 18, "swiss": 2, "knockout": 2, "compare": 0}
    assert len(played) == others.get(format_, len(played))
    summary = run(of, home, DrawnFates(Random(1)), [])
    assert (summary.unable, summary.undecided) == ({}, [])
    assert stored(home) == stored(tmp_path / "calm")
    assert rows(home) == rows(tmp_path / "calm")


@pytest.mark.parametrize("workers", [1, 3])
def test_run_with_stop_plays_not_far_past_waiting_match(workers: int, tmp_path: Path) -> None:
    """With a ``stop``, at most four matches a worker are played past the first that waits."""
    of = replace(OPEN, rounds=30, workers=workers, unable_for_ms=9000, stop=Stop(matches=300))
    down = DrawnFates(Random(0), unable={"b3": FOR_EVER})
    assert [*run(of, tmp_path, down, []).unable] == ["b3"]
    with open_store(tmp_path, create=False) as store:
        numbers = [row.number for row in store.matches.read(None)]
    first = next(number for number in range(300) if number not in numbers)
    past = [number for number in numbers if number > first]
    assert 0 < len(past) <= 4 * workers
    assert run(of, tmp_path, DrawnFates(Random(0)), []).undecided == []
    with open_store(tmp_path, create=False) as store:
        assert store.matches.count(1) == 300
