"""Another program in a seat of a recorded match: what it is sent, and what is reported of it."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from support.bot_programs import program
from support.match_jobs import QUICK, job, seat
from support.needs import working

from arena import reproduce, reproduce_against
from arena.check.submit import submit
from arena.match.record import format_record
from arena.review.against import Sitting
from arena.sandbox.interface import LevelProblem
from arena.session import choose
from arena.session.match_session import play_match
from arena.values.errors import BotError, RecordError, UsageError
from arena.values.model import Clock, Opening, Record

pytestmark = pytest.mark.usefixtures("no_process_left")

LISTENER = Path(__file__).parent / "bots" / "listener.py"
LONG = Clock(move_ms=20_000, first_ms=0, start_ms=20_000)
OTHER = 'print("play", actions[{choice}], decision, flush=True)'


def play(folder: Path, game: str, *hows: str, clock: Clock = LONG, **more: Any) -> Record:
    """Play a match of listeners, write its record to ``match.json``, and return it."""
    seats = [
        seat(str(folder / f"then{n}"), *how.split(), program=LISTENER, name=f"b{n}", clock=clock)
        for n, how in enumerate(hows)
    ]
    record = play_match(job(game, *seats, **more)).record
    (folder / "match.json").write_text(format_record(record))
    return record


def again(folder: Path, player: int, bot: str, **more: Any) -> tuple[Sitting, list[str]]:
    """Put a program into a seat; return what became of it, and what it or the arena said."""
    said: list[str] = []
    match = folder / "match.json"
    sitting = reproduce_against(match, player, bot, folder / "home", say=said.append, **more)
    return sitting, said


def written(folder: Path, text: str) -> str:
    """Write a program and return the words that name it."""
    (folder / "other.py").write_text(text)
    return str(folder / "other.py")


def lines(sitting: Sitting) -> list[str]:
    return [str(deviation) for deviation in sitting.deviations]


@pytest.mark.parametrize(
    ("game", "more"),
    [
        ("leaves", {"opening": Opening(plies=3)}),
        ("the_tree", {}),
        ("build_your_arboretum", {"max_decisions": 20}),
        ("arborius", {"max_decisions": 12}),
    ],
)
@pytest.mark.parametrize("player", [0, 1])
def test_it_is_sent_what_was_sent_then(
    tmp_path: Path, game: str, more: Mapping[str, Any], player: int
) -> None:
    """The program reads, byte for byte, what the player of the seat had read."""
    wants = ("want=obs,legal", "want=legal,did,event")
    record = play(tmp_path, game, *wants, **more)
    sitting, _ = again(tmp_path, player, f"{LISTENER} {tmp_path}/now {wants[player]}")
    assert (tmp_path / "now").read_text() == (tmp_path / f"then{player}").read_text()
    assert lines(sitting) == []
    assert sitting.asked == sum(who == player for who, _ in record.actions)


def test_an_answer_that_deviates(tmp_path: Path) -> None:
    """It is reported with the recorded one, which counts: the rest is sent as recorded."""
    record = play(tmp_path, "leaves", "want=legal", "want=legal")
    own = [action for who, action in record.actions if who == 0]
    text = program(
        first=f"file = open({str(tmp_path / 'now')!r}, 'w')",
        answer=OTHER.format(choice="-1 if decision == '2' else 0"),
    )
    text = text.replace("    verb, _", "    file.write(line)\n    verb, _")
    sitting, _ = again(tmp_path, 0, written(tmp_path, text))
    [deviation] = sitting.deviations
    assert (deviation.decision, deviation.recorded) == (2, own[1])
    assert str(deviation) == f"decision 2: recorded {own[1]}, now {deviation.now}"
    assert deviation.now != own[1]
    assert (tmp_path / "now").read_text() == (tmp_path / "then0").read_text()


@pytest.mark.parametrize(
    ("answer", "now"),
    [
        ('print("play nowhere", decision, flush=True)', 'illegal: "nowhere" is not legal'),
        ('print("play", flush=True)', 'protocol: expected "play ACTION"'),
        ('print("resign", flush=True)', "resign"),
        ('print("error no idea", flush=True)', 'crash: the bot cannot go on: "no idea"'),
    ],
)
def test_an_answer_that_is_none(tmp_path: Path, answer: str, now: str) -> None:
    """What is wrong with an answer is said, by its code and in words; it is asked on."""
    record = play(tmp_path, "leaves", "want=legal", "want=legal")
    asked = sum(who == 0 for who, _ in record.actions)
    once = f"if decision == '1':\n    {answer}\nelse:\n    {OTHER.format(choice=0)}"
    sitting, _ = again(tmp_path, 0, written(tmp_path, program(answer=once)))
    first = str(record.actions[0][1])
    assert lines(sitting)[0].startswith(f"decision 1: recorded {first}, now {now}")
    assert (len(sitting.deviations), sitting.asked, sitting.not_asked) == (1, asked, 0)


@pytest.mark.parametrize(
    ("answer", "now"),
    [
        ("sys.exit(3)", "crash: it exited with status 3"),
        ("raise KeyError('oak')", "crash: it exited with status 1"),
        ("os.close(1); time.sleep(60)", "crash: it closed its stdout"),
        ("print('x' * 200_000, flush=True)", "flood: "),
    ],
)
def test_a_program_that_ends(tmp_path: Path, answer: str, now: str) -> None:
    """After a crash nothing more can be asked, and how much that is is known."""
    record = play(tmp_path, "leaves", "want=legal", "want=legal")
    asked = sum(who == 1 for who, _ in record.actions)
    once = f"if decision == '2':\n    {answer}\n{OTHER.format(choice=0)}"
    sitting, said = again(tmp_path, 1, written(tmp_path, program(answer=once)))
    [line] = lines(sitting)
    assert line.startswith("decision 2: recorded ")
    assert f", now {now}" in line
    assert (sitting.asked, sitting.not_asked) == (2, asked - 2)
    if "KeyError" in answer:
        assert "KeyError: 'oak'" in said


def test_what_it_says_is_shown_as_it_comes(tmp_path: Path) -> None:
    """What it writes to stderr and by ``log`` is handed on, a line at a time, and made harmless."""
    play(tmp_path, "leaves", "want=legal", "want=legal", max_decisions=2)
    asked = r"print('\x1b[2Jhm\tindeed', file=sys.stderr); print('log so what', flush=True)"
    _, said = again(tmp_path, 0, written(tmp_path, program(asked=asked)))
    assert [line for line in said if not line.startswith("arena: ")] == [
        "\\x1b[2Jhm  indeed",
        "so what",
    ]
    assert any("not isolated" in line for line in said)


@pytest.mark.slow
def test_time_counts_unless_it_is_not_to(tmp_path: Path) -> None:
    """An answer out of time is reported; with no clock everybody has all the time there is."""
    play(tmp_path, "leaves", "want=legal", "want=legal", clock=QUICK, max_decisions=4)
    slow = written(tmp_path, program(asked="time.sleep(1.2 * (decision == '1'))"))
    sitting, _ = again(tmp_path, 0, slow)
    assert ", now time: no complete answer within 400 ms" in lines(sitting)[0]
    sitting, _ = again(tmp_path, 0, slow, no_clock=True)
    assert (lines(sitting), sitting.asked) == ([], 2)


@pytest.mark.parametrize("sandbox", [pytest.param("none", marks=pytest.mark.slow), "auto"])
def test_memory_counts_unless_it_is_not_to(tmp_path: Path, sandbox: str) -> None:
    """A program is held to the memory of then; with no clock it is not, isolated or not."""
    record = play(tmp_path, "leaves", "want=legal", "want=legal", max_decisions=4)
    players = [dataclasses.replace(player, memory_bytes=64 << 20) for player in record.players]
    small = dataclasses.replace(record, players=tuple(players))
    (tmp_path / "match.json").write_text(format_record(small))
    held = "kept = b'x' * (200 << 20); time.sleep(float(sys.argv[1]))"
    big = written(tmp_path, program(asked=held))
    [line] = lines(again(tmp_path, 0, f"{big} 15", sandbox=sandbox)[0])
    assert line.startswith("decision 1: recorded ")
    assert ", now memory: " in line
    sitting, _ = again(tmp_path, 0, f"{big} 0.2", sandbox=sandbox, no_clock=True)
    assert (lines(sitting), sitting.asked) == ([], 2)


def test_until(tmp_path: Path) -> None:
    """Nothing is asked after the decision that is named."""
    play(tmp_path, "leaves", "want=legal", "want=legal")
    sitting, _ = again(tmp_path, 0, f"{LISTENER} {tmp_path}/now", until=2)
    assert (sitting.asked, sitting.not_asked) == (2, 0)
    heard = (tmp_path / "now").read_text().splitlines()
    assert heard[-1] == "quit"
    assert [line.split()[1] for line in heard if line.startswith("go ")] == ["1", "2"]


def test_a_program_that_does_not_leave_is_waited_for(tmp_path: Path) -> None:
    """With no clock it has all the time it wants after ``quit``, too, and it is said."""
    play(tmp_path, "leaves", "want=legal", "want=legal", max_decisions=2)
    said: list[str] = []
    gate = tmp_path / "gate"

    def say(line: str) -> None:
        said.append(line)
        if "waiting for the program" in line:
            gate.touch()

    stays = (
        f"while not os.path.exists({str(gate)!r}): time.sleep(0.05)\n"
        "print('gone', file=sys.stderr)\nbreak"
    )
    bot = written(tmp_path, program(quit=stays))
    sitting = reproduce_against(
        tmp_path / "match.json", 0, bot, tmp_path / "home", no_clock=True, say=say
    )
    assert lines(sitting) == []
    assert said.count("gone") == 1
    assert said.index("gone") > 0
    assert sum("waiting" in line for line in said) == 1


def test_unasked_words_are_reported(tmp_path: Path) -> None:
    """A second answer that nobody asked for is reported before the next decision."""
    play(tmp_path, "leaves", "want=legal", "want=legal", max_decisions=4)
    both = "f'play {actions[0]} 1\\nplay {actions[0]}\\n'"  # in one piece: read at once
    twice = f"if decision == '1': os.write(1, {both}.encode())\nelse: {OTHER.format(choice=0)}"
    sitting, _ = again(tmp_path, 0, written(tmp_path, program(answer=twice)))
    [line] = lines(sitting)
    assert line.startswith("before decision 2: recorded nothing, now protocol: a play that nobody")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("raise SystemExit(3)", "it exited with status 3 before it said ready"),
        ("print('Hello, I am a bot!', flush=True)\ninput()", "startup: "),
        ("print('play E3', flush=True)\ninput()", 'expected "ready" before'),
    ],
)
def test_a_program_that_is_never_ready(tmp_path: Path, text: str, words: str) -> None:
    """That is reported before the first decision, and nothing is asked."""
    play(tmp_path, "leaves", "want=legal", "want=legal", max_decisions=4)
    sitting, _ = again(tmp_path, 0, written(tmp_path, text))
    [line] = lines(sitting)
    assert line.startswith("before decision 1: recorded ready, now startup: ")
    assert words in line
    assert (sitting.asked, sitting.not_asked) == (0, 2)


def test_a_seat_that_was_dropped(tmp_path: Path) -> None:
    """It is played up to there; what fails in the same way does not deviate, an answer does."""
    record = play(tmp_path, "leaves", "illegal=2", "want=legal")
    assert [fault.code.value for fault in record.faults] == ["illegal"]
    sitting, _ = again(tmp_path, 0, f"{LISTENER} {tmp_path}/now illegal=2")
    assert (lines(sitting), sitting.asked) == ([], 2)
    assert (tmp_path / "now").read_text() == (tmp_path / "then0").read_text()
    sitting, _ = again(tmp_path, 0, f"{LISTENER} {tmp_path}/now")
    [line] = lines(sitting)
    assert line.startswith('decision 2: recorded illegal: "nowhere" is not legal')
    sitting, _ = again(tmp_path, 1, f"{LISTENER} {tmp_path}/now want=legal")
    assert (tmp_path / "now").read_text() == (tmp_path / "then1").read_text()
    record = play(tmp_path, "leaves", "resign=2", "want=legal")
    assert lines(again(tmp_path, 0, f"{LISTENER} {tmp_path}/now resign=2")[0]) == []
    [line] = lines(again(tmp_path, 0, f"{LISTENER} {tmp_path}/now")[0])
    assert line.startswith("decision 2: recorded resign, now ")


def test_a_seat_that_was_out_of_time(tmp_path: Path) -> None:
    """Where the rules played for it, an answer deviates, even if it is that very action."""
    record = play(tmp_path, "build_your_arboretum", "", "", max_decisions=6)
    place = next(n for n, (player, _) in enumerate(record.actions) if player == 0)
    decisions = list(record.decisions)
    decisions[place] = decisions[place]._replace(forced=True, late=True, ms=30_000.0)
    forced = dataclasses.replace(record, decisions=tuple(decisions), on_timeout="published")
    (tmp_path / "match.json").write_text(format_record(forced))
    sitting, _ = again(tmp_path, 0, f"{LISTENER} {tmp_path}/now")
    [line] = lines(sitting)
    action = record.actions[place][1]
    assert line == f"decision 1: recorded time, so that the rules played {action}, now {action}"
    assert "bad time" in (tmp_path / "now").read_text()


def test_where_there_is_nothing_to_ask(tmp_path: Path) -> None:
    """A seat that is not there, or never began, is an error."""
    record = play(tmp_path, "leaves", "want=legal", "want=legal", max_decisions=2)
    with pytest.raises(UsageError, match="players 0 to 1"):
        again(tmp_path, 2, "random")
    other = dataclasses.replace(record, rules_version=99)
    (tmp_path / "match.json").write_text(format_record(other))
    with pytest.raises(RecordError, match="version 99"):
        again(tmp_path, 0, "random")
    never = play_match(job("leaves", seat("start-exit"), seat("good"))).record
    (tmp_path / "match.json").write_text(format_record(never))
    with pytest.raises(RecordError, match="never began"):
        again(tmp_path, 0, "random")


def test_a_bot_by_name_is_isolated(tmp_path: Path) -> None:
    """A program that is not named by its path runs at the best level there is."""
    play(tmp_path, "leaves", "want=legal", "want=legal", max_decisions=4)
    _, said = again(tmp_path, 0, "random-sh")
    assert said == []


def with_variable(folder: Path, record: Record, name: str, value: str) -> None:
    """Write the record with a variable of the environment in each seat."""
    players = [dataclasses.replace(player, env=((name, value),)) for player in record.players]
    (folder / "match.json").write_text(
        format_record(dataclasses.replace(record, players=tuple(players)))
    )


@pytest.mark.parametrize("sandbox", [None, "none", "limits"])
def test_a_record_does_not_change_how_a_program_runs(tmp_path: Path, sandbox: str | None) -> None:
    """Variables of the record reach a program that nothing isolates only if a person says so."""
    working(sandbox or "none")
    record = play(tmp_path, "leaves", "want=legal", "want=legal", max_decisions=2)
    with_variable(tmp_path, record, "PYTHONVERBOSE", "1")
    bot = written(tmp_path, program(asked="print(len(sys.argv), file=sys.stderr)"))
    _, said = again(tmp_path, 0, bot, sandbox=sandbox)
    assert any("PYTHONVERBOSE" in line and "--record-env" in line for line in said)
    assert not any(line.startswith("import ") for line in said)
    _, said = again(tmp_path, 0, bot, sandbox=sandbox, record_env=True)
    assert not any("--record-env" in line for line in said)
    assert any(line.startswith("import ") for line in said)


def test_a_match_played_again_needs_isolation_for_variables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without another program, too: bots get them only isolated, or at a level that was named."""
    record = play(tmp_path, "leaves", "want=legal", "want=legal", max_decisions=2)
    with_variable(tmp_path, record, "PYTHONPATH", "/elsewhere")

    def problem_with(name: str) -> LevelProblem | None:
        return None if name in ("limits", "none") else LevelProblem("not here", "install it")

    monkeypatch.setattr(choose, "problem_with", problem_with)
    with pytest.raises(UsageError, match="PYTHONPATH") as caught:
        reproduce(tmp_path / "match.json", tmp_path / "home")
    assert "--sandbox limits" in str(caught.value)
    with pytest.raises(BotError):  # the next step: they are looked for, and are not in this home
        reproduce(tmp_path / "match.json", tmp_path / "home", "limits")


