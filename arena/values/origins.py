"""Where bots come from that are not isolated, whatever their opponents are."""

from __future__ import annotations

# a person, a function of the program that called, and a program that runs with the rights of
# whoever started the arena
PERSON, FUNCTION, ASK = "person", "function", "ask"
