"""What counts in a tournament, and how two states of it differ."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from arena.store.entrants import program_called
from arena.tournament.change import Difference, difference, fingerprint
from arena.tournament.kept import config_of
from arena.values.model import BotEntry, Clock, Opening, Stop, Tournament

T = Tournament(
    name="t",
    games=("leaves",),
    bots=(BotEntry("oak", ref="oak"), BotEntry("elm", ref="elm")),
    rounds=10,
)
HASHES = {name: f"sha256:{name}" for name in ("oak", "elm", "mcts")}
RULES = {"leaves": 1, "leaves(tree=u)": 1}


def oak(**changes: Any) -> Tournament:
    """Return the tournament with another line of oak."""
    return replace(T, bots=(replace(T.bots[0], **changes), T.bots[1]))


def mark(tournament: Tournament) -> str:
    return fingerprint(config_of(tournament, HASHES, RULES))


def compare(old: Tournament, new: Tournament) -> Difference:
    """Compare as the store does: the old one went through JSON."""
    stored = json.loads(json.dumps(config_of(old, HASHES, RULES), sort_keys=True))
    return difference(stored, config_of(new, HASHES, RULES))


@pytest.mark.parametrize(
    ("new", "line"),
    [
        (replace(T, rounds=9), "rounds: 10 → 9"),
        (replace(T, bots=T.bots[:1]), "bots: - elm"),
        (replace(T, games=("leaves(tree=u)",)), "games: - leaves"),
        (replace(T, seed=1), "seed: secret → 1"),
        (replace(T, seed=0), "seed: secret → 0"),
        (replace(T, clock=Clock(move_ms=500)), "clock.move: 1000ms → 500ms"),
        (replace(T, clock=Clock(main_ms=60_000)), "clock.main: none → 60000ms"),
        (replace(T, opening=Opening(plies=2)), "opening.plies: 0 → 2"),
        (replace(T, memory_bytes=512 << 20), "memory: 1GiB → 512MiB"),
        (replace(T, processes="reuse"), "processes: fresh → reuse"),
        (replace(T, on_timeout="published"), "on_timeout: forfeit → published"),
        (replace(T, ponder=True), "ponder: false → true"),
        (replace(T, pin=False), "pin: true → false"),
        (replace(T, sandbox="none"), "sandbox: auto → none"),
        (replace(T, max_faults=5), "max_faults: 3 → 5"),
        (replace(T, max_decisions=100), "max_decisions: none → 100"),
        (replace(T, stop=Stop(matches=4)), "stop.matches: none → 4"),
        (oak(args=("--sims", "2 0")), "bots.oak.args: none → --sims '2 0'"),
        (oak(env=(("N", "1"),)), "bots.oak.env.N: added"),
        (oak(clock=Clock(move_ms=500)), "bots.oak.clock.move: none → 500ms"),
        (oak(memory_bytes=2 << 30), "bots.oak.memory: none → 2GiB"),
    ],
)
def test_relevant_change_is_another_edition(new: Tournament, line: str) -> None:
    """Any other change is another edition, with a line that says what was and is."""
    found = compare(T, new)
    assert not found.adds
    assert line in found.lines
    assert mark(new) != mark(T)


def test_changed_bot_or_rules_is_another_edition() -> None:
    """A bot with another hash, or a game with other rules, is another edition."""
    old = config_of(T, HASHES, RULES)
    other_bot = config_of(T, {**HASHES, "oak": "sha256:new"}, RULES)
    other_rules = config_of(T, HASHES, {**RULES, "leaves": 2})
    names = {"sha256:oak": "oak@1", "sha256:new": "oak@2"}
    assert difference(old, other_bot, names) == Difference(("bots.oak: oak@1 → oak@2",))
    path = dict.fromkeys(names, program_called("oak", 0))
    assert difference(old, other_bot, path) == Difference(
        ("bots.oak: the program given for it changed",)
    )
    assert "sha256" not in str(difference(old, other_bot))
    assert difference(old, other_rules) == Difference(("games.leaves: rules 1 → rules 2",))


@pytest.mark.parametrize(
    ("before", "after", "adds"),
    [(4.0, 4.5, True), (4.0, None, True), (4.5, 4.0, False)],
)
def test_higher_limit_of_costs_extends_tournament(
    before: float, after: float | None, adds: bool
) -> None:
    """A higher ``stop`` by costs only adds matches, and a bot's ``most`` changes nothing."""
    old = replace(T, stop=Stop(info=(("cost", before),)))
    new = replace(T, stop=Stop(info=() if after is None else (("cost", after),)))
    assert compare(old, new).adds is adds
    assert compare(T, oak(most=(("cost", before),))).lines == ()
