"""Homes with a finished or unfinished tournament in them, of matches that no bot played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from support import finished
from support.recorded import recorded

from arena.store import open_store
from arena.values.model import Bot, Entrant, Fault, MatchResult, Record, Termination
from arena.values.said import Piece, SaidWhere

SEED = 271828182845904523536028747135266249775
STDERR = "what-went-to-stderr"
LOGGED = "what-was-logged"
DETAIL = "no-file /srv/course/of-the-host/data.bin"
PATH = "/srv/course/bots/oak.py"
ARG = "--model=/srv/course/secret.model"
# what nobody is to see in a public report
SECRETS = (STDERR, LOGGED, DETAIL, "/srv/", "of-the-host", PATH, ARG, "secret.model", "pv-of-mine")


def filled_home(
    home: Path,
    bots: Sequence[str] = ("oak", "elm", "fir"),
    *,
    matches: int = 12,
    ended: bool = True,
    faults: int = 1,
    seed: str | int = "secret",
    seatings: int = 1,
    same_program: bool = False,
) -> list[str]:
    """Fill a home with a tournament ``open`` of Leaves, and return the ids of its matches.

    The bots play in turns, the first of each two seats wins as the rules say. All of them report
    numbers; the last matches end by a fault of their first seat.

    Args:
        home: where.
        bots: names of the entrants.
        matches: how many.
        ended: whether the tournament is over.
        faults: how many of the matches end so.
        seed: as the tournament's file has it.
        seatings: how many matches in a row are one block; more than one needs two bots.
        same_program: whether the bots are versions of one program.
    """
    config = {
        "bots": [{"name": name, "args": [ARG], "env": {"HOST": "of-the-host"}} for name in bots],
        "format": "round-robin",
        "games": ["leaves"],
        "opening": {"plies": 0},
        "programs": dict.fromkeys(bots, ""),
        "seed": seed,
        "setups": None,
    }
    entrants = [
        Entrant(
            name,
            Bot("one", 1 + place, f"sha256:{place:064x}", ("run",), PATH)
            if same_program
            else Bot(f"b{place}", 1, f"sha256:{place:064x}", ("run",), PATH),
            (ARG,),
        )
        for place, name in enumerate(bots)
    ]
    number_of_all = SEED if seed == "secret" else int(seed)
    with open_store(home, create=True) as store:
        edition = store.tournaments.create("open", "f", config, entrants, seed=number_of_all)
        pattern = recorded("leaves", info=(("score", 0.5), ("pv", "pv-of-mine")))
        broken = recorded("leaves", most=3, fault=Fault(0, Termination.CRASH, 2, DETAIL, STDERR))
        said = (
            Piece(1, SaidWhere.STDERR, STDERR.encode()),
            Piece(1, SaidWhere.LOG, LOGGED.encode()),
        )
        pairs = [(a, b) for a in bots for b in bots if a != b]
        results = []
        for number in range(matches):
            base = broken if number >= matches - faults else pattern
            record = _of(base, number, pairs[number % len(pairs)], number // seatings)
            results.append(MatchResult(number, record, (said, ())))
        finished.add(store, edition.id, *results)
        if ended:
            store.tournaments.end(edition.id)
    return [result.record.id for result in results]


def _of(base: Record, number: int, names: tuple[str, str], block: int) -> Record:
    """Return a record as one of the tournament's matches."""
    players = [
        replace(player, bot=name, args=(ARG,))
        for player, name in zip(base.players, names, strict=True)
    ]
    return replace(
        base,
        id=f"{(number + 1) * 0x9E3779B97F4A7C15 % (1 << 64):016x}",
        tournament="open",
        block=f"leaves|{'+'.join(sorted(names))}|{block}",
        players=tuple(players),
    )
