"""A person plays at a terminal: driven through a pseudo-terminal, as somebody would type."""

from __future__ import annotations

import re
from pathlib import Path

from support.arena_command import process
from support.terminals import Terminal, terminal


def play_to_the_end(screen: Terminal) -> int:
    """Type the first legal action until the game is over; return how often."""
    decision = 1
    while True:
        screen.type(b"legal")
        found = screen.expect(r"legal actions:\n +(\S+)")
        screen.type(found[1].encode())
        decision += 1
        after = screen.expect(rf"Your decision {decision}\.|The game is over: (your rank.*)")
        if after[1]:
            return decision - 1


def test_the_tree_at_the_terminal(tmp_path: Path) -> None:
    """A person sees the board, asks for the legal actions, types nonsense, and plays on."""
    with terminal(tmp_path, "play", "the_tree", "human", "random", "--seed", "1") as screen:
        screen.expect("You are player 0")
        screen.expect("player 1: \\?(,\\?)*")
        screen.expect("Your decision 1.")
        screen.expect("> ")
        for nonsense in (b"", b"   ", b"play", b"\xff\xfe\xc3", b"\x1b[A", b"99@0:0", b"x" * 9000):
            screen.type(nonsense)
            screen.expect("> ")
        screen.type(b"help")
        screen.expect("resign +give up")
        play_to_the_end(screen)
        screen.expect("supply: -")  # the last position
        screen.expect("(won|A draw): the rules ended the game")
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
    # two boards a decision: the one watched, and the one drawn where the person is asked
    assert min(len(hands), len(supplies)) > 2 * decisions
    assert screen.shown.count("the game is over: ") == 1  # in the last board, and no other
    assert [line for line in hands if not re.fullmatch(PLAYER_1, line)] == []
    assert [line for line in supplies if not re.fullmatch(SUPPLY, line)] == []


def test_resign_and_end_of_input(tmp_path: Path) -> None:
    """Somebody who resigns, or whose terminal hangs up, has lost, and nothing hangs."""
    with terminal(tmp_path, "play", "leaves", "human", "random", "--seed", "1") as screen:
        screen.expect("> ")
        screen.type(b"resign")
        screen.expect("by resign")
        assert screen.close() == 0
    done = process(tmp_path, "play", "leaves", "random", "human", "--seed", 1, "--json")
    assert done.returncode == 0
    assert '"by":"resign"' in done.stdout
