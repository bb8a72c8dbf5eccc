"""``arena check`` with real bots, good and wicked: the step that fails is named, with a remedy."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from support.bot_programs import program
from support.match_jobs import SCRIPTED
from support.slowly import slowly

from arena.bots.program import describe
from arena.bots.ready import make_ready
from arena.check import CheckReport, StepState, check_bot
from arena.check.first_words import hello
from arena.check.leaving import leaves
from arena.check.steps import Step, Subject
from arena.values.model import BotEntry, Clock, Entrant
from engines import load_game

GAME = "pebbles(players=2,heap=24)"
CLOCK = Clock(move_ms=1000, first_ms=0, start_ms=5000)
HASTY = Clock(move_ms=300, first_ms=0, start_ms=600)

# those that the quick suite tries; the others take as long, and show the same ways again
QUICK = ["start-exit", "crash", "twice", "unseeded"]

pytestmark = pytest.mark.usefixtures("small_games", "no_process_left")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home in which what needs building is built once."""
    return tmp_path_factory.mktemp("check")


def check(home: Path, does: str, *args: str, clock: Clock = CLOCK, game: str = GAME) -> CheckReport:
    """Check a bot with a habit, or ``scripted.py`` in a mode."""
    # without isolation: what is tested here is the same at every level, and starts are many
    scripted = BotEntry("scripted", run=str(SCRIPTED), args=(does, *args))
    entry = with_habit(home, does) if does in HABITS else scripted
    return check_bot(entry, home, game=game, clock=clock, sandbox="none")


def with_habit(home: Path, habit: str) -> BotEntry:
    """Write a program with a habit."""
    file = home / f"{habit}.py"
    file.write_text(program(**HABITS[habit]))
    return BotEntry(habit, run=str(file))


def quickly(rows: Sequence[tuple[str, ...]]) -> list[object]:
    """Return the rows as parameters, those that are not ``QUICK`` for the slow suite."""
    marks = {row[0]: () if row[0] in QUICK else (pytest.mark.slow,) for row in rows}
    return [pytest.param(*row, id=row[0], marks=marks[row[0]]) for row in rows]


def by_name(report: CheckReport) -> dict[str, Step]:
    return {step.name: step for step in report.steps}


def verdicts(report: CheckReport, verdict: StepState) -> list[str]:
    return [step.name for step in report.steps if step.finding.verdict is verdict]


def odd(report: CheckReport) -> list[str]:
    """Return the steps that are not all right, but for what a busy machine explains."""
    names = [*verdicts(report, StepState.FAILED), *verdicts(report, StepState.NOTE)]
    held_up = set()
    manners = by_name(report)["manners"].finding.detail
    if "ms a move" in manners and "left running" not in manners:
        held_up.add("manners")
    if "pays that time again" in by_name(report)["hello"].finding.detail:
        held_up.add("hello")
    return [name for name in names if name not in held_up]


# every verdict and its cause are in tests/unit/match, what to do about it in unit/check; here
# is what a step makes of them
# bot, mode: the step that fails, words of what was seen, words of the remedy
FAULTS = [
    ("start-exit", "hello", "exited with status 3 before it said ready", "by hand"),
    ("start-done", "hello", "exited with status 0 before it said ready", "Read on"),
    ("start-mute", "hello", 'no "ready" within 600 ms', "flush"),
    ("start-banner", "hello", "begins with a verb", "standard error"),
    ("crash", "answer", "crash at decision 1: it exited with status 3", "stderr"),
    ("hang", "answer", "time at decision 1", "limit="),
    ("partial", "answer", "an unfinished line", "line feed"),
    ("flood-line", "answer", "flood at decision 1", "64 KiB"),
    ("twice", "answer", "a play that nobody asked for", "once"),
    ("illegal", "answer", '"E99" is not legal', '"legal"'),
    ("close-stdout", "answer", "closed its stdout", "open"),
    ("answer-and-exit", "answer", "exited with status 0", "Read on"),
]


@pytest.mark.parametrize(("mode", "step", "seen", "remedy"), quickly(FAULTS))
def test_fault_at_start_or_first_answer_fails_its_step(
    home: Path, mode: str, step: str, seen: str, remedy: str
) -> None:
    """A fault at the start or first answer fails that step, with the lines and a remedy."""
    clock = HASTY if mode in ("start-mute", "hang", "partial") else CLOCK
    report = check(home, mode, clock=clock)
    assert not report.passed
    assert verdicts(report, StepState.FAILED)[0] == step
    finding = by_name(report)[step].finding
    assert seen in finding.detail.replace('\\"', '"')
    assert remedy in finding.remedy
    assert ("arena", "hello abp 1") in [(line.who, line.text) for line in finding.transcript]
    assert by_name(report)["game"].finding.verdict is StepState.SKIPPED
    tried = by_name(report)["quit"].finding.verdict is not StepState.SKIPPED
    assert tried == (step == "answer"), "how it leaves needs no more than that it says ready"


