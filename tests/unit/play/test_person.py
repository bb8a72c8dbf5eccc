"""The bot ``human``: what a person sees and types, and what the referee hears of it."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Sequence

import pytest

import engines
from arena.play.human import PersonHere
from arena.play.screen import Terminal

LEAVES = ["hello arena/1", "game m leaves", "seat 1 2"]
TURN = ["obs #/# 0 2,2 2 *", "legal N1-1 N1-2 E1-1", "go 1"]


class Typed(Terminal):
    """A terminal whose person types these lines; then the input has ended."""

    columns = 0

    def __init__(self, typed: Sequence[str], columns: int) -> None:
        self.columns = columns
        self.shown = ""
        self._typed = list(typed)

    def ask(self, prompt: str) -> str | None:
        self.shown += prompt
        return self._typed.pop(0) if self._typed else None

    def print(self, text: str) -> None:
        self.shown += text + "\n"


def play(lines: Sequence[str], *typed: str, width: int = 80) -> tuple[str, str | None]:
    """Return what a person sees who hears these lines of the referee, and the last answer."""
    screen = Typed(typed, width)
    with tempfile.TemporaryFile() as lock:
        person = PersonHere(screen, lock.fileno(), color=False)
        answers = [person.hear(line) for line in [*LEAVES, *lines]]
    return screen.shown, answers[-1]


@pytest.mark.parametrize("observed", [True, False])
def test_last_turn_is_marked_for_person(observed: bool) -> None:
    """A person sees the whole last turn marked if the position before is known, else its end."""
    before = ["setup #/# 0 2,2 2 *"] if observed else []
    after = ["did 0 E1-1", "obs #./aa/.# 1 0,2 2 *", "legal N1-1", "go 1 legal=part"]
    shown, _ = play([*before, *after])
    assert ("  2 *a *a\n" in shown) == observed
    assert ("  2 *a  a\n" in shown) != observed
    assert "\na player 0: " in shown
    assert "\nb you (player 1): " in shown


def test_hidden_action_is_read_from_next_observation() -> None:
    """After an action that is shown as ``?`` the board is that of the next observation."""
    lines = ["obs #/# 0 2,2 2 *", "did 0 ?", "obs #./aa/.# 1 0,2 2 *", "go 1 legal=part"]
    assert "  2  a  a\n" in play(lines)[0]


@pytest.mark.parametrize("width", [30, 60, 80])
@pytest.mark.parametrize("command", ["legal", "nonsense", "help", "rules", "rules all", "hint"])
def test_output_fits_width_of_terminal(width: int, command: str) -> None:
    """No line of the output is wider than the terminal, and the first screen is plain text."""
    legal = f"legal {' '.join(f'E{n}-{n % 7}y' for n in range(50))}"
    lines = ["obs #/# 1 2,2 2 *", legal, "go 1 left=5 limit=5"]
    shown, answer = play(lines, command, "resign", width=width)
    said = shown.split("\n> ")[1]
    assert answer == "resign"
    assert [line for line in said.splitlines() if len(line) > width and " " in line.strip()] == []
    assert command == "rules all" or not re.search(r"\*\*|\]\(|```", said)


@pytest.mark.parametrize(
    ("typed", "action"), [("N1-2", "N1-2"), ("3", "E1-1"), (" 1 ", "N1-1"), ("4", None)]
)
def test_number_of_list_is_its_action(typed: str, action: str | None) -> None:
    """A number typed from the list of legal actions plays its action; another is not legal."""
    shown, answer = play(["obs #/# 1 2,2 2 *", *TURN[1:]], "legal 1-", typed, "quit")
    assert "3 legal actions:\n  1 N1-1   2 N1-2   3 E1-1\n" in shown
    assert answer == ("resign" if action is None else f"play {action} 1")


def test_scores_are_shown_where_nothing_is_hidden() -> None:
    """The person's first; in a game with hidden things the board says what may be known."""
    shown, _ = play(["obs #./aa/.# 1 0,2 2 *", "go 1 legal=part"])
    assert "Your decision 1. You have 0, player 0 has 2. Choose" in " ".join(shown.split())
    game = engines.load_game("build_your_arboretum")
    state = game.new_initial_state(game.setup(1)).apply_action(0, "first:0")
    assert any(state.scores())
    hidden = [f"game m {game}", "seat 0 2", f"obs {state.observation(0)}", "legal bid:-", "go 1"]
    assert "Your decision 1. Bid up to" in play(hidden)[0]
