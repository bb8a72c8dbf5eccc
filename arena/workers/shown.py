"""How far a match is, for pages: a worker shows it, the runner writes it into a small file.

It is shown at most once a second, and only while bots are waited for, so that a quick match shows
nothing. Nothing depends on it: what cannot be written is not shown.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Mapping
from pathlib import Path

from arena.machine.heartbeat import Heartbeat
from arena.values.model import MatchJob
from arena.values.running import RunningMatch
from engines import State

SECONDS = 1.0


class ShownMatch:
    """The match of this worker, as its heartbeat shows it."""

    def __init__(self, heartbeat: Heartbeat) -> None:
        self._heartbeat = heartbeat
        self._job: MatchJob | None = None
        self._again_at = 0.0
        self._is_shown = False

    def begin(self, job: MatchJob) -> None:
        """Show this match from now on."""
        self._job, self._again_at = job, time.monotonic() + SECONDS

    def __call__(self, state: State, decisions: int) -> None:
        """Say how far it is, unless that was said just now."""
        now = time.monotonic()
        if self._job is None or now < self._again_at:
            return
        self._again_at, job = now + SECONDS, self._job
        bots = tuple([seat.entrant.name for seat in job.seats])
        shown = RunningMatch(
            job.id, job.tournament or "", job.game, bots, decisions, _public(state)
        )
        self._heartbeat.show(shown.text())
        self._is_shown = True

    def end(self) -> None:
        """Show it no more."""
        self._job = None
        if self._is_shown:
            self._is_shown = False
            self._heartbeat.show("")


def _public(state: State) -> str | None:
    """Return a position of a game that hides nothing; a plug-in that fails costs no match."""
    try:
        return state.observation(None) if state.game.type.information == "perfect" else None
    except Exception:
        return None


class ShownFiles:
    """The files of a runner: one for each of its workers whose match is shown.

    Args:
        folder: where; ``None``: nothing is written.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._written: dict[int, str] = {}  # by worker

    def write(self, heartbeats: Mapping[int, Heartbeat]) -> None:
        """Write what the workers show now; the file of one that shows nothing more goes.

        Args:
            heartbeats: by process id, of all workers.
        """
        if self._folder is None:
            return
        shown = {pid: heartbeat.shown() for pid, heartbeat in heartbeats.items()}
        for pid, text in shown.items():
            if text and text != self._written.get(pid):
                with contextlib.suppress(OSError):
                    self._folder.mkdir(exist_ok=True)
                    part = self._folder / f"{pid}.part"
                    part.write_text(text, encoding="utf-8")
                    part.replace(part.with_suffix(".json"))
                    self._written[pid] = text
        for pid in [pid for pid in self._written if shown.get(pid, "") == ""]:
            del self._written[pid]
            with contextlib.suppress(OSError):
                (self._folder / f"{pid}.json").unlink()

    def sweep(self) -> None:
        """Remove the files of workers that are gone, as those of a runner that was killed."""
        if self._folder is None:
            return
        with contextlib.suppress(OSError):
            for file in self._folder.iterdir():
                with contextlib.suppress(OSError):
                    if not (file.stem.isdigit() and Path(f"/proc/{file.stem}").exists()):
                        file.unlink()
