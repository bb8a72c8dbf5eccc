"""Springs between points on a line: where they come to rest, and how firmly they hold each point.

A spring of stiffness s between two points pulls with the force s × (the difference of how far they
are moved); ``diagonal`` holds what pulls a point back to where it was, beside its springs. That is
a symmetric positive system of linear equations, with as many numbers as there are springs.
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["Springs", "chain_springs"]

_SOLVED = 1e-12  # of a system's error, squared and relative


class Springs:
    """Points with springs between them; the sum of all that holds a point is in ``diagonal``."""

    __slots__ = ("diagonal", "edges")

    def __init__(self, own: list[float]) -> None:
        """Hold each point by itself, as stiffly as ``own`` says."""
        self.diagonal = own
        self.edges: list[tuple[int, int, float]] = []

    def add(self, one: int, other: int, stiffness: float) -> None:
        """Put a spring between two points."""
        self.diagonal[one] += stiffness
        self.diagonal[other] += stiffness
        self.edges.append((one, other, stiffness))

    def matrix(self) -> list[list[float]]:
        """Return the forces that moving a point by 1 takes, row by row."""
        size = len(self.diagonal)
        rows = [[0.0] * size for _ in range(size)]
        for place, own in enumerate(self.diagonal):
            rows[place][place] = own
        for one, other, stiffness in self.edges:
            rows[one][other] -= stiffness
            rows[other][one] -= stiffness
        return rows

    def solve(self, forces: Sequence[float]) -> list[float]:
        """Return how far each point moves under these forces.

        By conjugate gradients, with the diagonal for a preconditioner; springs that several
        outcomes put between the same two points count as one.
        """
        diagonal, edges = self.diagonal, self._merged()
        rest = list(forces)
        moves = [0.0] * len(rest)
        ahead = [force / own for force, own in zip(rest, diagonal, strict=True)]
        error = sum([a * b for a, b in zip(rest, ahead, strict=True)])
        enough = _SOLVED * error
        for _ in range(2 * len(rest) + 20):
            if error <= enough:
                break
            pull = [own * by for own, by in zip(diagonal, ahead, strict=True)]
            for one, other, stiffness in edges:
                pull[one] -= stiffness * ahead[other]
                pull[other] -= stiffness * ahead[one]
            length = error / sum([a * b for a, b in zip(ahead, pull, strict=True)])
            moves = [by + length * a for by, a in zip(moves, ahead, strict=True)]
            rest = [force - length * a for force, a in zip(rest, pull, strict=True)]
            scaled = [force / own for force, own in zip(rest, diagonal, strict=True)]
            before, error = error, sum([a * b for a, b in zip(rest, scaled, strict=True)])
            ahead = [a + error / before * b for a, b in zip(scaled, ahead, strict=True)]
        return moves

    def inverse(self) -> list[list[float]]:
        """Return how far each point moves under a force of 1 on each, row by row.

        It takes about 40 ns × (number of points)³.
        """
        rows = self.matrix()
        size = len(rows)
        for k in range(size):  # Gauss and Jordan, in place; a positive system needs no pivoting
            row = rows[k]
            scale = 1.0 / row[k]
            row[k] = 1.0
            rows[k] = row = [value * scale for value in row]
            for i, other in enumerate(rows):
                if i != k and (factor := other[k]):
                    other[k] = 0.0
                    rows[i] = [a - factor * b for a, b in zip(other, row, strict=True)]
        return rows

    def _merged(self) -> list[tuple[int, int, float]]:
        merged: dict[tuple[int, int], float] = {}
        for one, other, stiffness in self.edges:
            key = (one, other) if one < other else (other, one)
            merged[key] = merged.get(key, 0.0) + stiffness
        return [(one, other, stiffness) for (one, other), stiffness in merged.items()]


def chain_springs(links: Sequence[float], leg: float) -> list[tuple[int, int, float]]:
    """Return the springs between points that each have a leg on a chain, without the chain.

    ::

        points   0     1     2     3
                 | leg |     |     |
        chain    o-----o-----o-----o
                  links

    Args:
        links: the stiffness between neighbours in the chain.
        leg: the stiffness between a point and its place in the chain.

    >>> [(a, b, round(s, 6)) for a, b, s in chain_springs([1.0], 1.0)]
    [(0, 1, 0.333333)]
    """
    size = len(links) + 1
    # from the left, take out a place of the chain at a time: what held it then holds one another;
    # ``ties[i]`` is how stiffly point i is tied to the place that comes next to be taken out
    springs: list[tuple[int, int, float]] = []
    ties = [leg]
    for place in range(size):
        link = links[place] if place < size - 1 else 0.0
        total = sum(ties) + link
        for i, tie in enumerate(ties):
            springs += [(j, i, ties[j] * tie / total) for j in range(i)]
        ties = [*[tie * link / total for tie in ties], leg]
    return springs
