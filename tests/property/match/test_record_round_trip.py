"""Whatever a record says, its text says it again."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from arena.errors import RecordError
from arena.match.record import format_record, parse_record, without_times
from arena.model import Clock, Decision, Fault, Player, Record, Termination

texts = st.text(max_size=20)
naturals = st.integers(0, 10**9)
milliseconds = st.integers(0, 10**9).map(lambda microseconds: microseconds / 1000)
clocks = st.builds(
    Clock,
    move_ms=st.none() | naturals,
    first_ms=naturals,
    main_ms=st.none() | naturals,
    inc_ms=naturals,
    margin_ms=naturals,
    start_ms=naturals,
)
info_values = st.one_of(
    texts, st.floats(allow_nan=False, allow_infinity=False), st.integers(-(2**53), 2**53)
)
decisions = st.builds(
    Decision,
    ms=milliseconds,
    cpu_ms=st.none() | milliseconds,
    charged_ms=milliseconds,
    late=st.booleans(),
    forced=st.booleans(),
    info=st.dictionaries(texts, info_values, max_size=3).map(lambda found: tuple(found.items())),
)


@st.composite
def records(draw: st.DrawFn) -> Record:
    count = draw(st.integers(1, 4))
    seats = st.integers(0, count - 1)
    clock = draw(clocks)
    actions = tuple(draw(st.lists(st.tuples(seats, st.none() | texts), max_size=5)))
    players = st.builds(
        Player,
        bot=texts,
        version=naturals,
        hash=texts,
        args=st.lists(texts, max_size=2).map(tuple),
        seed=st.integers(0, 2**63 - 1),
        sent=texts,
        want=st.lists(texts, max_size=3).map(tuple),
        clock=st.none() | clocks.filter(lambda own: own != clock),
    )
    faults = st.builds(
        Fault,
        player=seats,
        code=st.sampled_from(Termination),
        decision=naturals,
        detail=texts,
        stderr=texts,
    )
    scores = st.tuples(*[st.floats(allow_nan=False, allow_infinity=False)] * count)
    return Record(
        id=draw(texts),
        tournament=draw(st.none() | texts),
        block=draw(texts),
        seating=draw(naturals),
        game=draw(texts),
        rules_version=draw(naturals),
        setup=draw(texts),
        opening=tuple(draw(st.lists(st.tuples(seats, texts), max_size=3))),
        seed=draw(st.integers(0, 2**64 - 1)),
        clock=clock,
        players=tuple(draw(st.lists(players, min_size=count, max_size=count))),
        actions=actions,
        decisions=tuple(draw(st.lists(decisions, min_size=len(actions), max_size=len(actions)))),
        scores=draw(st.none() | scores),
        ranks=draw(st.tuples(*[st.integers(1, count)] * count)),
        by=draw(st.sampled_from(Termination)),
        faults=tuple(draw(st.lists(faults, max_size=2))),
        arena_version=draw(texts),
        sandbox=draw(texts),
        started=draw(texts),
        elapsed_ms=draw(naturals),
        unplayed=draw(st.booleans()),
        on_timeout=draw(st.sampled_from(["forfeit", "published"])),
        ponder=draw(st.booleans()),
        draw=draw(st.integers(1, 2)),
        host=draw(texts),
    )


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)


@given(records())
def test_parse_undoes_format(record: Record) -> None:
    """A record's text is one line of ASCII, and reads back as the same record."""
    text = format_record(record)
    assert text.isascii()
    assert text.isprintable()
    assert parse_record(text) == record
    assert format_record(parse_record(text)) == text


@given(records(), st.data())
def test_a_spoiled_record_is_a_record_error(record: Record, data: st.DataObject) -> None:
    """Any value in any place gives a record or a ``RecordError``, nothing else."""
    value = json.loads(format_record(record))
    holder, key = value, data.draw(st.sampled_from(sorted(value)))
    while isinstance(holder[key], (dict, list)) and holder[key] and data.draw(st.booleans()):
        holder = holder[key]
        keys = sorted(holder) if isinstance(holder, dict) else range(len(holder))
        key = data.draw(st.sampled_from(keys))
    holder[key] = data.draw(json_values)
    try:
        found = parse_record(json.dumps(value))
    except RecordError as error:
        assert str(error).startswith("record: ")  # noqa: PT017  # either outcome is right
    else:
        assert parse_record(format_record(found)) == found


@given(st.text(max_size=40))
def test_any_text_is_a_record_error(text: str) -> None:
    """Random text is never a record, and never anything worse."""
    for read in (parse_record, without_times):
        try:
            read(text)
        except RecordError:
            continue
        assert text.strip().startswith("{")


@given(records())
def test_without_times_is_a_projection(record: Record) -> None:
    """Taking the times away twice is taking them away once."""
    once = without_times(format_record(record))
    assert without_times(once) == once
