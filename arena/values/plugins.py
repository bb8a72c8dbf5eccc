"""What a package of ours holds and other people's packages bring, such as formats and languages."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import Generic, TypeVar

from arena.values.errors import UsageError

T = TypeVar("T")


class Plugins(Generic[T]):
    """Things of one kind: ours, and then other people's, which are looked for if it comes to that.

    Args:
        package: the package of ours, whose modules are looked at.
        attribute: what a module calls the thing that it holds.
        group: the entry point of other people's packages.
        words: returns the words that mean a thing; no two things have one in common.
    """

    def __init__(
        self, package: str, attribute: str, group: str, words: Callable[[T], Iterable[str]]
    ) -> None:
        self._package, self._attribute = package, attribute
        self._group, self._words = group, words

    def __iter__(self) -> Iterator[T]:
        yield from self._own.values()
        yield from self._others

    @cached_property
    def _own(self) -> dict[str, T]:
        """Ours, by the modules that hold them."""
        folder = importlib.import_module(self._package).__path__
        paths = sorted(f"{self._package}.{each.name}" for each in pkgutil.iter_modules(folder))
        found = {path: vars(importlib.import_module(path)).get(self._attribute) for path in paths}
        return {path: one for path, one in found.items() if one is not None}

    @cached_property
    def _others(self) -> tuple[T, ...]:
        from importlib.metadata import entry_points

        points = sorted(entry_points(group=self._group), key=lambda point: point.name)
        found = [(point.value, point.load()) for point in points]
        places: dict[str, str] = {}
        for place, one in [*self._own.items(), *found]:
            for word in self._words(one):
                if word in places:
                    raise UsageError(f'two plug-ins claim "{word}": {places[word]} and {place}')
                places[word] = place
        return tuple([one for _, one in found])
