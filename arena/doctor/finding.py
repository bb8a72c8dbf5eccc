"""What the doctor finds: one value a topic, with its state and what to do about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
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
        state: how good that is.
        what: what was found, in a few words.
        remedy: what to do, in lines; empty where nothing is to be done.
        data: the same for programs: names to numbers, texts, truth values, lists of them.
    """

    topic: str
    state: State
    what: str
    remedy: str = ""
    data: Mapping[str, object] = field(default_factory=dict)
