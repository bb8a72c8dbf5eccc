"""What was measured of games' balance → a table of variants side by side, and sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arena.report.table import plain_table
from arena.stats.balance import Balance, Skill, Verdict
from arena.stats.intervals import Estimate
from arena.untrusted import show

__all__ = ["balance_json", "balance_text", "verdict_text"]

MOST_KINDS = 8  # that are shown; of more, the rest together
_HEADS = ("game", "bot", "matches", "alike", "wins by seat", "draws", "length", "choices", "deal")

Mirror = tuple[str, str, Balance | None, int, int]  # as arena.balance.MirrorRow
Mixed = tuple[str, str, str, Skill | None, int, int]  # as arena.balance.MixedRow


def balance_text(mirrors: Sequence[Mirror], mixed: Sequence[Mixed]) -> str:
    """Return the table of mirror matches, a verdict on each, who beats whom, and the actions."""
    rows = [
        [game, bot, *(_cells(found) if found is not None else [0, 0] + [""] * 5)]
        for game, bot, found, _, _ in mirrors
    ]
    lines = [plain_table(_HEADS, rows), "\n"]
    for game, bot, found, faulty, undecided in mirrors:
        lines.append(
            f"{show(game)}, {show(bot)}: {verdict_text(found)}{_left(faulty, undecided)}\n"
        )
    for game, bot, opponent, against, faulty, undecided in mixed:
        left = _left(faulty, undecided)
        lines.append(
            f"{show(game)}, {show(bot)} - {show(opponent)}: {_skill_text(against)}{left}\n"
        )
    lines.append("\nactions by their first word\n")
    kinds = [
        [game, bot, _kinds_text(found)] for game, bot, found, _, _ in mirrors if found is not None
    ]
    lines.append(plain_table(["game", "bot", "share"], kinds))
    return "".join(lines)


def balance_json(mirrors: Sequence[Mirror], mixed: Sequence[Mixed]) -> list[dict[str, object]]:
    """Return a mapping for each line-up, ready for JSON; intervals are ``[value, low, high]``."""
    rows: list[dict[str, object]] = []
    for game, bot, found, faulty, undecided in mirrors:
        row: dict[str, object] = {"game": game, "bot": bot, "opponent": bot}
        if found is not None:
            row |= {
                "verdict": str(found.verdict),
                "seat": found.seat,
                "text": verdict_text(found),
                "matches": found.matches,
                "duplicates": found.matches - found.distinct,
                "wins": None if found.wins is None else [_ends(share) for share in found.wins],
                "decided": _ends(found.decided),
                "drawn": _ends(found.drawn),
                "length": _ends(found.length),
                "branching": _ends(found.branching),
                "deal": found.deal,
                "kinds": dict(found.kinds),
            }
        rows.append(row | {"faulty": faulty, "undecided": undecided})
    for game, bot, opponent, against, faulty, undecided in mixed:
        row = {"game": game, "bot": bot, "opponent": opponent}
        if against is not None:
            row |= {
                "text": _skill_text(against),
                "matches": against.matches,
                "duplicates": against.matches - against.distinct,
                "score": _ends(against.score),
                "skill": against.share,
            }
        rows.append(row | {"faulty": faulty, "undecided": undecided})
    return rows


def verdict_text(found: Balance | None) -> str:
    """Return the verdict as a sentence's end.

    >>> verdict_text(None)
    'no match came to its end'
    """
    if found is None:
        return "no match came to its end"
    if found.verdict is Verdict.ALONE:
        return "a game for one player, in which no seat can be better than another"
    if found.wins is None:
        return "every game was a draw, which is fair"
    share = f"player {found.seat} wins {_percent(found.wins[found.seat])} of decided games"
    said: Mapping[Verdict, str] = {
        Verdict.UNFAIR: "unfair at this strength",
        Verdict.LITTLE: "a little advantage at this strength",
        Verdict.FAIR: "fair at this strength",
        Verdict.UNSETTLED: "not settled, more rounds would tell",
    }
    if found.verdict is Verdict.UNFAIR and found.wins[found.seat].value < 1 / found.players:
        return f"{share}: unfair to that player at this strength"
    return f"{share}: {said[found.verdict]}"


def _skill_text(against: Skill | None) -> str:
    if against is None:
        return "no match came to its end"
    score, share = _percent(against.score), f"{100 * against.share:.0f} %"
    return f"the first scores {score}; who plays explains {share} of the results"


def _cells(found: Balance) -> list[object]:
    if found.wins is None:
        wins = ""
    elif found.players == 2:
        first, second = found.wins
        wins = f"{first.value:.0%} : {second.value:.0%} ± {100 * first.by:.0f}"
    else:
        wins = " : ".join(f"{share.value:.0%}" for share in found.wins)
        wins += f" ± {100 * max(share.by for share in found.wins):.0f}"
    return [
        found.matches,
        found.matches - found.distinct,
        wins.replace("%", ""),
        f"{found.drawn.value:.0%}".replace("%", " %"),
        f"{found.length.value:.1f}",
        f"{found.branching.value:.1f}",
        "" if found.deal is None else f"{found.deal:.0%}".replace("%", " %"),
    ]


def _kinds_text(found: Balance) -> str:
    shown = [f"{kind} {share:.0%}" for kind, share in found.kinds[:MOST_KINDS]]
    rest = found.kinds[MOST_KINDS:]
    if rest:
        shown.append(f"{len(rest)} more {sum(share for _, share in rest):.0%}")
    return ", ".join(shown).replace("%", " %")


def _left(faulty: int, undecided: int) -> str:
    parts = []
    if faulty:
        parts.append(f"{faulty} left out, in which a bot failed")
    if undecided:
        parts.append(f"{undecided} undecided, for no fault of a bot")
    return f" ({'; '.join(parts)})" if parts else ""


def _percent(share: Estimate) -> str:
    return f"{100 * share.value:.0f} % ± {100 * share.by:.0f}"


def _ends(estimate: Estimate) -> list[float | None]:
    """Return value, low and high; an end that is infinite has no number in JSON."""
    return [
        number if abs(number) != float("inf") else None
        for number in (estimate.value, estimate.low, estimate.high)
    ]
