"""The grid as bytes, kept with the places where a next tile may lie.

A cell (x,y) is the index ``(y + 1) * WIDTH + x + MIDDLE``; with 36 tiles, each resting on another,
no tile leaves 0 <= y <= 35, -y <= x <= y, so a rim of empty cells always remains. The byte of a
cell is ``OCCUPIED``, or says what its next tile would touch: 9 * (1 + symbol below) + 1 + symbol
above, each 0 where nothing lies.

An *anchor* is the cell of a tile's left half. Every anchor at which some tile could lie now has a
*slot*; ``frontier`` is one ``int`` in which bits 64 * slot … 64 * slot + 63 are the set of ways
allowed at that anchor. So the placements open to a hand are one product and one ``&`` away, their
number is a ``bit_count``, and one of them is a bit of the result. Slot 0 is never used.
"""

from __future__ import annotations

from engines.the_tree.tiles import SYMBOLS, grows

WIDTH = 76

MIDDLE = 37

OCCUPIED = 81

OFF_GRID = 1 << 30

OPENING_ANCHOR = WIDTH + MIDDLE

NOTHING_BELOW = "no placed tile lies below it"

# a tile supports at most three anchors (shifted by -1, 0 and +1), so 108 slots are enough
_SLOTS = 36 * 3 + 1

_FULL = (1 << 64) - 1

_EMPTY_ROW = bytes(WIDTH)


def _allowed(code: int) -> int:
    """Return the set of symbols that obey the ring rule in a cell (rules b, c, d)."""
    if code == OCCUPIED:
        return 0
    below, above = code // 9 - 1, code % 9 - 1
    return sum(
        1 << symbol
        for symbol in SYMBOLS
        if (below < 0 or grows(symbol, below)) and (above < 0 or grows(above, symbol))
    )


_ALLOWED = tuple(map(_allowed, range(OCCUPIED + 1)))

# as a set of ways: the symbols of a left half, any of them beside right half 0
_LEFTS = tuple(sum(1 << 8 * left for left in SYMBOLS if mask >> left & 1) for mask in range(256))

# ALLOWED_WAYS[left code][right code]: the ways that may lie on two neighbouring cells; none unless
# one of the two has an occupied cell below (rule a)
ALLOWED_WAYS = tuple(
    tuple(
        _LEFTS[_ALLOWED[left]] * _ALLOWED[right] if left >= 9 or right >= 9 else 0
        for right in range(OCCUPIED + 1)
    )
    for left in range(OCCUPIED + 1)
)

_NONE = ((0,) * (OCCUPIED + 1),) * (OCCUPIED + 1)

# EARNS[left code][right code]: whether a tile laid there earns an extra turn (c, d)
EARNS = tuple(
    tuple(
        (left >= 9 and right >= 9) or left % 9 > 0 or right % 9 > 0 for right in range(OCCUPIED + 1)
    )
    for left in range(OCCUPIED + 1)
)

# everything but one slot's field
_OTHERS = tuple(((1 << 64 * _SLOTS) - 1) ^ (_FULL << 64 * slot) for slot in range(_SLOTS))

# a hand times IN_SLOTS[n] is the hand repeated in the fields of slots 1 … n-1
IN_SLOTS = tuple(sum(1 << 64 * slot for slot in range(1, count)) for count in range(_SLOTS + 1))


