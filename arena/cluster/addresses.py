"""Addresses of clusters: what a person may write, and whether it is safe to connect there.

A Dask scheduler runs what it is sent. So it is reached over TLS, or on the loopback of this
machine; or by those who say ``--insecure``.
"""

from __future__ import annotations

import re
import socket
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from pathlib import Path
from typing import TYPE_CHECKING

from arena.values.errors import UsageError, near_miss
from arena.values.untrusted import show

if TYPE_CHECKING:
    from arena.cluster.certificates import Certificates

__all__ = ["LocalCluster", "Scheduler", "cluster_at", "scheduler_at"]

MOST_WORKERS = 1024  # of local:N; more are a slip of the finger
SCHEMES = ("local", "tcp", "tls")
FORMS = "expected tls://HOST:PORT, tcp://127.0.0.1:PORT or local:N"
USUAL_PORT = 8786  # of dask scheduler

_NAME = r"[0-9A-Za-z_](?:[0-9A-Za-z_.-]*[0-9A-Za-z_.])?"
_PLACE = re.compile(rf"(?:\[(?P<ipv6>[0-9A-Fa-f:.]+)\]|(?P<name>{_NAME}))(?P<port>:[0-9]*)?/?")


@dataclass(frozen=True, slots=True)
class LocalCluster:
    """A cluster of this machine alone, made for one command: ``local:N``."""

    workers: int
    open_to_bots = ""

    def __str__(self) -> str:
        """Return it as a person writes it."""
        return f"local:{self.workers}"


