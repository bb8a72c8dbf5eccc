"""``arena check`` with real bots, good and wicked: the step that fails is named, with a remedy."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from support.needs import toolchain

from arena.bots.bundled import bundled_bots
from arena.bots.new_bot import kit_file, kit_languages
from arena.bots.program import describe
from arena.check import CheckReport, Step, StepState, Subject, check_bot
from arena.check.first_words import answer, hello
from arena.check.leaving import leaves
from arena.check.subject import find_subject
from arena.check.submit import submit
from arena.values.errors import BotError
from arena.values.model import BotEntry, Clock
from engines import UnknownGame

BOTS = Path(__file__).parent / "bots"
GAME = "pebbles(players=2,heap=24)"
CLOCK = Clock(move_ms=1000, first_ms=0, start_ms=5000)
HASTY = Clock(move_ms=300, first_ms=0, start_ms=600)

NAMES = "build hello answer game unknown seed again eof quit manners"

# those that the quick suite tries; the others take as long, and show the same ways again
QUICK = ["start-exit", "start-banner", "crash", "partial", "flood-line", "twice", "illegal"]
QUICK += ["buffers-answers", "keys", "carriage-returns", "unseeded", "ends"]

pytestmark = pytest.mark.usefixtures("small_games", "no_process_left")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home in which what needs building is built once."""
    return tmp_path_factory.mktemp("check")


def check(home: Path, bot: str, *args: str, clock: Clock = CLOCK, game: str = GAME) -> CheckReport:
    # without isolation: what is tested here is the same at every level, and starts are many
    entry = BotEntry(bot, run=str(BOTS / bot), args=args)
    return check_bot(entry, home, game=game, clock=clock, sandbox="none")


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
    if "ms a move" in manners and "CRLF" not in manners and "left running" not in manners:
        held_up.add("manners")
    if "each match pays that" in by_name(report)["hello"].finding.detail:
        held_up.add("hello")
    return [name for name in names if name not in held_up]


def test_good_bot(home: Path) -> None:
    """A good bot passes every step, in order, with a number each."""
    seen: list[Step] = []
    entry = BotEntry("good", run=str(BOTS / "unmannerly.py"))
    report = check_bot(entry, home, game=GAME, clock=CLOCK, sandbox="none", watch=seen.append)
    assert " ".join(step.name for step in report.steps) == NAMES
    assert [step.number for step in report.steps] == list(range(1, 11))
    assert odd(report) == [], report
    assert report.passed
    assert tuple(seen) == report.steps
    assert report.games == (GAME,)


