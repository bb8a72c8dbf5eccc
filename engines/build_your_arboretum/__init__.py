"""Build Your Arboretum: bid parrots for turns, plant paths of cards, advertise to score them.

The sections of docs/rules/build-your-arboretum.md, and where they are:

| section | modules |
|---|---|
| components, parameters | ``cards`` (sets of cards, hiring), ``game`` |
| course of the game | ``table`` (phases, the turn track), ``state`` |
| actions | ``bids``, ``moves`` |
| scoring | ``scoring`` (with the paths) |
| texts | ``text`` |
| perft | ``counting`` |

``playout`` plays at random, ``picture`` and ``svg`` draw.
"""

from engines.build_your_arboretum.game import BuildYourArboretum

GAME = BuildYourArboretum
