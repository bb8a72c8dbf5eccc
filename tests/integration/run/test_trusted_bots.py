"""Trusted bots (``ask``): they run with your own rights, beside opponents that stay isolated."""

from __future__ import annotations

import json
import os
import socket
from dataclasses import replace
from pathlib import Path

import pytest
from support.arena_command import as_json, messages, output, process, refused
from support.bot_files import write
from support.bot_programs import program
from support.finished import records_of
from support.needs import root, working
from support.slowly import nightly
from support.waiting import words_of

import arena
from arena.bots.program import describe
from arena.machine.procfs import pids
from arena.record.record import format_record, parse_record
from arena.values.model import BotEntry

pytestmark = pytest.mark.slow

LOOK = """
import socket
import subprocess
def tried(what):
    try:
        what()
        return "yes"
    except OSError:
        return "no"
port = int(sys.argv[1])
seen = tried(lambda: open(sys.argv[2]).close())
net = tried(lambda: socket.create_connection(("127.0.0.1", port), 2).close())
cores = len(os.sched_getaffinity(0))
"""
SAY = 'print(f"info seen={seen} net={net} cores={cores}", flush=True)'


@pytest.mark.parametrize("level", ["bwrap", "landlock"])
def test_only_trusted_bot_has_your_rights(level: str, tmp_path: Path) -> None:
    """A trusted bot reaches your file and a port of this machine; its opponent reaches neither."""
    working(level)
    mine = write(tmp_path / "mine.txt", "mine")
    bot = write(tmp_path / "look.py", program(first=LOOK, asked=SAY))
    with socket.create_server(("127.0.0.1", 0)) as server:
        args = [str(server.getsockname()[1]), str(mine)]
        asker = {"name": "asker", "ask": bot, "args": args}
        bots = [asker, {"name": "closed", "run": bot, "args": args}]
        played = arena.tournament(game="leaves", bots=bots, sandbox=level)
        arena.run_tournament(played, tmp_path / "home")
    records = records_of(tmp_path / "home")
    assert len(records) == 2
    for record in records:
        assert record.sandbox == level
        levels = {player.bot: player.sandbox for player in record.players}
        assert levels == {"asker": "ask", "closed": ""}
        assert parse_record(format_record(record)) == record
        for (seat, _), decision in zip(record.actions, record.decisions, strict=True):
            said, asks = dict(decision.info), record.players[seat].bot == "asker"
            assert [said["seen"], said["net"]] == ["yes" if asks else "no"] * 2
            assert not asks or said["cores"] == len(os.sched_getaffinity(0))


def write_file(folder: Path, **keys: object) -> Path:
    """Write the file of a tournament in which ``asker`` asks, and its program."""
    (folder / "asker.py").write_text(program(first="", asked='open(sys.argv[1], "a").write("x")'))
    (folder / "seen").touch()
    bots = [{"name": "asker", "ask": "asker.py", "args": [str(folder / "seen")]}, "greedy"]
    file = folder / "t.yaml"
    file.write_text(json.dumps({"name": "t", "game": "leaves", "bots": bots, **keys}))
    return file


def test_trusted_bot_is_named_before_start(tmp_path: Path) -> None:
    """A run and a dry run name the trusted program and what it may do; a dry run keeps nothing."""
    file = write_file(tmp_path)
    for more in (["--dry-run"], []):
        said = messages(tmp_path / "home", "run", file, *more)
        (line,) = [line for line in said.splitlines() if "with your own rights" in line]
        assert "asker" in line
        assert "asker.py" in line
        assert "network" in line


def test_file_of_others_starts_no_trusted_bot(tmp_path: Path) -> None:
    """A file that others can write, a bundle and a record start no bot with your rights."""
    file, home, other = write_file(tmp_path), tmp_path / "home", tmp_path / "other"
    file.chmod(0o646)
    assert "--trust" in refused(home, "run", file)
    if os.geteuid() == 0:
        file.chmod(0o600)
        os.chown(file, 61999, 61999)
        refused(home, "run", file)
        os.chown(file, 0, 0)
        file.chmod(0o646)
    assert not (tmp_path / "seen").read_text()
    output(home, "run", file, "--trust")
    rows = as_json(home, "leaderboard")["rows"]
    assert {row["bot"]: row["sandbox"] for row in rows} == {"asker": "ask", "greedy": ""}
    output(home, "report", "-o", tmp_path / "report")
    assert "(ask)" in (tmp_path / "report" / "index.html").read_text()
    bundle = tmp_path / "t.arena"
    output(home, "bundle", "create", "t", "-o", bundle)
    output(home, "verify", "t")
    record = tmp_path / "record.json"
    record.write_text(output(home, "export", "t").splitlines()[0])
    (tmp_path / "seen").write_text("")
    (match,) = {parse_record(record.read_text()).id}
    for words in (("bundle", "import", bundle), ("reproduce", match), ("reproduce", record)):
        assert "--trust" in refused(home if words[0] == "reproduce" else other, *words)
    output(other, "bundle", "verify", bundle, "--rerun", "2")
    assert not (tmp_path / "seen").read_text()
    output(home, "reproduce", match, "--trust")
    assert (tmp_path / "seen").read_text()
    output(other, "bundle", "import", bundle, "--trust")


