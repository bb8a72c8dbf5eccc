"""Treeblox: two trees of cubes grow over a board and compete for light (docs/rules/treeblox.md).

``lattice`` says where cubes can be, ``state`` what the players may do there, ``setup`` how a
position is read from text, ``playout`` plays at random fast, ``board`` and ``svg`` draw.
"""

from __future__ import annotations

from engines.treeblox.game import Treeblox
from engines.treeblox.state import TreebloxState

__all__ = ["GAME", "Treeblox", "TreebloxState"]

GAME = Treeblox
