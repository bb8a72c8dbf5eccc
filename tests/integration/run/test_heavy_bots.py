"""Bots that need more than usual: threads, memory, a long start, packages, a large folder."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from support.arena_command import arena as arena_command
from support.arena_command import output
from support.bot_programs import program

import arena
from arena.record.record import parse_record
from arena.store import open_store
from arena.values.model import Record

LIBRARIES = ("OMP", "OPENBLAS", "MKL", "NUMEXPR")
SAY = f"""
import os
print("info", *[f"{{name.lower()}}={{os.environ[name + '_NUM_THREADS']}}" for name in {LIBRARIES}])
"""


def records_in(home: Path) -> list[Record]:
    """Return the records of the tournaments in a home."""
    with open_store(home, create=False) as store:
        return [parse_record(text) for text in store.matches.texts()]


def said(record: Record, bot: str) -> dict[str, object]:
    """Return what a bot said by ``info`` with its first decision."""
    seats = [player.bot for player in record.players]
    pairs = zip(record.actions, record.decisions, strict=True)
    return dict(next(found.info for (who, _), found in pairs if seats[who] == bot))


@pytest.mark.parametrize("level", ["bwrap", "landlock", "limits", "none"])
@pytest.mark.parametrize("pin", [True, False])
def test_libraries_start_no_more_threads_than_cores(level: str, pin: bool, tmp_path: Path) -> None:
    """The usual variables are the cores of the match, except where the entrant has its own."""
    (tmp_path / "counts.py").write_text(program(asked=SAY))
    bots = [
        {"name": "usual", "run": tmp_path / "counts.py"},
        {"name": "own", "run": tmp_path / "counts.py", "env": {"OMP_NUM_THREADS": "7"}},
    ]
    played = arena.tournament(game="leaves", bots=bots, sandbox=level, pin=pin, workers=1)
    arena.run_tournament(played, tmp_path / "home")
    cores = 1 if pin else min(32, len(os.sched_getaffinity(0)))
    usual = dict.fromkeys(map(str.lower, LIBRARIES), cores)
    for record in records_in(tmp_path / "home"):
        assert said(record, "usual") == usual
        assert said(record, "own") == usual | {"omp": 7}


def folder_of(parent: Path, name: str, more: str = "", **acts: str) -> Path:
    """Write a bot in a folder, with more lines in its ``bot.yaml``."""
    folder = parent / name
    folder.mkdir()
    (folder / "bot.yaml").write_text(f"{{name: {name}, language: python{more}}}")
    (folder / "bot.py").write_text(program(**acts))
    return folder


def file_of(folder: Path, *lines: str) -> Path:
    """Write a tournament of one block between the bot of a folder and another one."""
    path = folder.parent / "cup.yaml"
    path.write_text(
        "\n".join(["name: cup", "game: leaves", f"bots: [{folder.name}/, random]", *lines])
    )
    return path


class TestNeeds:
    """A bot gets the memory and the time to start that it asks for if a person grants them."""

    def test_a_hand_in_that_asks_for_much(self, tmp_path: Path) -> None:
        """It is a row that names the options; with them it is taken, and what it has is real."""
        home, hoard = tmp_path / "home", "held = bytearray(1200 << 20)"
        bot = folder_of(tmp_path, "big", ", needs: {memory: 2GiB, start: 60s}", first=hoard)
        folder_of(tmp_path, "small")
        refused = arena_command(home, "submit", bot, tmp_path / "small", "--json")
        rows = {row["bot"]: row for row in json.loads(refused.stdout)["rows"]}
        assert refused.returncode == 2
        assert rows["small"]["new"]
        assert rows["big"]["version"] is None
        assert "--memory 2GiB" in rows["big"]["refusal"]
        assert "--start 60s" in rows["big"]["refusal"]
        half = arena_command(home, "submit", bot, "--memory", "2GiB")
        assert half.returncode == 2
        assert "--start 60s" in half.stderr
        assert "--memory" not in half.stderr
        assert "version 1" in output(home, "submit", bot, "--memory", "2GiB", "--start", "60s")
        wrong = arena_command(home, "submit", bot, "--memory", "2")
        assert (wrong.returncode, "a size with its unit" in wrong.stderr) == (2, True)

    def test_what_a_bot_asks_for_grants_nothing(self, tmp_path: Path) -> None:
        """Without its needs the same bot is killed at the usual limit, in the check of submit."""
        bot = folder_of(tmp_path, "big", first="held = bytearray(1200 << 20)")
        refused = arena_command(tmp_path / "home", "submit", bot)
        assert refused.returncode == 1
        assert "memory" in refused.stderr

    @pytest.mark.parametrize(
        "grant", [["memory: 2GiB", "clock: {start: 60s}"], [], ["memory: 2GiB"]]
    )
    def test_a_tournament_grants_it_by_its_keys(self, grant: list[str], tmp_path: Path) -> None:
        """Otherwise the run ends with exit code 2, the place, and every key that is missing."""
        bot = folder_of(tmp_path, "big", ", needs: {memory: 2GiB, start: 60s}")
        ran = arena_command(tmp_path / "home", "run", file_of(bot, *grant))
        if len(grant) == 2:
            assert ran.returncode == 0
            return
        assert ran.returncode == 2
        assert "cup.yaml:3:" in ran.stderr
        assert ("memory: 2GiB" in ran.stderr) is not bool(grant)
        assert "clock: {start: 60s}" in ran.stderr

    def test_an_entrants_own_keys_grant_it_to_that_one_alone(self, tmp_path: Path) -> None:
        """Its record says so, and its opponent has what is usual."""
        folder_of(tmp_path, "big", ", needs: {memory: 2GiB, start: 60s}")
        own = {"run": tmp_path / "big", "memory": "2GiB", "clock": {"start": "60s"}}
        played = arena.tournament(game="leaves", bots=[{"name": "big", **own}, "random"])
        arena.run_tournament(played, tmp_path / "home")
        for record in records_in(tmp_path / "home"):
            memory = {player.bot: player.memory_bytes for player in record.players}
            assert memory == {"big": 2 << 30, "random": 1 << 30}

    @pytest.mark.parametrize("grants", [True, False])
    def test_check_and_play_take_the_same_options(self, grants: bool, tmp_path: Path) -> None:
        """Without them each names them; a check fails in its first step."""
        home, bot = tmp_path / "home", folder_of(tmp_path, "big", ", needs: {start: 20s}")
        check = ["check", bot, "connect_four", *["--start", "20s"] * grants]
        play = ["play", "connect_four", bot, "random", *["--clock", "start=20s"] * grants]
        for words, code in ((check, 1), (play, 2)):
            found = arena_command(home, *words)
            assert found.returncode == (0 if grants else code)
            assert ("--start 20s" in found.stdout + found.stderr) is not grants


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
        output(home, "run", file_of(bot, "bot_size: 300MiB"))
        output(home, "verify")
