"""``arena check`` as a command: what it prints and how it exits."""

from __future__ import annotations

from pathlib import Path

from support.arena_command import as_json, output
from support.bot_programs import program


def test_bad_bot_fails_check_with_remedy(tmp_path: Path) -> None:
    """``check`` of a bad bot prints the step, its lines and the remedy, exit code 1."""
    bot = tmp_path / "bad.py"
    bot.write_text(program(answer='print("play nowhere 1", flush=True)'))
    args = ("check", bot, "leaves", "--clock", "move=2s", "--sandbox", "none")
    done = output(tmp_path / "home", *args, code=1)
    assert '  3  FAILED answers "go": leaves, seat 0: illegal at decision 1' in done
    assert "> go 1 limit=7000" in done
    assert "< play nowhere 1" in done
    assert "How to fix it: " in done
    assert "not tried, as step 3 failed" in done
    data = as_json(tmp_path / "home", *args, code=1)
    assert data["passed"] is False
    failed = [step for step in data["steps"] if step["verdict"] == "failed"]
    assert [(step["number"], step["step"]) for step in failed] == [(3, "answer")]
    assert failed[0]["remedy"]
    assert failed[0]["transcript"][-1]["text"] == "play nowhere 1"
