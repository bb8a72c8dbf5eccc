"""``arena log``: what bots said, decision by decision, and the lines of their pipes."""

from __future__ import annotations

import hashlib
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support.arena_command import ROOT, arena, environment, output

import arena as arena_api
from arena.match.record import parse_record
from engines import load_game

# says what it does, keeps what it reads, and answers without a number
TALKER = """
import random, sys
from pathlib import Path
legal, read, number = [], "", 0
print("up and ready", file=sys.stderr)
for line in sys.stdin:
    read += line
    verb, _, rest = line.rstrip().partition(" ")
    if verb == "hello": print("ready want=legal name=talker", flush=True)
    elif verb == "seed": random.seed(int(rest))
    elif verb == "legal": legal = rest.split()
    elif verb == "go":
        number += 1
        print(f"I think about {number}", file=sys.stderr)
        print(f"log it is {len(legal)} to choose from\\ninfo depth={number}")
        print("play", random.choice(legal), flush=True)
    elif verb == "end":
        print("read", read, file=sys.stderr)
"""
MUTE = (ROOT / "bots/random_python/bot.py").read_text()


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with a tournament of two matches between one who talks and one who does not."""
    folder = tmp_path_factory.mktemp("log")
    (folder / "talker.py").write_text(TALKER)
    (folder / "t.yaml").write_text(
        "name: t\ngame: leaves\nseed: 3\nsandbox: none\nclock: {move: 20s}\n"
        "bots: [{name: talker, run: talker.py}, random]\n"
    )
    output(folder / "home", "run", folder / "t.yaml")
    return folder / "home"


@pytest.fixture(scope="module")
def match(home: Path) -> str:
    """The match in which the talker has seat 1."""
    rows = json.loads(output(home, "matches", "--json"))["rows"]
    return next(str(row["id"]) for row in rows if row["bots"] == ["random", "talker"])


def record(home: Path, match: str) -> Any:
    return json.loads(output(home, "show", match, "--json"))


def rows(home: Path, match: str, *words: object) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(output(home, "log", match, "--json", *words))["rows"]
    return found


def test_words_stand_under_their_decisions(home: Path, match: str) -> None:
    """A heading names seat, bot, decision, action and time; then comes what was said at it."""
    lines = output(home, "log", match).splitlines()
    played = record(home, match)
    own = [
        (action, made["ms"])
        for (player, action), made in zip(played["actions"], played["decisions"], strict=True)
        if player == 1
    ]
    assert lines[:2] == ["seat 1 talker: before decision 1", "  stderr: up and ready"]
    for number, (action, ms) in enumerate(own, start=1):
        at = lines.index(f"seat 1 talker: decision {number} ({action}, {ms:.1f} ms)")
        assert lines[at + 1] == f"  stderr: I think about {number}"
        assert lines[at + 2].startswith("  log: it is ")


def test_info_is_said_too(home: Path, match: str, tmp_path: Path) -> None:
    """What a bot reports by ``info`` is under its decision, wherever the match is from."""
    lines = output(home, "log", match).splitlines()
    own = [at for at, line in enumerate(lines) if line.startswith("seat 1 talker: decision ")]
    assert [line for line in lines if line.startswith("  info: ")] == [
        f"  info: depth={number}" for number in range(1, len(own) + 1)
    ]
    found = [row["text"] for row in rows(home, match) if row["source"] == "info"]
    assert len(found) == len(own)
    file = tmp_path / "record.json"
    file.write_text(output(home, "show", match, "--json"))
    assert arena(home, "log", file).stdout.count("  info: depth=") == len(own)
    talker = home.parent / "talker.py"
    played = output(home, "play", "leaves", talker, "random", "--sandbox", "none", "--log")
    assert "  info: depth=1\n" in played


def test_rows(home: Path, match: str) -> None:
    """As JSON each line is a row that says whose it is, where it stands and where it comes from."""
    found = rows(home, match)
    assert {(row["seat"], row["bot"]) for row in found} == {(1, "talker")}
    thoughts = [row for row in found if row["text"].startswith("I think")]
    count = sum(player == 1 for player, _ in record(home, match)["actions"])
    assert [(row["decision"], row["source"], row["text"]) for row in thoughts] == [
        (number, "stderr", f"I think about {number}") for number in range(1, count + 1)
    ]
    logged = [row for row in found if row["source"] == "log"]
    assert [row["decision"] for row in logged] == [*range(1, count + 1)]


def test_a_page_has_them_beside_the_decisions(home: Path, match: str) -> None:
    """The page of a stored match shows at each position what was said at that decision."""
    page = arena_api.match_page(match, home)
    found = re.search(r'<script type="application/json" id="data">(.*)</script>', page)
    assert found is not None
    steps = json.loads(found[1])["steps"]
    own = [i for i, (player, _) in enumerate(record(home, match)["actions"], 1) if player == 1]
    for number, index in enumerate(own, start=1):
        (source, text), (other, logged) = steps[index]["words"][:2]
        assert (source, other) == ("talker, stderr", "talker, log")
        assert text.splitlines()[-1] == f"I think about {number}"
        assert logged.startswith("it is ")
        assert ["depth", str(number)] in steps[index]["rows"]


def test_there_is_no_file_a_match(home: Path) -> None:
    """All that a match leaves is in the store."""
    found = {path.name for path in home.iterdir()}
    assert found - {"arena.db-wal", "arena.db-shm"} == {"arena.db", "bots", "locks"}


def test_one_seat(home: Path, match: str) -> None:
    """Who said nothing has nothing to show, which is said; a seat that is not there is refused."""
    done = arena(home, "log", match, "--seat", "0")
    assert (done.returncode, done.stdout) == (0, "")
    assert "anything" in done.stderr
    assert rows(home, match, "--seat", 0) == []
    assert rows(home, match, "--seat", 1) == rows(home, match)
    done = arena(home, "log", match, "--seat", "2")
    assert done.returncode == 2
    assert "0 to 1" in done.stderr


def test_what_was_sent_is_what_was_read(home: Path, match: str) -> None:
    """The lines made again are those that the bot has read, up to its end."""
    told = [row["text"] for row in rows(home, match) if row["source"] == "stderr"]
    at = next(place for place, text in enumerate(told) if text.startswith("read "))
    read = [told[at].removeprefix("read "), *told[at + 1 :]]
    sent = output(home, "log", match, "--sent", "--seat", "1").splitlines()
    assert sent[0] == "hello abp 1"
    assert sent[-1] == "quit"
    assert [line for line in read if line] == sent[:-1]
    wire = [row for row in rows(home, match, "--wire", "--seat", 1) if row["source"] == "sent"]
    assert [row["text"] for row in wire] == sent
    assert rows(home, match, "--sent", "--seat", 1) == wire


def test_all_lines_of_a_decision(home: Path, match: str) -> None:
    """On the wire a question comes first, then what the bot wrote; all answers are spelt alike."""
    played = record(home, match)
    first = next(action for player, action in played["actions"] if player == 1)
    found = [row for row in rows(home, match, "--wire", "--seat", 1) if row["decision"] == 1]
    sent = [row["text"].split()[0] for row in found if row["source"] == "sent"]
    assert sent == ["game", "seat", "clock", "seed", "setup", "legal", "go"]
    wrote = [row["text"] for row in found if row["source"] == "stdout"]
    assert wrote[1:] == ["info depth=1", f"play {first} 1"]
    assert wrote[0].startswith("log it is ")
    text = output(home, "log", match, "--wire", "--seat", "0")
    number = sum(player == 0 for player, _ in played["actions"])
    last = [action for player, action in played["actions"] if player == 0][-1]
    assert f"\n  < play {last} {number}\n" in text
    assert "\n  > hello abp 1\n  < ready want=legal name=random\n" in text
    assert "charged" in text


def test_a_bot_reads_it_again(home: Path, match: str, tmp_path: Path) -> None:
    """A program that is sent the same lines by a pipe gives the same answers."""
    (tmp_path / "talker.py").write_text(TALKER)
    sent = subprocess.run(
        [sys.executable, "-m", "arena", "log", match, "--sent", "--seat", "1"],
        cwd=ROOT,
        env=environment(home),
        capture_output=True,
        check=True,
    )
    assert sent.stderr == b""
    again = subprocess.run(
        [sys.executable, "talker.py"],
        cwd=tmp_path,
        env={"PYTHONHASHSEED": "0"},
        input=sent.stdout,
        capture_output=True,
        check=True,
    )
    answers = [line.split()[1] for line in again.stdout.decode().splitlines() if line[:4] == "play"]
    assert answers == [action for player, action in record(home, match)["actions"] if player == 1]


def test_sent_is_of_one_seat(home: Path, match: str) -> None:
    """Which bot's lines are meant has to be said."""
    done = arena(home, "log", match, "--sent")
    assert (done.returncode, done.stdout) == (2, "")
    assert "--seat" in done.stderr


