"""Tests the connection to a scheduler, and explains in a sentence what is wrong with it.

Dask tries for a long time and then says little of why.
"""

from __future__ import annotations

import socket
import ssl
from typing import TYPE_CHECKING

from arena.cluster.addresses import Scheduler
from arena.values.errors import ArenaError, UsageError, WorkerError

if TYPE_CHECKING:  # it needs the extra, which may not be here
    from arena.cluster.certificates import Certificates

SECONDS = 10.0


def greet(scheduler: Scheduler, seconds: float = SECONDS) -> None:
    """Make sure that a scheduler is there, and that it and we take one another's certificates.

    Raises:
        WorkerError: nobody answers; later somebody may.
        UsageError: who answers does not fit, and will not.
    """
    try:
        with socket.create_connection((scheduler.host, scheduler.port), seconds) as plain:
            if scheduler.certificates is None:
                _hear(scheduler, plain)
            else:
                with _context(scheduler.certificates).wrap_socket(plain) as stream:
                    _hear(scheduler, stream)
    except ssl.SSLError as error:
        raise _misfit(scheduler, error) from None
    except (OSError, UnicodeError) as error:
        why = getattr(error, "strerror", None) or error
        raise WorkerError(
            f"{scheduler} cannot be reached ({why}): is it started, and its port open to this "
            "machine?"
        ) from None


def _context(certificates: Certificates) -> ssl.SSLContext:
    """Return TLS as Dask has it: both ends show a certificate, no names are looked at."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.load_verify_locations(certificates.certificate)
    context.load_cert_chain(certificates.certificate, certificates.key)
    return context


def _hear(scheduler: Scheduler, stream: socket.socket) -> None:
    """Wait for what a scheduler says first, for only then it has looked at our certificate."""
    try:
        heard = stream.recv(1)
    except TimeoutError:
        if scheduler.certificates is not None:  # it is one of our hosts, and busy
            raise
        raise UsageError(
            f"what listens at {scheduler} is silent, so it is no scheduler of Dask, or a scheduler "
            "with TLS: then write tls://"
        ) from None
    if not heard:
        raise WorkerError(f"{scheduler}: the connection was closed before a word was said")


def _misfit(scheduler: Scheduler, error: ssl.SSLError) -> ArenaError:
    """Return what is wrong where TLS fails."""
    reason = error.reason or ""
    if isinstance(error, ssl.SSLCertVerificationError):
        return UsageError(
            f"the certificate of {scheduler} is not of this cluster ({error.verify_message}); use "
            "the same folder of certificates on all machines of the cluster"
        )
    if reason in ("WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE", "UNKNOWN_PROTOCOL"):
        return UsageError(
            f"what listens at {scheduler} speaks no TLS; start it with arena cluster scheduler "
            "tls://HOST:PORT --certificates DIR"
        )
    return WorkerError(f"{scheduler}: TLS fails: {reason or error}")
