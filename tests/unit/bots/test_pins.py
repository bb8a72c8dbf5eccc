"""Which bots a tournament's lines mean: pinned versions, patterns, and what is newer."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from support.submitted import Submitted, pinned, version

from arena.bots.find import pin_of
from arena.bots.pins import expand
from arena.values.errors import BotError
from arena.values.model import BotEntry

SUBMITTED = Submitted(
    [
        version("s00", 1, "a1"),
        version("s00", 2, "a2"),
        version("s01", 1, "b1", retired=True),
        version("s02", 1, "c1"),
        version("t00", 1, "d1"),
    ]
)


def refs(*texts: str) -> list[BotEntry]:
    return [BotEntry(text, ref=text) for text in texts]


def names(entries: Sequence[BotEntry]) -> list[str]:
    assert all(entry.ref == entry.name for entry in entries)
    return [entry.name for entry in entries]


class TestPins:
    """A line is pinned as long as it means the same bot."""

    @pytest.mark.parametrize(
        ("entry", "is_pinned"),
        [
            (BotEntry("oak", ref="oak"), True),
            (BotEntry("oak", ref="oak@2"), True),
            (BotEntry("oak", ref="oak@1"), False),
            (BotEntry("oak", ref="elm"), False),
            (BotEntry("oak", run="/oak.py"), False),
            (BotEntry("fir", ref="oak"), False),
        ],
    )
    def test_entry_is_pinned_by_name_and_version(self, entry: BotEntry, is_pinned: bool) -> None:
        """A line means a pinned bot of the same name, and the same version where it has one."""
        assert (pin_of(entry, pinned("oak", version=2)) is not None) is is_pinned

    def test_bot_named_by_path_pins_no_name(self) -> None:
        """An entrant that was named by a path pins no bot of its name."""
        assert pin_of(BotEntry("oak", ref="oak"), pinned("oak", version=0)) is None


class TestPatterns:
    """Patterns mean submitted bots: at the start those there are, and later the same."""

    def test_pattern_means_all_versions_not_retired(self) -> None:
        """A pattern means every matching bot that is not retired, once, in order of names."""
        found, told = expand(refs("random", "s*"), SUBMITTED)
        assert names(found) == ["random", "s00", "s02"]
        assert told == ()
        assert names(expand(refs("*"), SUBMITTED)[0]) == ["s00", "s02", "t00"]
        assert names(expand(refs("?0[01]"), SUBMITTED)[0]) == ["s00", "t00"]

    def test_line_of_its_own_beats_pattern(self) -> None:
        """A bot with a line of its own is entered by it alone; else the first pattern counts."""
        own = BotEntry("s00", ref="s00@1", args=("-x",))
        small = BotEntry("s*", ref="s*", memory_bytes=1 << 20)
        found, _ = expand([small, *refs("*"), own], SUBMITTED)
        assert [(entry.name, entry.ref) for entry in found] == [
            ("s02", "s02"),
            ("t00", "t00"),
            ("s00", "s00@1"),
        ]
        assert [entry.memory_bytes for entry in found] == [1 << 20, None, None]

    def test_pattern_keeps_bots_and_names_newcomers(self) -> None:
        """A pattern keeps entered bots; newcomers are named, or entered with ``--extend``."""
        pins = pinned("s00", "s01", "random")
        found, told = expand(refs("s*", "random"), SUBMITTED, pins)
        assert names(found) == ["s00", "s01", "random"]
        (line,) = told
        assert '"s*" also means s02' in line
        assert "--extend enters it" in line
        (line,) = expand(refs("*"), SUBMITTED, pins)[1]
        assert line.startswith('"all" also means')  # which is what a file has
        found, told = expand(refs("s*", "random"), SUBMITTED, pins, extend=True)
        assert (names(found), told) == (["s00", "s01", "s02", "random"], ())

    def test_pattern_without_bot_is_refused(self) -> None:
        """A pattern that fits no bot is a mistake with its place and the bots there are."""
        entry = BotEntry("x*", ref="x*", where="t.yaml:3:8: bots[0]")
        with pytest.raises(BotError, match=r"^t\.yaml:3:8: bots\[0\]: no submitted bot fits") as e:
            expand([entry], SUBMITTED)
        assert "s00, s02, t00" in str(e.value)
        with pytest.raises(BotError, match="no submitted bot fits"):
            expand([entry], Submitted())
