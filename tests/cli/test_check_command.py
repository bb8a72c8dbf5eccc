"""``arena check`` as a command: what it prints and how it exits."""

from __future__ import annotations

import json
from pathlib import Path

from support.arena_command import arena, output

BAD = """\
for line in iter(input, "quit"):
    if line[:5] == "hello": print("ready want=legal", flush=True)
    if line[:2] == "go": print("play nowhere 1", flush=True)
"""


def test_good_bot_passes_check(tmp_path: Path) -> None:
    """``check`` of a good bot prints numbered steps, exit code 0."""
    lines = output(tmp_path, "check", "random", "leaves", "--sandbox", "none").splitlines()
    assert [line.split()[0] for line in lines[:-1]] == [str(n) for n in range(1, 12)]
    assert lines[-1].startswith("random: 11 steps: ")
    assert "failed" not in lines[-1]


def test_bad_bot_fails_check_with_remedy(tmp_path: Path) -> None:
    """``check`` of a bad bot prints the step, its lines and the remedy, exit code 1."""
    bot = tmp_path / "bad.py"
    bot.write_text(BAD)
    args = ("check", bot, "leaves", "--clock", "move=2s", "--sandbox", "none")
    done = arena(tmp_path / "home", *args)
    assert done.returncode == 1, done.stderr
    assert '  3  FAILED answers "go": leaves, seat 0: illegal at decision 1' in done.stdout
    assert "> go 1 limit=7000" in done.stdout
    assert "< play nowhere 1" in done.stdout
    assert "How to fix it: " in done.stdout
    assert "not tried, as step 3 failed" in done.stdout
    again = arena(tmp_path / "home", *args, "--json")
    assert again.returncode == 1
    data = json.loads(again.stdout)
    assert data["passed"] is False
    failed = [step for step in data["steps"] if step["verdict"] == "failed"]
    assert [(step["number"], step["step"]) for step in failed] == [(3, "answer")]
    assert failed[0]["remedy"]
    assert failed[0]["transcript"][-1]["text"] == "play nowhere 1"


def test_mistake_in_check_has_exit_code_2(tmp_path: Path) -> None:
    """``check`` of a missing bot or game has exit code 2 and no step."""
    for args, sentence in (
        (("check", "gredy"), 'did you mean "greedy"?'),
        (("check", "random", "leafs"), 'did you mean "leaves"?'),
        (("check", "no/such/bot.py"), "no such file"),
        (("check", "random", "--clock", "mvoe=1s"), 'did you mean "move"?'),
    ):
        done = arena(tmp_path, *args)
        assert done.returncode == 2, done.stdout
        assert sentence in done.stderr
        assert done.stdout == ""
