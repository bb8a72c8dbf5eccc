"""What people see of a page."""

from __future__ import annotations

from typing import Any


def overflow(page: Any) -> int:
    """Return by how many pixels a page is wider than its window."""
    width = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    return max(0, int(width))