@dataclass(frozen=True, slots=True)
class Scheduler:
    """A scheduler that it is safe to connect to.

    Attributes:
        host: a name or an address; without TLS on this machine always an address of the loopback,
            as a name is resolved once, and its address used from then on.
        port: its port.
        certificates: what proves who is who; ``None``: without TLS.
    """

    host: str
    port: int
    certificates: Certificates | None = None

    @property
    def open_to_bots(self) -> str:
        """Its address if it takes orders from any program that reaches it; empty if it has TLS."""
        return "" if self.certificates else str(self)

    def __str__(self) -> str:
        """Return the address as Dask and a person write it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'tls' if self.certificates else 'tcp'}://{host}:{self.port}"


def cluster_at(
    text: str, certificates: Path | None = None, *, insecure: bool = False
) -> LocalCluster | Scheduler:
    """Read ``--cluster``.

    Args:
        text: ``tls://HOST:PORT``, ``tcp://127.0.0.1:PORT`` or ``local:N``.
        certificates: the folder that ``arena cluster certificates`` made.
        insecure: is any host allowed without TLS?

    Raises:
        UsageError: it is no such address, it is not safe to connect there, or the certificates are
            not as they must be.
    """
    scheme, place = _split(text)
    if scheme != "local":
        return _scheduler(text, scheme, place, certificates, insecure=insecure)
    if certificates is not None or insecure:
        raise UsageError(
            f"{show(text)}: a local cluster has certificates of its own; leave out "
            "--certificates (or unset ARENA_CERTIFICATES) and --insecure"
        )
    if not re.fullmatch("[0-9]{1,9}", place) or not 1 <= int(place) <= MOST_WORKERS:
        raise UsageError(
            f"expected local:N with a number of workers from 1 to {MOST_WORKERS}, such as local:2, "
            f'found "{show(text)}"'
        )
    return LocalCluster(int(place))


def scheduler_at(
    text: str, certificates: Path | None = None, *, insecure: bool = False
) -> Scheduler:
    """Read the address of a scheduler that runs already; arguments and errors as ``cluster_at``."""
    scheme, place = _split(text)
    if scheme == "local":
        raise UsageError(
            f"{show(text)} is a cluster that arena run makes for itself; here the address of a "
            "scheduler that runs is needed: tls://HOST:PORT or tcp://127.0.0.1:PORT"
        )
    return _scheduler(text, scheme, place, certificates, insecure=insecure)


def _split(text: str) -> tuple[str, str]:
    """Return the scheme and what is behind it."""
    scheme, colon, place = text.partition(":")
    slashes = "" if scheme == "local" else "//"
    if scheme in SCHEMES and colon and place.startswith(slashes):
        return scheme, place.removeprefix(slashes)
    bare = place.lstrip("/")
    named = scheme.lower()
    if named in SCHEMES:
        meant = f"local:{bare or 2}" if named == "local" else f"{named}://{bare or 'HOST:PORT'}"
        near = f'; did you mean "{show(meant)}"?'
    elif colon and place.startswith("//"):
        near = near_miss(named, SCHEMES) or f'; did you mean "tls://{show(bare)}"?'
    elif _PLACE.fullmatch(text):  # the scheme was left out
        near = f'; did you mean "tls://{show(text)}"?'
    else:
        near = ""
    raise UsageError(f'{FORMS}, found "{show(text)}"{near}')


def _scheduler(
    text: str, scheme: str, place: str, folder: Path | None, *, insecure: bool
) -> Scheduler:
    host, port = _host_and_port(text, scheme, place)
    if scheme == "tls":
        if insecure:
            raise UsageError("--insecure is for tcp:// only: over tls:// nothing is insecure")
        return Scheduler(host, port, _certificates(text, folder))
    if folder is not None:
        raise UsageError(
            f"{show(text)} is an address without TLS, which uses no certificates: did you mean "
            f"tls://{place}? If not, leave out --certificates (or unset ARENA_CERTIFICATES)"
        )
    if insecure:
        return Scheduler(host, port)
    loopback = _loopback(host, port)
    if loopback is None:
        raise UsageError(
            f"{show(text)} is not an address of this machine's loopback. Without TLS, anyone who "
            "reaches a scheduler can run anything on every host and change what they send. Use "
            f"tls://{place} with certificates (arena cluster certificates DIR makes them); "
            "--insecure allows it where everybody on the network is trusted"
        )
    return Scheduler(loopback, port)


def _host_and_port(text: str, scheme: str, place: str) -> tuple[str, int]:
    found = _PLACE.fullmatch(place)
    if found is None:
        bare = place.count(":") > 1 and "[" not in place
        hint = "; put an IPv6 address in brackets: [::1]" if bare else ""
        raise UsageError(f'expected {scheme}://HOST:PORT, found "{show(text)}"{hint}')
    host, port = found["ipv6"] or found["name"], (found["port"] or "").removeprefix(":")
    if not port:
        raise UsageError(
            f"{show(text)} has no port; did you mean {scheme}://{place.rstrip('/:')}:{USUAL_PORT}, "
            "which is the usual one of dask scheduler?"
        )
    if len(port) > 5 or not 1 <= int(port) <= 65535:
        raise UsageError(f"{show(text)}: a port is a number from 1 to 65535")
    if found["ipv6"]:
        try:
            IPv6Address(host)
        except ValueError:
            raise UsageError(f"{show(text)}: [{host}] is no IPv6 address") from None
    return host, int(port)


def _certificates(text: str, folder: Path | None) -> Certificates:
    if folder is None:
        raise UsageError(
            f"{show(text)} needs certificates: make them once with arena cluster certificates DIR, "
            "copy that folder to every machine of the cluster, and name it with --certificates DIR "
            "or ARENA_CERTIFICATES"
        )
    from arena.cluster.certificates import read_certificates

    return read_certificates(folder)


def _loopback(host: str, port: int) -> str | None:
    """Return an address of the loopback that a host leads to; ``None`` if it leads elsewhere too.

    The name is looked up here and never again.
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "no name of a host"
        raise UsageError(f"{host}: {why}") from None
    addresses = [str(one[4][0]) for one in found]
    return addresses[0] if all(map(_is_loopback, addresses)) else None


def _is_loopback(text: str) -> bool:
    address = ip_address(text)
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        return address.ipv4_mapped.is_loopback
    return address.is_loopback
