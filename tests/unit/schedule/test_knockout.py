"""Brackets that are small enough to be drawn by hand."""

from __future__ import annotations

from fractions import Fraction

from arena.report.bracket_text import bracket_text
from arena.schedule.knockout import FORMAT, bracket, seed_slots
from arena.schedule.plan import Meeting, Past, Plan
from arena.values.model import BotEntry, Tournament

HALF = Fraction(1, 2)
WIN, LOSS, TIED = (Fraction(1), Fraction(0)), (Fraction(0), Fraction(1)), (HALF, HALF)


def cup(*names: str, blocks: int = 1) -> Tournament:
    bots = tuple(BotEntry(name, ref=name) for name in names)
    return Tournament("cup", ("leaves",), bots, format="knockout", blocks=blocks, seed=1)


def following(of: Tournament, past: list[Past], out: tuple[str, ...] = ()) -> Plan:
    plan = FORMAT.plan(of, tuple(bot.name for bot in of.bots), past, out)
    assert plan is not None
    return plan


def test_eight_seeds_stand_as_everywhere() -> None:
    """1-8, 4-5, 2-7, 3-6: the two best meet in the final at the earliest."""
    assert seed_slots(8) == [1, 8, 4, 5, 2, 7, 3, 6]


def test_the_best_of_five_have_byes() -> None:
    """Only the fourth and fifth play the first round."""
    first = following(cup("a", "b", "c", "d", "e"), [])
    assert [meeting.entrants for meeting in first.meetings] == [("a",), ("d", "e"), ("b",), ("c",)]
    past = [Past(first, ((Fraction(1),), LOSS, (Fraction(1),), (Fraction(1),)))]
    second = following(cup("a", "b", "c", "d", "e"), past)
    assert [meeting.entrants for meeting in second.meetings] == [("a", "e"), ("b", "c")]
    assert (first.blocks, second.blocks) == ((0,), (1,))


def test_who_is_tied_plays_further_blocks_and_then_the_higher_seed_advances() -> None:
    """Eight blocks more, each on a deal of its own, for those two alone; then it is over."""
    of = cup("a", "b", "c", "d", blocks=2)
    past = [Past(following(of, []), (TIED, LOSS))]
    for further in range(1, 9):
        plan = following(of, past)
        assert (plan.round, plan.further) == (1, further)
        # two rounds of two blocks come first, then those of this round
        assert plan.blocks == (4 + further - 1,)
        assert plan.meetings == (Meeting(("a", "d")),)
        past.append(Past(plan, (TIED,)))
    final = following(of, past)
    assert (final.round, final.meetings) == (2, (Meeting(("a", "c")),))
    (tie, other) = bracket(past)[0]
    assert (tie.winner, tie.by, len(tie.further)) == ("a", "seed", 8)
    assert (other.winner, other.by) == ("c", "points")


def test_a_further_block_decides() -> None:
    """The first block that is not shared ends it, for whoever won it."""
    of = cup("a", "b")
    past = [Past(following(of, []), (TIED,))]
    past.append(Past(following(of, past), (LOSS,)))
    assert FORMAT.plan(of, ("a", "b"), past, ()) is None
    places = FORMAT.places(past, None)
    assert (places["b"].reached, places["a"].reached) == ("winner", "final")


def test_who_is_out_gives_a_walkover() -> None:
    """The other one advances; with both out it is the higher seed, on paper; a tie ends, too."""
    of = cup("a", "b", "c", "d")
    assert following(of, [], out=("a",)).meetings[0] == Meeting(("a", "d"), walkover="d")
    assert following(of, [], out=("a", "d")).meetings[0] == Meeting(("a", "d"), walkover="a")
    past = [Past(following(of, []), (TIED, WIN))]
    plan = following(of, past, out=("a",))
    assert plan.meetings == (Meeting(("a", "d"), walkover="d"),)
    past.append(Past(plan, (LOSS,)))
    assert following(of, past).meetings == (Meeting(("b", "d")),)


def test_the_bracket_is_a_tree() -> None:
    """The winner at the root, below it who met; an open meeting has no winner yet."""
    of = cup("a", "b", "c")
    past = [Past(following(of, []), ((Fraction(1),), TIED))]
    past.append(Past(following(of, past), (LOSS,)))
    final = following(of, past)
    assert bracket_text(bracket(past, final)).splitlines() == [
        "?  (final: a - c)",
        "├─ a  (semi-final: bye)",
        "└─ c  (semi-final: b - c 0.5:0.5, further 0:1)",
        "   ├─ b",
        "   └─ c",
    ]
    past.append(Past(final, (WIN,)))
    assert bracket_text(bracket(past)).startswith("a  (final: a - c 1:0)\n")