@pytest.mark.slow
def test_time_control_of_an_entry_counts(home: Path) -> None:
    """A bot is checked with its entry's own time control, unless another one is given."""
    mute = BotEntry("mute", run=str(SCRIPTED), args=("start-mute",), clock=HASTY)
    report = check_bot(mute, home, game=GAME, sandbox="none")
    assert "within 600 ms" in by_name(report)["hello"].finding.detail


@pytest.mark.slow
def test_fault_late_in_game_is_shown_with_its_question(home: Path) -> None:
    """A crash at decision 4 fails the step ``game``, with the last question and stderr."""
    report = check(home, "crash", "4")
    assert verdicts(report, StepState.FAILED) == ["game"]
    assert verdicts(report, StepState.SKIPPED) == ["seed", "again"]
    finding = by_name(report)["game"].finding
    assert finding.detail.startswith("seat 0: crash at decision 4: it exited with status 3")
    assert finding.stderr == "about to crash"
    said = [(line.who, line.text) for line in finding.transcript]
    assert said[-1] == ("note", "it exited with status 3")
    assert said[-2] == ("arena", "go 4 limit=1000")


BUFFERED = "sys.stdout = open(1, 'w')"
KNOWN = "hello game seat clock seed setup did event obs legal go bad end quit"
PLAY = "print('play', {}, flush=True)"
PLAYS = PLAY.format("actions[0], decision")
BURNS = "import threading\ndef burn():\n    while time.process_time() < 0.5: pass"
PONDERS = "if decision == '1': threading.Thread(target=burn, daemon=True).start()"
# bad habits: what each one changes in a program that otherwise passes the check
HABITS = {
    "buffers": {"first": BUFFERED, "hello": "print('ready want=legal')"},
    "buffers-answers": {"first": BUFFERED, "answer": "print('play', actions[0], decision)"},
    "late": {"asked": "time.sleep(0.6)"},
    "splash": {"first": "print('loading weights', flush=True)"},
    "typo": {"hello": "print('ready want=lgal,legal', flush=True)"},
    "unnumbered": {"answer": PLAY.format("actions[0]")},
    "verbs": {"line": f"assert verb in {KNOWN!r}"},
    "keys": {"line": "if verb == 'seat': _, _ = rest.split()"},
    "ponders": {"first": BURNS, "answer": f"{PLAYS}\n{PONDERS}"},
    "unseeded": {
        "first": "import random",
        "answer": PLAY.format("random.choice(actions), decision"),
    },
    "own-numbers": {
        "first": "import random\nrng = random.Random(1)",
        "answer": PLAY.format("rng.choice(actions), decision"),
    },
    "counts-on": {
        "first": "import itertools\nanswers = itertools.count(1)",
        "answer": PLAY.format("actions[0], next(answers)"),
    },
    "one-game": {"first": "games = iter('1')", "line": "if verb == 'game': next(games)"},
    "ends": {"ended": "break"},
    "slow": {"asked": "time.sleep(0.15)"},
    "outlives": {"quit": "sys.exit()", "last": "time.sleep(60)"},
    "talks": {"quit": "print('log goodbye', flush=True)\nbreak"},
    "babbles": {"quit": "while True: print('log goodbye' * 1000, flush=True)"},
    "slow-start": {"first": "time.sleep(1.1)"},
    "stays": {"quit": "time.sleep(60)\nbreak"},
}
# habit, or mode: the step it shows in, the verdict, words of what was seen, words of the remedy
SHOWN = [
    ("buffers", "hello", "failed", 'no "ready"', "stayed in a buffer"),
    ("buffers-answers", "answer", "failed", "no complete answer", "stayed in a buffer"),
    ("late", "answer", "failed", "no complete answer", "The bot is too slow: it answered 2"),
    ("splash", "hello", "note", '"loading weights"', "standard error"),
    ("typo", "hello", "note", 'there is no "lgal" to want; did you mean "legal"?', "obs,legal"),
    ("unnumbered", "answer", "note", "no number", "play ACTION D"),
    ("verbs", "unknown", "failed", "unknown lines", "Skip a line"),
    ("keys", "unknown", "failed", "colour=green", "by its key"),
    ("ponders", "manners", "note", "while others decide", "stopped while it is not asked"),
    ("unseeded", "seed", "note", "not reproducible", '"seed"'),
    ("own-numbers", "again", "note", "was answered otherwise", '"seed"'),
    ("counts-on", "again", "failed", "game 2 of the process", "that very D"),
    ("one-game", "again", "failed", "game 2 of the process", '"game"'),
    ("ends", "again", "failed", "game 2 of the process", '"end" ends a game, not the bot'),
    ("slow", "manners", "note", "with 30 ms a move: time", '"limit="'),
    ("outlives", "eof", "failed", "still running", "end of the input"),
    ("talks", "quit", "note", "it wrote before it went", "Write nothing"),
    ("babbles", "quit", "failed", "does not stop writing", "only what answers"),
    ("daemon", "manners", "note", "/bin/python3 -c im", ""),  # it is killed
    ("resign 2", "game", "note", "resigned in seat 0, 1", ""),
]


