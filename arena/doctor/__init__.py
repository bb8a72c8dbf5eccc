"""What this machine offers to the arena, and what would make it offer more."""

from __future__ import annotations

from arena.doctor.checkup import Checkup, doctor
from arena.doctor.finding import Finding, State

__all__ = ["Checkup", "Finding", "State", "doctor"]
