"""Records as text: the shape is exact, and reading trusts nothing."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from support.told import told

from arena.record.record import format_record, parse_record, without_seed
from arena.values.errors import RecordError
from arena.values.model import Clock, Decision, Fault, Player, Record, Termination

EXAMPLE = Record(
    id="0123456789abcdef",
    tournament="leaves-open",
    block="leaves(tree=plus)|greedy+random|3",
    seating=0,
    game="leaves(tree=plus)",
    rules_version=1,
    setup="#a",
    opening=((0, "E3"),),
    seed=17446744073709551615,
    clock=Clock(move_ms=1000, first_ms=5000, margin_ms=50, start_ms=10000),
    players=(
        Player("greedy", 2, "sha256:aa", ("-x",), 5, "sha256:bb"),
        Player("random", 1, "sha256:cc", (), 6, "sha256:dd", ("obs", "legal"), Clock(main_ms=9)),
    ),
    actions=((0, "E4-2"), (1, None)),
    decisions=(
        Decision(12.34567, 11.0, 11.2, False, False, (("score", 0.1), ("depth", 6), ("pv", "E3"))),
        Decision(1000.0, None, 999.9996, True, True),
    ),
    scores=(12.0, 9.5),
    ranks=(1, 2),
    by=Termination.TIME,
    faults=(Fault(1, Termination.TIME, 7, "too late, é", "line\n"),),
    arena_version="0.1.0",
    sandbox="bwrap",
    started="2026-01-01T00:00:00Z",
    elapsed_ms=1234,
)
TEXT = (
    '{"format":1,"id":"0123456789abcdef","tournament":"leaves-open",'
    '"block":"leaves(tree=plus)|greedy+random|3","seating":0,"game":"leaves(tree=plus)",'
    '"rules_version":1,"setup":"#a","opening":[[0,"E3"]],"seed":"17446744073709551615",'
    '"clock":{"move":1000,"first":5000,"margin":50,"start":10000},"players":['
    '{"bot":"greedy","version":2,"hash":"sha256:aa","args":["-x"],"seed":"5",'
    '"sent":"sha256:bb","want":["obs"]},'
    '{"bot":"random","version":1,"hash":"sha256:cc","args":[],"seed":"6","sent":"sha256:dd",'
    '"want":["obs","legal"],'
    '"clock":{"move":1000,"first":5000,"main":9,"margin":50,"start":10000}}],'
    '"actions":[[0,"E4-2"],[1,null]],"decisions":['
    '{"ms":12.346,"cpu_ms":11.000,"charged_ms":11.200,"late":false,'
    '"info":{"score":0.1,"depth":6,"pv":"E3"}},'
    '{"ms":1000.000,"cpu_ms":null,"charged_ms":1000.000,"late":true,"forced":true}],'
    '"scores":[12,9.5],"ranks":[1,2],"by":"time",'
    '"faults":[{"player":1,"code":"time","decision":7,"detail":"too late, \\u00e9",'
    '"stderr":"line\\n"}],"arena_version":"0.1.0","sandbox":"bwrap",'
    '"started":"2026-01-01T00:00:00Z","elapsed_ms":1234}'
)


def changed(**fields: Any) -> str:
    return json.dumps({**json.loads(TEXT), **fields})


def test_text_is_exact() -> None:
    """Keys, their order, separators and numbers are those of the published format."""
    assert format_record(EXAMPLE) == TEXT


def test_a_seed_that_is_not_shown_is_null() -> None:
    """A record of a tournament that is unfinished has ``null`` for its seed, and is read back."""
    hidden = replace(EXAMPLE, seed=None)
    text = format_record(hidden)
    assert '"seed":null' in text
    assert parse_record(text) == parse_record(format_record(hidden))
    assert parse_record(text).seed is None


def test_taking_the_seed_away_leaves_all_else() -> None:
    """Only the deal's seed becomes ``null``: the bots' own seeds stay, and the order of keys."""
    text = without_seed(TEXT)
    was, now = json.loads(TEXT), json.loads(text)
    assert now.pop("seed") is None
    assert was.pop("seed") == "17446744073709551615"
    assert (list(now), now) == (list(was), was)
    assert "17446744073709551615" not in text


def test_an_environment_is_a_hash() -> None:
    """``environment`` stands only for a bot that has one, and is nothing but a hash."""
    first, second = EXAMPLE.players
    packages = f"sha256:{'0' * 64}"
    text = format_record(replace(EXAMPLE, players=(replace(first, packages=packages), second)))
    assert text == TEXT.replace(
        '"want":["obs"]}', f'"want":["obs"],"environment":"{packages}"}}', 1
    )
    assert [player.packages for player in parse_record(text).players] == [packages, ""]
    with pytest.raises(RecordError, match="environment: expected a hash"):
        parse_record(text.replace(packages, "torch"))


def test_unknown_keys_are_ignored() -> None:
    """A later version's additional keys do not stop this one from reading, nor one left out."""
    assert parse_record(changed(colour="green")) == parse_record(TEXT)
    assert parse_record(TEXT.replace('"late":false,', "")) == parse_record(TEXT)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"format": 2}, "record: format: expected 1, found 2"),
        ({"format": True}, "record: format: expected 1, found true"),
        ({"seed": 5}, "record: seed: expected a decimal number in quotes or null, found 5"),
        ({"seed": "0x5"}, 'record: seed: expected a decimal number in quotes or null, found "0x5"'),
        ({"seed": "٣"}, "record: seed: expected a decimal number in quotes"),
        ({"seating": -1}, "record: seating: expected a whole number from 0, found -1"),
        ({"seating": 1e3}, "record: seating: expected a whole number from 0, found 1000.0"),
        ({"seating": 10**400}, "record: seating: expected a whole number from 0, found a number"),
        ({"game": None}, "record: game: expected a text, found null"),
        ({"clock": []}, "record: clock: expected an object, found an empty list"),
        ({"clock": {"first": "1s"}}, "record: clock.first: expected a whole number from 0, found"),
        ({"clock": {"move": "1s"}}, "record: clock.move: expected a whole number from 0 or null"),
        ({"players": []}, "record: players: expected at least one"),
        ({"players": [3]}, "record: players[0]: expected an object, found 3"),
        ({"players": [{"bot": "a"}]}, "record: players[0].version: missing"),
        ({"actions": [[2, "x"], [0, "x"]]}, "record: actions: expected pairs like"),
        ({"actions": [[0, 5], [0, "x"]]}, "record: actions: expected pairs like"),
        ({"actions": [[0], [0, "x"]]}, "record: actions: expected pairs like"),
        ({"actions": [[True, "x"], [0, "x"]]}, "record: actions: expected pairs like"),
        ({"opening": [[0, None]]}, "record: opening: expected pairs like"),
        ({"decisions": []}, "record: decisions: expected 2, one an action, found 0"),
        ({"scores": [1]}, "record: scores: expected 2 numbers or null"),
        ({"scores": [1, "2"]}, "record: scores: expected 2 numbers or null, found a list"),
        ({"scores": True}, "record: scores: expected 2 numbers or null, found true"),
        ({"ranks": 1}, "record: ranks: expected 2 numbers from 1 to 2, found 1"),
        ({"ranks": [0, 1]}, "record: ranks: expected 2 numbers from 1 to 2"),
        ({"ranks": [1, 3]}, "record: ranks: expected 2 numbers from 1 to 2"),
        ({"ranks": [1, 1.0]}, "record: ranks: expected 2 numbers from 1 to 2"),
        ({"ranks": [True, 2]}, "record: ranks: expected 2 numbers from 1 to 2"),
        ({"by": "boredom"}, "record: by: expected one of rules, resign, illegal"),
        ({"faults": [{"player": 9}]}, "record: faults[0].player: expected a player from 0 to 1"),
        ({"started": "x" * 200, "by": "x" * 200}, "…"),
    ],
)
def test_what_is_wrong_is_named(fields: dict[str, Any], sentence: str) -> None:
    """An error names the key, what was expected there and what was found."""
    assert sentence in told(RecordError, parse_record, changed(**fields))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "null",
        "[]",
        "{",
        '"' * 3,
        "[" * 100_000,
        '{"format":1,"x":' + "[" * 100_000,
        '{"a":' * 50_000,
        '{"format":NaN}',
        '{"format":-Infinity}',
        '{"format":' + "9" * 5000 + "}",
        TEXT.replace("12.346", "1e999"),
        TEXT.replace("12.346", f"{1 << 60}"),  # which no float need be
        TEXT.replace("12.346", "NaN"),
        TEXT.replace("[12,9.5]", "[1e999,1]"),
        TEXT.replace("[12,9.5]", f"[{1 << 60},1]"),
        TEXT + TEXT,
        "\ufeff" + TEXT,
        "\x00",
        "\ud800",
    ],
)
def test_hostile_text_is_a_record_error(text: str) -> None:
    """Whatever the text, nothing but a ``RecordError`` comes out, in one printable line."""
    assert told(RecordError, parse_record, text).isprintable()
