"""Lets a chess engine that speaks UCI play `openspiel(game=chess)`.

Start it with the engine's program: `uci.py stockfish --nodes 20000 --option "Skill Level=3"`. With
nodes, what it plays does not depend on the time, so that a match can be played again.
"""

import argparse
import shutil
import subprocess

import kit

import engines

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("engine", help="a program on PATH or in /usr/games, or a path")
parser.add_argument("--nodes", type=int, default=20000, help="positions searched a decision")
parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
options = parser.parse_args()


class Engine:
    """The engine as a child process."""

    def __init__(self, program):
        path = shutil.which(program) or shutil.which(program, path="/usr/games")
        if path is None:
            kit.give_up(f"there is no program {program}")
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        self.process = subprocess.Popen([path], text=True, bufsize=1, **pipes)
        self.ask("uci", "uciok")
        for option in ["Threads=1", *options.option]:
            name, _, value = option.partition("=")
            self.say(f"setoption name {name} value {value}")
        self.ask("isready", "readyok")

    def say(self, line):
        """Send a line."""
        self.process.stdin.write(line + "\n")

    def ask(self, line, answer):
        """Send a line; return what comes up to the line that begins with the answer."""
        self.say(line)
        lines = []
        for said in self.process.stdout:
            lines.append(said.split())
            if lines[-1][:1] == [answer]:
                return lines
        kit.give_up("the engine ended")


def choose(match, left_ms, limit_ms):
    """Return the engine's best move."""
    game = engines.load_game(match.game)
    state = game.sample_state(match.observation, match.seat, match.rng)
    moves = " ".join(move.to_lan() for move in state.node.moves_history())
    engine.say(f"position startpos moves {moves}" if moves else "position startpos")
    *infos, best = engine.ask(f"go nodes {options.nodes}", "bestmove")
    scored = [words for words in infos if "cp" in words and "depth" in words]
    if scored:
        value = {key: scored[-1][scored[-1].index(key) + 1] for key in ("cp", "depth")}
        kit.send("info", f"score={int(value['cp']) / 100:g}", f"depth={value['depth']}")
    number = state.node.parse_move_to_action(best[1])
    return next(word for word, action in state.names(match.seat).items() if action == number)


engine = Engine(options.engine)
kit.NAME, kit.choose = options.engine, choose
kit.main()
