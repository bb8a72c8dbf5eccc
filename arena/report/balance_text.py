"""What was measured of games' balance → a table of variants side by side, and sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import isfinite
from typing import NamedTuple

from arena.report.table import plain_table
from arena.stats.fairness import (
    Balance,
    Fairness,
    MirrorRow,
    MixedRow,
    Skill,
    apart,
    elo_of,
    mean_elo,
)
from arena.stats.intervals import Estimate
from arena.stats.shape_of_games import Shape, Spread
from arena.values.untrusted import show

MOST_KINDS = 8  # that are shown; of more, the rest together
_HEADS = (
    "game", "bot", "matches", "alike", "wins by seat", "score by seat", "draws", "length",
    "choices", "deal",
)  # fmt: skip
_SHOWN = (
    "verdict", "seat", "matches", "wins", "expected", "level", "decided", "drawn", "length",
    "branching", "deal", "points", "points_spread",
)  # fmt: skip
_COUNTS = ("rounds", "round_ms", "faulty", "undecided", "incomplete")
_SHAPE = ("game", "bot", "length", "forced", "lead changes", "comebacks", "margins", "ends")


class Variants(NamedTuple):
    """By how much more of the decided games player 0 wins in ``game`` than in ``first``."""

    first: str
    game: str
    bot: str
    more: Estimate


def variants(mirrors: Sequence[MirrorRow]) -> list[Variants]:
    """Compare every game with its first variant of as many players, bot by bot."""
    firsts: dict[tuple[str, str, int], tuple[str, Estimate]] = {}
    found = []
    for row in mirrors:
        if row.balance is None or row.balance.wins is None:
            continue
        share, rules = row.balance.wins[0], row.game.partition("(")[0]
        key = (row.bot, rules, row.balance.players)
        first, of_first = firsts.setdefault(key, (row.game, share))
        if first != row.game:
            found.append(Variants(first, row.game, row.bot, apart(share, of_first)))
    return found


def balance_text(mirrors: Sequence[MirrorRow], mixed: Sequence[MixedRow]) -> str:
    """Return the table of mirror matches, a verdict on each, who beats whom, and the actions."""
    known = [(row.game, row.bot, row.balance) for row in mirrors if row.balance is not None]
    rows = [
        [row.game, row.bot, *(_cells(row.balance) if row.balance else [0, 0] + [""] * 6)]
        for row in mirrors
    ]
    lines = [plain_table(_HEADS, rows), "\n"]
    for row in mirrors:
        said = verdict_text(row.balance) + _left(row)
        lines.append(f"{show(row.game)}, {show(row.bot)}: {said}\n")
    for pair in mixed:
        who = f"{show(pair.bot)} - {show(pair.opponent)}"
        lines.append(f"{show(pair.game)}, {who}: {skill_text(pair.skill)}{_left(pair)}\n")
    lines += [f"{line}\n" for line in doubling_texts(mixed)]
    lines += [f"{variants_text(each)}\n" for each in variants(mirrors)]
    shapes = [[game, bot, *_shape_cells(of.shape)] for game, bot, of in known]
    lines += ["\nwhat games look like\n", plain_table(_SHAPE, shapes)]
    lines.append("\nactions by the word that they begin with; # if they begin with none\n")
    kinds = [[game, bot, _kinds_text(found)] for game, bot, found in known]
    lines.append(plain_table(["game", "bot", "share"], kinds))
    return "".join(lines)


def balance_json(
    mirrors: Sequence[MirrorRow], mixed: Sequence[MixedRow]
) -> list[dict[str, object]]:
    """Return a mapping for each line-up, ready for JSON; intervals are ``[value, low, high]``."""
    others = {(each.game, each.bot): each for each in variants(mirrors)}
    rows: list[dict[str, object]] = []
    for row in mirrors:
        found, other = row.balance, others.get((row.game, row.bot))
        cells: dict[str, object] = {"game": row.game, "bot": row.bot, "opponent": row.bot}
        if found is not None:
            cells |= {name: _plain(getattr(found, name)) for name in _SHOWN}
            cells |= {
                "text": verdict_text(found),
                "more_rounds": found.more,
                "duplicates": found.matches - found.distinct,
                "than_first": None if other is None else _plain(other.more),
                "kinds": dict(found.kinds),
                "shape": _shape_json(found.shape),
            }
        rows.append(cells | _counts(row))
    for pair in mixed:
        cells = {"game": pair.game, "bot": pair.bot, "opponent": pair.opponent}
        if pair.skill is not None:
            cells |= {
                "text": skill_text(pair.skill),
                "matches": pair.skill.matches,
                "duplicates": pair.skill.matches - pair.skill.distinct,
                "score": _plain(pair.skill.score),
                "elo": _plain(elo_of(pair.skill.score)),
                "skill": pair.skill.share,
                "doubled": pair.doubled,
            }
        rows.append(cells | _counts(pair))
    return rows


def verdict_text(found: Balance | None) -> str:
    """Return the verdict as a sentence's end.

    >>> verdict_text(None)
    'no match came to its end'
    """
    if found is None:
        return "no match came to its end"
    if found.points is not None and found.points_spread is not None:
        points = _interval(found.points, "{:.4g}")
        return f"a game for one player: {points} points, {spread_text(found.points_spread)}"
    if found.verdict is Fairness.ALONE:
        return "a game for one player, which the rules never ended"
    if found.wins is None:
        return "no game was decided: between equals of this strength every game is a draw"
    share = f"player {found.seat} wins {share_text(found.wins[found.seat])} of decided games"
    said: Mapping[Fairness, str] = {
        Fairness.UNFAIR: "unfair at this strength",
        Fairness.LITTLE: "a little advantage at this strength",
        Fairness.FAIR: "fair at this strength",
        Fairness.UNSETTLED: f"not settled: {_rounds(found.more)} may settle it",
    }
    fair = 1 / found.players
    if found.verdict is Fairness.UNFAIR and found.wins[found.seat].value < fair:
        return f"{share}: unfair to that player at this strength"
    return f"{share}: {said[found.verdict]}"


def _rounds(more: int) -> str:
    """Return about how many more rounds: the shares of a few games say no number.

    >>> _rounds(1), _rounds(8), _rounds(59)
    ('some ten more rounds', 'some ten more rounds', 'about 60 more rounds')
    """
    return "some ten more rounds" if more < 15 else f"about {float(f'{more:.1g}'):,.0f} more rounds"


def skill_text(against: Skill | None) -> str:
    """Return what mixed matches say as a sentence's end."""
    if against is None:
        return "no match came to its end"
    elo = _interval(elo_of(against.score), "{:+.0f}")
    share = f"{100 * against.share:.0f} %"
    return (
        f"the first scores {share_text(against.score)}, Elo {elo}; "
        f"who plays explains {share} of the results"
    )


