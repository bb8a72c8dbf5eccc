"""Matches of a tournament → jobs for workers: all that one of them needs to play its match."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from arena.schedule.seeds import bot_seed, deal_seed, match_id
from arena.values.model import Entrant, Match, MatchJob, Opening, Tournament

__all__ = ["JobFactory", "job_of"]


@dataclass(frozen=True, slots=True)
class JobFactory:
    """Makes the jobs of a tournament's matches; the attributes are as for ``job_of``."""

    tournament: Tournament
    label: str
    entrants: Mapping[str, Entrant]
    sandbox: str
    dictionary: tuple[int, bytes]

    def __call__(self, match: Match) -> MatchJob:
        """Return the job of a match."""
        return job_of(
            match, self.tournament, self.label, self.entrants, self.sandbox, self.dictionary
        )


def job_of(
    match: Match,
    tournament: Tournament,
    label: str,
    entrants: Mapping[str, Entrant],
    sandbox: str,
    dictionary: tuple[int, bytes],
    host: str = "",
) -> MatchJob:
    """Return the job of a match.

    Args:
        match: which.
        tournament: its rules; with the seed.
        label: what the edition is called.
        entrants: by their names, at least those in the match.
        sandbox: the level at which bots run.
        dictionary: what its record is packed with.
        host: the machine's name where it plays for a coordinator elsewhere.
    """
    seed, setups, block = tournament.seed, tournament.opening.setups, match.block
    assert seed is not None, "it was taken from the store"
    seats = [
        entrants[name].seat(
            tournament.clock,
            bot_seed(seed, match.game, match.seats, match.k, match.seating, place),
        )
        for place, name in enumerate(match.seats)
    ]
    return MatchJob(
        id=match_id(label, block, match.seating),
        tournament=label,
        number=match.number,
        block=block,
        seating=match.seating,
        game=match.game,
        seed=deal_seed(seed, match.game, match.k),
        seats=tuple(seats),
        opening=Opening(plies=tournament.opening.plies),
        setup=setups[match.k % len(setups)] if setups else None,
        on_timeout=tournament.on_timeout,
        processes=tournament.processes,
        ponder=tournament.ponder,
        max_decisions=tournament.max_decisions,
        sandbox=sandbox,
        clock=tournament.clock,
        dictionary=dictionary,
        host=host,
    )
