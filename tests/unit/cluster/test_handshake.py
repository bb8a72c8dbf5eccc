"""The first words with a scheduler: what is said where it cannot be reached, or does not fit."""

from __future__ import annotations

import datetime
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from arena.cluster import certificates
from arena.cluster.addresses import Scheduler
from arena.cluster.certificates import DAYS, Certificates, make_certificates
from arena.cluster.handshake import greet
from arena.values.errors import UsageError, WorkerError

FIRST_WORD = bytes([24, *([0] * 31)])  # Dask begins with a length


@contextmanager
def listening(own: Certificates | None, word: bytes | None = FIRST_WORD) -> Iterator[int]:
    """Be a scheduler as far as its first word, which takes only nodes of its own authority.

    Without certificates it speaks no TLS; without a word it is silent. Gives its port.
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
                    answered.sendall(word or b"")
                    while word != b"" and answered.recv(4096):  # until who asked goes away
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
    context.load_verify_locations(own.certificate)
    context.load_cert_chain(own.certificate, own.key)
    return context.wrap_socket(stream, server_side=True)


@pytest.fixture
def ours(tmp_path: Path) -> Certificates:
    return make_certificates(tmp_path / "ours")


def refusal(port: int, own: Certificates | None, seconds: float = 30) -> str:
    """Return why who listens there does not fit, whatever is tried again."""
    with pytest.raises(UsageError) as caught:
        greet(Scheduler("127.0.0.1", port, own), seconds)
    return str(caught.value)


def made_days_ago(days: int, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Certificates:
    """Make certificates with a clock that is behind."""
    then = datetime.datetime.now(datetime.UTC) - datetime.timedelta(days=days)

    class Clock(datetime.datetime):
        @classmethod
        def now(cls, tz: Any = None) -> Any:
            return then

    with monkeypatch.context() as patch:
        patch.setattr(certificates, "datetime", Clock)
        return make_certificates(folder)


def test_those_of_one_cluster_understand_each_other(ours: Certificates) -> None:
    """With TLS on both sides, and without it on both."""
    for own in (ours, None):
        with listening(own) as port:
            greet(Scheduler("127.0.0.1", port, own), 30)


def test_nobody_listens(ours: Certificates) -> None:
    """It may be tried again: that is no wrong usage."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        for own in (ours, None):
            with pytest.raises(WorkerError, match="nobody listens"):
                greet(Scheduler("127.0.0.1", port, own))


def test_a_name_that_nobody_has(ours: Certificates, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may be known later, when the network is up."""

    def look_up(*_: object, **__: object) -> list[object]:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    with pytest.raises(WorkerError, match="name of the host"):
        greet(Scheduler("lab.example", 8786, ours))


def test_a_scheduler_of_another_cluster(ours: Certificates, tmp_path: Path) -> None:
    """Its certificate is not taken."""
    theirs = make_certificates(tmp_path / "theirs")
    with listening(theirs) as port:
        assert "not of this cluster" in refusal(port, ours)


def test_an_expired_certificate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The scheduler may have been started while it was good."""
    old = made_days_ago(DAYS + 1, tmp_path / "old", monkeypatch)
    with listening(old) as port:
        assert "expired" in refusal(port, old)


def test_a_certificate_of_tomorrow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody's clock is wrong."""
    early = made_days_ago(-3, tmp_path / "early", monkeypatch)
    with listening(early) as port:
        assert "clocks" in refusal(port, early)


def test_tls_on_one_side_only(ours: Certificates) -> None:
    """Each side is told what the other speaks."""
    with listening(None) as port:
        assert "speaks no TLS" in refusal(port, ours)
    with listening(ours) as port:
        assert "tls://" in refusal(port, None, seconds=0.2)


def test_who_hangs_up(ours: Certificates) -> None:
    """A scheduler that is going down may be back soon."""
    for own in (ours, None):
        with listening(own, b"") as port, pytest.raises(WorkerError):
            greet(Scheduler("127.0.0.1", port, own), 30)


def test_a_scheduler_that_is_busy(ours: Certificates) -> None:
    """Where TLS has come about it is one of the cluster, and may have more time later."""
    with listening(ours, None) as port, pytest.raises(WorkerError, match="no answer"):
        greet(Scheduler("127.0.0.1", port, ours), 0.2)