def doubling_texts(mixed: Sequence[MixedRow]) -> Iterator[str]:
    """Yield, game by game, how much twice as many simulations are worth."""
    for game in dict.fromkeys(pair.game for pair in mixed):
        pairs = [pair for pair in mixed if pair.game == game and pair.doubled]
        elo = mean_elo([pair.skill.score for pair in pairs if pair.skill is not None])
        if elo is not None:
            yield f"{show(game)}: twice as many simulations, Elo {_interval(elo, '{:+.0f}')}"


def variants_text(each: Variants) -> str:
    """Return how two variants differ, as a sentence."""
    more = Estimate(*(100 * end for end in each.more))
    differs = "no difference is shown" if more.has(0) else "they differ"
    points = _interval(more, "{:+.0f}")
    who = f"{show(each.game)} beside {show(each.first)}, {show(each.bot)}"
    return f"{who}: player 0 wins {points} points more of decided games: {differs}"


def share_text(share: Estimate) -> str:
    """Return a share with its interval.

    >>> share_text(Estimate(0.68, 0.5, 0.8164))
    '68 % (50–82 %)'
    """
    low, high = f"{100 * share.low:.0f}", f"{100 * share.high:.0f}"
    return f"{100 * share.value:.0f} % ({low}–{high} %)"


