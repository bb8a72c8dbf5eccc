"""The first words with a scheduler: what is said where it cannot be reached, or does not fit."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from support.told import told

from arena.cluster.addresses import Scheduler
from arena.cluster.certificates import Certificates, make_certificates
from arena.cluster.handshake import _context, greet
from arena.values.errors import UsageError, WorkerError

FIRST_WORD = bytes([24, *([0] * 31)])  # Dask begins with a length


@contextmanager
def listening(own: Certificates | None) -> Iterator[int]:
    """Be a scheduler as far as its first word, which takes only nodes of its own authority.

    Without certificates it speaks no TLS. Gives its port.
    """
    server = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        while True:
            try:
                stream, _ = server.accept()
            except OSError:
                return
            try:
                with _secured(stream, own) as answered:
                    answered.sendall(FIRST_WORD)
                    while answered.recv(4096):  # until who asked goes away
                        pass
            except OSError:
                stream.close()

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield server.getsockname()[1]
    finally:
        server.shutdown(socket.SHUT_RDWR)
        server.close()
        thread.join()


def _secured(stream: socket.socket, own: Certificates | None) -> socket.socket:
    if own is None:
        return stream
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.verify_mode = ssl.CERT_REQUIRED
    context.verify_flags |= ssl.VERIFY_X509_STRICT  # as Python 3.13 has it by default
    context.load_verify_locations(own.certificate)
    context.load_cert_chain(own.certificate, own.key)
    return context.wrap_socket(stream, server_side=True)


@pytest.fixture
def ours(tmp_path: Path) -> Certificates:
    return make_certificates(tmp_path / "ours")


def refusal(port: int, own: Certificates | None, seconds: float = 30) -> str:
    """Return why who listens there does not fit, whatever is tried again."""
    return told(UsageError, greet, Scheduler("127.0.0.1", port, own), seconds)


def test_same_cluster_connects_with_or_without_tls(ours: Certificates) -> None:
    """Both sides of one cluster connect, with TLS or without it."""
    for own in (ours, None):
        with listening(own) as port:
            greet(Scheduler("127.0.0.1", port, own), 30)


def test_scheduler_that_is_not_there_is_no_usage_error(ours: Certificates) -> None:
    """If nobody listens, that is a ``WorkerError``: it may be tried again."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        for own in (ours, None):
            with pytest.raises(WorkerError, match="is it started"):
                greet(Scheduler("127.0.0.1", port, own))


def test_scheduler_of_other_cluster_is_refused(ours: Certificates, tmp_path: Path) -> None:
    """A scheduler with another cluster's certificate is refused."""
    theirs = make_certificates(tmp_path / "theirs")
    with listening(theirs) as port:
        assert "not of this cluster" in refusal(port, ours)


def test_host_of_other_cluster_is_rejected(ours: Certificates, tmp_path: Path) -> None:
    """A scheduler refuses a host that takes its certificate, and has another cluster's."""
    theirs, context = make_certificates(tmp_path / "theirs"), _context(ours)
    context.load_cert_chain(theirs.certificate, theirs.key)
    with listening(ours) as port, socket.create_connection(("127.0.0.1", port)) as plain:
        stream = context.wrap_socket(plain)
        with stream, pytest.raises((ssl.SSLError, ConnectionError)):
            stream.recv(1)


def test_tls_on_one_side_is_explained(ours: Certificates) -> None:
    """If one side alone speaks TLS, the message says what the other speaks."""
    with listening(None) as port:
        assert "speaks no TLS" in refusal(port, ours)
    with listening(ours) as port:
        assert "tls://" in refusal(port, None, seconds=0.2)
