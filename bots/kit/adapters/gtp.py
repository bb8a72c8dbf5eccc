"""Lets a Go program that speaks GTP play `openspiel(game=go,board_size=9)`.

Start it with the program's command: `gtp.py gnugo --mode gtp --level 5`.
"""

import shutil
import subprocess
import sys

import kit

import engines


class Program:
    """The Go program as a child process."""

    def __init__(self, program, *words):
        path = shutil.which(program) or shutil.which(program, path="/usr/games")
        if path is None:
            kit.give_up(f"there is no program {program}")
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        self.process = subprocess.Popen([path, *words], text=True, bufsize=1, **pipes)
        self.played = None  # what it knows of the match

    def ask(self, command):
        """Send a command; return the answer, which ends with an empty line."""
        self.process.stdin.write(command + "\n")
        lines = []
        for line in self.process.stdout:
            if not line.strip() and lines:
                break
            lines.append(line.strip())
        answer = " ".join(lines)
        if not answer.startswith("="):
            kit.give_up(f"{command}: {answer or 'the program ended'}")
        return answer[1:].strip()

    def learn(self, node):
        """Tell it what was played since its last turn; of a new match, the board as well."""
        history = node.history()
        if self.played is None or history[: len(self.played)] != self.played:
            parameters = node.get_game().get_parameters()
            self.ask(f"boardsize {parameters.get('board_size', 19)}")
            self.ask("clear_board")
            self.ask(f"komi {parameters.get('komi', 7.5)}")
            self.played = []
        for place in range(len(self.played), len(history)):
            self.ask(f"play {node.action_to_string(place % 2, history[place])}")
        self.played = history


def choose(match, left_ms, limit_ms):
    """Return the program's move."""
    game = engines.load_game(match.game)
    state = game.sample_state(match.observation, match.seat, match.rng)
    program.learn(state.node)
    color = "BW"[match.seat]
    move = program.ask(f"genmove {color}")
    if move.lower() == "resign":
        kit.send("resign")
        raise SystemExit
    shown = f"{color} {move if move.upper() == 'PASS' else move.lower()}"
    number = state.node.string_to_action(shown)
    program.played = [*program.played, number]
    return next(word for word, action in state.names(match.seat).items() if action == number)


program = Program(*sys.argv[1:])
kit.NAME, kit.choose = sys.argv[1], choose
kit.main()
