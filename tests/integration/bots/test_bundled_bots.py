"""Every bot we ship, spoken to as the referee would, as a real process."""

from __future__ import annotations

import os
import re
import subprocess
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from support.arborius_setups import setup
from support.arena_command import ROOT, environment
from support.kits import KITS, changed_kit
from support.needs import tool, toolchain
from support.piped import Piped

import engines
from arena.bots.bundled import bundled_bots, bundled_folder
from arena.bots.new_bot import kit_file
from arena.bots.program import Program, describe
from arena.bots.ready import make_ready
from arena.values.model import Bot

ANSWERS_S = 60.0  # for all of a bot's answers

BUNDLED = {program.name: program for program in bundled_bots()}

# Leaves, one leaf a turn: the start, and the position after E3, S1, W3, N2 (docs/rules/leaves.md)
GAME = "leaves(turns=single)"
START = (
    "#/#/#/#/# 0 10,10 1 *",
    ("N1", "E1", "E2", "E3", "E4", "E5", "S1", "W1", "W2", "W3", "W4", "W5"),
)
LATER = (".b./##./a#a/.b./.#./.#. 0 8,8 1 E", ("E1", "E2", "E3", "E4", "E5", "E6"))

# by hand from the source: seed 1 makes the state 2, each draw is state * 16807 % 2147483647, and
# picks the action at state / 2147483647 of the list; the first draw went to the start position
AWK_PLAYS = [f"E{1 + 2 * 16807**k % 2147483647 * 6 // 2147483647}" for k in range(2, 7)]


class Talk(Piped):
    """A conversation with one bot process; leaving the ``with`` block kills what is left of it."""

    def __init__(self, bot: Bot, *args: str) -> None:
        """Start the bot with the referee's kind of environment; ``engines`` can be imported."""
        env = {"PATH": os.environ["PATH"], "PYTHONPATH": environment(ROOT)["PYTHONPATH"]}
        env |= {"PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"}
        more = {"cwd": bot.folder, "stderr": subprocess.DEVNULL, "start_new_session": True}
        super().__init__((*bot.start, *args), env=env, **more)
        self.clock = threading.Timer(ANSWERS_S, self.kill)
        self.clock.start()

    def __exit__(self, *words: Any) -> None:
        self.clock.cancel()
        self.kill()
        super().__exit__(*words)

    def hear(self) -> str:
        """Return the next line; fails if none comes in time."""
        line = self.stdout.readline()
        assert line.endswith("\n"), f"the bot has ended, or was too slow; its last words: {line!r}"
        return line[:-1]

    def greet(self) -> None:
        """Say hello and check the answer."""
        self.say("hello abp 1")
        answer = self.hear()
        assert re.fullmatch(r"ready( [a-z]+=[!-~]+)*", answer), answer

    def decide(self, number: int, *lines: str) -> str:
        """Ask for a decision; return the action once the answer was seen to be well-formed."""
        self.say(*lines, f"go {number} left=60000 limit=10000")
        while (answer := self.hear()).startswith(("info ", "log ")):
            pass
        match = re.fullmatch(r"play ([!-~]+) (\d+)", answer)
        assert match, answer
        assert int(match[2]) == number
        return match[1]

    def play(self, seed: int, decisions: int = 6) -> list[str]:
        """Play a match at seat 0: the start position, then the later one again and again."""
        self.say(f"game m{seed} {GAME}", "seat 0 2", "clock move=10000", f"seed {seed}")
        chosen = []
        for number in range(1, decisions + 1):
            observation, legal = START if number == 1 else LATER
            action = self.decide(number, f"obs {observation}", f"legal {' '.join(legal)}")
            assert action in legal
            chosen.append(action)
        self.say(f"end m{seed} rank=1/2 score=12,9 by=rules")
        return chosen

    def leave(self) -> int:
        """Say quit; return the exit code, which comes within a second."""
        self.say("quit")
        return self.wait(1.0)


def ready(program: Program) -> Bot:
    """Return the bot, or skip where its toolchain is missing."""
    toolchain(program.language)
    return make_ready(program)


def own_programs() -> Iterator[Program]:
    """Yield the bundled bots and the kits."""
    yield from BUNDLED.values()
    for language in KITS:
        program = describe(kit_file(language))
        assert program.language == language
        yield program


