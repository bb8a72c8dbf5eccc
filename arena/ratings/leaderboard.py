"""Where entrants stand → the rows of a leaderboard."""

from __future__ import annotations

from collections.abc import Mapping

from arena.model import LeaderboardRow, Rating
from arena.ratings.fold import Standing, Standings

__all__ = ["DIGITS", "leaderboard_rows"]

DIGITS = 6  # scores that agree to so many decimals are equal


def leaderboard_rows(
    standings: Standings,
    entrants: Mapping[str, tuple[str, int]],
) -> tuple[LeaderboardRow, ...]:
    """Rank entrants by score; those of one score stand by wins, then by name.

    Those without a match have the score of a beginner.

    Args:
        standings: a fold.
        entrants: name and version of the bot behind every name in the fold.
    """
    found = []
    for key, (bot, version) in entrants.items():
        standing = standings.table.get(key, Standing())
        rating = Rating(standing.mu, standing.sigma)
        # + 0.0: what rounds to nothing is 0, and not -0
        found.append((round(rating.score, DIGITS) + 0.0, bot, version, key, standing))
    found.sort(key=lambda item: (-item[0], -item[4].wins, item[1], item[2], item[3]))
    rows: list[LeaderboardRow] = []
    for place, (score, bot, version, _, standing) in enumerate(found, start=1):
        games, answers = standing.games, standing.answers
        rows.append(
            LeaderboardRow(
                rank=rows[-1].rank if rows and rows[-1].score == score else place,
                bot=bot,
                version=version,
                score=score,
                rating="trueskill",
                mu=round(standing.mu, DIGITS) + 0.0,
                sigma=round(standing.sigma, DIGITS),
                games=games,
                wins=standing.wins,
                draws=standing.draws,
                losses=standing.losses,
                mean_rank=round(standing.double_rank / 2 / games, DIGITS) if games else None,
                mean_ms=round(standing.charged_us / 1000 / answers, 3) if answers else None,
                faults=dict(sorted(standing.faults.items())),
            )
        )
    return tuple(rows)
