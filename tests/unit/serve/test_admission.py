"""Who is answered by the server: by its name, from its own pages, with the token."""

from __future__ import annotations

import base64

import pytest

from arena.serve.admission import Admission, RequestGuard, is_loopback, new_token, own_name

OURS = {"host": "127.0.0.1:8000"}


def asked(path: str = "/secret/", method: str = "GET", **headers: str) -> int:
    """Return what a server on the loopback with the token "secret" answers."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return RequestGuard("127.0.0.1", "secret").judge(method, path, OURS | named).status


def test_token_is_128_random_bits() -> None:
    """Every secret link has a token of 16 random bytes, and no two tokens are equal."""
    tokens = {new_token() for _ in range(100)}
    assert len(tokens) == 100
    assert {len(base64.urlsafe_b64decode(f"{token}==")) for token in tokens} == {16}


@pytest.mark.parametrize(
    "path", ["/", "//", "/secre/", "/secrets/", "/Secret/", "/x/secret/", "/é/"]
)
def test_every_path_without_token_is_404(path: str) -> None:
    """Without the token every path has the same answer."""
    assert asked(path) == 404


def test_token_is_first_part_of_path() -> None:
    """The token is taken off the path; without the slash behind it the path is redirected."""
    guard = RequestGuard("127.0.0.1", "secret")
    assert guard.judge("GET", "/secret/a/b", OURS) == Admission(200, "/a/b", "secret")
    assert guard.judge("GET", "/secret", OURS) == Admission(308, "/secret/")


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "arena.example", "evil.example:1", ""])
def test_public_server_has_any_name(host: str) -> None:
    """A public server answers to every host name, and every path is taken as it is."""
    headers = {"host": host, "origin": "https://arena.example"}
    for listening in ("127.0.0.1", "0.0.0.0"):
        assert RequestGuard(listening, "").judge("GET", "/a", headers) == Admission(200, "/a")
    assert RequestGuard("127.0.0.1", "").judge("POST", "/a", headers).status == 405


@pytest.mark.parametrize(
    "method", ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "get", ""]
)
def test_only_get_and_head_are_answered(method: str) -> None:
    """A method other than GET and HEAD is answered with 405."""
    assert asked(method=method) == 405
    assert asked(method="HEAD") == 200


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "127.0.0.1:1", "localhost:9000", "LOCALHOST", "[::1]:80", "127.8.9.1:8000"],
)
def test_loopback_names_are_answered(host: str) -> None:
    """On the loopback the server answers to its addresses and ``localhost``, at any port."""
    assert asked(host=host) == 200


@pytest.mark.parametrize(
    "host",
    [
        "",
        "evil.example",
        "evil.example:8000",
        "127.0.0.1.evil.example",
        "192.0.2.7",
        "0.0.0.0:8000",
        "[::",
        "localhost.evil.example",
        "evil@evil.example",
        "127.0.0.1, evil.example",
        "127.0.0.1:8123, evil.example",
        "127.0.0.1/evil.example",
        "evil.example@127.0.0.1",
        "evil.example:8123@127.0.0.1:8123",
        "127.0.0.1?evil.example",
        "127.0.0.1:evil.example",
        "127.0.0.1:80:80",
        "127.0.0.1\n",
        " 127.0.0.1",
        "[127.0.0.1]x",
    ],
)
def test_foreign_host_name_is_refused(host: str) -> None:
    """A host name that somebody else can point here is answered with 400."""
    assert asked(host=host) == 400


def test_network_server_answers_to_addresses() -> None:
    """On the network the server answers to every address and this machine's name."""
    guard = RequestGuard("0.0.0.0", "secret")
    for host in ("192.0.2.7:8000", "[2001:db8::1]", own_name(), "localhost"):
        assert guard.judge("GET", "/secret/", {"host": host}).status == 200
    for host in ("evil.example", "0.0.0.0"):
        assert guard.judge("GET", "/secret/", {"host": host}).status == 400


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://127.0.0.1:8001", "file://127.0.0.1:8000", ""]
)
def test_request_from_foreign_page_is_refused(origin: str) -> None:
    """A request with the origin of another site is 403, even with the token."""
    assert asked(origin=origin) == 403
    assert asked(origin="http://127.0.0.1:8000") == 200


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_foreign_page_can_link_but_not_load(site: str) -> None:
    """Another site may link to a page, and load nothing as a picture or script."""
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
def test_loopback_address_is_recognised(host: str, local: bool) -> None:
    """Only an address of this machine alone is a loopback."""
    assert is_loopback(host) is local
