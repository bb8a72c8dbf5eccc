"""Lets a program that speaks JSON lines as on Botzone play any game of the arena.

Start it with the program's command: `botzone.py ./my_bot`. It is started anew for each decision, is
given one line `{"requests": [...], "responses": [...]}` with all that it was asked and answered in
this match, and answers with one line `{"response": ACTION, "debug": TEXT}`. A request is
`{"game": TEXT, "player": P, "observation": TEXT, "legal": [ACTION, ...], "seed": S}`.
"""

import json
import subprocess
import sys

import kit


def choose(match, left_ms, limit_ms):
    """Return what the program answers."""
    known = vars(match).setdefault("known", {"requests": [], "responses": []})
    asked = {"game": match.game, "player": match.seat, "observation": match.observation}
    asked |= {"legal": match.legal, "seed": match.rng.getrandbits(31)}
    known["requests"].append(asked)
    line = json.dumps(known) + "\n"
    done = subprocess.run(sys.argv[1:], input=line, stdout=subprocess.PIPE, text=True)
    try:
        answer = json.loads(done.stdout.splitlines()[0])
        action = answer["response"]
    except (ValueError, IndexError, KeyError, TypeError):
        kit.give_up(f"no line with a response: {done.stdout[:200]!r}, exit {done.returncode}")
    if answer.get("debug"):
        kit.log(answer["debug"])
    known["responses"].append(action)
    return str(action)


kit.NAME, kit.choose = sys.argv[1].rpartition("/")[2], choose
kit.main()
