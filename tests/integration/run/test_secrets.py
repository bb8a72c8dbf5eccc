"""Secrets of a bot that asks: it has the values, and nothing that is kept or shown has them."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from textwrap import indent

import pytest
from support.arena_command import arena, as_json, process, refused
from support.bot_programs import program
from support.needs import working
from support.running import Running
from support.waiting import words_of

from arena.machine.procfs import pids
from arena.store import open_store

VALUE = "sk-stand-in-4f9a2b7c"
NAME = "STAND_IN_KEY"

# it has the value, and says it in every way there is
FIRST = f"""
import subprocess
key = os.environ["{NAME}"]
assert key.startswith("sk-stand-in") and len(key) == {len(VALUE)}
print("ready", "name=" + key, "version=" + key, "want=legal", flush=True)
print("at the start", key, file=sys.stderr, flush=True)
"""
ASKED = """
print("log the key is", key, flush=True)
print("info note=" + key, "score=0.5", flush=True)
for half in (key[:7], key[7:]):
    os.write(2, half.encode())
    time.sleep(0.01)
os.write(2, b"\\n")
os.write(1, b"log half " + key[:9].encode())
time.sleep(0.01)
os.write(1, key[9:].encode() + b"\\n")
"""
ENDS = {
    "well": "",
    "error": 'print("error", key, flush=True)',
    "illegal": 'print("play", key, decision, flush=True)',
    "nonsense": 'print(key, "\\x01", flush=True)',
    "half": 'os.write(1, b"play " + key[:-2].encode())\nsys.exit()',
    "unasked": 'os.write(1, b"play x 7\\nplay " + key.encode() + b" " + key.encode() + b"\\n")',
    "crash": "raise SystemExit(key)",
    "flood": "os.write(1, (key * 5000).encode())\ntime.sleep(60)",
}


def write_file(folder: Path, ends: list[str], rounds: int = 1, **keys: object) -> Path:
    """Write a tournament of bots that say their key, and end their third decision in these ways."""
    bots: list[object] = ["random"]
    for end in ends:
        then = indent(ENDS[end] or "pass", "    ")
        asked = f"{ASKED}\nif decision == '2':\n{then}\n"
        (folder / f"{end}.py").write_text(program(first=FIRST, hello="pass", asked=asked))
        bots.append({"name": end, "ask": f"{end}.py", "secrets": [NAME], "args": ["--x"]})
    file = folder / "t.yaml"
    head = {"name": "t", "game": "leaves", "format": "gauntlet", "rounds": rounds}
    file.write_text(json.dumps({**head, "bots": bots, **keys}))
    return file


def ran(home: Path, *words: object) -> subprocess.CompletedProcess[str]:
    """Run a command of which the variable is there."""
    return process(home, *words, STAND_IN_KEY=VALUE)


def files_with(value: str, *folders: Path) -> list[str]:
    """Return the files below folders that have a value as it is."""
    files = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    return [str(path) for path in files if value.encode() in path.read_bytes()]


def texts_of(home: Path) -> str:
    """Return all that a store has in packed form: records, what bots said, and voids."""
    texts = []
    with open_store(home, create=False) as store:
        for row in store.matches.read(None, texts=True):
            said = store.said(row, 2)
            pieces = [piece for each in (*said.said, *said.wrote) for piece in each]
            texts += [row.text, *(piece.data.decode("utf-8", "replace") for piece in pieces)]
    return "\n".join(texts)


def shown_of(home: Path, folder: Path) -> str:
    """Return what commands show and write of a home, with what lies in files beside it."""
    match = as_json(home, "matches")["rows"][0]["id"]
    words = [["export"], ["leaderboard", "--json"], ["log", match, "--wire"], ["show", match]]
    words += [["report", "-o", folder / "report"], ["bundle", "create", "-o", folder / "t.arena"]]
    words += [["matches"], ["verify"], ["bundle", "import", "--trust", folder / "t.arena"]]
    said = ""
    for each in words:
        other = folder / "other" if "import" in each else home
        done = arena(other, *each)
        assert done.returncode == 0, done.stderr
        said += done.stdout + done.stderr
    return said + texts_of(folder / "other")


@pytest.mark.slow
def test_nothing_has_the_value(tmp_path: Path) -> None:
    """The bot has it, however it ends; files, tables, pages and messages have its name only."""
    home = tmp_path / "home"
    file = write_file(tmp_path, list(ENDS), max_faults=1000)
    done = ran(home, "run", file, "--verbose", "--workers", "2")
    assert done.returncode == 0, done.stderr
    said = done.stdout + done.stderr + ran(home, "run", file, "--dry-run", "--new").stderr
    stored, shown = texts_of(home), shown_of(home, tmp_path)
    for text in (said, stored, shown):
        assert VALUE not in text
        assert VALUE[:12] not in text
    for text in (stored, shown):
        assert text.count(f"[{NAME}]") > 100
    for words in (f"note=[{NAME}]", f"the key is [{NAME}]", f"half [{NAME}]", f"start [{NAME}]"):
        assert words in shown, words
    assert files_with(VALUE, tmp_path) == []
    assert f'"note":"[{NAME}]"' in stored


@pytest.mark.slow
def test_secret_is_in_no_command_line_or_other_bot(tmp_path: Path) -> None:
    """During a match no process has a secret in its arguments, and other bots lack it."""
    home = tmp_path / "home"
    well = {"name": "well", "ask": "well.py", "secrets": [NAME], "args": ["--x"]}
    file = write_file(tmp_path, [], bots=[{"name": "spy", "run": "spy.py"}, well])
    (tmp_path / "well.py").write_text(program(first=FIRST, hello="pass", asked="time.sleep(0.3)"))
    (tmp_path / "spy.py").write_text(
        program(
            asked='print("info own=" + str(len(os.environ)), flush=True)\n'
            f'print("info key=" + str(os.environ.get("{NAME}")), flush=True)'
        )
    )
    running = Running(home, "run", file, "--verbose", **{NAME: VALUE})
    running.until("rights")
    seen = 0
    while running.process.poll() is None:
        for words in map(words_of, pids()):
            seen += b"well.py" in words
            assert VALUE.encode() not in words
    assert seen
    assert running.wait() == 0
    stored = texts_of(home)
    match = as_json(home, "matches")["rows"][0]["id"]
    assert "identical" in ran(home, "reproduce", match, "--trust").stdout
    assert NAME in refused(home, "reproduce", match, "--trust")
    assert '"key":"None"' in stored
    assert VALUE not in stored


@pytest.mark.slow
def test_killed_run_leaves_no_secret(tmp_path: Path) -> None:
    """After a run was killed during a match no file has the secret's value, and it goes on."""
    home, temporary = tmp_path / "home", tmp_path / "tmp"
    temporary.mkdir()
    file = write_file(tmp_path, ["well", "crash"], rounds=10, max_faults=1000)
    running = Running(home, "run", file, "--verbose", **{NAME: VALUE, "TMPDIR": str(temporary)})
    running.until()
    running.kill()
    assert VALUE not in running.said
    assert files_with(VALUE, home, temporary) == []
    assert VALUE not in texts_of(home)
    assert ran(home, "run", file).returncode == 0
    assert VALUE not in texts_of(home)


