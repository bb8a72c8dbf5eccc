"""What a check is made of: the bot, its steps with what each expects, and what was found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from arena.values.model import Clock, Entrant
from engines import Game

Note = tuple[str, str]  # what was seen, and how to fix it


class StepState(StrEnum):
    """How a step went; only ``failed`` fails the check."""

    OK = "ok"
    NOTE = "note"  # it works, and could be better
    FAILED = "failed"
    SKIPPED = "skipped"  # not tried, as something it needs had failed


# name: title, and what is expected of the bot, in the order of the walk; ``game`` is walked once a
# game
STEPS: Mapping[str, tuple[str, str]] = {
    "build": ("found and built", "a file or folder that is a bot, and builds here"),
    "hello": ('answers "hello"', 'a line "ready", alone or with want=…, within the time to start'),
    "answer": ('answers "go"', 'one line "play ACTION D" to each "go D", in time'),
    "game": ("whole games", "a game to its end in each seat, against random, without a fault"),
    "unknown": (
        "ignores what it does not know",
        "unknown verbs and unknown key=value words change nothing",
    ),
    "seed": ("same seed, same answers", "the same match twice gives the same actions"),
    "again": (
        "several games in one process",
        '"game" begins again: nothing of the last game is left',
    ),
    "eof": ("leaves when its input ends", "it is gone within 1 s of the end of its input"),
    "quit": ('leaves at "quit"', 'it is gone within 1 s of "quit", and says nothing more'),
    "network": ("needs no network", "it answers two questions without trying to reach it"),
    "manners": (
        "good manners",
        "it keeps a shorter limit, waits without computing, and leaves no process running",
    ),
}


@dataclass(frozen=True, slots=True)
class Subject:
    """What is checked: ``entrant`` against random players in each of ``games``, on ``clock``.

    ``sandbox`` is the level at which bots run; ``chosen`` says that somebody chose these games, and
    they are not just all there are.
    """

    entrant: Entrant
    games: tuple[Game, ...]
    clock: Clock
    sandbox: str
    chosen: bool = True


@dataclass(frozen=True, slots=True)
class TranscriptLine:
    """One line of a transcript.

    ``ms`` counts from the start of the process; ``who`` is ``arena``, ``bot``, or ``note`` for what
    happened besides. ``text`` can do no harm on a terminal.
    """

    ms: float
    who: str
    text: str


@dataclass(frozen=True, slots=True)
class StepResult:
    """What came out of trying one step.

    ``detail`` says what was seen. Where all is not well, ``remedy`` says how to fix it,
    ``transcript`` ends in what went wrong, and ``stderr`` has what was written last to stderr, by
    ``log``, or by the referee.
    """

    verdict: StepState
    detail: str
    remedy: str = ""
    transcript: tuple[TranscriptLine, ...] = ()
    stderr: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """A step that was walked: ``number`` from 1, ``name`` as in ``STEPS``, ``game`` or ``""``."""

    number: int
    name: str
    title: str
    expected: str
    finding: StepResult
    game: str = ""


@dataclass(frozen=True, slots=True)
class CheckReport:
    """A bot's check: the bot as it was named, the games it was tried in, every step."""

    bot: str
    games: tuple[str, ...]
    steps: tuple[Step, ...]

    @property
    def passed(self) -> bool:
        """Whether no step failed."""
        return all(step.finding.verdict is not StepState.FAILED for step in self.steps)


def noted(
    seen: str, notes: Sequence[Note], transcript: tuple[TranscriptLine, ...] = ()
) -> StepResult:
    """Return what came out of a step that did not fail, with what there is to note."""
    if not notes:
        return StepResult(StepState.OK, seen)
    detail = "; ".join([seen, *(what for what, _ in notes)])
    return StepResult(StepState.NOTE, detail, " ".join(remedy for _, remedy in notes), transcript)