@pytest.mark.parametrize(("habit", "step", "verdict", "seen", "remedy"), quickly(SHOWN))
def test_bad_habit_shows_in_its_own_step(
    home: Path, habit: str, step: str, verdict: str, seen: str, remedy: str
) -> None:
    """A bad habit of a bot is a failure or a note of its own step, and of no other."""
    quick = ("buffers", "buffers-answers", "late", "counts-on", "slow")
    clock = HASTY if habit in quick else CLOCK
    # six random choices among three actions can be the same in two matches by chance
    game = "leaves" if habit == "unseeded" else GAME
    report = check(home, *habit.split(), clock=clock, game=game)
    finding = by_name(report)[step].finding
    assert finding.verdict == verdict
    assert seen in finding.detail
    assert remedy in finding.remedy
    assert [name for name in odd(report) if name != step] == [], report
    assert report.passed == (verdict == "note")


def subject(home: Path, habit: str) -> Subject:
    bot = make_ready(describe(Path(with_habit(home, habit).run or "")), level="none")
    return Subject(Entrant(habit, bot), (load_game(GAME),), CLOCK, "none")


@pytest.mark.slow
def test_slow_start_gets_note(home: Path) -> None:
    """A bot that takes more than a second to start gets a note of what that costs."""
    finding = hello(subject(home, "slow-start"))
    assert finding.verdict is StepState.NOTE
    assert "pays that time again" in finding.detail
    assert "Prepare less" in finding.remedy


@pytest.mark.slow
def test_bot_that_stays_after_quit_fails(home: Path) -> None:
    """A bot that is still running 1 s after ``quit`` fails, though it left at the end of input."""
    it = subject(home, "stays")
    assert leaves(it, [], asks=True, at_end=False).verdict is StepState.OK
    finding = leaves(it, [], asks=True, at_end=True)
    assert finding.verdict is StepState.FAILED
    assert finding.detail == 'it is still running 1000 ms after "quit"'
    assert finding.transcript[-1].text == "it is still running after 1000 ms"


@pytest.mark.parametrize(
    "words", ["action", *slowly(["'I think\\n' + action", "'paly ' + action"])]
)
def test_an_action_without_its_verb(home: Path, tmp_path: Path, words: str) -> None:
    """The advice is to write ``play`` before it, and only where the line is a legal action."""
    (tmp_path / "bare.py").write_text(program(answer=f"action = actions[0]; print({words})"))
    entry = BotEntry("bare", run=str(tmp_path / "bare.py"))
    report = check_bot(entry, home, game="leaves", clock=HASTY, sandbox="none")
    finding = by_name(report)["answer"].finding
    assert finding.verdict is StepState.FAILED
    assert ('Write "play ' in finding.remedy) == (words == "action"), finding
    assert ('did you mean "play"' in finding.remedy) == ("paly" in words), finding


def test_build_that_fails(home: Path, tmp_path: Path) -> None:
    """A build that fails is the first step's failure, with what the compiler said."""
    (tmp_path / "x").write_text("x")
    manifest = "name: it\nlanguage: none\nbuild: [sh, -c, 'echo no such luck; exit 4']\n"
    (tmp_path / "bot.yaml").write_text(manifest + "start: [./x]\n")
    report = check_bot(BotEntry("it", run=str(tmp_path)), home, game=GAME, sandbox="none")
    assert "no such luck" in report.steps[0].finding.detail
    assert "by hand" in report.steps[0].finding.remedy
    assert not report.passed


def test_good_bot_passes_isolated(home: Path) -> None:
    """A good bot passes at this machine's level, which is named."""
    report = check_bot(BotEntry("random", ref="random"), home, game="leaves")
    assert report.passed, report
    assert "isolation " in report.steps[0].finding.detail
