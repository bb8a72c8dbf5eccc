"""Records drawn at random: of any kind, and of instant answers alone."""

from __future__ import annotations

from hypothesis import strategies as st

from arena.values.model import Clock, Decision, Fault, Player, Record, Termination

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
    tries=naturals,
)


@st.composite
def records(draw: st.DrawFn) -> Record:
    """Any record that can be written."""
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
        info_dropped=naturals,
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
        on_timeout=draw(st.sampled_from(["forfeit", "published"])),
        ponder=draw(st.booleans()),
        host=draw(texts),
    )
