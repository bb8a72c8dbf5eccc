"""Bots that need more than usual: threads, memory, a long start, packages, a large folder."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from support.arena_command import arena as arena_command
from support.arena_command import as_json, messages, output, process, refused, tournament
from support.bot_programs import program
from support.environments import PYTHON, package, venv
from support.finished import records_of
from support.needs import working

import arena
from arena.values.model import Record

pytestmark = pytest.mark.slow

LIBRARIES = ("OMP", "OPENBLAS", "MKL", "NUMEXPR")
SAY = f"""
import os
print("info", *[f"{{name.lower()}}={{os.environ[name + '_NUM_THREADS']}}" for name in {LIBRARIES}])
"""


def said(record: Record, bot: str) -> dict[str, object]:
    """Return the ``info`` values that a bot sent with its first answer."""
    seats = [player.bot for player in record.players]
    pairs = zip(record.actions, record.decisions, strict=True)
    return dict(next(found.info for (who, _), found in pairs if seats[who] == bot))


@pytest.mark.parametrize("level", ["bwrap", "landlock", "limits", "none"])
@pytest.mark.parametrize("pin", [True, False])
def test_libraries_start_no_more_threads_than_cores(level: str, pin: bool, tmp_path: Path) -> None:
    """The usual variables are the cores of the match, except where the entrant has its own."""
    working(level)
    (tmp_path / "counts.py").write_text(program(asked=SAY))
    bots = [
        {"name": "usual", "run": tmp_path / "counts.py"},
        {"name": "own", "run": tmp_path / "counts.py", "env": {"OMP_NUM_THREADS": "7"}},
    ]
    played = arena.tournament(game="leaves", bots=bots, sandbox=level, pin=pin, workers=1)
    arena.run_tournament(played, tmp_path / "home")
    cores = 1 if pin else min(32, len(os.sched_getaffinity(0)))
    usual = dict.fromkeys(map(str.lower, LIBRARIES), cores)
    for record in records_of(tmp_path / "home"):
        assert said(record, "usual") == usual
        assert said(record, "own") == usual | {"omp": 7}


def folder_of(parent: Path, name: str, more: str = "", **acts: str) -> Path:
    """Write a bot in a folder, with more lines in its ``bot.yaml``."""
    folder = parent / name
    folder.mkdir()
    (folder / "bot.yaml").write_text(f"{{name: {name}, language: python{more}}}")
    (folder / "bot.py").write_text(program(**acts))
    return folder


def file_of(folder: Path, **keys: str) -> Path:
    """Write a tournament of one block between the bot of a folder and another one."""
    return tournament(folder.parent, f"[{folder.name}/, random]", **keys)


class TestNeeds:
    """A bot gets the memory and the time to start that it asks for if a person grants them."""

    def test_hand_in_with_large_needs_names_options(self, tmp_path: Path) -> None:
        """A hand-in that needs more than usual is refused with the options, and taken with them."""
        home, hoard = tmp_path / "home", "held = bytearray(1200 << 20)"
        bot = folder_of(tmp_path, "big", ", needs: {memory: 2GiB, start: 60s}", first=hoard)
        folder_of(tmp_path, "small")
        several = as_json(home, "submit", bot, tmp_path / "small", code=1)  # not all were taken
        rows = {row["name"]: row for row in several["rows"]}
        assert rows["small"]["state"] == "taken"
        assert rows["big"]["version"] is None
        assert "--memory 2GiB" in rows["big"]["why"]
        assert "--start 60s" in rows["big"]["why"]
        half = refused(home, "submit", bot, "--memory", "2GiB")
        assert "--start 60s" in half
        assert "--memory" not in half
        assert "version 1" in output(home, "submit", bot, "--memory", "2GiB", "--start", "60s")
        assert "a size with its unit" in refused(home, "submit", bot, "--memory", "2")

    def test_bot_without_needs_is_killed_at_usual_limit(self, tmp_path: Path) -> None:
        """A bot that uses 1.2 GB without stating needs is refused for its memory."""
        bot = folder_of(tmp_path, "big", first="held = bytearray(1200 << 20)")
        assert "memory" in messages(tmp_path / "home", "submit", bot, code=1)

    @pytest.mark.parametrize(
        "grant", [{"memory": "2GiB", "clock": "{start: 60s}"}, {}, {"memory": "2GiB"}]
    )
    def test_tournament_grants_needs_by_its_keys(
        self, grant: dict[str, str], tmp_path: Path
    ) -> None:
        """A bot with needs plays if the file grants them; else every missing key is named."""
        bot = folder_of(tmp_path, "big", ", needs: {memory: 2GiB, start: 60s}")
        ran = arena_command(tmp_path / "home", "run", file_of(bot, **grant))
        if len(grant) == 2:
            assert ran.returncode == 0
            return
        assert ran.returncode == 2
        assert f"cup.yaml:{3 + len(grant)}:" in ran.stderr
        assert ("memory: 2GiB" in ran.stderr) is not bool(grant)
        assert "clock: {start: 60s}" in ran.stderr

    def test_entrants_keys_grant_needs_to_it_alone(self, tmp_path: Path) -> None:
        """Memory granted to one entrant is in its record, and its opponent has the usual limit."""
        folder_of(tmp_path, "big", ", needs: {memory: 2GiB, start: 60s}")
        own = {"run": tmp_path / "big", "memory": "2GiB", "clock": {"start": "60s"}}
        played = arena.tournament(game="leaves", bots=[{"name": "big", **own}, "random"])
        arena.run_tournament(played, tmp_path / "home")
        for record in records_of(tmp_path / "home"):
            memory = {player.bot: player.memory_bytes for player in record.players}
            assert memory == {"big": 2 << 30, "random": 1 << 30}

    @pytest.mark.parametrize("grants", [True, False])
    def test_check_and_play_grant_needs_by_options(self, grants: bool, tmp_path: Path) -> None:
        """``check`` and ``play`` name the options that a bot needs, and accept them."""
        home, bot = tmp_path / "home", folder_of(tmp_path, "big", ", needs: {start: 20s}")
        check = ["check", bot, "connect_four", *["--start", "20s"] * grants]
        play = ["play", "connect_four", bot, "random", *["--clock", "start=20s"] * grants]
        for words, code in ((check, 1), (play, 2)):
            found = arena_command(home, *words)
            assert found.returncode == (0 if grants else code)
            assert ("--start 20s" in found.stdout + found.stderr) is not grants


class TestEnvironments:
    """A bot names a virtual environment of the organiser's list, whose Python starts it."""

    USES = "import numbers_of, sys, engines"
    SAY_VERSION = (
        "try: open(numbers_of.__file__, 'a').close(); changed = 1\n"
        "except OSError: changed = 0\n"
        "print('info', 'v=' + numbers_of.version, f'changed={changed}', 'in=' + sys.prefix)"
    )

    @pytest.mark.parametrize("level", ["bwrap", "landlock", "limits"])
    def test_bot_uses_packages_of_its_environment_read_only(self, level: str, disk: Path) -> None:
        """A bot imports its environment's packages and cannot change them; other bots lack them."""
        working(level)
        place = venv(disk / "site")
        package(place, "numbers_of", "1.5")
        home = disk / "cup" / ".arena"
        output(home, "environments", "add", "numbers", place)
        acts = {"first": self.USES, "asked": self.SAY_VERSION}
        bot = folder_of(disk, "oak", ", environment: numbers", **acts)
        bare = folder_of(disk, "bare", **acts)
        played = arena.tournament(game="leaves", bots=[bot, "random"], sandbox=level)
        arena.run_tournament(played, home)
        packages = "sha256:" + hashlib.sha256(b"numbers_of==1.5\n").hexdigest()
        for record in records_of(home):
            # root owns the environment, and its bots are users of their own
            changed = int(level == "limits" and os.geteuid() != 0)
            assert said(record, str(bot)) == {"v": 1.5, "changed": changed, "in": str(place)}
            found = {player.bot: player.packages for player in record.players}
            assert found == {str(bot): packages, "random": ""}
            assert record.faults == ()
        lacks = arena.tournament(game="leaves", bots=[bare, "random"], sandbox=level)
        arena.run_tournament(lacks, disk / "cup" / "other")
        for record in records_of(disk / "cup" / "other"):
            assert "numbers_of" in record.faults[0].stderr

    def test_changed_packages_are_a_difference(self, disk: Path) -> None:
        """With other packages a run does not go on, and ``reproduce`` says so."""
        place, home = venv(disk / "site"), disk / "cup" / ".arena"
        package(place, "numbers_of", "1")
        output(home, "environments", "add", "numbers", place)
        bot = folder_of(disk, "oak", ", environment: numbers", first=self.USES)
        file = file_of(bot)
        output(home, "run", file)
        match = as_json(home, "matches")["rows"][0]["id"]
        again = as_json(home, "reproduce", match)
        assert (again["identical"], again["other_packages"]) == (True, [])
        package(place, "numbers_of", "2")
        assert "oak/.environment: other packages" in refused(home, "run", file)
        again = as_json(home, "reproduce", match)
        assert (again["identical"], again["other_packages"]) == (True, ["oak/"])
        assert "other packages" in output(home, "reproduce", match)
        output(home, "run", file, "--new")

    @pytest.mark.parametrize(
        ("more", "found"),
        [
            (", environment: torch", 'did you mean "torches"'),
            (", environment: plain", "has no pyvenv.cfg"),
            (", environment: gone", "is not a folder"),
            (", environment: ../home", "cannot be an environment's name"),
            (", environment: /opt/torch", "cannot be an environment's name"),
            (", environment: torches, start: [sh, -c, ./bot.py]", "expected python3"),
            (", environment: torches, start: [/bin/sh, bot.py]", "expected python3"),
        ],
    )
    def test_invalid_environment_is_refused(self, more: str, found: str, disk: Path) -> None:
        """A bot that names no usable environment is refused by ``submit`` and ``run``."""
        home = disk / "cup" / ".arena"
        (disk / "gone").mkdir()
        for name, place in (("torches", venv(disk / "site")), ("gone", disk / "gone")):
            output(home, "environments", "add", name, place)
        (disk / "plain").mkdir()
        output(home, "environments", "add", "plain", disk / "plain")
        (disk / "gone").rmdir()
        bot = folder_of(disk, "oak", more)
        for words in (["submit", bot], ["run", file_of(bot)]):
            assert found in refused(home, *words)

    def test_local_cluster_has_environments_of_home(self, disk: Path) -> None:
        """A local cluster plays bots with the environments of its home."""
        place, home = venv(disk / "site"), disk / "cup" / ".arena"
        package(place, "numbers_of", "1")
        output(home, "environments", "add", "numbers", place)
        bot = folder_of(disk, "oak", ", environment: numbers", first=self.USES)
        done = process(home, "run", file_of(bot), "--cluster", "local:1", "--quiet")
        assert done.returncode == 0, done.stderr
        assert all(
            record.players[0].packages or record.players[1].packages for record in records_of(home)
        )


