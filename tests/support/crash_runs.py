"""Tournaments that are disturbed at a crash point, run on, and held against undisturbed ones."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from support.arena_command import ROOT, arena, environment, output, submitted, tournament
from support.crash_points import ARMED, EXIT_CODE
from support.made_once import made_once
from support.running import SECONDS, Running
from support.timeless import without_times
from support.waiting import marked, stays, until

from arena.record.record import without_seed
from arena.report.leaderboard_text import leaderboard_text
from arena.results.standings import read_leaderboard
from arena.store import open_store

GONE_SECONDS = 20.0  # for what a killed run leaves behind to end


Written = Callable[[Path], Path]


def _file(bots: str = "random, random-sh", **keys: object) -> Written:
    """Return a function that writes a tournament file into a folder, without keys that are None."""
    known = {"name": "crash", "rounds": 2, "seed": 3, "workers": 2, **keys}
    return lambda folder: tournament(folder, f"[{bots}]", **known)


PLAIN = _file()
DEAD = "raise SystemExit(3)\n"
# without isolation its parent is the worker
KILLER = """\
import os, signal
with open(f"/proc/{os.getppid()}/stat") as launcher:
    worker = int(launcher.read().rpartition(")")[2].split()[1])
os.kill(worker, signal.SIGKILL)
"""
PLAYER = (ROOT / "bots/kit/python/bot.py").read_text()


class Scenario(NamedTuple):
    """What is done in a home, and how it ends undisturbed.

    Attributes:
        prepare: makes what is there before, and returns the command's words; gets the folder that
            the files are in, and the home in it.
        code: the exit code of the undisturbed command.
    """

    prepare: Callable[[Path, Path], Sequence[str]]
    code: int = 0


def _running(
    written: Written, *options: str, before: Written | None = None, **files: str
) -> Scenario:
    """Run a tournament file; ``before``: after another one was run to its end."""

    def prepare(folder: Path, home: Path) -> Sequence[str]:
        for name, content in files.items():
            (folder / f"{name}.py").write_text(content)
        if before is not None:
            output(home, "run", before(folder))
        return ("run", str(written(folder)), "--verbose", *options)

    return Scenario(prepare, 3 if "killer" in files else 0)


def _newer(written: Written, *options: str) -> Scenario:
    """Run a tournament file, submit one of its bots again, and run it again, as it plays on."""

    def prepare(folder: Path, home: Path) -> Sequence[str]:
        file, bot = written(folder), folder / "player.py"
        bot.write_text(PLAYER)
        submitted(home, bot, "player")
        output(home, "run", file)
        bot.write_text(f"{PLAYER}# newer\n")
        submitted(home, bot, "player")
        return ("run", str(file), "--verbose", *options)

    return Scenario(prepare)


def _submitting(folder: Path, home: Path) -> Sequence[str]:
    (folder / "player.py").write_text(PLAYER)
    return ("submit", str(folder / "player.py"), "--name", "player", "--allow-unsafe")


SCENARIOS = {
    "plain": _running(PLAIN),
    "alone": _running(_file(workers=1)),
    "durable": _running(PLAIN, "--durability", "full"),
    "secret": _running(_file(seed=None)),
    "swiss": _running(
        _file(
            "random, random-sh, {name: second, bot: random}, {name: third, bot: random-sh}",
            format="swiss",
        )
    ),
    "extended": _running(_file(rounds=4), "--extend", before=PLAIN),
    "suspended": _running(
        _file("random, random-sh, {name: dead, run: dead.py}", max_faults=2, sandbox="none"),
        dead=DEAD,
    ),
    "ladder": _newer(  # whose version plays in the next batch
        _file(
            "random-sh, player",
            format="ladder",
            rounds=1,
            sandbox="none",
            opening="{plies: 2}",
        )
    ),
    "upgraded": _newer(_file("player, random, random-sh"), "--upgrade", "player"),
    "compared": _running(
        _file("greedy, random-sh", rounds=40, format="compare", stop="{sprt: {elo0: 0, elo1: 400}}")
    ),
    "poisoned": _running(
        _file(
            "random, random-sh, {name: killer, run: killer.py}", rounds=1, workers=1, sandbox="none"
        ),
        killer=KILLER,
    ),
    "submit": Scenario(_submitting),
}


class Case(NamedTuple):
    """Which crossing of a crash point in which scenario, and what can happen there.

    ``codes`` has the exit code of the disturbed command for each kind of fault; ``nightly``, for
    those that are not tried every time.
    """

    crossing: str
    scenario: str
    codes: Mapping[str, int]
    nightly: Mapping[str, int] = {}

    @property
    def point(self) -> str:
        return self.crossing.partition(" ")[0]


KILL, EXIT, HANG = {"kill9": -signal.SIGKILL}, {"exit": EXIT_CODE}, {"hang": 128 + signal.SIGTERM}
# a write that there is no room for is tried again; where the disk fails, the arena has failed
FULL, FAILS = {"enospc": 0}, {"eio": 3}
NO_ROOM = {"enospc": 3}  # before a match was played nothing but the store is waited for

RUNNER = (
    Case("made", "plain", KILL, FULL | FAILS),
    Case("tables", "plain", KILL, HANG | FULL | FAILS),
    Case("copied of bot random-sh", "plain", KILL, NO_ROOM | EXIT | HANG | FAILS),
    Case("rename of bot random", "plain", {}, KILL | NO_ROOM),
    Case("rename of bot random-sh", "plain", KILL, HANG | FAILS),
    Case("renamed of bot random", "plain", KILL, EXIT),
    Case("rename of bot player", "submit", {}, KILL | HANG | FAILS),
    Case("submit of bot player", "submit", KILL, EXIT | HANG),
    Case("seed of tournament 1", "plain", KILL, HANG | FULL | FAILS),
    Case("extend of tournament 1", "extended", KILL, HANG | FULL | FAILS),
    Case("upgrade of tournament 1", "upgraded", KILL, HANG | FULL | FAILS),
    Case("stored of match 4", "upgraded", {}, KILL),
    Case("round of round 1", "swiss", KILL, HANG | FULL | FAILS),
    Case("round of round 1", "ladder", {}, KILL | HANG | FULL | FAILS),
    Case("worker 2 of tournament 1", "plain", KILL, EXIT | HANG),
    Case("job of match 1", "plain", KILL, EXIT | HANG),
    Case("result of match 1", "plain", KILL | EXIT, HANG),
    Case("record of match 1", "plain", KILL, EXIT | HANG | FULL | FAILS),
    Case("said of match 1", "suspended", KILL, HANG),
    Case("tally 2 of tournament 1", "plain", KILL, FULL | FAILS),
    Case("commit 2 after tally", "plain", KILL | HANG | FAILS | FULL),
    Case("commit 2 after tally", "durable", {}, KILL | FULL),
    Case("commit 4 after tally", "swiss", {}, KILL),
    Case("committed 2 after tally", "plain", KILL, HANG),
    Case("committed 4 after tally", "swiss", {}, KILL),
    Case("stored of match 1", "plain", KILL, EXIT | HANG),
    Case("stored of match 4", "compared", {}, KILL),
    Case("void 2 of match 3", "poisoned", KILL, EXIT | HANG),
    Case("undecided of match 3", "poisoned", KILL, HANG | FAILS),
    Case("suspend of tournament 1", "suspended", KILL, HANG | FULL | FAILS),
    Case("stop of tournament 1", "compared", KILL, HANG | FULL | FAILS),
    Case("cache of tournament 1", "plain", KILL, {"eio": 0} | HANG | FULL),
    Case("end of tournament 1", "plain", KILL, EXIT | HANG),
)
# the seed of this tournament is secret: the same cannot be played undisturbed before
SECRET_RUNS = (
    Case("seed of tournament 1", "secret", KILL),
    Case("committed after seed", "secret", KILL),
    Case("end of tournament 1", "secret", {}, KILL),
)
# what happens in a worker costs a match that is played again
AGAIN, WORKER_EXIT, WORKER_FAILS = {"kill9": 0}, {"exit": 0}, {"eio": 0}
WORKER = (
    Case("taken of match 2", "plain", AGAIN, WORKER_EXIT | WORKER_FAILS),
    Case("spawn 2 of match 0", "plain", AGAIN | {"enospc": 0}, WORKER_EXIT | WORKER_FAILS),
    Case("spawned 2 of match 0", "plain", AGAIN, WORKER_EXIT | WORKER_FAILS),
    # there it is the command itself
    Case("spawned 3 of match 0", "submit", {}, KILL | EXIT | HANG),
    Case("hello of match 1", "plain", AGAIN, WORKER_EXIT),
    Case("ready of match 2", "plain", AGAIN, WORKER_EXIT),
    Case("message 2 of match 1", "plain", AGAIN, WORKER_EXIT | WORKER_FAILS),
    Case("message 2 of match 4", "swiss", {}, AGAIN | WORKER_EXIT),
    Case("answer 10 of match 1", "plain", AGAIN, WORKER_EXIT),
    Case("goodbye of match 1", "plain", AGAIN, WORKER_EXIT),
    Case("ended of match 1", "plain", AGAIN, WORKER_EXIT),
    Case("hand-over of match 1", "plain", AGAIN, WORKER_FAILS | WORKER_EXIT),
    Case("handed-over of match 0", "plain", AGAIN, WORKER_EXIT | WORKER_FAILS),
    # of the first four bots that one worker starts, two are of the match to come
    Case("taken of match 1", "alone", {}, AGAIN | WORKER_EXIT | WORKER_FAILS),
    Case("spawn of match 1", "alone", {"enospc": 0}, AGAIN | WORKER_FAILS),
    Case("spawn 2 of match 1", "alone", {}, AGAIN | {"enospc": 0}),
    Case("spawned of match 1", "alone", {}, WORKER_FAILS | WORKER_EXIT),
    Case("spawned 2 of match 1", "alone", {}, AGAIN | WORKER_EXIT | WORKER_FAILS),
    Case("message 5 of match 0", "alone", {}, AGAIN | WORKER_EXIT | WORKER_FAILS),
    Case("goodbye of match 0", "alone", {}, AGAIN | WORKER_EXIT),
    Case("hand-over of match 0", "alone", {}, AGAIN | WORKER_EXIT | WORKER_FAILS),
)
# taking a tournament away, three matches at a time
REMOVAL = (
    Case("removal of tournament 1", "plain", KILL, FULL | FAILS),
    Case("removing of tournament 1", "plain", {}, KILL | FAILS),
    Case("removing 2 of tournament 1", "plain", KILL, HANG | FULL | FAILS),
    Case("remove of tournament 1", "plain", KILL, FULL | FAILS),
)
# removing two copies of bots that nothing names
PRUNE = (Case("aside", "submit", KILL, EXIT | HANG), Case("aside 2", "submit", {}, KILL))
# removing a submitted bot with its program
FORGET = (
    Case("forget of bot player", "submit", KILL, EXIT | HANG | FULL | FAILS),
    Case("aside", "submit", {}, KILL),
)
# taking in a bundle, three matches at a time
IMPORT = (
    Case("carried of tournament 1", "plain", KILL, FULL | FAILS),
    Case("carried of tournament 1", "swiss", {}, KILL | FULL | FAILS),
    Case("renamed 2 of bot random-sh", "plain", KILL, EXIT),
    Case("seed of tournament 1", "swiss", KILL, FULL | FAILS),
    Case("record of match 1", "ladder", {}, KILL | FULL | FAILS),
    Case("committed after carried", "swiss", {}, KILL),
    Case("committed after carried", "ladder", KILL),
)


def params(table: Sequence[Case]) -> list[object]:
    """Return a case, a kind of fault and the exit code for each test, slow or nightly."""
    return [
        pytest.param(case, kind, code, id=f"{case.scenario}-{case.crossing}-{kind}", marks=mark)
        for case in table
        for codes, mark in ((case.codes, pytest.mark.slow), (case.nightly, pytest.mark.nightly))
        for kind, code in codes.items()
    ]


class Ended(NamedTuple):
    """How a command ended, and what it wrote to stderr."""

    code: int
    err: str


class Outcome(NamedTuple):
    """What is in a home at the end; ``exported`` and ``board`` are without times and seeds."""

    exported: list[str]
    board: str
    undecided: list[str]
    bots: list[tuple[str, int, str]]


def struck(log: Path) -> list[str]:
    """Return the faults that have happened, by the log of all crossings."""
    lines = log.read_text().splitlines() if log.exists() else []
    return [line[2:].partition("\t")[0] for line in lines if line.startswith("! ")]


def disturbed(
    home: Path, words: Sequence[str], fault: str, log: Path, *, code: str = "", stop: bool = True
) -> Ended:
    """Run a command with a fault, to its end; one that hangs is ended by SIGTERM, if ``stop``.

    The fault must have happened, and nothing of the run may be left.
    """
    env = {"ARENA_FAULT": fault, "ARENA_FAULT_LOG": str(log)}
    env["PYTHONPATH"] = os.pathsep.join((ARMED, environment(home)["PYTHONPATH"]))
    run = Running(home, *words, code=code, **env)
    if fault.endswith(":hang") and stop:
        until(lambda: fault in struck(log) or run.process.poll() is not None, SECONDS)
        run.process.send_signal(signal.SIGTERM)
    status = run.wait()
    assert fault in struck(log), f"{fault} was not reached\n{run.said}"
    assert left_over(home) == []
    assert "Traceback" not in run.said, run.said
    return Ended(status, run.said)


def left_over(home: Path) -> list[str]:
    """Return the command lines of processes of a home that do not end within some seconds."""
    return [*stays(lambda: marked(os.fsencode(home)), GONE_SECONDS).values()]


def acknowledged(err: str) -> set[str]:
    """Return the ids of the matches that a verbose run said were played."""
    return set(re.findall(r"^\d+/\d+ ([0-9a-f]{16}) .* by (?!void$)\w+$", err, re.MULTILINE))


def stored(home: Path) -> list[str]:
    """Return the ids of the matches in a home, as often as they are there."""
    with open_store(home, create=False) as store:
        return [row.id for row in store.matches.read(None)]


def at_end(home: Path) -> Outcome:
    """Return what is in a home, which must hold together."""
    with open_store(home, create=False) as store:
        assert not store.check()
        editions = store.tournaments.all()
        exported = [without_seed(without_times(text)) for text in store.matches.texts()]
        undecided = [
            match.id for edition in editions for match in store.matches.undecided(edition.id)
        ]
        bots = [(row.name, row.version, row.hash) for row in store.bots.all()]
    board = leaderboard_text(read_leaderboard(home), "json") if editions else ""
    return Outcome(exported, board, undecided, bots)


def with_seed(folder: Path, home: Path, seed: str) -> Outcome:
    """Return what comes of the secret tournament where its seed stands in its file."""
    output(home, "run", _file(seed=seed)(folder))
    return at_end(home)


def played_on(scenario: Scenario, home: Path, words: Sequence[str]) -> str:
    """Run a scenario's command, here and undisturbed; return what it wrote to stderr."""
    done = arena(home, *words)
    assert done.returncode == scenario.code, done.stderr
    return done.stderr


@cache
def undisturbed(name: str, folder: Path) -> Outcome:
    """Return what comes of a scenario that nobody disturbs; played once in a folder."""
    scenario = SCENARIOS[name]

    def play(place: Path) -> None:
        played_on(scenario, place / "home", scenario.prepare(place, place / "home"))

    return at_end(made_once(folder / f"undisturbed-{name}", play) / "home")
