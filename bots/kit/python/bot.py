#!/usr/bin/env python3
"""A bot to begin from: change `choose`. Everything else speaks the bot protocol, ABP 1.

The arena writes lines to our standard input and reads our standard output; nothing but the protocol
may be printed there. Use `log` to see what your bot thinks, and `debug` to stop where you want to
look around. Nothing but Python is needed.
"""

import os
import random
import sys

NAME, VERSION = "my-bot", "1"
WANT = "obs,legal"  # what we want to be sent, of: obs legal did event


class Match:
    """What the arena told us about the match we are in."""

    def __init__(self, game):
        self.game = game  # the rules: "leaves" or "leaves(tree=plus)"
        self.seat, self.players = 0, 2  # we are player `seat` of `players`, counted from 0
        self.clock = {}  # limits in milliseconds: main, inc, move, first
        self.rng = random.Random()  # seeded, so that a match can be played again
        self.setup = None  # the starting position, if the game hides nothing of it
        self.actions = []  # (player, action) so far, "?" for one we may not know; want=did
        self.events = []  # what became known; want=event
        self.observation = ""  # the position as we may know it; want=obs
        self.legal = []  # the legal actions, at most 10,000; want=legal
        self.legal_is_part = False  # there are more than 10,000: these were drawn among them


def choose(match, left_ms, limit_ms):
    """Return one of `match.legal`; this is the place to be clever.

    `limit_ms` are the milliseconds for this answer, `left_ms` those on our clock for the whole
    match; None where there is no such limit.
    """
    return match.legal[int(match.rng.random() * len(match.legal))]


def send(*words):
    """Write one line to the arena at once: a line that waits in a buffer costs the match."""
    print(*words, flush=True)


def log(text):
    """Keep a line in this bot's log of the match."""
    send("log", text)


def debug():
    """Stop here, in a debugger on the terminal; where there is none (in a match), say so and go on.

    `arena reproduce MATCH --seat P --against THIS_FILE --no-clock` gives the bot your terminal.
    """
    try:
        terminal = os.open("/dev/tty", os.O_RDWR)
    except OSError as error:
        print(f"debug: no terminal here ({error.strerror}), going on", file=sys.stderr)
        return
    import pdb  # only now: it takes longer to import than all the rest

    typed, screen = os.fdopen(terminal), os.fdopen(os.dup(terminal), "w")
    pdb.Pdb(stdin=typed, stdout=screen).set_trace(sys._getframe(1))


def pairs(words):
    """Read ["a=1", "b=2"] as a dictionary."""
    return dict(word.split("=", 1) for word in words if "=" in word)


def main():
    """Answer the arena until it says `quit`."""
    match = Match("")
    for line in sys.stdin:
        verb, _, rest = line.rstrip("\r\n").partition(" ")
        words = rest.split(" ")
        if verb == "hello":  # once, first: abp 1
            send("ready", "abp=1", f"want={WANT}", f"name={NAME}", f"version={VERSION}")
        elif verb == "game":  # ID GAME: forget the last match
            match = Match(words[1])
        elif verb == "seat":
            match.seat, match.players = int(words[0]), int(words[1])
        elif verb == "clock":
            match.clock = {k: int(v) for k, v in pairs(words).items() if v.isdecimal()}
        elif verb == "seed":
            match.rng.seed(int(rest))
        elif verb == "setup":
            match.setup = rest
        elif verb == "did":
            match.actions.append((int(words[0]), words[1]))
        elif verb == "event":
            match.events.append(rest)
        elif verb == "obs":
            match.observation = rest
        elif verb == "legal":
            match.legal = words
        elif verb == "go":  # D left=… limit=…: decide, and say D with the answer
            limits = pairs(words)
            match.legal_is_part = limits.get("legal") == "part"
            left, limit = limits.get("left"), limits.get("limit")
            action = choose(match, left and int(left), limit and int(limit))
            send("play", action, words[0])
        elif verb == "bad":  # CODE TEXT: what we did wrong
            log(f"the arena says: {rest}")
        elif verb == "end":  # ID rank=1/2 score=12,9 by=rules
            pass
        elif verb == "quit":
            return
        # whatever else there is: a later version of the protocol, not for us


if __name__ == "__main__":
    main()