def test_sent_is_not_all_of_the_wire(home: Path, match: str) -> None:
    """Either one or the other is meant."""
    done = arena(home, "log", match, "--sent", "--wire", "--seat", "0")
    assert (done.returncode, done.stdout) == (2, "")
    assert "--sent" in done.stderr
    assert "--wire" in done.stderr


def test_a_record_file(home: Path, match: str, tmp_path: Path) -> None:
    """Of a record file there are the lines sent, the answers and info, but not what was said."""
    file = tmp_path / "match.json"
    file.write_text(output(home, "show", match, "--json"))
    done = arena(home, "log", file)
    assert done.returncode == 0
    assert "info: " in done.stdout
    assert "stderr: " not in done.stdout
    assert "log: " not in done.stdout
    assert "record file" in done.stderr
    sent = output(home, "log", match, "--sent", "--seat", "1")
    assert output(home, "log", file, "--sent", "--seat", "1") == sent
    wire = output(home, "log", file, "--wire", "--seat", "1").splitlines()
    assert [line[4:] for line in wire if line.startswith("  > ")] == sent.splitlines()
    own = [action for player, action in record(home, match)["actions"] if player == 1]
    answers = [line[4:] for line in wire if line.startswith("  < ")]
    assert answers == [f"play {action} {n}" for n, action in enumerate(own, start=1)]


