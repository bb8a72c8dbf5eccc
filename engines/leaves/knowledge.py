"""What a position of Leaves is worth: a lead lasts, as nothing that lies there is taken away.

Against greedy this wins 70 to 80 % of the points, and 95 % with ``push=any``, where there are more
actions than in other games.
"""

from __future__ import annotations

from engines.core.knowledge import Knowledge

__all__ = ["KNOWLEDGE"]

KNOWLEDGE = Knowledge(share=1.0, many=3000)
