"""Addresses of clusters: which are understood, and which are safe to connect to."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from support.told import told

from arena.cluster.addresses import LocalCluster, Scheduler, cluster_at, scheduler_at
from arena.cluster.certificates import make_certificates
from arena.values.errors import UsageError


def refusal(text: str, certificates: Path | None = None, *, insecure: bool = False) -> str:
    """Return why an address is refused."""
    return told(UsageError, cluster_at, text, certificates, insecure=insecure)


def test_a_local_cluster() -> None:
    """It has a number of workers, and is written as it is read."""
    assert cluster_at("local:4") == LocalCluster(4)
    assert str(LocalCluster(4)) == "local:4"


@pytest.mark.parametrize(
    ("text", "host"),
    [
        ("tcp://127.0.0.1:8786", "127.0.0.1"),
        ("tcp://127.8.9.1:8786", "127.8.9.1"),
        ("tcp://[::1]:8786", "::1"),
        ("tcp://127.0.0.1:8786/", "127.0.0.1"),
    ],
)
def test_the_loopback_needs_no_tls(text: str, host: str) -> None:
    """Its packets do not leave the machine."""
    found = scheduler_at(text)
    assert found == Scheduler(host, 8786)
    assert str(found) == text.rstrip("/")


@pytest.mark.parametrize(
    "text",
    [
        "tcp://192.0.2.7:8786",
        "tcp://0.0.0.0:8786",
        "tcp://[::]:8786",
        "tcp://[fe80::1]:8786",
        "tcp://[2001:db8::1]:8786",
        "tcp://[::ffff:192.0.2.7]:8786",
    ],
)
def test_other_machines_need_tls(text: str) -> None:
    """Without it they are refused, unless somebody says that he knows."""
    said = refusal(text)
    assert "arena cluster certificates" in said
    assert "--insecure" in said
    assert str(scheduler_at(text, insecure=True)) == text


def test_unknown_host_name_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A host name that leads nowhere is refused with the name."""

    def look_up(*_: object, **__: object) -> list[object]:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    assert "nowhere.example" in refusal("tcp://nowhere.example:8786")
    assert refusal(f"tcp://{'a' * 64}.example:8786")


def test_tls_needs_certificates(tmp_path: Path) -> None:
    """The refusal names the command that makes them; with them the address is kept as it is."""
    assert "arena cluster certificates" in refusal("tls://lab.example:8786")
    made = make_certificates(tmp_path / "c")
    found = cluster_at("tls://lab.example:8786", tmp_path / "c")
    assert found == Scheduler("lab.example", 8786, made)
    assert str(found) == "tls://lab.example:8786"
    assert str(cluster_at("tls://[::1]:8786", tmp_path / "c")) == "tls://[::1]:8786"


def test_options_that_contradict_the_address(tmp_path: Path) -> None:
    """Nobody is to believe that there is TLS where there is none, or none where there is."""
    make_certificates(tmp_path / "c")
    assert "tls://127.0.0.1:1" in refusal("tcp://127.0.0.1:1", tmp_path / "c")
    assert "--insecure" in refusal("tls://lab:1", tmp_path / "c", insecure=True)
    assert "--insecure" in refusal("local:2", insecure=True)
    assert "--certificates" in refusal("local:2", tmp_path / "c")
