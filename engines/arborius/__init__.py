"""Arborius: tiles stack in three dimensions and hold boards of tiles (docs/rules/arborius.md)."""

from __future__ import annotations

from engines.arborius.game import Arborius

__all__ = ["GAME"]

GAME = Arborius
