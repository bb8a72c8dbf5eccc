"""Records of matches that nobody played, as earlier versions made them, and ``verify``."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support import finished

from arena.match.record import format_record, parse_record
from arena.match.replay import verify
from arena.model import Decision, Fault, Record
from arena.model import Termination as By
from engines import load_game

# sha256 of nothing, as in FIPS 180 test vectors
NOTHING = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


def forfeit(game: str, away: tuple[int, ...], ranks: tuple[int, ...]) -> Record:
    """Return the record of a match that some players forfeited unplayed."""
    record = finished.record(7, "abcd"[: len(ranks)], ranks, game=game)
    return replace(
        record,
        setup=load_game(game).setup(11),
        players=tuple(replace(player, sent=NOTHING, want=()) for player in record.players),
        actions=tuple((player, None) for player in away),
        decisions=tuple(Decision() for _ in away),
        by=By.STARTUP,
        faults=tuple(Fault(player, By.STARTUP, 0, "suspended") for player in away),
        unplayed=True,
    )


def two(away: int) -> Record:
    return forfeit("leaves", (away,), (2, 1) if away == 0 else (1, 2))


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
    record = forfeit(game, away, ranks)
    assert verify(record) == []
    wrong = replace(record, ranks=tuple(rank + 1 for rank in ranks))
    assert verify(wrong) == [f"the ranks are {ranks}, not {wrong.ranks}"]


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
        "player 0 (a) was sent something, and never started"
    ]


def test_without_the_mark_it_is_no_record() -> None:
    """The same text without its mark is refused: whoever started would have been told the deal."""
    assert verify(replace(two(1), unplayed=False)) != []


def test_a_setup_of_another_game() -> None:
    """The deal must be one of the game."""
    assert "the rules do not accept it" in verify(replace(two(1), setup="nonsense"))[0]
