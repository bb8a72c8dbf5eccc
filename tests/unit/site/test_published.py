"""Whose deal everybody may see: one that nobody has still to meet, whatever the format."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest
from support import finished

from arena.progress.planner import Newer, Planner, known_schedule
from arena.site.published import may_be_public
from arena.store import Edition, Store
from arena.tournament.kept import config_of
from arena.values.model import BotEntry, Match, Tournament
from arena.values.settled import Settled

HIDDEN, OPEN = "the_tree", "leaves"
NAMES = ("ash", "elm", "fir", "oak", "yew")


class Played:
    """A tournament that is played match by match, of which nobody plays a game.

    Attributes:
        edition: in the store.
        matches: those that were stored.
    """

    def __init__(
        self,
        store: Store,
        games: Sequence[str] = (HIDDEN,),
        names: Sequence[str] = NAMES,
        **keys: Any,
    ) -> None:
        bots = tuple([BotEntry(name, ref=name) for name in names])
        self.tournament = Tournament("open", tuple(games), bots, seed=7, **keys)
        config = config_of(self.tournament, dict.fromkeys(names, ""), dict.fromkeys(games, 1))
        self.store, self.names = store, tuple(names)
        self.edition: Edition = store.tournaments.create(
            "open", "f", config, finished.entrants(names), seed=7
        )
        self.matches: list[Match] = []
        self.newer: list[Newer] = []

    def rounds(self) -> Iterator[list[Match]]:
        """Yield what is to be played, round after round; all of it must be before the next."""
        planner = Planner(self.store, self.edition, self.tournament, self.names, self._find_newer)
        while True:
            settled = Settled(match.number for match in self.matches)
            out = {e.name: None for e in self.store.tournaments.entries(self.edition.id) if e.out}
            schedule = known_schedule(self.store, self.edition)
            for number in range(len(schedule or ())):
                if schedule is not None and not out.keys().isdisjoint(schedule[number].seats):
                    settled.add(number)
            round_ = planner.next(settled=settled.advance(), records=(), since=out)
            if round_ is None:
                return
            missing = [match for match in round_ if match.number not in settled]  # type: ignore[attr-defined]
            yield missing

    def play(self, match: Match) -> None:
        """Store a match; the winner depends on the names alone."""
        ranks = [1 + sorted(match.seats).index(name) for name in match.seats]
        result = finished.match(match.number, match.seats, ranks, game=match.game)
        finished.add(self.store, self.edition.id, result)
        self.matches.append(match)

    def shown(self) -> set[int]:
        """Return the numbers of the matches that everybody may see."""
        may_show = may_be_public(self.store, self.edition)
        return {match.number for match in self.matches if may_show(match.number, match.game)}

    def closed(self, out: Sequence[str] = ()) -> set[int]:
        """Return the numbers of the matches whose deal nobody has still to meet."""
        schedule = known_schedule(self.store, self.edition)
        assert schedule is not None
        played = {match.number for match in self.matches}
        still = {
            (match.game, match.k)
            for match in map(schedule.__getitem__, range(len(schedule)))
            if match.number not in played and not set(out).intersection(match.seats)
        }
        return {match.number for match in self.matches if (match.game, match.k) not in still}

    def _find_newer(self, newest: Mapping[str, str]) -> Sequence[Newer]:
        found, self.newer = self.newer, []
        return found


FORMATS: Mapping[str, Mapping[str, Any]] = {
    "round-robin": {"rounds": 3},
    "gauntlet": {"rounds": 3, "challengers": 2},
    "swiss": {"rounds": 3, "blocks": 2},
    "knockout": {"blocks": 2},
    "ladder": {"rounds": 6, "batch": 7},
}


@pytest.mark.parametrize("format_", FORMATS)
def test_a_deal_waits_for_the_last_who_meets_it(store: Store, format_: str) -> None:
    """After each match in schedule order exactly the deals are shown that are over."""
    played = Played(store, format=format_, **FORMATS[format_])
    shown_early = 0
    for missing in played.rounds():
        for match in missing:
            played.play(match)
            assert played.shown() == played.closed()
            shown_early += len(played.shown())
    assert played.shown() == {match.number for match in played.matches}
    assert shown_early > 0


def test_deal_of_open_game_is_shown_at_once(store: Store) -> None:
    """With two games, only the game with hidden information keeps deals back from the report."""
    played = Played(store, (OPEN, HIDDEN), NAMES[:3])
    for missing in played.rounds():
        for match in missing:
            played.play(match)
            opened = {match.number for match in played.matches if match.game == OPEN}
            assert played.shown() == played.closed() | opened


def test_all_deals_are_shown_after_end(store: Store) -> None:
    """After the end of a tournament every deal is shown."""
    played = Played(store)
    for match in next(played.rounds())[:9]:
        played.play(match)
    assert played.shown() == set()
    store.tournaments.end(played.edition.id)
    played.edition = store.tournaments.find("open")
    assert played.shown() == set(range(9))


@pytest.mark.parametrize("format_", ["round-robin", "swiss"])
def test_deal_does_not_wait_for_bot_that_is_out(store: Store, format_: str) -> None:
    """A deal does not wait for matches of a bot that is out, unless it comes back."""
    played = Played(store, format=format_, **FORMATS[format_])
    rounds = played.rounds()
    for match in next(rounds)[:3]:
        played.play(match)
    store.tournaments.take_out(played.edition.id, {"elm"})
    played.play(next(match for match in next(played.rounds()) if "elm" not in match.seats))
    for missing in played.rounds():
        for match in missing:
            played.play(match)
            assert played.shown() == played.closed(["elm"])
    assert len(played.shown()) == len(played.matches)
    store.tournaments.take_out(played.edition.id, set())
    assert played.shown() <= played.closed()
    assert len(played.closed()) < len(played.matches)


def test_deal_without_schedule_is_hidden(store: Store) -> None:
    """If the store does not know the schedule, no deal is shown."""
    edition = store.tournaments.create("open", "f", {}, finished.entrants(NAMES))
    may_show = may_be_public(store, edition)
    assert not may_show(0, HIDDEN)
    assert not may_show(0, "a game that is not here")
    assert may_show(0, OPEN)


def test_newer_version_meets_only_new_deals(store: Store) -> None:
    """A newer version meets no deal that was shown before it."""
    played = Played(store, format="ladder", rounds=12, batch=7)
    before: set[int] = set()
    for number, missing in enumerate(played.rounds()):
        deals = {match.k for match in missing}
        assert before.isdisjoint(deals)
        before |= deals
        if number > 1:
            assert any("elm@2" in match.seats for match in missing)
            assert not any("elm" in match.seats for match in missing)
        for match in missing:
            played.play(match)
        if number == 1:
            (newer,) = finished.entrants(["elm@2"])
            played.newer = [("elm", newer)]
    assert number > 3
