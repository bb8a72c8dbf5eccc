"""Programs of bots that differ from a good one in a line or two."""

from __future__ import annotations

from textwrap import indent

ACTS = {"first": "", "line": "", "hello": 'print("ready want=legal", flush=True)', "asked": ""}
ACTS |= {"answer": 'print("play", actions[0], decision, flush=True)'}
ACTS |= {"ended": "pass", "quit": "break", "last": ""}
LOOP = """\
import os
import signal
import sys
import time

{first}
for line in sys.stdin:
    verb, _, rest = line.rstrip("\\n").partition(" ")
{line}
    if verb == "hello":
{hello}
    elif verb == "legal":
        actions = rest.split()
    elif verb == "go":
        decision = rest.split()[0]
{asked}
{answer}
    elif verb == "end":
{ended}
    elif verb == "quit":
{quit}
{last}
"""


def program(**acts: str) -> str:
    """Return a program that plays its first legal action, but for what is given.

    Each keyword is Python code. ``first`` runs at the start of the program, ``last`` at its end,
    ``line`` when any line has come, ``asked`` before each answer, and ``ended`` after each match;
    ``hello`` and ``quit`` run when these lines come. ``answer`` replaces the code that answers.
    """
    blanks = {"first": 0, "last": 0, "line": 4}
    acts = ACTS | acts
    return LOOP.format(**{key: indent(acts[key], " " * blanks.get(key, 8)) for key in acts})
