"""What the doctor finds: one value a topic, with its state and what to do about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class State(StrEnum):
    """Green: as it should be. Yellow: works, but less well than it could. Red: must be fixed."""

    GREEN = "green"
    YELLOW = "yellow"
    RED = "red"


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found about one topic.

    Attributes:
        topic: what it is about, such as ``level bwrap``.
        what: what was found, in a few words.
        data: the same for programs: names to numbers, texts, truth values, lists of them.
        remedy: what to do, in lines; empty where nothing is to be done.
        red: whether that must be done.
    """

    topic: str
    what: str
    data: Mapping[str, object]
    remedy: str = ""
    red: bool = False

    @property
    def state(self) -> State:
        """How good that is."""
        return State.RED if self.red else State.YELLOW if self.remedy else State.GREEN
