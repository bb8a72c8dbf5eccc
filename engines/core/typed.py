"""What annotations need without importing ``typing``: with ``re``, that would cost a bot 9 ms."""

from __future__ import annotations

from collections import namedtuple

__all__ = ["TYPE_CHECKING", "Generic", "NamedTuple", "TypeVar"]

TYPE_CHECKING = False  # type checkers take it for true, as they do the one of ``typing``

if TYPE_CHECKING:
    from typing import Generic, NamedTuple, TypeVar
else:

    class Generic:
        """The parent of generic classes; their parameters mean nothing when a program runs."""

        __slots__ = ()

        def __class_getitem__(cls, parameter: object) -> type:
            return cls

    def TypeVar(name: str, **_: object) -> str:
        """Return a stand-in for a type variable."""
        return name

    class _Maker(type):
        """Makes a named tuple of a class whose annotations are its fields."""

        def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, object]) -> type:
            if not bases:
                return super().__new__(cls, name, bases, body)  # ``NamedTuple`` itself
            fields = body["__annotations__"]
            defaults = [body.pop(field) for field in fields if field in body]
            made = namedtuple(name, fields, defaults=defaults, module=body["__module__"])
            for key, value in body.items():
                setattr(made, key, value)
            return made

    class NamedTuple(metaclass=_Maker):
        """The parent of classes written as for ``typing.NamedTuple``."""
