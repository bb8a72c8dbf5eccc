"""Tournament files that are right: what they mean."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from pathlib import Path

import pytest

from arena.tournament.from_python import check_given
from arena.tournament.parse import parse_tournament
from arena.values.model import Clock, Opening, Stop, Tournament

SHORTEST = "name: t\ngame: leaves\nbots: [random, greedy]\n"


def read(text: str, folder: Path = Path()) -> Tournament:
    """Return what a file gives, which a program may give as well."""
    found = parse_tournament(text, "t.yaml", folder)
    assert check_given(found) == found
    return found


def with_line(line: str) -> Tournament:
    return read(SHORTEST + line + "\n")


@pytest.mark.parametrize(
    ("line", "field", "value"),
    [
        ("rounds: 7", "rounds", 7),
        ("format: round-robin", "format", "round-robin"),
        ("seed: 0", "seed", 0),
        ("seed: 340282366920938463463374607431768211455", "seed", 2**128 - 1),
        ("seed: secret", "seed", None),
        ("memory: 512MiB", "memory_bytes", 512 << 20),
        ("workers: 3", "workers", 3),
        ("processes: reuse", "processes", "reuse"),
        ("on_timeout: published", "on_timeout", "published"),
        ("ponder: true", "ponder", True),
        ("pin: false", "pin", False),
        ("sandbox: none", "sandbox", "none"),
        ("max_faults: 1", "max_faults", 1),
        ("faults: any", "faults", "any"),
        ("max_decisions: 200", "max_decisions", 200),
        ("max_decisions: none", "max_decisions", None),
        ("durability: full", "durability", "full"),
        ("stop: {matches: 100}", "stop", Stop(matches=100)),
        ("stop: {info: {cost: 5, calls: 9}}", "stop", Stop(info=(("calls", 9.0), ("cost", 5.0)))),
        ("stop: none", "stop", Stop()),
        ("opening: {plies: 0}", "opening", Opening()),
        ("opening: none", "opening", Opening()),
        ("opening:", "opening", Opening()),
        ("clock: {main: 2m, inc: 1s}", "clock", Clock(None, 5000, 120_000, 1000, 50, 10_000)),
        ("clock: {main: 2m, move: 5s}", "clock", Clock(5000, 5000, 120_000, 0, 50, 10_000)),
        ("clock: {first: 0s}", "clock", Clock(1000, 0, None, 0, 50, 10_000)),
        ("clock: {}", "clock", Clock()),
    ],
)
def test_each_key_sets_its_field(line: str, field: str, value: object) -> None:
    """One key, one field; the others stay as they are."""
    expected = dataclasses.replace(read(SHORTEST), **{field: value})  # type: ignore[arg-type]
    found = with_line(line)
    if field == "processes":  # bots that are kept leave a core to the runner
        assert found.workers == max(1, expected.workers - 1)
        found = dataclasses.replace(found, workers=expected.workers)
    assert found == expected


@pytest.mark.usefixtures("small_games")
def test_an_opening_file_holds_a_setup_a_line(tmp_path: Path) -> None:
    """Empty lines, CRLF and a byte order mark do not count."""
    (tmp_path / "o.txt").write_bytes(b"\xef\xbb\xbf5 0,0,0 1\r\n\r\n9 0,0,0 2\n\n")
    text = "name: t\ngame: pebbles\nbots: [a, b, c]\nopening: {file: o.txt}\n"
    assert read(text, tmp_path).opening == Opening(setups=("5 0,0,0 1", "9 0,0,0 2"))


def test_what_most_commands_need_imports_no_yaml() -> None:
    """Comparing, clocks, formats and units are there without PyYAML and pydantic."""
    rooms = ("change", "clocks", "format_keys", "names", "supported", "units")
    code = (
        f"import sys, {', '.join(f'arena.tournament.{room}' for room in rooms)};"
        "assert not {'yaml', 'pydantic'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("bots", ["all", '"*"', "[all]", '["*"]', "[greedy, all]"])
def test_all_means_every_submitted_bot(bots: str) -> None:
    """By itself or in a list: one line with the pattern that every name fits."""
    found = read(f"name: t\ngame: leaves\nbots: {bots}\n").bots
    assert [bot.ref for bot in found if bot.is_pattern] == ["*"]
    assert len(found) == (2 if "greedy" in bots else 1)
