"""Leaves: push leaves into one common tree; those that touch a log at the end count.

The sections of docs/rules/leaves.md, and where they are:

| section | modules |
|---|---|
| parameters | ``game`` |
| tiles and the tree, placing one leaf | ``tree``, ``reach`` (how far a leaf may be pushed) |
| order of turns, the second leaf, actions | ``moves`` |
| observation and setup | ``text`` |

``playout`` plays at random, ``picture`` and ``svg`` draw.
"""

from __future__ import annotations

from engines.leaves.game import Leaves

GAME = Leaves