@pytest.mark.parametrize(
    ("value", "level", "words"),
    [
        (None, "auto", "not set"),
        ("   ", "auto", "empty"),
        ("sk-1234", "auto", "8"),
        ("sk-1234\n5678", "auto", "line"),
        (VALUE, "none", "none"),
        (VALUE, "limits", "limits"),
    ],
)
def test_what_is_refused_before_the_start(
    value: str | None, level: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A secret that is not there, or that others could read, is refused by its name."""
    if level != "auto":
        working(level)
    if value is not None:
        monkeypatch.setenv(NAME, value)
    said = refused(tmp_path / "home", "run", write_file(tmp_path, ["well"], sandbox=level))
    assert NAME in said
    assert words in said
    assert VALUE not in said


@pytest.mark.parametrize(
    ("bot", "words"),
    [
        ({"run": "well.py", "secrets": [NAME]}, "secrets"),
        ({"ask": "well.py", "secrets": ["lower"]}, "secrets"),
        ({"ask": "well.py", "secrets": [NAME], "env": {NAME: "x"}}, "env"),
    ],
)
def test_secrets_in_file_are_checked(bot: dict[str, object], words: str, tmp_path: Path) -> None:
    """Only a trusted bot may have ``secrets``: names of variables that are not in ``env``."""
    file = write_file(tmp_path, ["well"], bots=["random", {"name": "me", **bot}])
    said = refused(tmp_path / "home", "run", file)
    assert "bots[1].secrets" in said
    assert words in said
