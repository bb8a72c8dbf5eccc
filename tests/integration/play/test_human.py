"""A person plays at a terminal: driven through a pseudo-terminal, as somebody would type."""

from __future__ import annotations

import re
import termios
from pathlib import Path

import pytest
from support.arena_command import process
from support.terminals import Terminal, terminal

from arena.record.record import parse_record

pytestmark = pytest.mark.slow


def play_to_the_end(screen: Terminal) -> int:
    """Type the number of the first legal action until the game is over; return how often."""
    decision = 1
    while True:
        screen.type(b"1")
        decision += 1
        after = screen.expect(rf"Your decision {decision}\.|((?:won|A draw)\b.*\.)")
        if after[1]:
            return decision - 1


def test_person_plays_the_tree(tmp_path: Path) -> None:
    """A person sees the board, asks for legal actions, types nonsense, and plays on."""
    with terminal(tmp_path, "play", "the_tree", "human", "random", "--seed", "1") as screen:
        screen.expect("You are player 0")
        screen.expect("player 1: \\?(,\\?)*")
        screen.expect("Your decision 1.")
        screen.expect("> ")
        odd = b"\xff\xfe\xc3", b"\x1b[A", b"x" * 900
        for nonsense in (b"", b"   ", b"play", *odd, b"99@0:0"):
            screen.type(nonsense)
            screen.expect("> ")
        screen.type(b"help")
        screen.expect(r"resign +give up(.|\n)*> ")
        screen.press(b"\x1b[A\x1b[A\x1b[D\x7f\n")  # up twice, left, Backspace: of "99@0:0"
        screen.expect('"99@00" is not legal')
        play_to_the_end(screen)
        screen.expect("by rules")
        screen.expect("seed 1")
        assert screen.close() == 0
    assert "Traceback" not in screen.shown


PLAYER_1 = r"player 1: \?(,\?)*( \(.*\))?"
SUPPLY = r"supply: (-|\?(,\?)*)"


def test_a_watched_match_shows_a_person_what_it_may_know(tmp_path: Path) -> None:
    """Neither the other hand nor the supply is shown, in no position, to the last one."""
    command = ("play", "the_tree", "human", "random", "--seed", "1", "--watch")
    with terminal(tmp_path, *command) as screen:
        screen.expect("> ")
        decisions = play_to_the_end(screen)
        screen.expect("seed 1")
        assert screen.close() == 0
    lines = screen.shown.splitlines()
    hands = [line for line in lines if line.startswith("player 1: ")]
    supplies = [line for line in lines if line.startswith("supply: ")]
    # a board where the person is asked, and one after each action that another's follows
    assert min(len(hands), len(supplies)) > decisions
    boards = re.findall(r"(?m)^y/x[^$]*?^supply: .*$", screen.shown)
    assert len(boards) == len(hands)
    assert screen.shown.count("the game is over: ") == 1  # in the last board, and no other
    assert [line for line in hands if not re.fullmatch(PLAYER_1, line)] == []
    assert [line for line in supplies if not re.fullmatch(SUPPLY, line)] == []


def test_hint_plays_nothing(tmp_path: Path) -> None:
    """A hint is only shown, and Ctrl-D resigns when pressed twice."""
    record = tmp_path / "record.json"
    command = ("leaves", "human", "greedy", "--seed", "1", "--record", str(record))
    with terminal(tmp_path, "play", *command) as screen:
        screen.expect("> ")
        screen.type(b"N1")
        screen.expect(r"Your decision 2\.")
        screen.type(b"hint")
        hinted = screen.expect(r"(\S+) looks best: about \d+ % to win")
        screen.type(hinted[1].encode())
        screen.expect(r"Your decision 3.*\n> ")  # a key between two prompts may be lost
        screen.press(b"\x04")
        screen.expect(r"Do you resign(.|\n)*> ")
        screen.press(b"\x04")
        screen.expect("greedy won: you resigned")
        assert screen.close() == 0
    actions = parse_record(record.read_text()).actions
    assert [action for player, action in actions if player == 0] == ["N1", hinted[1], None]


def test_ctrl_c_restores_terminal(tmp_path: Path) -> None:
    """Ctrl-C ends the match with exit code 130 and leaves the terminal as it was."""
    with terminal(tmp_path, "play", "leaves", "human", "random", "--seed", "1") as screen:
        before = termios.tcgetattr(screen.master)
        screen.expect("> ")
        screen.press(b"\x03")
        assert screen.process.wait(30) == 130
        assert termios.tcgetattr(screen.master)[3] == before[3]


def test_person_who_resigns_or_hangs_up_loses(tmp_path: Path) -> None:
    """A person who resigns, or whose input ends, loses, and nothing hangs."""
    with terminal(tmp_path, "play", "leaves", "human", "random", "--seed", "1") as screen:
        screen.expect("> ")
        screen.type(b"resign")
        screen.expect("by resign")
        assert screen.close() == 0
    done = process(tmp_path, "play", "leaves", "random", "human", "--seed", 1, "--json")
    assert done.returncode == 0
    assert '"by":"resign"' in done.stdout
