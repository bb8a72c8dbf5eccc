"""The record of a match that nobody plays, and what ``verify`` makes of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena.model import Bot, Clock, Fault, MatchJob, Record, Seat
from arena.model import Termination as By
from arena.record import format_record, parse_record
from arena.referee.forfeit import forfeit
from arena.referee.replay import verify

# sha256 of nothing, as in FIPS 180 test vectors
NOTHING = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


def job(game: str, *names: str) -> MatchJob:
    return MatchJob(
        id="0123456789abcdef",
        tournament="open",
        number=7,
        block=f"{game}|{'+'.join(sorted(names))}|0",
        seating=0,
        game=game,
        seed=11,
        seats=tuple(
            Seat(name, Bot(name, 1, f"sha256:{name}", ("run",), "/"), (), (), Clock(), 1 << 30, 5)
            for name in names
        ),
    )


def two(*away: int) -> Record:
    return forfeit(job("leaves", "oak", "elm"), away, "suspended", "2026-01-01T00:00:00Z")


@pytest.mark.parametrize(
    ("game", "away", "ranks"),
    [
        ("leaves", (0,), (2, 1)),
        ("leaves", (1,), (1, 2)),
        ("leaves", (0, 1), (1, 1)),
        ("the_tree(players=1)", (0,), (1,)),
        ("the_tree(players=3)", (1,), (1, 3, 1)),
        ("the_tree(players=3)", (0, 2), (2, 1, 2)),
        ("the_tree(players=3)", (0, 1, 2), (1, 1, 1)),
        ("the_tree(players=4)", (0, 3), (3, 1, 1, 3)),
    ],
)
def test_who_is_away_shares_the_last_rank(
    game: str, away: tuple[int, ...], ranks: tuple[int, ...]
) -> None:
    """Those who are away share the last rank, the others the first; with nobody left nobody won."""
    record = forfeit(job(game, *"abcd"[: len(ranks)]), away, "suspended", "2026-01-01T00:00:00Z")
    assert record.ranks == ranks
    assert record.by is By.STARTUP
    assert record.faults == tuple(Fault(player, By.STARTUP, 0, "suspended") for player in away)
    assert record.actions == tuple((player, None) for player in away)
    assert {player.sent for player in record.players} == {NOTHING}
    assert (record.scores, record.unplayed, record.elapsed_ms) == (None, True, 0)
    assert verify(record) == []


def test_players_are_as_they_would_have_been() -> None:
    """Each player stands in the record with all that it would have been given: memory, too."""
    whole = job("leaves", "oak", "elm")
    oak, elm = whole.seats
    slow = Clock(move_ms=5000)
    elm = replace(elm, memory_bytes=1 << 20, clock=slow, args=("-x",), env=(("A", "b"),))
    record = forfeit(replace(whole, seats=(oak, elm)), (1,), "suspended", "2026-01-01T00:00:00Z")
    assert [player.memory_bytes for player in record.players] == [1 << 30, 1 << 20]
    assert (record.players[1].clock, record.players[1].args) == (slow, ("-x",))
    assert parse_record(format_record(record)).players[1] == record.players[1]


def test_it_is_marked_in_the_text() -> None:
    """The mark is written where it applies only, and read back; a record without it was played."""
    text = format_record(two(1))
    assert '"unplayed":true' in text
    assert parse_record(text) == two(1)
    played = format_record(replace(two(1), unplayed=False))
    assert "unplayed" not in played
    assert parse_record(played).unplayed is False


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"ranks": (1, 1)}, r"the ranks are (1, 2), not (1, 1)"),
        ({"by": By.TIME}, "an unplayed match is forfeited by startup"),
        ({"actions": ((0, "E3"),)}, "it was never played, and yet has actions"),
        ({"opening": ((0, "E3"),)}, "it was never played, and yet has actions"),
        ({"scores": (1.0, 0.0)}, "the scores are None, not (1.0, 0.0)"),
        ({"faults": (Fault(1, By.TIME, 0, "late"),)}, "an unplayed match is forfeited by startup"),
        ({"faults": ()}, "those who were dropped are not those with a fault, once each"),
        (
            {"actions": (), "decisions": (), "faults": ()},
            "an unplayed match is forfeited by startup",
        ),
    ],
)
def test_what_is_wrong_is_found(change: dict[str, object], sentence: str) -> None:
    """Whatever else stands in a forfeit is a difference."""
    assert sentence in verify(replace(two(1), **change))  # type: ignore[arg-type]


def test_nothing_was_sent() -> None:
    """A player of an unplayed match that was sent something is a difference."""
    record = two(1)
    told = replace(record.players[0], sent="sha256:" + "0" * 64)
    assert verify(replace(record, players=(told, record.players[1]))) == [
        "player 0 (oak) was sent something, and never started"
    ]


def test_without_the_mark_it_is_no_record() -> None:
    """The same text without its mark is refused: whoever started would have been told the deal."""
    assert verify(replace(two(1), unplayed=False)) != []


def test_a_setup_of_another_game() -> None:
    """The deal must be one of the game."""
    assert "the rules do not accept it" in verify(replace(two(1), setup="nonsense"))[0]
