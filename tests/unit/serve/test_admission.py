"""Who is answered by the server: by its name, from its own pages, with the token."""

from __future__ import annotations

import base64

import pytest

from arena.serve.admission import Admission, RequestGuard, is_loopback, new_token, own_name

OURS = {"host": "127.0.0.1:8000"}


def asked(
    path: str = "/secret/", method: str = "GET", host: str = "127.0.0.1", **headers: str
) -> int:
    """Return what a server on ``host`` with the token "secret" answers."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return RequestGuard(host, "secret").judge(method, path, OURS | named).status


def test_the_token_is_128_random_bits() -> None:
    """No two are the same, and each is 16 bytes."""
    tokens = {new_token() for _ in range(100)}
    assert len(tokens) == 100
    assert {len(base64.urlsafe_b64decode(f"{token}==")) for token in tokens} == {16}


@pytest.mark.parametrize(
    "path", ["/", "//", "/secre/", "/secrets/", "/Secret/", "/x/secret/", "/é/"]
)
def test_nothing_is_there_without_the_token(path: str) -> None:
    """Whatever the path is without it, the answer is the same."""
    assert asked(path) == 404


def test_the_token_is_the_first_part_of_the_path() -> None:
    """It is taken away for those behind; without its slash links would lead elsewhere."""
    guard = RequestGuard("127.0.0.1", "secret")
    assert guard.judge("GET", "/secret/a/b", OURS) == Admission(200, "/a/b", "secret")
    assert guard.judge("GET", "/secret", OURS) == Admission(308, "/secret/")


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "arena.example", "evil.example:1", ""])
def test_what_is_public_has_any_name(host: str) -> None:
    """A proxy or an alias may ask by a name of its own; every path is taken as it is."""
    headers = {"host": host, "origin": "https://arena.example"}
    for listening in ("127.0.0.1", "0.0.0.0"):
        assert RequestGuard(listening, "").judge("GET", "/a", headers) == Admission(200, "/a")
    assert RequestGuard("127.0.0.1", "").judge("POST", "/a", headers).status == 405


@pytest.mark.parametrize(
    "method", ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "get", ""]
)
def test_only_reading(method: str) -> None:
    """Nothing but GET and HEAD is a question that has an answer."""
    assert asked(method=method) == 405
    assert asked(method="HEAD") == 200


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "127.0.0.1:1", "localhost:9000", "LOCALHOST", "[::1]:80", "127.8.9.1:8000"],
)
def test_names_of_a_server_on_the_loopback(host: str) -> None:
    """It goes by addresses of the loopback and by localhost, at any port."""
    assert asked(host="127.0.0.1") == 200
    assert (
        RequestGuard("127.0.0.1", "secret").judge("GET", "/secret/", {"host": host}).status == 200
    )


@pytest.mark.parametrize(
    "host",
    [
        *("", "evil.example", "evil.example:8000", "127.0.0.1.evil.example", "192.0.2.7"),
        *("0.0.0.0:8000", "[::", "localhost.evil.example", "evil@evil.example"),
        *("127.0.0.1, evil.example", "127.0.0.1:8123, evil.example", "127.0.0.1/evil.example"),
        *("evil.example@127.0.0.1", "evil.example:8123@127.0.0.1:8123", "127.0.0.1?evil.example"),
        *("127.0.0.1:evil.example", "127.0.0.1:80:80", "127.0.0.1\n", " 127.0.0.1", "[127.0.0.1]x"),
    ],
)
def test_a_name_that_somebody_else_has_lead_here(host: str) -> None:
    """A page of that name must not be answered, or it could read what it likes."""
    assert (
        RequestGuard("127.0.0.1", "secret").judge("GET", "/secret/", {"host": host}).status == 400
    )


def test_names_of_a_server_on_the_network() -> None:
    """It goes by every address, which nobody can have lead here, and by this machine's name."""
    guard = RequestGuard("0.0.0.0", "secret")
    for host in ("192.0.2.7:8000", "[2001:db8::1]", own_name(), "localhost"):
        assert guard.judge("GET", "/secret/", {"host": host}).status == 200
    for host in ("evil.example", "0.0.0.0"):
        assert guard.judge("GET", "/secret/", {"host": host}).status == 400


@pytest.mark.parametrize(
    "origin",
    ["http://evil.example", "null", "http://127.0.0.1:8001", "file://127.0.0.1:8000", ""],
)
def test_a_page_of_another_site_asks(origin: str) -> None:
    """Not even with the token."""
    assert asked(origin=origin) == 403
    assert asked(origin="http://127.0.0.1:8000") == 200


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_a_page_of_another_site_loads_something(site: str) -> None:
    """It may link here, and may load nothing from here as a picture or a script."""
    assert asked(sec_fetch_site=site, sec_fetch_mode="no-cors") == 403
    assert asked(sec_fetch_site=site, sec_fetch_mode="navigate") == 200
    assert asked(sec_fetch_site="same-origin", sec_fetch_mode="cors") == 200


@pytest.mark.parametrize(
    ("host", "local"),
    [
        ("127.0.0.2", True),
        ("::1", True),
        ("LocalHost", True),
        ("0.0.0.0", False),
        ("a.example", False),
    ],
)
def test_loopback(host: str, local: bool) -> None:
    """Only this machine reaches it."""
    assert is_loopback(host) is local
