"""How many of something there may be at a time: in all, and for one reader."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from ipaddress import IPv6Address, ip_address
from typing import Any

__all__ = ["Shares", "address_of", "reader_of"]


class Shares:
    """Counts what is taken.

    Args:
        most: in all.
        most_each: by one reader; see ``reader_of``.

    Attributes:
        taken: how many are taken now.
    """

    def __init__(self, most: int, most_each: int) -> None:
        self._most, self._most_each = most, most_each
        self.taken = 0
        self._by = Counter[str]()

    def take(self, address: str) -> bool:
        """Take one for an address, if there is one for it; whether there was."""
        reader = reader_of(address)
        if self.taken >= self._most or (reader and self._by[reader] >= self._most_each):
            return False
        self.taken += 1
        self._by[reader] += 1
        return True

    def give_back(self, address: str) -> None:
        """Give back one that was taken for this address."""
        reader = reader_of(address)
        self.taken -= 1
        self._by[reader] -= 1
        if not self._by[reader]:
            del self._by[reader]


def address_of(scope: Mapping[str, Any]) -> str:
    """Return where a request came from; that of all who were gone before it was known is one."""
    client = scope.get("client")
    return str(client[0]) if client else "0.0.0.0"


def reader_of(address: str) -> str:
    """Return whose an address is; empty for this machine, behind which a proxy may have many.

    >>> reader_of("192.0.2.7"), reader_of("::ffff:192.0.2.7"), reader_of("127.0.0.1")
    ('192.0.2.7', '192.0.2.7', '')

    Who has one address of IPv6 has 2^64 of them:

    >>> reader_of("2001:db8::1") == reader_of("2001:db8::2")
    True
    """
    found = ip_address(address.partition("%")[0])
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped is None:
            return "" if found.is_loopback else f"{int(found) >> 64:x}/64"
        found = found.ipv4_mapped
    return "" if found.is_loopback else str(found)
