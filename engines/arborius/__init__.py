"""Arborius: tiles stack in three dimensions and hold boards of tiles (docs/rules/arborius.md).

The sections of that page, and where they are:

| section | modules |
|---|---|
| 1 things | ``cast`` (tiles, abilities), ``grid`` (cells), ``position`` (with contiguity) |
| 2 turns and the end | ``moves`` |
| 3 decks and the ability grammar | ``cast``, ``decks``, ``decks.txt`` |
| 4 start | ``game``, ``text`` |
| 5 basic actions, 5.1 attack | ``basic``, ``changes`` (ways to go, what is done) |
| 6.1 subjects, 6.2 steps | ``steps``, ``changes`` |
| 6.3 chaining, 7 defend | ``chains`` |
| 6.4 completion | ``completion`` |
| 8 text | ``text`` (setups, observations, actions as in ``actions``), ``state`` (events) |

``moves`` brings the sections together into one list of actions; ``state`` shows a position to the
outside. ``playout`` plays at random, ``picture`` and ``svg`` (with ``signs``) draw.
"""

from __future__ import annotations

from engines.arborius.game import Arborius

GAME = Arborius
