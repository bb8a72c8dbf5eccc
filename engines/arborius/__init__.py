"""Arborius: tiles stack in three dimensions and hold boards of tiles (docs/rules/arborius.md).

The sections of that page, and where they are:

| section | modules |
|---|---|
| 1 things | ``cast`` (tiles), ``grid`` (cells), ``position``, ``contiguity`` |
| 2 turns and the end | ``turns`` |
| 3 decks and the ability grammar | ``abilities``, ``decks``, ``decks.txt`` |
| 4 start | ``game``, ``setup`` |
| 5 basic actions, 5.1 attack | ``basic``, ``movement`` (ways to go), ``changes`` (what is done) |
| 6.1 subjects, 6.2 steps | ``steps``, ``movement``, ``changes`` |
| 6.3 chaining | ``chains`` |
| 6.4 completion | ``completion``, ``hopeless`` |
| 7 defend | ``defence``, ``turns`` |
| 8 text | ``observation``, ``actions``, ``state`` (events), ``picture`` |

``legal`` brings the sections together into one list, ``doing`` into one change; ``state`` shows
both to the outside. ``drawing`` plays at random, ``svg`` makes pictures.
"""

from __future__ import annotations

from engines.arborius.game import Arborius

GAME = Arborius
