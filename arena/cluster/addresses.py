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

from arena.values.errors import UsageError
from arena.values.untrusted import show

if TYPE_CHECKING:
    from arena.cluster.certificates import Certificates

FORMS = (
    "expected tls://HOST:PORT, tcp://127.0.0.1:PORT or local:N with N from 1 to 999; an IPv6 "
    "address is in brackets, and 8786 is the usual port"
)

_NAME = r"[0-9A-Za-z_](?:[0-9A-Za-z_.-]*[0-9A-Za-z_.])?"
_PLACE = rf"(?:\[(?P<ipv6>[0-9A-Fa-f:.]+)\]|(?P<name>{_NAME})):(?P<port>[1-9][0-9]{{0,4}})/?"
_ADDRESS = re.compile(rf"(?P<scheme>tcp|tls)://{_PLACE}")
_NEAR = re.compile(rf"(?:[^:/]*[:/]{{1,3}})?(?P<place>{_PLACE})")


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
    local = re.fullmatch("local:([1-9][0-9]{0,2})", text)
    if local is None:
        return scheduler_at(text, certificates, insecure=insecure)
    if certificates is not None or insecure:
        raise UsageError(
            f"{show(text)}: a local cluster has certificates of its own; leave out "
            "--certificates (or unset ARENA_CERTIFICATES) and --insecure"
        )
    return LocalCluster(int(local[1]))


def scheduler_at(
    text: str, certificates: Path | None = None, *, insecure: bool = False
) -> Scheduler:
    """Read the address of a scheduler that runs already; arguments and errors as ``cluster_at``."""
    found = _ADDRESS.fullmatch(text)
    if found is None or int(found["port"]) > 65535:
        near = None if found else _NEAR.fullmatch(text)
        meant = f'; did you mean "tls://{near["place"]}"?' if near else ""
        raise UsageError(f'{FORMS}; found "{show(text)}"{meant}')
    scheme, host, port = found["scheme"], found["ipv6"] or found["name"], int(found["port"])
    if scheme == "tls":
        if insecure:
            raise UsageError("--insecure is for tcp:// only: over tls:// nothing is insecure")
        return Scheduler(host, port, _certificates(text, certificates))
    if certificates is not None:
        raise UsageError(
            f"{show(text)} is an address without TLS, which uses no certificates: did you mean "
            f"tls{text[3:]}? If not, leave out --certificates (or unset ARENA_CERTIFICATES)"
        )
    if insecure:
        return Scheduler(host, port)
    loopback = _loopback(host, port)
    if loopback is None:
        raise UsageError(
            f"{show(text)} is not an address of this machine's loopback. Without TLS, anyone who "
            "reaches a scheduler can run anything on every host and change what they send. Use "
            f"tls{text[3:]} with certificates (arena cluster certificates DIR makes them); "
            "--insecure allows it where everybody on the network is trusted"
        )
    return Scheduler(loopback, port)


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