class TestWhatTheArenaHas:
    """Packages that lie beside the arena are no bot's: none could count on them elsewhere."""

    LOOK = """
import glob, importlib.util, sysconfig
import engines, json, sqlite3, ctypes, multiprocessing
found = [one for one in ("click", "yaml", "arena", "bots") if importlib.util.find_spec(one)]
files = glob.glob(sys.argv[1] + "/*")
exit  # a builtin that the module site makes
"""
    SAY = 'print("info", "found=" + ("+".join(found) or "none"), f"files={len(files)}")'

    @pytest.mark.parametrize("level", ["bwrap", "landlock", "limits", "none"])
    def test_bot_cannot_import_packages_of_arena(self, level: str, tmp_path: Path) -> None:
        """A bot imports the standard library and ``engines``, and none of the arena's packages."""
        working(level)
        (tmp_path / "look.py").write_text(program(first=self.LOOK, asked=self.SAY))
        args = [sysconfig.get_path("purelib")]
        look = {"name": "look", "run": tmp_path / "look.py", "args": args}
        played = arena.tournament(game="leaves", bots=[look, "random"], sandbox=level)
        arena.run_tournament(played, tmp_path / "home")
        for record in records_of(tmp_path / "home"):
            found = said(record, "look")
            assert found["found"] == "none"
            if level in ("bwrap", "landlock") and sys.prefix != sys.base_prefix:
                assert found["files"] == 0

    def test_interpreter_of_arena_cannot_be_named(self, tmp_path: Path) -> None:
        """A hand-in that starts the arena's own interpreter is refused with exit code 2."""
        if sys.prefix == sys.base_prefix:
            pytest.skip("the arena is in no virtual environment")
        bot = folder_of(tmp_path, "thief", f", start: ['{sys.executable}', bot.py]")
        assert "may not start a bot" in refused(tmp_path / "home", "submit", bot)