@pytest.mark.parametrize("changed", ["program", "args", "env"])
def test_record_starts_trusted_bot_as_its_tournament_does(changed: str, tmp_path: Path) -> None:
    """With ``--trust``, a record starts only the program that a tournament of this home starts."""
    file, home = write_file(tmp_path), tmp_path / "home"
    output(home, "run", file)
    told = tmp_path / "told.py"
    opens = f"try:\n    open({str(tmp_path / 'told')!r}, 'w')\nexcept OSError:\n    pass"
    told.write_text(program(first=opens))
    output(home, "submit", told)
    record = parse_record(output(home, "export", "t").splitlines()[0])
    players = list(record.players)
    place = [player.bot for player in players].index("asker")
    if changed == "args":
        players[place] = replace(players[place], args=(str(tmp_path / "other"),))
    elif changed == "env":
        players[place] = replace(players[place], env=(("CHAT_URL", "http://elsewhere"),))
    else:
        players[place] = replace(players[place], hash=describe(told).hash)
    (tmp_path / "record.json").write_text(format_record(replace(record, players=tuple(players))))
    (tmp_path / "seen").write_text("")
    assert "asks" in refused(home, "reproduce", tmp_path / "record.json", "--trust")
    assert not (tmp_path / "seen").read_text()
    assert not (tmp_path / "told").exists()
    assert not (tmp_path / "other").exists()


@pytest.mark.parametrize("what", ["folder", "above", "program", "group", "link", "owner"])
def test_program_that_others_can_change_is_not_trusted(what: str, tmp_path: Path) -> None:
    """A file, folder or link that others can change starts no bot with your rights."""
    folder = tmp_path / "above" / "folder"
    folder.mkdir(parents=True)
    file = write_file(folder)
    arena.read_tournament(file)
    if what == "group":
        (groups := {*os.getgroups(), 1}).discard(os.getegid())
        root("give files away")
        os.chown(file, -1, max(groups))
        file.chmod(0o664)
    elif what == "link":
        shared = tmp_path / "shared"
        shared.mkdir(mode=0o755)
        (shared / "t.yaml").symlink_to(file)
        (shared / "asker.py").write_text("")
        (shared / "seen").touch()
        arena.read_tournament(shared / "t.yaml")
        shared.chmod(0o777)
        file = shared / "t.yaml"
    elif what == "owner":
        root("give files away")
        os.chown(folder / "asker.py", 1, -1)
    else:
        place = {"folder": folder, "above": folder.parent, "program": folder / "asker.py"}[what]
        place.chmod(0o777)
    with pytest.raises(arena.UsageError, match="--trust"):
        arena.read_tournament(file)
    arena.read_tournament(file, trust=True)
    if what in ("folder", "above"):  # where nobody can remove what others have put there
        place.chmod(0o1777)
        arena.read_tournament(file)


@pytest.mark.parametrize("key", ["ask", "secrets", "at_once"])
def test_bot_yaml_cannot_ask_for_trust(key: str, tmp_path: Path) -> None:
    """A ``bot.yaml`` that asks for your rights is refused with the key."""
    (tmp_path / "bot.py").write_text(program())
    (tmp_path / "bot.yaml").write_text(f"name: me\nstart: [python3, bot.py]\n{key}: [x]\n")
    assert key in refused(tmp_path / "home", "submit", tmp_path)


COUNTED = """
import uuid
mine = os.path.join(sys.argv[1], uuid.uuid4().hex)
open(mine, "x").close()
"""
COUNT = 'time.sleep(0.02)\nprint(f"info here={len(os.listdir(sys.argv[1]))}", flush=True)'


@pytest.mark.parametrize("level", [*nightly(["swiss"]), "round-robin"])
def test_at_once_bounds_processes_of_trusted_bot(level: str, tmp_path: Path) -> None:
    """With ``at_once: 2`` at most two processes of the bot play, and the table is the same."""
    (tmp_path / "here").mkdir()
    text = program(first=COUNTED, asked=COUNT, ended="os.unlink(mine)")
    (tmp_path / "counter.py").write_text(text)
    found = {}
    for at_once, workers in ((None, 5), (2, 5), (1, 1)):
        counter = {"name": "counter", "ask": "counter.py", "args": [str(tmp_path / "here")]}
        more = {} if at_once is None else {"at_once": at_once}
        home = tmp_path / f"home{at_once}"
        file = write_file(
            tmp_path,
            bots=[counter | more, "greedy", "random", "random-sh"],
            seed=5,
            format=level,
            rounds=2,
            opening={"plies": 2},
            clock={"move": "20s", "first": "20s"},
        )
        output(home, "run", file, "--workers", workers)
        here = [
            dict(decision.info)["here"]
            for record in records_of(home)
            for (seat, _), decision in zip(record.actions, record.decisions, strict=True)
            if record.players[seat].bot == "counter"
        ]
        most = max(map(int, here))
        assert at_once is None or most <= at_once
        found[at_once] = most, as_json(home, "leaderboard"), len(records_of(home))
    assert found[2][1:] == found[1][1:] == found[None][1:]
    assert level == "swiss" or found[None][0] > 2


