"""Who is answered: everybody, or who knows the address, by a name of ours, from no other site.

A page of another site can make a browser ask this server. It does not know the token; it cannot
read an answer; and where its own name leads to this machine (DNS rebinding) the name gives it away.
"""

from __future__ import annotations

import re
import secrets
import socket
from collections.abc import Callable, Collection, Iterable, Mapping
from ipaddress import ip_address
from typing import NamedTuple

TOKEN_BYTES = 16
METHODS = ("GET", "HEAD")
# all of ``Host``: a name or an address, and a port; in nothing else can a name be hidden
HOST = re.compile(r"(?:\[(?P<ipv6>[0-9A-Fa-f:.]+)\]|(?P<name>[\w.-]+))(?::[0-9]*)?", re.ASCII)


class Admission(NamedTuple):
    """What becomes of a request: the ``status`` of HTTP, and a ``path``.

    With 200 it is the path behind the ``token``, with 308 where to go instead.
    """

    status: int
    path: str = ""
    token: str = ""


class RequestGuard:
    """Judges requests.

    Args:
        host: the address or name that is listened on.
        token: the first part of every path; empty: everybody may read.
        more: further tokens, as they are at the time of a request.
        methods: of HTTP, that are let through.
    """

    def __init__(
        self,
        host: str,
        token: str,
        more: Callable[[], Iterable[str]] = tuple,
        methods: Collection[str] = METHODS,
    ) -> None:
        self._token = token
        self._more = more
        self._methods = methods
        self._local = is_loopback(host)
        self._names = {"localhost"}
        if not self._local:
            self._names |= {own_name(), host.lower()} - {"0.0.0.0", "::"}

    def judge(self, method: str, path: str, headers: Mapping[str, str]) -> Admission:
        """Judge a request.

        Args:
            method: of HTTP.
            path: what is asked for, without what stands behind ``?``.
            headers: by their names in lower case; one that came twice is joined by commas.
        """
        if method not in self._methods:
            return Admission(405)
        if not self._token:  # what everybody may read has many names, and any site may ask for it
            return Admission(200, path)
        host = headers.get("host", "")
        if not self._is_ours(host):
            return Admission(400)
        if _is_of_another_site(host, headers):
            return Admission(403)
        first, slash, rest = path.removeprefix("/").partition("/")
        tokens = (self._token, *self._more())
        known = [secrets.compare_digest(first.encode(), token.encode()) for token in tokens]
        if not any(known):
            return Admission(404)
        return Admission(200, f"/{rest}", first) if slash else Admission(308, f"/{first}/")

    def _is_ours(self, host: str) -> bool:
        """Return whether ``Host`` is an address, which nobody else can have lead here, or a name
        of this machine.

        The port is not looked at: with one that is forwarded (``ssh -L``), it is another.
        """
        found = HOST.fullmatch(host)
        if found is None:
            return False
        name = (found["ipv6"] or found["name"]).lower()
        if name in self._names:
            return True
        try:
            address = ip_address(name)
        except ValueError:
            return False
        return address.is_loopback if self._local else not address.is_unspecified


def _is_of_another_site(host: str, headers: Mapping[str, str]) -> bool:
    """Return whether a page of another site asks; a link that a person clicks there is none."""
    origin = headers.get("origin")
    if origin is not None:
        scheme, _, rest = origin.partition("://")
        return scheme not in ("http", "https") or rest.lower() != host.lower()
    site = headers.get("sec-fetch-site", "none")
    return site not in ("none", "same-origin") and headers.get("sec-fetch-mode") != "navigate"


def new_token() -> str:
    """Return 128 random bits as text for an address."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def is_loopback(host: str) -> bool:
    """Return whether an address is reached from this machine alone.

    >>> is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("localhost"), is_loopback("::")
    (True, True, True, False)
    """
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def own_name() -> str:
    """Return what this machine is called in its network."""
    return socket.gethostname().lower()