def test_an_isolated_program_gets_the_variables_of_then(tmp_path: Path) -> None:
    """Where they can do no harm they are set, without a remark."""
    record = play(tmp_path, "leaves", "want=legal", "want=legal", max_decisions=2)
    with_variable(tmp_path, record, "OAK", "tall")
    bot = written(tmp_path, program(asked="print(os.environ['OAK'], file=sys.stderr)"))
    assert again(tmp_path, 0, bot, sandbox="auto")[1] == ["tall"]


def test_strangers_need_isolation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing isolates, a submitted bot is refused, as by ``arena run``, without a level."""
    working("limits")
    play(tmp_path, "leaves", "want=legal", "want=legal", max_decisions=2)
    submit(written(tmp_path, program()), "mine", tmp_path / "home")

    def problem_with(name: str) -> LevelProblem | None:
        return None if name in ("limits", "none") else LevelProblem("not here", "install it")

    monkeypatch.setattr(choose, "problem_with", problem_with)
    monkeypatch.setattr("arena.bots.isolation.problem_with", problem_with)
    with pytest.raises(UsageError, match=r'"mine" did not come with the arena(.|\n)*--sandbox'):
        again(tmp_path, 0, "mine")
    assert again(tmp_path, 0, "mine", sandbox="limits")[0].asked == 1
    assert again(tmp_path, 0, "random")[0].asked == 1
