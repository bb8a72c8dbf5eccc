"""Whether a tournament can be run as it is handed in, or a part of it."""

from __future__ import annotations

import secrets
from dataclasses import replace
from pathlib import Path

from arena.bots.find import parse_bot
from arena.match.opening import NoOpening, deal_from
from arena.schedule.blocks import BlocksFormat
from arena.schedule.formats import find_format
from arena.schedule.parts import parse_part
from arena.schedule.seeds import deal_seed
from arena.store.tournaments import SECRET_BITS
from arena.tournament.from_python import check_given
from arena.tournament.names import name_of_text
from arena.values.arguments import require, require_list
from arena.values.errors import UsageError
from arena.values.model import BotEntry, Tournament
from engines import Game, load_game

__all__ = ["check_run"]

DEALS_CHECKED = 8


def check_run(tournament: Tournament, part: str | None) -> Tournament:
    """Return a tournament as it can be run, all of it or a part; bots may be given by their texts.

    Raises:
        TypeError: a field is of another kind.
        UsageError: it cannot be run.
        BotError: the text of a bot cannot be read.
    """
    expected = "a Tournament, as read_tournament(FILE) gives it"
    require(tournament, Tournament, "tournament", expected)
    texts = 'a BotEntry, or a text like "greedy"'
    require_list(tournament.bots, (BotEntry, str), "tournament.bots", texts)
    tournament = check_given(replace(tournament, bots=tuple(map(_entry, tournament.bots))))
    for game in tournament.games:
        _check_opening(load_game(game), tournament)
    if part is not None:
        parse_part(part)
        _check_divisible(tournament)
    return tournament


def _entry(bot: BotEntry | str) -> BotEntry:
    if isinstance(bot, BotEntry):
        return bot
    entry = parse_bot(bot, Path.cwd())
    return replace(entry, name=name_of_text(entry.name))


def _check_divisible(tournament: Tournament) -> None:
    """Raise ``UsageError`` unless machines that know nothing of each other can play parts."""
    format_ = find_format(tournament.format)
    if not isinstance(format_, BlocksFormat):
        raise UsageError(
            f"--part: not for the format {format_.name}, in which who meets whom in a later round "
            "depends on the results of all parts; it is for round-robin and gauntlet"
        )
    if not format_.divisible or tournament.stop.sprt is not None:
        raise UsageError(
            "--part: not for a comparison, as where it ends depends on the results of all parts; "
            "it is for a round-robin or gauntlet without a test"
        )
    if tournament.seed is None:
        raise UsageError(
            "--part: the file has no seed, so each machine would draw other deals; write this line "
            f"into it before it goes to the others: seed: {secrets.randbits(SECRET_BITS)}"
        )


def _check_opening(game: Game, tournament: Tournament) -> None:
    """Raise ``UsageError`` if one of the first deals of a game has no opening of so many plies."""
    plies = tournament.opening.plies
    if plies:
        try:
            for k in range(DEALS_CHECKED):
                # where the seed is still to be drawn, any deals are as good
                seed = deal_seed(tournament.seed or 0, str(game), k)
                deal_from(game, seed, plies=plies, deals=1)
        except NoOpening as error:
            raise UsageError(f"opening: plies: {plies}: {game}: {error}") from None