class Board:
    """The placed tiles and the frontier; ``lay`` changes it, and only a fresh copy is laid on.

    Attributes:
        codes: one byte a cell, rows from -1 up to the one above the highest tile.
        slots: the slot of each cell as an anchor, 0 for none; as long as ``codes``.
        anchors: the anchor of each slot; stale where the slot is free.
        free: slots that were used before.
        frontier: the ways allowed at each anchor, by slot.
        exact: the ways allowed exactly above a tile, as ``ALLOWED_WAYS`` has them, or none at all.
    """

    __slots__ = ("anchors", "codes", "exact", "free", "frontier", "slots")

    def __init__(self, *, half: bool = False) -> None:
        self.exact = _NONE if half else ALLOWED_WAYS
        self.codes = bytearray(2 * WIDTH)
        self.slots = bytearray(2 * WIDTH)
        self.anchors = [0]
        self.free: list[int] = []
        self.frontier = 0

    def copy(self) -> Board:
        """Return an equal board that shares nothing with this one."""
        other = Board.__new__(Board)
        other.exact = self.exact
        other.codes = self.codes[:]
        other.slots = self.slots[:]
        other.anchors = self.anchors[:]
        other.free = self.free[:]
        other.frontier = self.frontier
        return other

    def allows(self, anchor: int, way: int) -> bool:
        """Return whether a tile may lie this way at an anchor (rules a to d)."""
        if anchor + 1 >= len(self.codes) or (self.exact is _NONE and _is_exact(anchor)):
            return False
        return ALLOWED_WAYS[self.codes[anchor]][self.codes[anchor + 1]] >> way & 1 > 0

    def placements(self, hand: int) -> int:
        """Return the placements open to a hand: bit ``64 * slot + way`` for each."""
        return self.frontier & hand * IN_SLOTS[len(self.anchors)]

    def playable(self) -> int:
        """Return the set of ways that fit somewhere on the board."""
        ways = 0
        fields = self.frontier
        while fields:
            ways |= fields & _FULL
            fields >>= 64
        return ways

    def earns(self, anchor: int) -> bool:
        """Return whether a tile laid at an anchor earns an extra turn (rules c, d)."""
        return EARNS[self.codes[anchor]][self.codes[anchor + 1]]

    def lay(self, anchor: int, way: int) -> None:
        """Lay a tile; that it may lie there is not checked."""
        codes, slots, anchors, free = self.codes, self.slots, self.anchors, self.free
        if len(codes) < anchor + WIDTH + 3:
            codes += _EMPTY_ROW
            slots += _EMPTY_ROW
        frontier = self.frontier
        codes[anchor] = codes[anchor + 1] = OCCUPIED
        for taken in (anchor - 1, anchor, anchor + 1):
            if slot := slots[taken]:
                slots[taken] = 0
                free.append(slot)
                frontier &= _OTHERS[slot]

        cell = anchor + WIDTH
        if (left := codes[cell]) != OCCUPIED:
            codes[cell] = left = left + 9 + 9 * (way >> 3)
        if (right := codes[cell + 1]) != OCCUPIED:
            codes[cell + 1] = right = right + 9 + 9 * (way & 7)
        for above, ways in (
            (cell - 1, ALLOWED_WAYS[codes[cell - 1]][left]),
            (cell, self.exact[left][right]),
            (cell + 1, ALLOWED_WAYS[right][codes[cell + 2]]),
        ):
            if slot := slots[above]:
                frontier &= _OTHERS[slot]
                if ways:
                    frontier |= ways << (slot << 6)
                else:
                    slots[above] = 0
                    free.append(slot)
            elif ways:
                if free:
                    slot = free.pop()
                    anchors[slot] = above
                else:
                    slot = len(anchors)
                    anchors.append(above)
                slots[above] = slot
                frontier |= ways << (slot << 6)

        # a tile rests on another with at least one half (below the opening tile nothing is ever
        # laid), so at most one cell is free below it; a symbol above only narrows what may lie
        # there, so no new anchor can appear
        cell = anchor - WIDTH
        if codes[cell] != OCCUPIED:
            codes[cell] += 1 + (way >> 3)
        elif codes[cell + 1] != OCCUPIED:
            cell += 1
            codes[cell] += 1 + (way & 7)
        else:
            self.frontier = frontier
            return
        for below in (cell - 1, cell):
            if slot := slots[below]:
                frontier &= _OTHERS[slot]
                if ways := ALLOWED_WAYS[codes[below]][codes[below + 1]]:
                    frontier |= ways << (slot << 6)
                else:
                    slots[below] = 0
                    free.append(slot)
        self.frontier = frontier

    def objection(self, anchor: int, way: int) -> str:
        """Say why a tile may not lie this way at an anchor."""
        codes = self.codes
        if anchor + 1 >= len(codes):
            return NOTHING_BELOW
        if self.exact is _NONE and _is_exact(anchor):
            return "no tile lies half aside of those in the row below"
        halves = [(cell, codes[cell]) for cell in (anchor, anchor + 1)]
        for cell, code in halves:
            if code == OCCUPIED:
                return f"the cell {_cell_text(cell)} is taken"
        if all(code < 9 for _, code in halves):
            return NOTHING_BELOW
        for (cell, code), symbol in zip(halves, (way >> 3, way & 7), strict=True):
            below, above = code // 9 - 1, code % 9 - 1
            if below >= 0 and not grows(symbol, below):
                fitting = [str(other) for other in SYMBOLS if grows(other, below)]
                problem = f"{symbol} may not stand above the {below} below {_cell_text(cell)}"
            elif above >= 0 and not grows(above, symbol):
                fitting = [str(other) for other in SYMBOLS if grows(above, other)]
                problem = f"{symbol} may not lie under the {above} above {_cell_text(cell)}"
            else:
                continue
            return f"{problem}: expected {' or '.join(fitting) or 'no tile'} there"
        raise AssertionError("nothing is wrong with this placement")


def _is_exact(anchor: int) -> bool:
    """Return whether a tile there would lie exactly above another, if none does so far.

    Each tile is then one cell aside of those in the row below, so x and y are both odd or both
    even; of a cell's index, row and column are so together (``WIDTH`` is even).
    """
    return bool(anchor // WIDTH + anchor & 1)


def anchor_at(x: int, y: int) -> int:
    """Return the cell of a place, ``OFF_GRID`` where no tile can ever come."""
    return (y + 1) * WIDTH + x + MIDDLE if 0 <= y <= 35 and -36 <= x <= 36 else OFF_GRID


def place_of(cell: int) -> tuple[int, int]:
    """Return x and y of a cell."""
    row, column = divmod(cell, WIDTH)
    return column - MIDDLE, row - 1


def _cell_text(cell: int) -> str:
    x, y = place_of(cell)
    return f"({x},{y})"


def nth_bit(bits: int, n: int) -> int:
    """Return the place of the n-th set bit, counted from the highest, which is number 0."""
    base = 0
    left = bits.bit_count()
    length = bits.bit_length()
    # halve while many are left, then walk: measured fastest for a frontier of some 30 slots
    while left > 4:
        half = length >> 1
        high = bits >> half
        count = high.bit_count()
        if n < count:
            bits = high
            base += half
            left = count
            length -= half
        else:
            n -= count
            left -= count
            bits ^= high << half
            length = half
    place = bits.bit_length() - 1
    while n:
        bits ^= 1 << place
        place = bits.bit_length() - 1
        n -= 1
    return base + place
