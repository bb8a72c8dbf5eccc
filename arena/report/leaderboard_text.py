"""A leaderboard as text, in every format."""

from __future__ import annotations

from collections.abc import Sequence

from arena.report.table import Cell, fit, formatted, json_rows, note
from arena.values.costs import COSTS
from arena.values.errors import UsageError, near_miss
from arena.values.tables import Leaderboard, LeaderboardRow, UnableRow
from arena.values.words import count

_NAMED = 10  # entrants of undecided matches
_ASKED = (  # shown only if asked for
    "mean_ms", "used_ms", "late", "tries", "seats", "unable",
    *COSTS,
)  # fmt: skip
COLUMNS = (
    "rank", "bot", "version", "sandbox", "bundle", "replaced_by", "points", "reached",
    "mean_score", "score", "interval",
    "low", "high", "los", "mu", "sigma", "games", "wins", "draws", "losses", "mean_rank",
    "faults", *_ASKED,
)  # fmt: skip
# for a person
_ELO = "elo"  # what people call the score where it is on that scale
_HEADINGS = {"interval": "95 %", "mean_ms": "ms/decision", "used_ms": "seconds"}
# JSON has them in the order in which they were published
_JSON = (
    "rank", "bot", "version", "score", "mu", "sigma", "games", "wins", "draws", "losses",
    "faults", "rating", "mean_rank", "points", "reached", "low", "high", "los",
    "replaced_by", "bundle", "sandbox", "mean_score", "costs", "unable",
)  # fmt: skip
# what a narrow terminal leaves out, in this order
_SPARE = ("mean_rank", "sigma", "mu", "version", "los")
_OPENING = (
    'Blocks begin differently by the key "opening" of the tournament file: by random plies, or by '
    "a file of as many setups as there are rounds."
)
_DIGITS = 6
_FEW = 10  # one interrupted match of so many is not named
_SETTLED = 0.95  # from this likelihood on, the order of two bots is settled


def leaderboard_text(
    board: Leaderboard,
    style: str = "table",
    *,
    times: bool = False,
    columns: Sequence[str] = (),
    width: int | None = None,
) -> str:
    """Return a leaderboard as ``table``, ``json``, ``csv`` or ``md``.

    For people, Elo is a whole number and other numbers have two decimals; for programs all have
    six. Entrants that are out are named below the table with the reason, and in ``"out"`` of JSON,
    which is there only if somebody is out; matches without weight are counted there, and in
    ``"weightless"``, those of one deal in ``"same_deal"``; that the tournament is not over is said
    there, and by ``"unfinished"``, or that a person ended it before, by ``"ended"``; whose matches
    are undecided, also by ``"undecided"``; an unusual zero of Elo is said there, and by
    ``"no_zero"`` and ``"anchor"``. CSV leaves all of these out. Intervals, points and the round
    reached are there only where there are such. People
    read an interval in words (``interval``), programs its ends.

    Args:
        board: the leaderboard.
        style: the format.
        times: show the mean time a decision as well. Without it, everything is the same for two
            runs of one tournament.
        columns: what to show, of ``COLUMNS``; without any, the usual ones.
        width: how wide a ``table`` of the usual columns should be at most: some are left out then,
            and named below, and sentences are folded. ``None``: as wide as it is.

    Raises:
        UsageError: there is no such style or column.
    """
    spare = _SPARE if style == "table" and not columns else ()
    if not columns:
        ends = ("interval",) if style == "csv" else ("low", "high")
        shown = [name for name in COLUMNS if name not in (*_ASKED, *ends)]
        usual = _JSON if style == "json" else shown
        missing = _missing(board)
        if board.deals is not None:  # programs read that there is no Elo
            missing = missing - {"los"} if style == "json" else missing | {"score"}
        columns = [name for name in usual if name not in missing]
        columns += ["mean_ms"] if times else []
    columns = ["score" if name == _ELO else name for name in _check_columns(columns)]
    if style == "json":
        more = {
            "out": [row._asdict() for row in board.out],
            "weightless": board.weightless,
            "same_deal": board.same_deal,
            "unfinished": board.unfinished,
            "ended": board.ended,
            "undecided": dict(board.undecided),
            "no_zero": board.no_zero,
            "anchor": None if board.anchor is None else board.anchor._asdict(),
            "deals": board.deals,
            "skipped": board.skipped,
            "costs": board.costs.there,
        }
        found = [{name: _json_cell(row, name) for name in columns} for row in board.rows]
        return json_rows(board.tournament, found, {key: more[key] for key in more if more[key]})
    cell = _csv_cell if style == "csv" else _cell
    heads = {name: name if style == "csv" else _heading(board, name) for name in columns}
    every = [{heads[name]: cell(row, name) for name in columns} for row in board.rows]
    rows, left_out = fit(every, width, [(heads.get(name, name), 0) for name in spare])
    shown = [head for head in heads.values() if head not in left_out]
    notes = _notes(board, [name for name in columns if heads[name] in shown])
    if left_out:
        notes.append(f"Left out of a table this wide: {', '.join(left_out)}. See --columns.")
    text = formatted(shown, [list(row.values()) for row in rows], style)
    return text + "".join([note(sentence, style, width) for sentence in notes])


