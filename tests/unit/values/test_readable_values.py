"""What a person sees of a value at Python's prompt: one short line."""

from __future__ import annotations

from support import finished

from arena.values.tables import Leaderboard, LeaderboardRow


def test_repr_of_hostile_record_is_safe() -> None:
    """A record with hostile names is shown in one short line without escapes."""
    record = finished.record(1, ["\x1b[2J", "b" * 5000], [1, 2], game="g" * 5000)
    assert "\x1b" not in repr(record)
    assert len(repr(record)) < 400


def test_repr_of_leaderboard_names_leaders() -> None:
    """A leaderboard is shown with its tournament and its first three bots."""

    def row(rank: int, bot: str, score: float) -> LeaderboardRow:
        return LeaderboardRow(
            rank, bot, 1, score, "order-free", 25.0, 8.0, 4, 2, 0, 2, 1.5, None, {}
        )

    rows = tuple([row(n, f"bot{n}", 1600.4 - n) for n in range(1, 7)])
    assert repr(Leaderboard("open", rows[:2])) == "<Leaderboard open: 1. bot1 1599, 2. bot2 1598>"
    assert repr(Leaderboard("open", rows)).endswith("3. bot3 1597, 3 more>")
    assert repr(Leaderboard(None, ())) == "<Leaderboard of all tournaments: nobody>"
