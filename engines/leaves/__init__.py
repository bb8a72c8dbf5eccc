"""Leaves: push leaves into one common tree; those that touch a log at the end count.

Rules: docs/rules/leaves.md. ``tree`` is the board, ``turns`` the rules of a turn, ``game`` puts
them together; ``playout`` is the fast way to play at random.
"""

from __future__ import annotations

from engines.leaves.game import Leaves

GAME = Leaves
