"""Treeblox: two trees of cubes grow over a board and compete for light (docs/rules/treeblox.md).

The sections of that page, and where they are:

| section | modules |
|---|---|
| components and geometry, available cells | ``lattice``, ``moves`` (as cubes are placed) |
| course of the game | ``moves`` (whose turn it is), ``state`` (a cube is placed) |
| scores and ranks | ``state`` |
| actions, observation and setup | ``text`` |

``playout`` plays at random, ``picture`` and ``svg`` draw.
"""

from __future__ import annotations

from engines.treeblox.game import Treeblox
from engines.treeblox.state import TreebloxState

__all__ = ["GAME", "Treeblox", "TreebloxState"]

GAME = Treeblox
