"""What a worker shows of the match that it plays: one small file in the home, for pages.

It is written at most once a second, and only while bots are waited for, so a quick match writes
none. Nothing depends on it: what cannot be written is not shown.
"""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path

from arena.values.model import MatchJob
from arena.values.running import RunningMatch
from engines import State

__all__ = ["ShownMatch", "forget_shown"]

SECONDS = 1.0


class ShownMatch:
    """The file of this worker; ``None`` as a folder: it shows nothing."""

    def __init__(self, folder: Path | None) -> None:
        self._file = None if folder is None else folder / f"{os.getpid()}.json"
        self._job: MatchJob | None = None
        self._again_at = 0.0
        self._is_there = False

    def begin(self, job: MatchJob) -> None:
        """Show this match from now on."""
        self._job, self._again_at = job, time.monotonic() + SECONDS

    def __call__(self, state: State, decisions: int) -> None:
        """Say how far it is, unless that was said just now."""
        now = time.monotonic()
        if self._file is None or self._job is None or now < self._again_at:
            return
        self._again_at = now + SECONDS
        job = self._job
        shown = RunningMatch(
            job.id,
            job.tournament or "",
            job.game,
            tuple([seat.entrant for seat in job.seats]),
            decisions,
            _public(state),
        )
        with contextlib.suppress(OSError):
            self._file.parent.mkdir(exist_ok=True)
            part = self._file.with_suffix(".part")
            part.write_text(shown.text(), encoding="utf-8")
            part.replace(self._file)
            self._is_there = True

    def end(self) -> None:
        """Show it no more."""
        self._job = None
        if self._is_there and self._file is not None:
            self._is_there = False
            with contextlib.suppress(OSError):
                self._file.unlink()


def _public(state: State) -> str | None:
    """Return a position of a game that hides nothing; a plug-in that fails costs no match."""
    try:
        return state.observation(None) if state.game.type.information == "perfect" else None
    except Exception:
        return None


def forget_shown(folder: Path | None) -> None:
    """Remove the files of workers that are gone; one that was killed leaves its own."""
    if folder is None:
        return
    with contextlib.suppress(OSError):
        for file in folder.iterdir():
            with contextlib.suppress(OSError):
                if not (file.stem.isdigit() and Path(f"/proc/{file.stem}").exists()):
                    file.unlink()