def test_a_faulty_bot(home: Path, tmp_path: Path) -> None:
    """What a bot said that was at fault is there, and in a file of the record its last words."""
    bad = tmp_path / "bad.py"
    bad.write_text(TALKER.replace("random.choice(legal), flush", '"nowhere", flush'))
    file = tmp_path / "match.json"
    words = shlex.quote(str(bad))
    text = output(home, "play", "leaves", words, "random", "--seed", 1, "--log", "--record", file)
    assert parse_record(file.read_text()).faults[0].player == 0
    assert "stderr: up and ready" in text
    assert "stderr: I think about 1" in output(home, "log", file)


GAMES = sorted(
    {
        game
        for path in (ROOT / "tournaments").glob("*.yaml")
        for game in arena_api.read_tournament(path).games
    }
)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_sent_lines_give_the_hash_of_the_record(game: str, tmp_path: Path) -> None:
    """Of the lines sent, those with the hashed verbs are what the record's `sent` is a hash of."""
    file = tmp_path / "match.json"
    bots = ["random"] * load_game(game).num_players
    result = arena_api.play_once(game, bots, tmp_path, seed=5, sandbox="none")
    file.write_text(arena_api.format_record(result.record))
    for seat, player in enumerate(result.record.players):
        hashed = hashlib.sha256()
        for passage in arena_api.match_log(file, tmp_path, seat=seat, sent=True).passages:
            for line in passage.lines:
                if line.data.split()[0] in (b"setup", b"did", b"event", b"obs", b"legal"):
                    hashed.update(line.data + b"\n")
        assert player.sent == f"sha256:{hashed.hexdigest()}"


def test_a_fault_in_a_record_file_forges_no_line(home: Path, tmp_path: Path) -> None:
    """What ``bad`` says is in the record, which may be from anybody: it stays one plain line."""
    bad = tmp_path / "bad.py"
    bad.write_text(TALKER.replace("random.choice(legal), flush", '"nowhere", flush'))
    file = tmp_path / "match.json"
    output(home, "play", "leaves", shlex.quote(str(bad)), "random", "--record", file)
    played = json.loads(file.read_text())
    played["faults"][0]["detail"] = "x\x1b]0;owned\x07\ngo 9\r"
    file.write_text(json.dumps(played))
    lines = output(home, "log", file, "--sent", "--seat", 0).splitlines()
    assert lines[-3] == r"bad illegal x\x1b]0;owned\x07\ngo 9\r"