OWN = {  # those of other libraries have tests of their own
    f"{program.folder.name}/{program.name}": program
    for program in own_programs()
    if not program.games
}
BUILT_LONG = ("cpp", "go", "java", "rust")


def each(languages: Iterable[str]) -> list[object]:
    """Return rows of slow tests; kits that take long to build are left to the nightly campaigns."""
    return [
        pytest.param(name, marks=pytest.mark.nightly if name in BUILT_LONG else pytest.mark.slow)
        for name in languages
    ]


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.slow if program.language in BUILT_LONG else ())
        for name, program in OWN.items()
    ],
)
def test_bundled_bot_plays_two_matches_and_quits(name: str) -> None:
    """A bundled bot plays two matches in one process, and quits when told or at end of input."""
    bot = ready(OWN[name])
    with Talk(bot) as talk:
        talk.greet()
        talk.play(seed=1)
        talk.play(seed=2**63 - 1)
        assert talk.leave() == 0
    with Talk(bot) as talk:
        talk.greet()
        talk.stdin.close()
        assert talk.wait(5.0) == 0


@pytest.mark.parametrize("language", each(KITS))
def test_a_kit_says_that_it_needs_the_legal_actions(language: str, tmp_path: Path) -> None:
    """An author who leaves ``choose`` as it was, but wants them no longer, reads what to do."""
    with Talk(ready(describe(changed_kit(language, tmp_path, want="obs")))) as talk:
        talk.greet()
        talk.say(f"game m {GAME}", "seat 0 2", "seed 1", f"obs {START[0]}", "go 1 limit=1000")
        assert re.match(r"error .*put legal into (?i:want)$", talk.hear())
        assert talk.wait(5.0) == 1


# logs what the kit knows of actions and events; C leaves it to its author to remember any
REMEMBERED = {
    "awk": "for (i = 1; i <= 2; i++) note(players[i] actions[i] events[i])",
    "cpp": "for (auto &a : match.actions) log(a.second); for (auto &e : match.events) log(e);",
    "go": "log(fmt.Sprint(match.actions, match.events))",
    "java": 'log(match.actions + " " + match.events);',
    "javascript": "log(JSON.stringify([match.actions, match.events]));",
    "python": "log(f'{match.actions} {match.events}')",
    "rust": 'log(&format!("{:?} {:?}", now.actions, now.events));',
    "shell": "log $actions $events",
}


@pytest.mark.parametrize("language", each(REMEMBERED))
def test_a_kit_remembers_the_match(language: str, tmp_path: Path) -> None:
    """All actions and events of the match are there when it chooses, and none of the last match."""
    want = "did,event,legal"
    bot = ready(describe(changed_kit(language, tmp_path, first=REMEMBERED[language], want=want)))
    with Talk(bot) as talk:
        talk.greet()
        for number, words in enumerate((("N1", "E1", "rain", "hail"), ("N2", "E2", "sun", "fog"))):
            talk.say(f"game m{number} {GAME}", "seat 0 2", "seed 1")
            talk.say(f"did 1 {words[0]}", f"did 0 {words[1]}")
            talk.say(f"event {words[2]} today", f"event {words[3]} tomorrow")
            talk.say("legal only", "go 1 limit=1000")
            said = []
            while (line := talk.hear()) != "play only 1":
                assert line.startswith("log ")
                said.append(line)
            found = re.findall("N1|E1|N2|E2|rain|hail|sun|fog", " ".join(said))
            assert sorted(found) == sorted(words)


