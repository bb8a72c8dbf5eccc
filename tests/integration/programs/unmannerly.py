"""A bot that plays its legal actions at random, with one bad habit: its only argument.

Each habit shows in one step of ``arena check`` only; without one it is a good bot.
"""

import os
import random
import sys
import threading
import time

habit = sys.argv[1] if len(sys.argv) > 1 else ""
held: list[str] = []  # what stays in the buffer of one that does not flush


def write(line: str) -> None:
    if habit == "buffers" or (habit == "buffers-answers" and line.startswith("play")):
        held.append(line)
    else:
        os.write(1, f"{line}\n".encode())


def burn() -> None:
    end = time.monotonic() + 0.5
    while time.monotonic() < end:
        pass


def main() -> None:
    rng = random.Random()
    legal: list[str] = []
    games = answers = 0
    known = "hello game seat clock seed setup did event obs legal go bad end quit"
    if habit == "slow-start":
        time.sleep(1.1)
    if habit == "splash":
        write("loading weights")
    for raw in iter(sys.stdin.buffer.readline, b""):
        line = raw.decode().removesuffix("\n")
        if habit != "carriage-returns":
            line = line.removesuffix("\r")
        words = line.split(" ")
        verb = words[0]
        if not line:
            if habit == "empty-lines":
                raise ValueError("an empty line")
            continue
        if habit == "verbs" and verb not in known:
            raise ValueError(f"what is {verb}?")
        if verb == "hello":
            wants = {"typo": "lgal,legal"}.get(habit, "legal")
            write(f"ready want={wants}")
        elif verb == "game":
            games += 1
            if habit != "counts-on":
                answers = 0
            if habit == "one-game" and games == 2:
                raise ValueError("a second game")
        elif verb == "seat" and habit == "keys":
            _, _ = words[1:]
        elif verb == "seed" and not (habit == "own-numbers" and games > 1):
            rng.seed(os.urandom(8) if habit == "unseeded" else int(words[1]))
        elif verb == "legal":
            legal = words[1:]
        elif verb == "go":
            answers += 1
            time.sleep({"slow": 0.05, "late": 0.6}.get(habit, 0))
            chosen = legal[int(rng.random() * len(legal))]
            if habit == "carriage-returns":
                chosen = legal[-1]
            write(f"play {chosen}" if habit == "unnumbered" else f"play {chosen} {answers}")
            if habit == "ponders" and answers == 1:
                threading.Thread(target=burn, daemon=True).start()
        elif verb == "end" and habit == "ends":
            return
        elif verb.startswith("quit"):
            if habit == "stays":
                time.sleep(60)
            if habit == "talks":
                write("log goodbye")
            while habit == "babbles":
                write("log goodbye" * 1000)
            return
    if habit == "outlives":
        time.sleep(60)


main()
for line in held:
    sys.stdout.write(f"{line}\n")