HAS = """
key = os.environ["STAND_IN_KEY"]
open(os.path.expanduser("~/seen"), "a").write(key)
"""
SAYS = 'print("log", key, flush=True)\nprint("info k=" + key, flush=True)'
ASKED_BY = {
    "play": "leaves gpt random",
    "check": "gpt leaves",
    "compare": "gpt random leaves --rounds 1",
    "balance": "leaves --bots gpt --rounds 1",
    "run": "--game leaves --bots gpt,random",
    "rank": "gpt leaves --rounds 1",
}


@pytest.mark.parametrize("command", ASKED_BY)
def test_option_ask_names_trusted_bot(command: str, tmp_path: Path) -> None:
    """With ``--ask NAME=FILE`` a command plays that program with your rights, secrets hidden."""
    seen, value = tmp_path / "seen", "sk-stand-in-4f9a2b7c"
    seen.touch()
    (tmp_path / "gpt.py").write_text(program(first=HAS, asked=SAYS))
    words = ASKED_BY[command].split()
    given = ("--ask", f"gpt={tmp_path / 'gpt.py'}", "--secret", "STAND_IN_KEY")
    home, mine = tmp_path / "home", str(tmp_path)
    done = process(home, command, *words, *given, STAND_IN_KEY=value, HOME=mine)
    assert done.returncode in (0, 1), done.stderr
    assert seen.read_text().startswith(value)
    assert value not in done.stdout + done.stderr
    assert "other" in refused(home, command, *words, "--ask", "other=gpt.py")


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ("held = b'x' * (400 << 20)", "memory"),
        ("os.write(1, b'x' * (2 << 20))", "flood"),
        ("os.fork() or (os.setsid(), time.sleep(600))", ""),
    ],
)
def test_trusted_bot_is_bounded(asked: str, code: str, tmp_path: Path) -> None:
    """A trusted bot has its memory and output limits, and nothing it started outlives the match."""
    mark = f"left-by-{tmp_path}"  # no other test uses this folder
    (tmp_path / "gpt.py").write_text(program(asked=f"if decision == '2':\n    {asked}"))
    gpt = BotEntry(
        "gpt", run=str(tmp_path / "gpt.py"), args=(mark,), asks=True, memory_bytes=200 << 20
    )
    record = arena.play("leaves", gpt, "random", home=tmp_path / "home", seed=1).record
    assert [fault.code for fault in record.faults if fault.player == 0] == ([code] if code else [])
    assert [pid for pid in pids() if mark.encode() in words_of(pid)] == []


def test_cluster_plays_trusted_bot_on_this_machine(tmp_path: Path) -> None:
    """With ``--cluster``, this machine plays matches of the trusted bot, hosts the others."""
    asker = {"name": "asker", "ask": "asker.py", "args": [str(tmp_path / "seen")]}
    file = write_file(tmp_path, bots=["greedy", "random", asker], rounds=3)
    done = process(tmp_path / "home", "run", file, "--cluster", "local:1")
    assert (done.returncode, "never by a host" in done.stderr) == (0, True), done.stderr
    records = records_of(tmp_path / "home")
    assert len(records) == 18
    for record in records:
        assert bool(record.host) == (not record.asks)
    output(tmp_path / "home", "verify", "t")


def test_play_takes_trusted_bot_as_mapping(tmp_path: Path) -> None:
    """``arena.play`` takes the mapping of a tournament file, with its secrets."""
    (tmp_path / "gpt.py").write_text(program(first=HAS, asked=SAYS))
    gpt = {"name": "gpt", "ask": str(tmp_path / "gpt.py"), "secrets": ["STAND_IN_KEY"]}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("STAND_IN_KEY", "sk-stand-in-4f9a2b7c")
        patch.setenv("HOME", str(tmp_path))
        record = arena.play("leaves", gpt, "random", home=tmp_path / "home", seed=1).record
    assert record.players[0].sandbox == "ask"
    assert {str(dict(one.info).get("k")) for one in record.decisions} == {"[STAND_IN_KEY]", "None"}
    with pytest.raises(arena.UsageError, match="STAND_IN_KEY"):
        arena.play("leaves", gpt, "random", home=tmp_path / "home", seed=1)
