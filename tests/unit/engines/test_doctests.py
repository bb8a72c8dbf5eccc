"""The examples in the engines' docstrings are true."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import engines

MODULES = ["engines", *(m.name for m in pkgutil.walk_packages(engines.__path__, "engines."))]


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(name: str) -> None:
    """Every example gives what it says."""
    assert doctest.testmod(importlib.import_module(name)).failed == 0
