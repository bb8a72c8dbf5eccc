"""``reproduce --against``: another program in a recorded match's seat, and what is reported."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest
from support.bot_programs import program
from support.match_jobs import job, seat
from support.needs import only_these_work, working

from arena import reproduce_against
from arena.check.submit import submit
from arena.record.record import format_record
from arena.review.against import Sitting
from arena.session.match_session import play_match
from arena.values.errors import UsageError
from arena.values.model import Clock, Record

pytestmark = pytest.mark.usefixtures("no_process_left")

LONG = Clock(move_ms=20_000, first_ms=0, start_ms=20_000)
OTHER = 'print("play", actions[{choice}], decision, flush=True)'


def play(folder: Path, **more: Any) -> Record:
    """Play a match of two good bots, write its record to ``match.json``, and return the record."""
    seats = [seat("good", name=name, clock=LONG) for name in ("b0", "b1")]
    record = play_match(job("leaves", *seats, **more)).record
    (folder / "match.json").write_text(format_record(record))
    return record


def again(folder: Path, player: int, bot: str, **more: Any) -> tuple[Sitting, list[str]]:
    """Put a program into a seat; return what became of it, and what it or the arena said."""
    said: list[str] = []
    match = folder / "match.json"
    sitting = reproduce_against(match, player, bot, folder / "home", remark=said.append, **more)
    return sitting, said


def written(folder: Path, text: str) -> str:
    """Write a program and return the words that name it."""
    (folder / "other.py").write_text(text)
    return str(folder / "other.py")


@pytest.mark.parametrize(
    ("answer", "now"),
    [
        ('print("play nowhere", decision, flush=True)', 'illegal: "nowhere" is not legal'),
        ('print("play", flush=True)', 'protocol: expected "play ACTION"'),
        ('print("resign", flush=True)', "resign"),
        ('print("error no idea", flush=True)', 'crash: the bot cannot go on: "no idea"'),
    ],
)
def test_invalid_answer_is_reported_with_code(tmp_path: Path, answer: str, now: str) -> None:
    """An answer that is illegal or malformed is reported with its code, and the bot asked on."""
    record = play(tmp_path)
    asked = sum(who == 0 for who, _ in record.actions)
    once = f"if decision == '1':\n    {answer}\nelse:\n    {OTHER.format(choice=0)}"
    sitting, _ = again(tmp_path, 0, written(tmp_path, program(answer=once)))
    first = str(record.actions[0][1])
    assert str(sitting.deviations[0]).startswith(f"decision 1: recorded {first}, now {now}")
    assert (len(sitting.deviations), sitting.asked, sitting.not_asked) == (1, asked, 0)


def test_output_of_program_is_shown_and_escaped(tmp_path: Path) -> None:
    """What a program writes to stderr and by ``log`` is shown line by line, and escaped."""
    play(tmp_path, max_decisions=2)
    asked = r"print('\x1b[2Jhm\tindeed', file=sys.stderr); print('log so what', flush=True)"
    _, said = again(tmp_path, 0, written(tmp_path, program(asked=asked)))
    assert [line for line in said if not line.startswith("arena: ")] == [
        "\\x1b[2Jhm  indeed",
        "so what",
    ]
    assert any("not isolated" in line for line in said)


def test_what_has_no_line_feed_is_shown_with_its_decision(tmp_path: Path) -> None:
    """What stderr has begun when an answer comes is a line of its own, and not of the next one."""
    play(tmp_path, max_decisions=4)
    asked = "print('so', end='', file=sys.stderr, flush=True)"
    _, said = again(tmp_path, 0, written(tmp_path, program(asked=asked)))
    assert [line for line in said if not line.startswith("arena: ")] == ["so", "so"]


def with_variable(folder: Path, record: Record, name: str, value: str) -> None:
    """Write the record with a variable of the environment in each seat."""
    players = [dataclasses.replace(player, env=((name, value),)) for player in record.players]
    (folder / "match.json").write_text(
        format_record(dataclasses.replace(record, players=tuple(players)))
    )


@pytest.mark.parametrize("sandbox", [None, "none", "limits"])
def test_variables_of_record_need_record_env(tmp_path: Path, sandbox: str | None) -> None:
    """Without isolation, variables of a record reach a program only with ``--record-env``."""
    working(sandbox or "none")
    record = play(tmp_path, max_decisions=2)
    with_variable(tmp_path, record, "PYTHONVERBOSE", "1")
    bot = written(tmp_path, program(asked="print(len(sys.argv), file=sys.stderr)"))
    _, said = again(tmp_path, 0, bot, sandbox=sandbox)
    assert any("PYTHONVERBOSE" in line and "--record-env" in line for line in said)
    assert not any(line.startswith("import ") for line in said)
    _, said = again(tmp_path, 0, bot, sandbox=sandbox, record_env=True)
    assert not any("--record-env" in line for line in said)
    assert any(line.startswith("import ") for line in said)


def test_isolated_program_gets_variables_of_record(tmp_path: Path) -> None:
    """An isolated program gets the variables of the record, and nothing is said."""
    record = play(tmp_path, max_decisions=2)
    with_variable(tmp_path, record, "OAK", "tall")
    bot = written(tmp_path, program(asked="print(os.environ['OAK'], file=sys.stderr)"))
    assert again(tmp_path, 0, bot, sandbox="auto")[1] == ["tall"]


def test_submitted_bot_needs_isolation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing isolates, ``--against`` refuses a submitted bot unless a level is named."""
    working("limits")
    play(tmp_path, max_decisions=2)
    submit(written(tmp_path, program()), "mine", tmp_path / "home")

    only_these_work(monkeypatch, "limits", "none")
    with pytest.raises(UsageError, match=r'"mine" did not come with the arena(.|\n)*--sandbox'):
        again(tmp_path, 0, "mine")
    assert again(tmp_path, 0, "mine", sandbox="limits")[0].asked == 1
    assert again(tmp_path, 0, "random")[0].asked == 1
