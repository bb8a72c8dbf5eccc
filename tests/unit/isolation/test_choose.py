"""Which level is taken: each is probed once, also where that begins before anybody asks."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from arena.isolation import choose


@pytest.fixture
def probed(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[str, str]]]:
    """Give the probes that are made: the level, and the thread."""
    found: list[tuple[str, str]] = []
    monkeypatch.setattr(
        choose, "probe", lambda level: found.append((level, threading.current_thread().name))
    )
    choose._known.clear()
    yield found
    choose._known.clear()


@pytest.mark.parametrize(("wanted", "level"), [("auto", "bwrap"), ("limits", "limits")])
def test_probe_under_way_is_waited_for(
    wanted: str, level: str, probed: list[tuple[str, str]]
) -> None:
    """A level that is being probed is waited for, and not probed twice."""
    begun = threading.Event()

    def ask() -> None:
        begun.set()
        choose.choose_level(wanted)

    with choose._one_at_a_time:  # as if the probe took long
        choose.probe_ahead(wanted)
        asker = threading.Thread(target=ask)
        asker.start()
        begun.wait()
    asker.join()
    assert choose.choose_level(wanted) == level
    for thread in threading.enumerate():
        if thread.name == "probe":
            thread.join()
    assert [name for name, _ in probed] == [level]


def test_probe_ahead_runs_in_own_thread(probed: list[tuple[str, str]]) -> None:
    """A probe made ahead runs in a thread that ends by itself."""
    choose.probe_ahead("landlock")
    for thread in threading.enumerate():
        if thread.name == "probe":
            thread.join()
    assert probed == [("landlock", "probe")]