# every verdict and its cause are in tests/unit/match, what to do about it in unit/check; here
# is what a step makes of them
# bot, mode: the step that fails, words of what was seen, words of the remedy
FAULTS = [
    ("start-exit", "hello", "exited with status 3 before it said ready", "by hand"),
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


# the bot of the tutorial, but for what it says that it wants
FORGETFUL = """\
for line in iter(input, "quit"):
    verb, _, rest = line.partition(" ")
    if verb == "hello": print("ready", flush=True)
    elif verb == "legal": actions = rest.split()
    elif verb == "go": print("play", actions[0], rest.split()[0], flush=True)
"""


@pytest.mark.parametrize(("mode", "step", "seen", "remedy"), quickly(FAULTS))
def test_fault(home: Path, mode: str, step: str, seen: str, remedy: str) -> None:
    """A fault at the start or at the first answer fails that step, and shows what was said."""
    clock = HASTY if mode in ("start-mute", "hang", "partial") else CLOCK
    report = check(home, "scripted.py", mode, clock=clock)
    assert not report.passed
    assert verdicts(report, StepState.FAILED)[0] == step
    finding = by_name(report)[step].finding
    assert seen in finding.detail.replace('\\"', '"')
    assert remedy in finding.remedy
    assert ("arena", "hello abp 1") in [(line.who, line.text) for line in finding.transcript]
    assert by_name(report)["game"].finding.verdict is StepState.SKIPPED
    tried = by_name(report)["quit"].finding.verdict is not StepState.SKIPPED
    assert tried == (step == "answer"), "how it leaves needs no more than that it says ready"


def test_a_list_that_was_not_asked_for(home: Path, tmp_path: Path) -> None:
    """A bot that waits for ``legal`` and never asked for it hears what it has to say."""
    (tmp_path / "bot.py").write_text(FORGETFUL)
    entry = BotEntry("bot", run=str(tmp_path / "bot.py"))
    finding = by_name(check_bot(entry, home, game=GAME, clock=CLOCK, sandbox="none"))
    assert "crash at decision 1" in finding["answer"].finding.detail
    assert '"ready want=legal"' in finding["answer"].finding.remedy


def test_fault_in_a_game(home: Path) -> None:
    """A fault late in a whole game is shown with the question it came to, and its last words."""
    report = check(home, "scripted.py", "crash", "4")
    assert verdicts(report, StepState.FAILED) == ["game"]
    assert verdicts(report, StepState.SKIPPED) == ["seed", "again"]
    finding = by_name(report)["game"].finding
    assert finding.detail.startswith("seat 0: crash at decision 4: it exited with status 3")
    assert finding.stderr == "about to crash"
    said = [(line.who, line.text) for line in finding.transcript]
    assert said[-1] == ("note", "it exited with status 3")
    assert said[-2] == ("arena", "go 4 limit=1000")


# habit: the step it shows in, the verdict, words of what was seen, words of the remedy
HABITS = [
    ("buffers", "hello", "failed", 'no "ready"', "stayed in a buffer"),
    ("buffers-answers", "answer", "failed", "no complete answer", "stayed in a buffer"),
    ("splash", "hello", "note", '"loading weights"', "standard error"),
    ("typo", "hello", "note", 'nobody can want "lgal"; did you mean "legal"?', "obs,legal"),
    ("unnumbered", "answer", "note", "no number", "play ACTION D"),
    ("verbs", "unknown", "failed", "unknown lines", "Skip a line"),
    ("keys", "unknown", "failed", "colour=green", "by its key"),
    ("carriage-returns", "manners", "note", "CRLF", "carriage return"),
    ("empty-lines", "manners", "note", "empty lines", "skip empty lines"),
    ("unseeded", "seed", "note", "not reproducible", '"seed"'),
    ("own-numbers", "again", "note", "was answered otherwise", '"seed"'),
    ("counts-on", "again", "failed", "game 2 of the process", "that very D"),
    ("one-game", "again", "failed", "game 2 of the process", '"game"'),
    ("ends", "again", "failed", "game 2 of the process", '"end" ends a game, not the bot'),
    ("slow", "manners", "note", "with 30 ms a move: time", '"limit="'),
    ("outlives", "eof", "failed", "still running", "end of the file"),
    ("talks", "quit", "note", "it wrote before it went", "Say nothing"),
    ("babbles", "quit", "failed", "does not stop writing", "only what answers"),
]


@pytest.mark.parametrize(("habit", "step", "verdict", "seen", "remedy"), quickly(HABITS))
def test_habit(home: Path, habit: str, step: str, verdict: str, seen: str, remedy: str) -> None:
    """A bad habit shows in its own step, as a failure or as a note, and in no other."""
    quick = ("buffers", "buffers-answers", "counts-on", "slow")
    report = check(home, "unmannerly.py", habit, clock=HASTY if habit in quick else CLOCK)
    finding = by_name(report)[step].finding
    assert finding.verdict == verdict
    assert seen in finding.detail
    assert remedy in finding.remedy
    assert [name for name in odd(report) if name != step] == [], report
    assert report.passed == (verdict == "note")


# logs much, from its start on, and talks oddly, or keeps an answer in its buffer, thereafter
TALKATIVE = """\
import sys
out = open(1, "w", closefd=False)  # with a buffer, which Python's own has not where we start it
for line in sys.stdin:
    verb, _, rest = line.strip().partition(" ")
    if verb == "hello":
        print("log at the start\\n" * {at_start} + "ready want=legal", file=out, flush=True)
    elif verb == "legal":
        legal = rest.split()
    elif verb == "go":
        decision = rest.split()[0]
        if decision != "{kept}": print("log thinking\\n" * {at_move}, end="", file=out)
        if decision == "2": print("so be it", file=out)
        print("play", legal[0], decision, file=out, flush=decision != "{kept}")
    elif verb == "quit":
        break
"""


def talkative(folder: Path, **values: int) -> BotEntry:
    (folder / "bot.py").write_text(TALKATIVE.format(**values))
    return BotEntry("talkative", run=str(folder / "bot.py"))


def test_a_buffer_is_seen_behind_many_lines(home: Path, tmp_path: Path) -> None:
    """An answer that stayed in a buffer is reported as such, however much the bot had logged."""
    entry = talkative(tmp_path, at_start=0, at_move=600, kept=3)
    report = check_bot(entry, home, game=GAME, clock=HASTY, sandbox="none")
    finding = by_name(report)["game"].finding
    assert "time at decision 3" in finding.detail
    assert "stayed in a buffer" in finding.remedy


def test_an_odd_line_is_seen_behind_many_lines(home: Path, tmp_path: Path) -> None:
    """A line that is none of the protocol's is noted, whatever the bot had logged before."""
    entry = talkative(tmp_path, at_start=900, at_move=600, kept=0)
    found, _ = find_subject(entry, home, GAME, CLOCK, "none")
    assert found is not None
    assert '"so be it"' in answer(found).detail


def subject(home: Path, habit: str) -> Subject:
    entry = BotEntry(habit, run=str(BOTS / "unmannerly.py"), args=(habit,))
    found, _ = find_subject(entry, home, GAME, CLOCK, "none")
    assert found is not None
    return found


@pytest.mark.slow
def test_slow_start(home: Path) -> None:
    """A bot that takes more than a second to start is told what that costs."""
    finding = hello(subject(home, "slow-start"))
    assert finding.verdict is StepState.NOTE
    assert "each match pays that" in finding.detail
    assert "Prepare less" in finding.remedy


@pytest.mark.slow
def test_staying(home: Path) -> None:
    """A bot that does not leave at quit fails, though it left at the end of its input."""
    it = subject(home, "stays")
    assert leaves(it, it.games[0], at_end=False).finding.verdict is StepState.OK
    finding = leaves(it, it.games[0], at_end=True).finding
    assert finding.verdict is StepState.FAILED
    assert finding.detail == 'it is still running 1000 ms after "quit"'
    assert finding.transcript[-1].text == "it is still running after 1000 ms"


@pytest.mark.slow
def test_processes_left_behind(home: Path) -> None:
    """What a bot leaves running is named, killed, and no failure."""
    report = check(home, "scripted.py", "daemon")
    finding = by_name(report)["manners"].finding
    assert finding.verdict is StepState.NOTE
    assert f"{sys.executable} -c import" in finding.detail
    assert report.passed


def test_resigning_is_told(home: Path) -> None:
    """A bot that resigns passes, with a note that its games were not walked to their ends."""
    report = check(home, "scripted.py", "resign", "2")
    assert report.passed
    assert "resigned in seat 0, 1" in by_name(report)["game"].finding.detail


def test_several_games(home: Path, tmp_path: Path) -> None:
    """A bot is tried in the games its bot.yaml names, each a step of its own."""
    (tmp_path / "bot.py").write_text((BOTS / "unmannerly.py").read_text())
    games = '["pebbles(players=2)", auction]'
    (tmp_path / "bot.yaml").write_text(f"name: it\nlanguage: python\ngames: {games}\n")
    entry = BotEntry("it", run=str(tmp_path))
    report = check_bot(entry, home, clock=CLOCK, sandbox="none")
    assert report.passed, report
    assert report.games == ("pebbles(players=2)", "auction")
    assert [step.game for step in report.steps if step.name == "game"] == list(report.games)
    again = by_name(report)["again"].finding.detail
    assert "pebbles(players=2) seat 0" in again
    assert "auction seat 0" in again


def test_a_game_that_it_does_not_play(home: Path, tmp_path: Path) -> None:
    """What its bot.yaml leaves out is refused, as in a match; a variant of what it names is not."""
    (tmp_path / "bot.py").write_text((BOTS / "unmannerly.py").read_text())
    (tmp_path / "bot.yaml").write_text("name: it\nlanguage: python\ngames: [pebbles]\n")
    entry = BotEntry("it", run=str(tmp_path))
    with pytest.raises(BotError, match=r"as its bot\.yaml says, and not auction"):
        check_bot(entry, home, game="auction", sandbox="none")
    with pytest.raises(BotError, match=r"as its bot\.yaml says, and not auction"):
        submit(tmp_path, "it", home, game="auction", allow_unsafe=True)
    assert check_bot(entry, home, game=GAME, clock=CLOCK, sandbox="none").passed


BARE = """
for line in iter(input, "quit"):
    if line[:5] == "hello": print("ready want=legal", flush=True)
    if line[:5] == "legal": action = line.split()[1]
    if line[:2] == "go": print(WORDS, flush=True)
"""


@pytest.mark.parametrize("words", ["action", "'I think\\n' + action", "action + ' 1'"])
def test_an_action_without_its_verb(home: Path, tmp_path: Path, words: str) -> None:
    """The advice is to write ``play`` before it, and only where the line is a legal action."""
    (tmp_path / "bare.py").write_text(BARE.replace("WORDS", words))
    entry = BotEntry("bare", run=str(tmp_path / "bare.py"))
    report = check_bot(entry, home, game="leaves", clock=HASTY, sandbox="none")
    finding = by_name(report)["answer"].finding
    assert finding.verdict is StepState.FAILED
    assert ('Write "play ' in finding.remedy) == (words == "action"), finding


def test_unknown_game_of_a_bot(home: Path, tmp_path: Path) -> None:
    """A bot.yaml that names a game nobody has fails the first step, and everything waits for it."""
    (tmp_path / "bot.py").write_text("pass")
    (tmp_path / "bot.yaml").write_text("name: it\nlanguage: python\ngames: [leafs]\n")
    report = check_bot(BotEntry("it", run=str(tmp_path)), home, sandbox="none")
    assert verdicts(report, StepState.FAILED) == ["build"]
    assert 'did you mean "leaves"?' in report.steps[0].finding.detail
    assert {step.finding.verdict for step in report.steps[1:]} == {StepState.SKIPPED}
    assert " ".join(step.name for step in report.steps) == NAMES


def test_build_that_fails(home: Path, tmp_path: Path) -> None:
    """A build that fails is the first step's failure, with what the compiler said."""
    (tmp_path / "x").write_text("x")
    manifest = "name: it\nlanguage: none\nbuild: [sh, -c, 'echo no such luck; exit 4']\n"
    (tmp_path / "bot.yaml").write_text(manifest + "start: [./x]\n")
    report = check_bot(BotEntry("it", run=str(tmp_path)), home, game=GAME, sandbox="none")
    assert "no such luck" in report.steps[0].finding.detail
    assert "by hand" in report.steps[0].finding.remedy
    assert not report.passed


def test_what_is_not_there(home: Path) -> None:
    """A bot or game that does not exist is a mistake of the person, not a failed step."""
    with pytest.raises(BotError, match="no such file"):
        check_bot(BotEntry("x", run="/no/such/bot.py"), home, game=GAME, sandbox="none")
    with pytest.raises(BotError, match='did you mean "greedy"'):
        check_bot(BotEntry("gredy", ref="gredy"), home, game=GAME, sandbox="none")
    with pytest.raises(UnknownGame):
        check_bot(BotEntry("random", ref="random"), home, game="leafs", sandbox="none")


def test_isolated(home: Path) -> None:
    """At the level that bots run at here, a good bot passes, too, and says which it is."""
    report = check_bot(BotEntry("random", ref="random"), home, game="leaves")
    assert report.passed, report
    assert "isolation " in report.steps[0].finding.detail


OWN = [program.folder for program in bundled_bots() if program.name != "mcts"]
OWN += [kit_file(language) for language in kit_languages()]


@pytest.mark.slow
@pytest.mark.parametrize("path", OWN, ids=lambda path: os.path.relpath(path, BOTS.parents[2]))
def test_own_bots(home: Path, path: Path) -> None:
    """The bundled bots and the kits pass without a note, but for what a busy machine explains."""
    toolchain(describe(path).language)
    report = check_bot(BotEntry("own", run=str(path)), home, game="leaves", sandbox="none")
    assert odd(report) == [], report
    assert report.passed
