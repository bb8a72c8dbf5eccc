"""Whether a tournament can be run as it is handed in."""

from __future__ import annotations

from dataclasses import replace

from arena.bots.find import parse_bot
from arena.match.opening import NoOpening, deal_from
from arena.schedule.seeds import deal_seed
from arena.tournament.from_python import check_given
from arena.tournament.names import name_of_text
from arena.values.arguments import require, require_list
from arena.values.errors import UsageError
from arena.values.model import BotEntry, Tournament
from engines import Game, load_game

DEALS_CHECKED = 8


def check_run(tournament: Tournament) -> Tournament:
    """Return a tournament as it can be run; its bots may be given by their texts.

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
    return tournament


def _entry(bot: BotEntry | str) -> BotEntry:
    if isinstance(bot, BotEntry):
        return bot
    entry = parse_bot(bot)
    return replace(entry, name=name_of_text(entry.name))


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
