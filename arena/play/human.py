"""The bot ``human``: speaks the bot protocol on one side and with a person on the other.

The process gets three more descriptors, named in ``ARENA_TERMINAL``: the input and the output of
the terminal, and a file. If several people share the terminal, the process that asks its person
holds a lock on that file. A line that is neither a command nor a legal action is answered with what
is legal.
"""

from __future__ import annotations

import fcntl
import os
import time

import engines
from arena.play.listing import chosen, listing
from arena.play.screen import Terminal, fold, open_terminal
from arena.play.seat_view import SeatView
from engines.core.drawing import named
from engines.core.pages import primer, rules_page

TERMINAL = "ARENA_TERMINAL"  # three descriptor numbers: "INPUT,OUTPUT,LOCK"
COLOR = "ARENA_COLOR"  # "1" if the terminal shows colours
SHARE = 0.5  # of the time that is left for a decision: what a hint takes at most

HELP = """\
  an action     play it, spelled as the rules say; or its number in the list
  legal [TEXT]  list the legal actions, or those that contain TEXT
  rules [all]   what to know for a first game, or the whole page of the rules
  hint          ask a search what it would play
  board         draw the board again
  obs           show the position as one line of text
  resign        give up
  help          this text"""


class PersonHere:
    """One person in one seat, during one match.

    Args:
        screen: the terminal.
        lock: the descriptor of the file to lock while the person is asked.
        color: whether the terminal shows colours.
    """

    def __init__(self, screen: Terminal, lock: int, *, color: bool = False) -> None:
        self._screen = screen
        self._lock = lock
        self._color = color
        self._asked = False
        self._unshown: list[str] = []  # what is to be shown when the person is asked
        self._view = SeatView()
        self._until = 0.0  # when the time for the decision is over, in monotonic seconds

    def hear(self, line: str) -> str | None:
        """Take one line of the referee; the answer to it, if it wants one."""
        answer, view = self._view.hear(line), self._view
        verb, _, rest = line.partition(" ")
        if verb == "game":
            self._print_sentence(f"You play {self._game.title}: {self._game}.")
        elif verb == "seat":
            rules = "Type rules to learn the game, help for what else you can type."
            self._print_sentence(f"You are player {view.seat}. {rules}")
        elif verb == "did":
            player, action = view.actions[-1]
            who = "You" if player == view.seat else f"Player {player}"
            self._print_sentence(f"{who}: {action}")
        elif verb == "event":
            self._print_sentence(f"  {self._told(rest)}")
        elif verb == "bad":
            self._screen.print(fold(f"The referee says: {rest}", self._screen.columns, 0))
        elif verb == "go":
            self._until = time.monotonic() + (view.limit_ms or 3_600_000) / 1000
            fcntl.lockf(self._lock, fcntl.LOCK_EX)
            try:
                return self._answer(view.decision)
            finally:
                fcntl.lockf(self._lock, fcntl.LOCK_UN)
        return answer

    def _told(self, event: str) -> str:
        """Return an event as a sentence."""
        return named(self._view.state().tell(event), self._names())

    def _names(self) -> list[str]:
        return [*("" for _ in range(self._view.seat)), "you"]

    @property
    def _game(self) -> engines.Game:
        assert self._view.game is not None
        return self._view.game

    def _answer(self, decision: int) -> str:
        """Ask the person for an answer."""
        self._asked = True
        for line in self._unshown:
            self._print(line)
        self._unshown.clear()
        action = self._decide(decision)
        self._asked = False
        if action is None:
            return "resign"
        self._view.answered(action)
        return f"play {action} {decision}"

    def _decide(self, decision: int) -> str | None:
        """Ask the person until there is an action; ``None``: no more of this match."""
        self._show_board()
        prompt = self._view.state().prompt(self._view.seat, ())
        self._print_sentence(f"Your decision {decision}.{self._scores()} {prompt}")
        ending = False
        while True:
            typed = self._screen.ask("> ")
            if typed is None:
                if ending:
                    self._print_sentence("The input has ended: you resign.")
                    return None
                ending = True
                self._print_sentence("Do you resign? Ctrl-D again does; any other line goes on.")
                continue
            ending = False
            text = " ".join(typed.split())
            word, _, rest = text.partition(" ")
            if word in ("resign", "quit", "exit"):
                return None
            if not self._serve(word, rest) and text:
                action = chosen(text, self._view.legal)
                if self._is_legal(action):
                    return action

    def _serve(self, word: str, rest: str) -> bool:
        """Do what a command says that shows something; return whether it is one."""
        if word in ("help", "?", "h"):
            self._print(fold(HELP, self._screen.columns))
        elif word == "legal":
            legal, partial = self._view.legal, self._view.partial
            self._print(listing(legal, rest, self._screen.columns, partial=partial))
        elif word == "rules":
            self._print(fold(self._rules(whole=rest == "all"), self._screen.columns))
        elif word == "hint":
            self._hint()
        elif word == "board":
            self._show_board()
        elif word == "obs":
            self._print(self._view.observation)
        else:
            return False
        return True

    def _rules(self, *, whole: bool) -> str:
        """Return the primer of the game, if it is enough and there is one; else the whole page."""
        page = None if whole else primer(self._game.name)
        if page is not None:
            return page.partition("\n## ")[0].strip()
        try:
            return rules_page(self._game.name).strip()
        except engines.EngineError as error:
            return str(error)

    def _is_legal(self, text: str) -> bool:
        """Return whether an action is legal; say why if it is not."""
        refusal = self._view.refusal(text)
        if refusal:
            shown = text.encode("unicode_escape").decode("ascii")[:60]
            self._print_sentence(
                f'"{shown}" is not legal: {refusal}. Type legal for what is, or help.'
            )
        return not refusal

    def _hint(self) -> None:
        from arena.play.hint import SECONDS, hint

        seconds = min(SECONDS, SHARE * (self._until - time.monotonic()))
        found = hint(self._game, self._view.observation, self._view.seat, seconds=seconds)
        self._print_sentence(found.said.format(found.action))

    def _show_board(self) -> None:
        view, names = self._view, self._names()
        last = next(iter(view.known[-1:]), None)
        board = view.state().draw_text(view.seat, names=names, last=last, color=self._color)
        self._print(f"\n{fold(board, self._screen.columns)}\n")

    def _scores(self) -> str:
        """Return the scores so far, in a game that hides nothing and has some."""
        if self._game.type.information != "perfect":
            return ""
        scores = self._view.state().scores()
        if not any(scores):
            return ""
        order = sorted(range(len(scores)), key=lambda player: player != self._view.seat)
        whose = ["You have", *(f"player {player} has" for player in order[1:])]
        said = (f"{has} {scores[player]:g}" for has, player in zip(whose, order, strict=True))
        return f" {', '.join(said)}."

    def _print_sentence(self, sentence: str) -> None:
        """Show a line, broken between words."""
        self._print(fold(sentence, self._screen.columns, 0))

    def _print(self, text: str) -> None:
        if self._asked:
            self._screen.print(text)
        else:
            self._unshown.append(text)


def main() -> None:
    """Speak the bot protocol on stdin and stdout until ``quit``."""
    typed, output, lock = (int(number) for number in os.environ[TERMINAL].split(","))
    screen, lines, out = open_terminal(typed, output)
    person = PersonHere(screen, lock, color=os.environ.get(COLOR) == "1")
    for line in lines:
        if line.rstrip("\n") == "quit":
            return
        answer = person.hear(line.rstrip("\n"))
        if answer is not None:
            print(answer, file=out, flush=True)


if __name__ == "__main__":
    main()
