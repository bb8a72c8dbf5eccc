"""Whatever stands in a file, reading it gives a tournament or sentences, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import yaml
from hypothesis import given
from hypothesis import strategies as st

from arena.tournament.change import difference, fingerprint
from arena.tournament.complaints import check_mapping
from arena.tournament.kept import config_of
from arena.tournament.parse import parse_tournament
from arena.tournament.shape import SHAPES
from arena.tournament.yaml_text import load_yaml, read_document
from arena.values.errors import TournamentFileError
from arena.values.model import Tournament

KEYS = sorted({"zzz"}.union(*SHAPES.values()))  # all that there are, and one that there is not
WORDS = ["leaves", "1s", "1GiB", "none", "auto", "fresh", "a", "", "..", "\x1b[2J", "a b", "no"]

leaves = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**18), 10**18),
    st.floats(),
    st.sampled_from(WORDS),
    st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=5),
)
values = st.recursive(
    leaves,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4)
    ),
    max_leaves=12,
)
files = st.dictionaries(st.sampled_from(KEYS), values, max_size=8)


def parse(text: str) -> Tournament | str:
    """Return the tournament, or what is told, which must be fit for a terminal."""
    try:
        return parse_tournament(text, "t.yaml", Path("/nonexistent"))
    except TournamentFileError as error:
        told = str(error)
        assert all(line.isprintable() and line.startswith("t.yaml:") for line in told.split("\n"))
        return told


@given(st.text(alphabet="{}[]:,-&*!|>'\"%@`#? \n\ta1<~.", max_size=60))
def test_any_text_of_marks_is_read_or_refused(text: str) -> None:
    """The marks of YAML in any order give a value or a ``TournamentFileError``."""
    parse(text)


@given(files)
def test_any_values_under_our_keys_are_read_or_refused(content: Mapping[str, object]) -> None:
    """Any value under any key is a tournament or is told, without a traceback."""
    parse(yaml.safe_dump(content))


@given(files)
def test_every_mistake_has_a_place(content: Mapping[str, object]) -> None:
    """What is told of a single value stands where it or its parent stands."""
    document = read_document(yaml.safe_dump(content), "t.yaml")
    _, found = check_mapping(document.value, document.places, Path("/nonexistent"))
    for problem in found:
        assert problem.path in document.places or problem.path[:-1] in document.places


@given(values)
def test_what_json_says_is_read_as_json_reads_it(value: object) -> None:
    """JSON without special numbers and split characters is YAML with the same meaning."""
    text = json.dumps(value, ensure_ascii=True)
    if any(word in text for word in ("NaN", "Infinity", "\\ud")):
        return
    assert load_yaml(text, "f").value == json.loads(text)


names = st.lists(st.text("abcdef", min_size=1, max_size=4), min_size=2, max_size=5, unique=True)


@given(names, st.integers(1, 50), st.integers(0, 2**63 - 1), st.integers(1, 10**7))
def test_a_file_written_by_a_program_is_read_back(
    bots: list[str], rounds: int, seed: int, move_ms: int
) -> None:
    """What stands under each key arrives in its field, and what is kept of it survives JSON."""
    content = {
        "name": "t",
        "game": "leaves",
        "rounds": rounds,
        "seed": seed,
        "bots": bots,
        "clock": {"move": f"{move_ms}ms"},
    }
    found = parse(yaml.safe_dump(content))
    assert isinstance(found, Tournament)
    assert (found.rounds, found.seed, found.clock.move_ms) == (rounds, seed, move_ms)
    assert [bot.name for bot in found.bots] == bots
    hashes, rules = dict.fromkeys(bots, "sha256:0"), {"leaves": 1}
    counts = config_of(found, hashes, rules)
    assert difference(json.loads(json.dumps(counts)), counts).lines == ()
    assert len(fingerprint(counts)) == 64