@pytest.mark.parametrize("awk", ["mawk", "gawk", "busybox", "original-awk"])
@pytest.mark.parametrize("name", ["random_awk/random-awk", "awk/bot"])
def test_any_awk_will_do(
    awk: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``random-awk`` and the kit answer line by line, and alike, whichever program ``awk`` is."""
    (tmp_path / "awk").symlink_to(tool(awk))
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    bot = ready(OWN[name])
    assert str(tmp_path / "awk") in bot.start
    with Talk(bot) as talk:
        talk.greet()
        assert talk.play(seed=1)[1:] == AWK_PLAYS
        assert talk.leave() == 0


def greedy(game: str, seed: int, observation: str, *legal: str) -> str:
    """Return what ``greedy`` plays in one position."""
    with Talk(ready(BUNDLED["greedy"])) as talk:
        talk.greet()
        talk.say(f"game m {game}", "seat 0 2", f"seed {seed}")
        return talk.decide(1, f"obs {observation}", f"legal {' '.join(legal)}")


def test_greedy_takes_the_best_leaf() -> None:
    """In Leaves it finds the one placement that leads.

    In ``a.b.b`` over ``#####`` with one leaf to place, 1-2 now, only E2 leads, by 2-1: it pushes
    the logs west, so that the last ``b`` stands on a leaf. By hand: E1, W1, N2, N4 and every S
    give 2-2, N1, N3 and N5 cover an own leaf or hang, W2 lets the own leaf fall.
    """
    legal = [f"{side}{line}" for side, lines in (("N", 5), ("E", 2), ("S", 5), ("W", 2))
             for line in range(1, lines + 1)]  # fmt: skip
    for seed in (1, 2, 3):
        assert greedy("leaves", seed, "a.b.b/##### 0 1,2 1 *", *legal) == "E2"


def test_greedy_knows_attack_values() -> None:
    """In Arborius it lets a tile enter the one that can then kill, and kills with it."""
    game = engines.load_game("arborius")
    # w0 stands on w1 before b0 and above it, but has nothing inside; w2 stands behind w0
    line = setup("-1,0:w2E|0,0:w1E+w0E|1,0:b0E|1,1:b1N", "a,a,a", "a,a")
    legal = game.new_initial_state(line).legal_actions(0)
    assert greedy("arborius", 1, line, *legal) == "enter:w2:1:0,0"
    line = setup("0,0:w1E+w0E|1,0:b0E|1,1:b1N", "a,a,a", "a,a", w0="0,0:w2E")
    legal = game.new_initial_state(line).legal_actions(0)
    assert greedy("arborius", 1, line, *legal) == "attack:w0:b0"


@pytest.mark.parametrize("name", ["greedy", "mcts", "careful"])
def test_a_bot_that_thinks_speaks_through_the_kit(name: str) -> None:
    """A bot's folder is all that it is shown, so each has the kit in it, as it is."""
    copied = BUNDLED[name].folder / "kit.py"
    assert copied.read_bytes() == kit_file("python").read_bytes()


@pytest.mark.parametrize(
    ("args", "limit_ms", "simulations"),
    # 50 x 4^(level - 1), and 2 where nothing is said
    [((), 60_000, 200), (("--level", "1"), 60_000, 50), (("--level", "5"), 1, None)],
)
def test_levels_of_mcts(args: tuple[str, ...], limit_ms: int, simulations: int | None) -> None:
    """A level is a number of simulations; where the time is too short for it, the log says so."""
    with Talk(ready(describe(BUNDLED["mcts"].folder)), *args) as talk:
        talk.greet()
        talk.say("game m connect_four", "seat 0 2", "seed 1")
        talk.say("obs -/-/-/-/-/-/- 0", "legal a b c d e f g", f"go 1 left=60000 limit={limit_ms}")
        said = []
        while not (answer := talk.hear()).startswith("play "):
            said.append(answer)
    if simulations is None:
        assert any(line.startswith("log 12800 ") for line in said)
    else:
        assert said[-1].endswith(f"sims={simulations}")


def shown_bots(page: Path) -> list[tuple[str, str]]:
    """Return the whole bots shown on a page, as (suffix, text)."""
    suffixes = {"python": "py", "javascript": "js", "c": "c", "sh": "sh", "awk": "awk"}
    blocks = re.findall(r"^```(\w+)\n(.*?)^```$", page.read_text("utf-8"), re.M | re.S)
    return [(suffixes[name], body) for name, body in blocks if "ready want" in body]


README = shown_bots(bundled_folder() / "README.md")
TUTORIAL = shown_bots(ROOT / "docs" / "tutorial" / "first-bot.md")


@pytest.mark.parametrize(("suffix", "text"), README + TUTORIAL, ids=lambda value: value[:3])
def test_the_bots_that_pages_show_play(suffix: str, text: str, tmp_path: Path) -> None:
    """A bot copied from a page plays two equal matches and leaves when told."""
    source = tmp_path / f"bot.{suffix}"
    source.write_text(text)
    with Talk(ready(describe(source))) as talk:
        talk.greet()
        assert talk.play(seed=77) == talk.play(seed=77)
        assert talk.leave() == 0
