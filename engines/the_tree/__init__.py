"""The Tree, by Néstor Romeral Andrés: dominoes of rings grow into a tree (docs/rules/the-tree.md).

The sections of that page, and where they are:

| section | modules |
|---|---|
| components, parameters, the deal | ``tiles``, ``game``, ``text`` (the opening) |
| geometry | ``grid`` (where a tile may lie) |
| a turn | ``moves`` (placing, extra turns, drawing and passing) |
| the end | ``table`` (who is out, ranks) |
| texts | ``text``, ``sampling`` (what a player cannot see, drawn) |

``playout`` plays at random, ``picture`` and ``svg`` draw.
"""

from engines.the_tree.game import TheTree

GAME = TheTree
