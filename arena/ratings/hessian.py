"""The Hessian of a fit: a sparse symmetric positive matrix, and systems of equations with it.

It is kept as its diagonal and its edges, each of which is a weight ``w`` between two means: it adds
``w`` to both places of the diagonal, and ``-w`` where their row and column meet. So a fit takes as
many numbers as there are edges.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

_SOLVED = 1e-12  # of a system's error, squared and relative


@dataclass(slots=True)
class Hessian:
    """The matrix; ``diagonal`` is whole, with the weights of all edges in it."""

    diagonal: list[float]
    edges: dict[tuple[int, int], float] = field(default_factory=dict)

    def add(self, one: int, other: int, weight: float) -> None:
        """Add an edge between two means; several between the same two are one."""
        self.diagonal[one] += weight
        self.diagonal[other] += weight
        key = (one, other) if one < other else (other, one)
        self.edges[key] = self.edges.get(key, 0.0) + weight

    def matrix(self) -> list[list[float]]:
        """Return the dense matrix, row by row."""
        size = len(self.diagonal)
        rows = [[0.0] * size for _ in range(size)]
        for place, own in enumerate(self.diagonal):
            rows[place][place] = own
        for (one, other), weight in self.edges.items():
            rows[one][other] -= weight
            rows[other][one] -= weight
        return rows

    def solve(self, gradient: Sequence[float]) -> list[float]:
        """Return the Newton step for a gradient: the solution of ``H x = gradient``.

        By conjugate gradients, with the diagonal as preconditioner.
        """
        diagonal, edges = self.diagonal, self.edges
        rest = list(gradient)
        moves = [0.0] * len(rest)
        ahead = [slope / own for slope, own in zip(rest, diagonal, strict=True)]
        error = sum([a * b for a, b in zip(rest, ahead, strict=True)])
        enough = _SOLVED * error
        for _ in range(2 * len(rest) + 20):
            if error <= enough:
                break
            product = [own * by for own, by in zip(diagonal, ahead, strict=True)]
            for (one, other), weight in edges.items():
                product[one] -= weight * ahead[other]
                product[other] -= weight * ahead[one]
            length = error / sum([a * b for a, b in zip(ahead, product, strict=True)])
            moves = [by + length * a for by, a in zip(moves, ahead, strict=True)]
            rest = [slope - length * a for slope, a in zip(rest, product, strict=True)]
            scaled = [slope / own for slope, own in zip(rest, diagonal, strict=True)]
            before, error = error, sum([a * b for a, b in zip(rest, scaled, strict=True)])
            ahead = [a + error / before * b for a, b in zip(scaled, ahead, strict=True)]
        return moves

    def inverse(self) -> list[list[float]]:
        """Return the dense inverse, row by row.

        It takes about 40 ns × (number of means)³.
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


def schur_of_chain(links: Sequence[float], leg: float) -> list[tuple[int, int, float]]:
    """Return the edges between points that each have a leg on a chain, the chain eliminated.

    This is the Schur complement of the chain::

        points   0     1     2     3
                 | leg |     |     |
        chain    o-----o-----o-----o
                  links

    Args:
        links: the weights between neighbours in the chain.
        leg: the weight between a point and its place in the chain.

    >>> [(a, b, round(w, 6)) for a, b, w in schur_of_chain([1.0], 1.0)]
    [(0, 1, 0.333333)]
    """
    size = len(links) + 1
    # eliminate one place of the chain after the other, from the left: what was joined to it is then
    # joined to one another; ``ties[i]`` is the weight between point i and the next place
    edges: list[tuple[int, int, float]] = []
    ties = [leg]
    for place in range(size):
        link = links[place] if place < size - 1 else 0.0
        total = sum(ties) + link
        for i, tie in enumerate(ties):
            edges += [(j, i, ties[j] * tie / total) for j in range(i)]
        ties = [*[tie * link / total for tie in ties], leg]
    return edges