class TestSize:
    """A bot's folder has 256 MiB, unless a person grants it more."""

    def test_a_larger_folder_is_granted_by_a_key(self, tmp_path: Path) -> None:
        """The same bot is refused without it, and the message names key and option."""
        bot = folder_of(tmp_path, "big")
        with open(bot / "weights", "wb") as file:
            file.truncate((256 << 20) + 1)
        home = tmp_path / "home"
        for words in (["run", file_of(bot)], ["submit", bot], ["check", bot, "leaves"]):
            refused = arena_command(home, *words)
            assert refused.returncode == (1 if words[0] == "check" else 2)
            said = refused.stdout + refused.stderr
            assert "bot_size: SIZE" in said
            assert "--bot-size SIZE" in said
        output(home, "run", file_of(bot, bot_size="300MiB"))
        output(home, "verify")


NETWORK = """
import numpy
weights = numpy.load("weights.npy", mmap_mode=None)
"""
SAY_NETWORK = """
score = float(numpy.dot(weights[:1000], weights[-1000:]))
print("info", f"score={score:g}", f"size={weights.nbytes}")
"""


@pytest.mark.nightly
def test_a_network_of_200_mb_on_numpy_at_bwrap(disk: Path, own_cache: Path) -> None:
    """It is submitted, played and verified; its weights lie once in the home, once in the cache."""
    working("bwrap")
    place, home = venv(disk / "site"), disk / "cup" / ".arena"
    pip = (sys.executable, "-m", "pip", "--python", place / PYTHON, "install", "-q", "numpy")
    done = subprocess.run(pip, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode:
        pytest.skip(f"numpy cannot be had here: {done.stderr.strip().splitlines()[-1:]}")
    output(home, "environments", "add", "numbers", place)
    more = ", environment: numbers, needs: {memory: 2GiB, start: 60s}"
    bot = folder_of(disk, "net", more, first=NETWORK, asked=SAY_NETWORK)
    array = "import numpy; numpy.save('weights.npy', numpy.ones(50_000_000, numpy.float32))"
    subprocess.run([place / PYTHON, "-c", array], cwd=bot, check=True)
    assert "--memory 2GiB" in refused(home, "submit", bot)
    output(home, "submit", bot, "--memory", "2GiB", "--start", "60s")
    keys = {"sandbox": "bwrap", "memory": "2GiB", "clock": "{start: 60s}"}
    output(home, "run", tournament(disk, "[net, random]", **keys))
    output(home, "verify")
    seats = [player for record in records_of(home) for player in record.players]
    (packages,) = {player.packages for player in seats if player.bot == "net"}
    listed = as_json(home, "environments", "list")["rows"]
    assert [row["packages"] for row in listed] == [packages]
    for record in records_of(home):
        assert record.faults == ()
        assert said(record, "net") == {"score": 1000, "size": 200_000_000}
    for kept in (home, own_cache):
        assert len([*kept.rglob("weights.npy")]) == 1