def spread_text(of: Spread) -> str:
    """Return least, quartiles and most.

    >>> spread_text(Spread(5, 16, 20, 24.5, 32))
    'from 5 to 32, half of them 16–24.5 around 20'
    """
    least, lower, median, upper, most = (f"{value:.4g}" for value in of)
    if least == most:
        return f"always {least}"
    return f"from {least} to {most}, half of them {lower}–{upper} around {median}"


def ends_text(shape: Shape) -> str:
    """Return how games end, with how many of them did."""
    return ", ".join(f"{count} {by}" for by, count in shape.ends)


def _interval(estimate: Estimate, how: str) -> str:
    """Return a value and its interval; an end that is infinite is open."""
    value, low, high = (how.format(end) if isfinite(end) else "" for end in estimate)
    if value and low and high:
        return f"{value} ({low} to {high})"
    if low:
        return f"{value} ({low} or more)" if value else f"{low} or more"
    if high:
        return f"{value} ({high} or less)" if value else f"{high} or less"
    return f"{value or 'anything'} (not bounded)"


def _cells(found: Balance) -> list[object]:
    return [
        found.matches,
        found.matches - found.distinct,
        _by_seat(found.wins),
        _by_seat(found.expected),
        _percent(found.drawn.value),
        f"{found.length.value:.1f}",
        f"{found.branching.value:.1f}",
        "" if found.deal is None else _percent(found.deal),
    ]


def _by_seat(shares: Sequence[Estimate] | None) -> str:
    """Return shares with their intervals; with two seats the second one's is that of the first."""
    if shares is None:
        return ""
    with_interval = [
        f"{100 * share.value:.0f} ({100 * share.low:.0f}–{100 * share.high:.0f})"
        for share in shares
    ]
    if len(shares) == 2:
        with_interval[1] = f"{100 * shares[1].value:.0f}"
    return " : ".join(with_interval)


def _shape_cells(shape: Shape) -> list[str]:
    def numbers(of: Spread) -> str:
        return "/".join(f"{value:.4g}" for value in of)

    return [
        numbers(shape.length),
        _percent(shape.forced),
        "" if shape.lead_changes is None else f"{shape.lead_changes:.1f}",
        "" if shape.comebacks is None else _percent(shape.comebacks),
        "" if shape.margins is None else numbers(shape.margins),
        ends_text(shape),
    ]


def _shape_json(shape: Shape) -> dict[str, object]:
    return {
        **shape._asdict(),
        "ends": dict(shape.ends),
        "moments": [moment._asdict() for moment in shape.moments],
        "first_actions": [first._asdict() for first in shape.first_actions],
    }


def _kinds_text(found: Balance) -> str:
    shown = [f"{kind} {_percent(share)}" for kind, share in found.kinds[:MOST_KINDS]]
    rest = found.kinds[MOST_KINDS:]
    if rest:
        shown.append(f"{len(rest)} more {_percent(sum(share for _, share in rest))}")
    return ", ".join(shown)


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _counts(row: MirrorRow | MixedRow) -> dict[str, object]:
    return {name: getattr(row, name) for name in _COUNTS}


def _left(row: MirrorRow | MixedRow) -> str:
    parts = []
    if row.faulty:
        parts.append(f"{row.faulty} left out, in which a bot failed")
    if row.undecided:
        parts.append(f"{row.undecided} undecided, for no fault of a bot")
    if row.incomplete:
        parts.append(f"{row.incomplete} left out with those of their deal")
    return f" ({'; '.join(parts)})" if parts else ""


def _plain(value: object) -> object:
    """Return an estimate as value, low and high, in JSON; an infinite end has no number there."""
    if isinstance(value, Estimate):
        return [number if isfinite(number) else None for number in value]
    return [_plain(each) for each in value] if isinstance(value, tuple) else value
