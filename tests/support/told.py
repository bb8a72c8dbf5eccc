"""What errors say."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest


def told(error: type[Exception], call: Callable[..., object], *words: Any, **more: Any) -> str:
    """Return the message of an error that a call must raise."""
    with pytest.raises(error) as caught:
        call(*words, **more)
    return str(caught.value)
