"""Who sits where in the seatings of one block."""

from __future__ import annotations

from arena.schedule.seats import seating


def test_two_players_sit_by_name_then_swapped() -> None:
    """The first seating of a pair is in the order of the names, the second the other way round."""
    names = ("random", "greedy")
    assert seating(names, 0, 5, "leaves", 0) == ("greedy", "random")
    assert seating(names, 1, 5, "leaves", 0) == ("random", "greedy")


def test_one_player_has_one_seating() -> None:
    """A solitaire game has its one player in seat 0."""
    assert seating(("greedy",), 0, 5, "the_tree(players=1)", 0) == ("greedy",)


def test_four_players_rotate() -> None:
    """Each seating moves everybody on by one seat, so that everybody sits everywhere once."""
    names = ("a", "b", "c", "d")
    seatings = [seating(names, i, 5, "pebbles", 0) for i in range(4)]
    for i, seats in enumerate(seatings):
        assert seats == seatings[0][i:] + seatings[0][:i]
    for seat in range(4):
        assert {seats[seat] for seats in seatings} == set(names)


def test_the_cyclic_order_changes_from_block_to_block() -> None:
    """Over 60 blocks all six cyclic orders of four players occur."""

    def cyclic(k: int) -> tuple[str, ...]:
        seats = seating(("a", "b", "c", "d"), 0, 5, "pebbles", k)
        start = seats.index("a")
        return seats[start:] + seats[:start]

    assert len({cyclic(k) for k in range(60)}) == 6


def test_the_order_given_does_not_count() -> None:
    """The same three entrants named in another order sit in the same seats."""
    one = seating(("a", "b", "c"), 1, 5, "pebbles", 7)
    assert one == seating(("c", "a", "b"), 1, 5, "pebbles", 7)
