"""Values as text for people and programs."""

from __future__ import annotations

from arena.report.comparison_text import comparison_sentence, comparison_state, time_left
from arena.report.crosstable_text import crosstable_text
from arena.report.leaderboard_text import leaderboard_text
from arena.report.match_text import action_line, match_summary
from arena.report.table import plain_table
from arena.report.watch_text import watch_text
from arena.untrusted import show

__all__ = [
    "action_line",
    "comparison_sentence",
    "comparison_state",
    "crosstable_text",
    "leaderboard_text",
    "match_summary",
    "plain_table",
    "show",
    "time_left",
    "watch_text",
]
