"""A tournament that was killed on one machine, and is gone on with elsewhere from its bundle."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

import pytest
from support.arena_command import arena, messages, output
from support.crash_runs import SCENARIOS, at_end, disturbed, played_on, undisturbed, with_seed
from support.slowly import slowly


def carried(name: str, crossing: str, folder: Path) -> tuple[Path, list[str], str]:
    """Kill a run, and take its bundle into another home.

    Returns:
        That home, the words of the command that goes on, and what the export said.
    """
    first, other = folder / "first", folder / "other"
    words = list(SCENARIOS[name].prepare(folder, first))
    disturbed(first, words, f"{crossing}:kill9", folder / "log")
    bundle = folder / "crash.arena"
    said = messages(first, "bundle", "create", "-o", bundle)
    output(other, "bundle", "verify", bundle)
    output(other, "bundle", "import", bundle)
    return other, words, said


@pytest.mark.parametrize(
    ("name", "crossing"),
    [
        pytest.param("plain", "stored of match 1", marks=pytest.mark.nightly),
        *slowly([("swiss", "round of round 1"), ("ladder", "stored of match 3")]),
        pytest.param("extended", "stored of match 7", marks=pytest.mark.nightly),
        pytest.param("suspended", "suspend of tournament 1", marks=pytest.mark.nightly),
        pytest.param("compared", "stored of match 4", marks=pytest.mark.nightly),
        pytest.param("poisoned", "undecided of match 3", marks=pytest.mark.nightly),
    ],
)
def test_killed_run_goes_on_from_bundle(
    name: str, crossing: str, tmp_path: Path, calm: Path
) -> None:
    """A killed run goes on elsewhere from its bundle, with the table of an undisturbed run."""
    other, words, _ = carried(name, crossing, tmp_path)
    played_on(SCENARIOS[name], other, words)
    assert at_end(other) == undisturbed(name, calm)._replace(bots=[])
    output(other, "verify")


@pytest.mark.slow
def test_secret_seed_is_in_bundle(tmp_path: Path) -> None:
    """A bundle with a secret seed says so, and the other machine shows it at the end."""
    other, words, said = carried("secret", "stored of match 0", tmp_path)
    assert "secret seed" in said
    bundle = tmp_path / "crash.arena"
    assert bundle.stat().st_mode & 0o777 == 0o600
    assert json.loads(output(other, "bundle", "verify", bundle, "--json"))["holds_secret_seed"]
    again = played_on(SCENARIOS["secret"], other, words)
    assert "secret until" not in again
    [seed] = re.findall(r"the seed was (\d+)", again)
    assert hashlib.sha256(seed.encode()).hexdigest() in again
    assert at_end(other) == with_seed(tmp_path, tmp_path / "seeded", seed)
    assert "secret seed" not in arena(other, "bundle", "create", "-o", bundle).stderr
