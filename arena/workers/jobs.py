"""Matches of a tournament → jobs for workers: all that one of them needs to play its match."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from arena.packed.record_text import NO_DICTIONARY, Dictionary
from arena.schedule.seeds import bot_seed, deal_seed, match_id
from arena.values.model import Entrant, Match, MatchJob, Opening, Tournament


@dataclass(frozen=True, slots=True)
class JobFactory:
    """Makes the jobs of a tournament's matches: what all of them have in common.

    Attributes:
        tournament: its rules; with the seed.
        label: what the edition is called.
        entrants: by their names, at least those in a match.
        sandbox: the level at which bots run.
        dictionary: what records are packed with.
        host: the machine's name where it plays for a coordinator elsewhere.
    """

    tournament: Tournament
    label: str
    entrants: Mapping[str, Entrant]
    sandbox: str
    dictionary: Dictionary = NO_DICTIONARY
    host: str = ""

    def __call__(self, match: Match) -> MatchJob:
        """Return the job of a match."""
        tournament, seed, block = self.tournament, self.tournament.seed, match.block
        setups = tournament.opening.setups
        assert seed is not None, "it was taken from the store"
        seats = [
            self.entrants[name].seat(
                tournament.clock,
                bot_seed(seed, match.game, match.seats, match.k, match.seating, place),
            )
            for place, name in enumerate(match.seats)
        ]
        return MatchJob(
            id=match_id(self.label, block, match.seating),
            tournament=self.label,
            number=match.number,
            block=block,
            seating=match.seating,
            game=match.game,
            seed=deal_seed(seed, match.game, match.k),
            seats=tuple(seats),
            opening=Opening(plies=tournament.opening.plies),
            setup=setups[match.k % len(setups)] if setups else None,
            on_timeout=tournament.on_timeout,
            rethink=tournament.rethink,
            processes=tournament.processes,
            ponder=tournament.ponder,
            max_decisions=tournament.max_decisions,
            sandbox=self.sandbox,
            clock=tournament.clock,
            dictionary=self.dictionary,
            host=self.host,
        )