def _check_columns(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names of columns as they are; raises ``UsageError`` if one is none."""
    known = (*COLUMNS, _ELO)
    for name in names:
        if name not in (*known, *_JSON):
            there = near_miss(name, known) or f": there are {', '.join(known)}"
            raise UsageError(f'there is no column "{name}"{there}')
    return tuple(names)


def _heading(board: Leaderboard, name: str) -> str:
    if name == "score" and any(row.interval for row in board.rows):
        return "Elo"
    return _HEADINGS.get(name, name.replace("_", " "))


def _missing(board: Leaderboard) -> set[str]:
    """Return the columns that are usual, but of which this board has nothing."""
    known = ("points", "reached", "replaced_by", "bundle", "sandbox", "mean_score", "unable")
    signs = {name: name for name in known}
    # a row without ends has an interval all the same, and so has a single row
    nothing = set() if board.costs.there else {"costs"}
    signs |= dict.fromkeys(("interval", "low", "high", "los"), "interval")
    return nothing | {
        name
        for name, sign in signs.items()
        if all(getattr(row, sign) in (None, "", UnableRow()) for row in board.rows)
    }


def _notes(board: Leaderboard, columns: Sequence[str]) -> list[str]:
    notes = []
    if board.deals is not None:
        deals = count(board.deals, "deal")
        notes.append(f"Ranked by the mean score over the {deals} that all have played.")
    if board.unfinished:
        notes.append("The tournament is not over: more matches are to come.")
    if board.ended:
        notes.append("The tournament was ended before all was played; whole blocks count.")
    if board.undecided:
        names = ", ".join([f"{name} {number}" for name, number in board.undecided[:_NAMED]])
        more = f" and {len(board.undecided) - _NAMED} more" if board.undecided[_NAMED:] else ""
        notes.append(f"Undecided matches, which count for nobody: {names}{more}.")
    if any(row.sandbox for row in board.rows):
        notes.append("A bot with the sandbox ask had the organiser's own rights.")
    if any(row.bundle for row in board.rows):
        notes.append("A bot with a bundle is another program than its name means in this home.")
    if "los" in columns and any(not _is_settled(row) for row in board.rows):
        notes.append("? The order of this row and the next is less than 95 % likely.")
    if board.weightless:
        verb = "repeats" if board.weightless == 1 else "repeat"
        repeat = f"{count(board.weightless, 'match')} {verb}"
        notes.append(f"{repeat} others action by action and have no weight here. {_OPENING}")
    if board.same_deal:
        matches = f"{count(board.same_deal, 'match')} of bots that play by chance"
        only = "began from one position, and hold for that position only"
        notes.append(f"{matches} {only}. {_OPENING}")
    if board.costs.there:
        notes.append(f"Reported in these matches: {board.costs}.")
    if board.skipped:
        notes.append(f"Left out: {count(board.skipped, 'result')} whose outcome is unknown.")
    notes += caveats(board)
    notes += [row.sentence for row in board.out]
    return notes


def caveats(board: Leaderboard) -> list[str]:
    """Return what a board says of its zero, if that is not the usual one, and of who left often."""
    notes = [
        f"{row.bot} was unable to play on in {count(row.unable.interrupted, 'match')}, which began "
        "again: a bot that leaves when it loses gains by that"
        for row in board.rows
        if row.unable.interrupted * _FEW > row.games
    ]
    if board.no_zero:
        notes.append(
            "no zero yet: nobody has both won and lost against another bot, directly or by "
            "others; 1500 is the mean of all"
        )
    if board.anchor is not None:
        bot, elo, refused = board.anchor
        is_fixed = (
            f"{bot} is the anchor: it has {elo:.10g}, and intervals are of differences from it"
        )
        notes.append(f"{bot} is no anchor here: {refused}" if refused else is_fixed)
    return notes


def _is_settled(row: LeaderboardRow) -> bool:
    return row.los is None or row.los >= _SETTLED


def _json_cell(row: LeaderboardRow, name: str) -> object:
    value = getattr(row.costs if name in COSTS else row, name)
    if name == "faults":
        return dict(value)
    if name == "costs":
        return value.there
    if name == "seats":
        return [seat._asdict() for seat in value]
    if name == "unable":
        return value._asdict()
    if isinstance(value, float) and name not in ("mean_rank", "mean_ms"):
        return round(value, _DIGITS) + 0.0  # never -0.0
    return value


def _csv_cell(row: LeaderboardRow, name: str) -> Cell:
    if name == "faults":  # one word a fault, so that a program can split it
        return " ".join([f"{code}:{count}" for code, count in row.faults.items()])
    if name == "seats":
        return " ".join([f"{s.seat}:{s.wins}-{s.draws}-{s.losses}" for s in row.seats])
    if name == "unable":
        return " ".join([f"{key}:{count}" for key, count in row.unable._asdict().items()])
    value: Cell = getattr(row.costs if name in COSTS else row, name)
    return value


def _cell(row: LeaderboardRow, name: str) -> Cell:
    if name == "los":
        if row.los is None:
            return ""
        # rounded down: never 100 %, and never 95 % where it is less
        percent = f"{min(99.9, int(row.los * 1000) / 10):.1f} %"
        return percent if _is_settled(row) else f"{percent} ?"
    if name == "used_ms":
        return row.used_ms / 1000
    if name == "cost":
        return f"{row.costs.cost:.4f}"
    if name == "seats":
        return ", ".join([f"{s.seat}: {s.wins}-{s.draws}-{s.losses}" for s in row.seats])
    if name == "unable":
        return row.unable._asdict() if row.unable.matches else ""
    value: Cell = getattr(row.costs if name in COSTS else row, name)
    if name in ("score", "low", "high") and row.interval and value is not None:
        return round(getattr(row, name))
    return value
