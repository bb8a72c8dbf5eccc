"""The bot ``human``: speaks the bot protocol on one side and with a person on the other.

It is a process like every other bot, and the referee treats it as one. The terminal's input and
output are two more descriptors, named in ``ARENA_TERMINAL``. Whatever a person types, this does not
fall over: what is no command and no legal action is answered with what would be.
"""

from __future__ import annotations

import os
import random
import sys
import textwrap
from collections.abc import Iterator, Sequence
from typing import BinaryIO, TextIO

import engines

__all__ = ["Person", "main"]

TERMINAL = "ARENA_TERMINAL"  # two descriptor numbers: "INPUT,OUTPUT"
COLOR = "ARENA_COLOR"  # "1" if the terminal shows colours
WIDTH = 80  # columns, where the terminal does not say how many it has
MANY = 60  # legal actions are shown by fewer than this many; of more, these
LONGEST = 4096  # bytes of a typed line that are looked at

HELP = """\
  an action    play it, spelled as the rules say
  legal [TEXT] list the legal actions, or those that begin with TEXT
  board        draw the board again
  obs          show the position as one line of text
  resign       give up
  help         this text"""


class Person:
    """One person in one seat, during one match.

    Args:
        typed: lines from the terminal.
        screen: the terminal.
        color: whether it shows colours.
        width: how many columns it has.
    """

    def __init__(
        self, typed: BinaryIO, screen: TextIO, *, color: bool = False, width: int = WIDTH
    ) -> None:
        self._typed = typed
        self._screen = screen
        self._color = color
        self._width = width
        self._game: engines.Game | None = None
        self._seat = 0
        self._observation = ""
        self._legal: tuple[str, ...] = ()
        self._partial = False  # is the list of legal actions only a part of them?
        self._state: engines.State | None = None
        self._last: tuple[int, str] | None = None

    def hear(self, line: str) -> str | None:
        """Take one line of the referee; the answer to it, if it wants one."""
        verb, _, rest = line.partition(" ")
        if verb == "hello":
            return "ready want=obs,legal,did,event name=human"
        if verb == "game":
            self._game = engines.load_game(rest.split(" ")[1])
            self._say(f"You play {self._game.title}: {self._game}.")
        elif verb == "seat":
            self._seat = int(rest.split(" ")[0])
            self._say(f"You are player {self._seat}. Type help for what you can type.")
        elif verb == "did":
            player, _, action = rest.partition(" ")
            who = "You" if int(player) == self._seat else f"Player {player}"
            self._say(f"{who}: {action}")
            self._follow(int(player), action)
        elif verb == "event":
            self._say(f"  {rest}")
        elif verb == "bad":
            self._tell(f"The referee says: {rest}")
        elif verb == "obs":
            self._see(rest)
        elif verb == "legal":
            self._legal = tuple(rest.split(" "))
        elif verb == "go":
            self._partial = "legal=part" in rest.split(" ")
            return self._decide(rest.split(" ")[0])
        elif verb == "end":
            self._say_end(rest.split(" ")[1:])
        return None

    def _see(self, observation: str) -> None:
        assert self._game is not None
        self._observation = observation
        if self._state is not None and self._state.observation(self._seat) == observation:
            return
        # what is hidden is drawn at random here, and not shown
        rng = random.Random(0)
        self._state = self._game.sample_state(observation, self._seat, rng)

    def _follow(self, player: int, action: str) -> None:
        """Keep up with an action, so that the board can mark what it did; as far as it is known."""
        self._last = player, action
        if self._state is not None:
            try:
                self._state = self._state.apply_action(player, action)
            except engines.IllegalAction:
                self._state = None

    def _decide(self, decision: str) -> str:
        self._show_board()
        self._say(f"Your decision {decision}.")
        for text in self._lines():
            word, _, rest = text.partition(" ")
            if word in ("help", "?", "h"):
                self._say(HELP)
            elif word == "legal":
                self._show_legal(rest.strip())
            elif word == "board":
                self._show_board()
            elif word == "obs":
                self._say(self._observation)
            elif word in ("resign", "quit", "exit"):
                return "resign"
            elif text and self._is_legal(text):
                return f"play {text} {decision}"
        self._say("The input has ended: you resign.")
        return "resign"

    def _is_legal(self, text: str) -> bool:
        """Return whether an action is legal; say why if it is not."""
        assert self._state is not None
        if text in self._legal:
            return True
        try:
            self._state.apply_action(self._seat, text)
        except engines.IllegalAction as error:
            shown = text.encode("unicode_escape").decode("ascii")[:60]
            self._tell(f'"{shown}" is not legal: {error}. Type legal for what is, or help.')
            return False
        return self._partial

    def _show_legal(self, beginning: str) -> None:
        fitting = [action for action in self._legal if action.startswith(beginning)]
        more = "and more " if self._partial else ""
        self._say(f"{len(fitting)} {more}legal actions" + (":" if fitting else "."))
        shown = fitting[:MANY]
        column = max(map(len, shown), default=0) + 2
        beside = max(1, self._width // column)
        for start in range(0, len(shown), beside):
            words = [action.ljust(column - 2) for action in shown[start : start + beside]]
            self._say(("  " + "  ".join(words)).rstrip())
        if len(fitting) > MANY:
            self._say("  …; type legal and how they begin to see others")

    def _show_board(self) -> None:
        assert self._state is not None
        names = ["you" if player == self._seat else "" for player in range(self._seat + 1)]
        board = self._state.draw_text(self._seat, names=names, last=self._last, color=self._color)
        self._say(f"\n{board}\n")

    def _say_end(self, words: Sequence[str]) -> None:
        """Say how the game ended for this person, from the words of ``end``."""
        said = dict(word.split("=", 1) for word in words)
        rank, _, players = said["rank"].partition("/")
        scores = said.get("score", "").replace(",", " - ")
        place = f"your rank is {rank} of {players}" if players != "1" else "you played alone"
        scored = f", the score is {scores}" if scores else ""
        self._tell(f"The game is over: {place}{scored}, by {said['by']}.")

    def _lines(self) -> Iterator[str]:
        """Yield what the person types, a line at a time, until the input ends."""
        while True:
            self._screen.write("> ")
            self._screen.flush()
            raw = self._typed.readline(LONGEST)
            if not raw:
                return
            if not raw.endswith(b"\n") and len(raw) == LONGEST:
                while (more := self._typed.readline(LONGEST)) and not more.endswith(b"\n"):
                    pass
            yield raw.decode("utf-8", "replace").strip()

    def _tell(self, sentence: str) -> None:
        """Print a sentence, broken between words."""
        lines = textwrap.wrap(sentence, self._width, break_long_words=False, break_on_hyphens=False)
        self._say("\n".join(lines))

    def _say(self, text: str) -> None:
        self._screen.write(text + "\n")
        self._screen.flush()


def _columns(screen: int) -> int:
    try:
        return os.get_terminal_size(screen).columns or WIDTH
    except OSError:  # it is no terminal
        return WIDTH


def main() -> None:
    """Speak the bot protocol on stdin and stdout until ``quit``."""
    typed, screen = (int(number) for number in os.environ[TERMINAL].split(","))
    with open(typed, "rb", buffering=0, closefd=False) as keyboard:
        out = open(screen, "w", encoding="utf-8", errors="replace", closefd=False)  # noqa: SIM115  # both live as long as the process
        color = os.environ.get(COLOR) == "1"
        person = Person(keyboard, out, color=color, width=_columns(screen))
        for line in sys.stdin:
            if line.rstrip("\n") == "quit":
                return
            answer = person.hear(line.rstrip("\n"))
            if answer is not None:
                print(answer, flush=True)


if __name__ == "__main__":
    main()
