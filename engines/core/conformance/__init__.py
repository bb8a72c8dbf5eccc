"""What every game must keep, checked on random games: one call for authors of engines.

``check_game("leaves(tree=plus)")`` returns if the game keeps every promise of
``engines.core.interface`` that can be seen from outside, and otherwise raises ``BrokenPromise``
with a sentence; notes on the error name the game and the position. That a game follows *its* rules
is for its own tests, perft counts and golden games to say.

``python -m engines.core.conformance "leaves(tree=plus)"`` does the same from the command line.
"""

from __future__ import annotations

from engines.core.conformance.check import broken_promise, check_game, check_state
from engines.core.conformance.games import chosen, variants
from engines.core.conformance.report import BrokenPromise

__all__ = [
    "BrokenPromise",
    "broken_promise",
    "check_game",
    "check_state",
    "chosen",
    "variants",
]
