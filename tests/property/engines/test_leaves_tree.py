"""Pushing by slices and reach by parts agree with the rules as the page's formula states them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from engines.leaves.reach import distances
from engines.leaves.tree import SIDES, is_whole, lines, outline, push, size

STARTS = (b"#/#/#/#/#", b".#./###/.#.", b"#.#/###", b"##..#/.####", b"#####/#...#/##.##")

Tiles = dict[tuple[int, int], str]


def tiles_of(board: bytes) -> Tiles:
    """Return the tiles by row and column."""
    rows = board.decode().split("/")
    return {(r, c): tile for r, row in enumerate(rows) for c, tile in enumerate(row) if tile != "."}


def text_of(tiles: Tiles) -> bytes:
    """Return the tiles in their bounding box."""
    rows, columns = zip(*tiles, strict=True)
    text = "/".join(
        "".join(tiles.get((r, c), ".") for c in range(min(columns), max(columns) + 1))
        for r in range(min(rows), max(rows) + 1)
    )
    return text.encode()


def pushed(tiles: Tiles, side: str, line: int, k: int, leaf: str) -> Tiles:
    """Push as the page's formula has it: e0 = d1 - 1 + k, ei = max(di, e(i-1) + 1)."""
    step = 1 if side in "NW" else -1  # distances from the side are step × coordinate

    def cell(distance: int) -> tuple[int, int]:
        return (step * distance, line) if side in "NS" else (line, step * distance)

    own = [at for at in tiles if at[1 if side in "NS" else 0] == line]
    ds = sorted(step * at[0 if side in "NS" else 1] for at in own)
    result = {at: tile for at, tile in tiles.items() if at not in own}
    e = ds[0] - 1 + k
    result[cell(e)] = leaf
    for d in ds:
        e = max(d, e + 1)
        result[cell(e)] = tiles[cell(d)]
    return result


def joined(tiles: Tiles) -> bool:
    """Return whether a walk over shared edges reaches every tile."""
    todo, reached = [next(iter(tiles))], set[tuple[int, int]]()
    while todo:
        r, c = todo.pop()
        if (r, c) in tiles and (r, c) not in reached:
            reached.add((r, c))
            todo += [(r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)]
    return len(reached) == len(tiles)


placements = st.lists(
    st.tuples(
        st.sampled_from(SIDES), st.integers(0, 40), st.integers(0, 40), st.sampled_from("ab")
    ),
    max_size=18,
)


@st.composite
def trees(draw: st.DrawFn) -> bytes:
    """Draw a whole tree that legal placements lead to."""
    board = draw(st.sampled_from(STARTS))
    for side, which, far, leaf in draw(placements):
        line = 1 + which % lines(board, side)
        legal = distances(outline(board), side)[line - 1]
        board = push(board, side, line, legal[far % len(legal)], leaf.encode())
    return board


@given(trees(), st.sampled_from(SIDES), st.integers(0, 40), st.integers(1, 12))
def test_push_is_the_formula(board: bytes, side: str, which: int, k: int) -> None:
    """A push of any distance, legal or not, moves every tile where the formula says."""
    line = 1 + which % lines(board, side)
    after = pushed(tiles_of(board), side, line - 1, k, "a")
    assert push(board, side, line, k, b"a") == text_of(after)
    assert is_whole(text_of(after)) == joined(after)


@given(trees())
def test_reach_is_what_keeps_the_tree_whole(board: bytes) -> None:
    """The distances found by parts are those after which a walk still reaches every tile."""
    height, width = size(board)
    tiles = tiles_of(board)
    for side in SIDES:
        length, breadth = (height, width) if side in "NS" else (width, height)
        for line, found in enumerate(distances(outline(board), side), start=1):
            legal = [
                k
                for k in range(1, length + 3)  # beyond the box nothing is legal either
                if joined(pushed(tiles, side, line - 1, k, "a")) and (k == 1 or breadth > 1)
            ]
            assert list(found) == legal
