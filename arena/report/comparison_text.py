"""What a comparison says, in one sentence, and on the line that is shown while it plays."""

from __future__ import annotations

from arena.stats.strength import MOST_REPEATS, Answer
from arena.values.words import count

_OF_TWO = 5  # possible scores of a block of two players


def comparison_sentence(first: str, other: str, answer: Answer) -> str:
    """Say in one sentence whether ``first`` is stronger than ``other``.

    It ends with the Elo difference and its 95 % interval, the likelihood of superiority, and the
    number of matches.
    """
    if answer.verdict == "stronger":
        claim = f"{first} is stronger than {other}"
    elif answer.verdict == "not-weaker":
        assert answer.elo0 is not None, "there was a test"
        claim = f"{first} is not weaker than {other} by {-answer.elo0:g} Elo"
    elif answer.verdict == "weaker":
        claim = f"{first} is not shown to be stronger than {other}, but weaker"
    elif answer.elo0 is not None and answer.elo0 < 0.0:
        claim = f"{first} is not shown to be no weaker than {other} by {-answer.elo0:g} Elo"
    else:
        claim = f"{first} is not shown to be stronger than {other}"
    text = f"{claim}: {elo_text(answer)}, {_chance(answer.los)}, {count(answer.matches, 'match')}"
    if answer.repeats:
        text += f" ({answer.repeats} of them copies)"
    if answer.reason == "repeats":
        text += f"; the last {MOST_REPEATS} blocks brought no new match"
    note = interval_note(answer)
    return f"{text}; {note}" if note else text


def interval_note(answer: Answer) -> str:
    """Say what decides where the verdict is clear and the interval holds 0; else nothing."""
    below = answer.elo_low is None or answer.elo_low <= 0.0
    above = answer.elo_high is None or answer.elo_high >= 0.0
    if answer.verdict not in ("stronger", "weaker") or not (below and above):
        return ""
    if answer.llr is None:
        return (
            "the likelihood decides, which leaves out 5 % on one side; the interval leaves out "
            "2.5 % on either side, and so holds 0"
        )
    return (
        f"the test decides, as {answer.elo1:g} Elo fits better than {answer.elo0:g} Elo; the "
        "interval has every difference that fits at all, and so holds 0"
    )


def comparison_numbers(answer: Answer) -> str:
    """Say what a comparison rests on: matches, blocks of two, normalised Elo, and the test."""
    parts = [f"W–D–L {answer.wins}–{answer.draws}–{answer.losses}"]
    if len(answer.counts) == _OF_TWO:
        parts.append("Ptnml " + ", ".join([str(count) for _, count in answer.counts]))
    if answer.nelo is not None:
        parts.append(f"nElo {answer.nelo:+.0f}")
    if answer.llr is not None:
        parts += [_test(answer), "the interval ignores that the test stopped early"]
    return " · ".join(parts)


def anchored_text(anchor: str, elo: float, bot: str, answer: Answer, is_first: bool) -> str:
    """Say what Elo a bot has if the other one's is fixed.

    Args:
        anchor: the other one.
        elo: its Elo.
        bot: the bot.
        answer: what the blocks say.
        is_first: whether the bot is the one in question, whose difference ``answer`` gives.
    """
    ends = (answer.elo, answer.elo_low, answer.elo_high)
    found = [elo + (end if is_first else -end) for end in ends if end is not None]
    if answer.elo is None or len(found) < len(ends):
        return f"{anchor} is no anchor here: points did not go both ways between it and {bot}"
    place, low, high = found[0], min(found[1:]), max(found[1:])
    return f"{bot} {place:.0f} ({low:.0f} to {high:.0f}) with {anchor} at {elo:.10g}"


def comparison_state(answer: Answer) -> str:
    """Say how a comparison is going: score, Elo, likelihood of superiority, and the test."""
    parts = [f"{answer.score:.1%}", elo_text(answer), f"LOS {_chance(answer.los)}"]
    if answer.llr is not None:
        parts.append(_test(answer))
    return " · ".join(parts)


def _test(answer: Answer) -> str:
    return f"LLR {answer.llr:.2f} [{answer.llr_low:.2f}, {answer.llr_high:.2f}]"


def time_left(answer: Answer, settled: int, total: int, seconds: float, now: int) -> float | None:
    """Return about how many seconds are left; ``None`` where that cannot be known.

    A sequential test is taken to go on towards one of its bounds as it came from 0.

    Args:
        answer: what the blocks so far say.
        settled: how many matches were played, those of earlier runs included.
        total: the length of the schedule.
        seconds: since this run began.
        now: how many matches were played since.
    """
    if now <= 0 or seconds <= 0.0 or settled <= 0:
        return None
    left = float(total - settled)
    if answer.llr is not None and answer.llr_low is not None and answer.llr_high is not None:
        bound = answer.llr_high if answer.llr > 0.0 else answer.llr_low
        if answer.llr == 0.0:
            return None
        left = min(left, settled * max(0.0, bound / answer.llr - 1.0))
    return left * seconds / now


def elo_text(answer: Answer) -> str:
    """Write ``+23 ± 18 Elo``, or ``+280 Elo (-36 to +515)`` where the sides differ by a tenth.

    Where an end is infinite, say how far off the other one is.
    """
    if answer.elo is not None and answer.elo_low is not None and answer.elo_high is not None:
        below, above = answer.elo - answer.elo_low, answer.elo_high - answer.elo
        if abs(above - below) <= 0.1 * max(below, above):
            return f"{answer.elo:+.0f} ± {(below + above) / 2:.0f} Elo"
        return f"{answer.elo:+.0f} Elo ({answer.elo_low:+.0f} to {answer.elo_high:+.0f})"
    if answer.elo_low is not None:
        return f"{answer.elo_low:+.0f} Elo or more"
    if answer.elo_high is not None:
        return f"{answer.elo_high:+.0f} Elo or less"
    return "any difference in Elo"


def _chance(los: float) -> str:
    """Write a likelihood in percent; never 100 % or 0 %, which no number of matches shows."""
    if los > 0.9995:
        return "> 99.9 %"
    return "< 0.1 %" if los < 0.0005 else f"{los * 100:.1f} %"
