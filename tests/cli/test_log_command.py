"""``arena log``: what bots said, decision by decision, and the lines of their pipes."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

from support.arena_command import arena, output
from support.bot_programs import program

from arena.record.record import parse_record

# says what it does, and answers without a number
BAD = {
    "first": 'print("up and ready", file=sys.stderr)',
    "asked": 'print("I think about", decision, file=sys.stderr)',
    "answer": 'print("play nowhere", flush=True)',
}


def test_log_has_output_of_bot_at_fault(tmp_path: Path) -> None:
    """``log`` has what a bot at fault wrote; a record file has its last words.

    What ``bad`` says is in that file, which may be from anybody: it stays one plain line.
    """
    home, bad = tmp_path / "home", tmp_path / "bad.py"
    bad.write_text(program(**BAD))
    file = tmp_path / "match.json"
    words = shlex.quote(str(bad))
    text = output(home, "play", "leaves", words, "random", "--seed", 1, "--log", "--record", file)
    assert parse_record(file.read_text()).faults[0].player == 0
    assert "stderr: up and ready" in text
    assert "stderr: I think about 1" in output(home, "log", file)
    assert "arena play --log" in arena(home, "log", file).stderr
    played = json.loads(file.read_text())
    played["faults"][0]["detail"] = "x\x1b]0;owned\x07\ngo 9\r"
    file.write_text(json.dumps(played))
    lines = output(home, "log", file, "--sent", "--seat", 0).splitlines()
    assert lines[-3] == r"bad illegal x\x1b]0;owned\x07\ngo 9\r"
