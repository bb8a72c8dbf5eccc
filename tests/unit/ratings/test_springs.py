"""Springs on a line, against a general solver of linear equations."""

from __future__ import annotations

import random

import numpy as np
import pytest

from arena.ratings.springs import Springs, chain_springs


def web(points: int, edges: int, seed: int) -> Springs:
    """Return points that are held weakly, with springs between random two of them."""
    rng = random.Random(seed)
    springs = Springs([rng.uniform(0.01, 0.1) for _ in range(points)])
    for _ in range(edges):
        one, other = rng.sample(range(points), 2)
        springs.add(one, other, rng.uniform(0.0, 5.0))
    return springs


@pytest.mark.parametrize(("points", "edges"), [(2, 1), (5, 3), (20, 190), (60, 59)])
def test_they_come_to_rest(points: int, edges: int) -> None:
    """Moves balance the forces, as a general solver has it, and so does the inverse."""
    springs = web(points, edges, seed=points)
    rng = random.Random(0)
    forces = [rng.gauss(0.0, 1.0) for _ in range(points)]
    matrix = np.array(springs.matrix())
    expected = np.linalg.solve(matrix, forces)
    assert springs.solve(forces) == pytest.approx(expected.tolist(), rel=1e-4, abs=1e-6)
    assert np.array(springs.inverse()) == pytest.approx(np.linalg.inv(matrix), rel=1e-9)


def test_no_force_moves_nothing() -> None:
    """Without forces nobody moves, and without points nobody is there."""
    assert web(4, 4, seed=1).solve([0.0] * 4) == [0.0] * 4
    assert Springs([]).solve([]) == []
    assert Springs([]).inverse() == []


@pytest.mark.parametrize("links", [[1.0], [0.5, 2.0], [3.0, 0.0, 1.0], [0.1, 7.0, 2.0, 4.0]])
def test_a_chain_is_taken_out(links: list[float]) -> None:
    """The springs that remain hold the points as those and the chain did together."""
    size, leg = len(links) + 1, 0.7
    whole = Springs([0.0] * (2 * size))  # the points, then their places in the chain
    for place in range(size):
        whole.add(place, size + place, leg)
    for place, link in enumerate(links):
        whole.add(size + place, size + place + 1, link)
    matrix = np.array(whole.matrix())
    points, chain = slice(0, size), slice(size, 2 * size)
    between = matrix[points, chain]
    expected = matrix[points, points] - between @ np.linalg.inv(matrix[chain, chain]) @ between.T
    left = Springs([0.0] * size)
    for one, other, stiffness in chain_springs(links, leg):
        left.add(one, other, stiffness)
    assert np.array(left.matrix()) == pytest.approx(expected, abs=1e-12)
