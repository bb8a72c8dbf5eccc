"""A tournament in the browser while it runs: who is answered, what is shown, what it costs."""

from __future__ import annotations

import contextlib
import json
import re
import resource
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.arena_command import output, process, tournament
from support.bot_programs import program
from support.finished import in_child
from support.running import Running
from support.serving import Serving
from support.slowly import nightly
from support.sql import sql
from support.waiting import until

from arena.database.access import only_read
from arena.results.standings import read_leaderboard
from arena.store import open_store

pytestmark = pytest.mark.slow

SPOKEN = "words-of-the-bot"
TALKS = f"""\
print("{SPOKEN}", __file__, file=sys.stderr, flush=True)
print("info score=4711 note={SPOKEN}", flush=True)
"""
FAILS = f'print("play", actions[0] if len(actions) < 6 else "{SPOKEN}", decision, flush=True)'
SEEN = {"name": "seen", "sandbox": "none"}
LONG = {**SEEN, "rounds": 5000}


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the file of a tournament with a bot that talks, and fails."""
    folder = tmp_path_factory.mktemp("serve")
    speaker = "{name: speaker, run: speaker.py, args: [an-argument]}"
    (folder / "speaker.py").write_text(program(asked=TALKS, answer=FAILS))
    return tournament(folder, f"[random, {speaker}]", rounds=1, **SEEN)


@pytest.fixture(scope="module")
def home(file: Path) -> Path:
    """Return a home in which it was run."""
    home = file.parent / "home"
    output(home, "run", file)
    return home


@pytest.fixture(scope="module")
def serving(home: Path) -> Iterator[Serving]:
    """Return a server of that home."""
    with Serving(home) as serving:
        yield serving


def test_answers_have_safe_headers(serving: Serving) -> None:
    """Every response has the headers that forbid caches, frames, sniffing and foreign scripts."""
    for path in ("", "events-not-there"):
        answer, _ = serving.ask(path)
        headers = answer.headers
        assert headers["Cache-Control"] == "no-store"
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "no-referrer"
        assert headers["Server"] is None
        assert headers["Set-Cookie"] is None
        policy = headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
    answer, _ = serving.ask("")
    assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]


def test_unsafe_request_is_refused(serving: Serving) -> None:
    """The server refuses a request whose path, host, origin, method or version is not its own."""
    assert serving.ask("/events")[0].status == 404
    assert serving.ask(host="evil.example")[0].status == 400
    assert serving.ask("events", origin="http://evil.example")[0].status == 403
    assert serving.ask(sec_fetch_site="cross-site", sec_fetch_mode="no-cors")[0].status == 403
    answer, _ = serving.ask(method="POST")
    assert (answer.status, answer.headers["Allow"]) == (405, "GET, HEAD")
    with serving.connect() as connection:
        connection.sendall(f"GET {serving.path} HTTP/1.0\r\n\r\n".encode())
        assert b" 400 " in connection.makefile("rb").readline()


def test_matches_of_another_tournament_are_404(home: Path, tmp_path: Path) -> None:
    """A public server of one tournament serves no match of another."""
    other = tournament(tmp_path, "[random, random@1]", name="other", sandbox="none")
    copy = tmp_path / "home"
    subprocess.run(["cp", "-r", home, copy], check=True)
    output(copy, "run", other)
    with open_store(copy, create=False) as store:
        names = {edition.id: edition.label for edition in store.tournaments.all()}
        ids = {names[row.edition]: row.id for row in store.matches.read(None)}
    with Serving(copy, "seen", "--public") as serving:
        assert serving.ask(f"report/matches/{ids['seen']}.html")[0].status == 200
        assert serving.ask(f"report/matches/{ids['other']}.html")[0].status == 404


def test_public_pages_hide_output_and_arguments(serving: Serving, home: Path) -> None:
    """Public pages leave out what bots wrote, their arguments and their paths."""
    with open_store(home, create=False) as store:
        ids = [row.id for row in store.matches.read(None)]
    private = "".join(serving.text(f"report/matches/{match}.html") for match in ids)
    assert SPOKEN in private
    assert "speaker.py" in private
    assert "an-argument" in serving.text("report/bots/2-speaker.html")
    with Serving(home, "--public") as public:
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", public.address)
        pages = ["", "report/", "report/bots/2-speaker.html"]
        pages += [f"report/matches/{match}.html" for match in ids]
        shown = "".join(public.text(page) for page in pages)
    assert "4711" in shown
    assert "speaker" in shown
    for secret in (SPOKEN, "speaker.py", "an-argument", str(home), str(home.parent)):
        assert secret not in shown


def test_matches_appear_during_run(tmp_path: Path) -> None:
    """A server started before a run shows its matches as they come, and its seed nowhere."""
    long = tournament(tmp_path, **LONG)
    home = tmp_path / "home"
    open_store(home, create=True).close()
    with Serving(home, limits="LOOK_SECONDS=0.1") as serving:
        news = serving.news()
        assert next(news)["label"] == ""
        run = Running(home, "run", long, "--verbose")
        try:
            seen = next(now for now in news if len(now["rows"]) > 2)
            assert (seen["label"], seen["state"], seen["of"]) == ("seen", "running", 10_000)
            known = {row["id"] for row in seen["rows"]}
            # the server reads the rows before the count, so the two can differ for one look
            more = next(
                now
                for now in news
                if {row["id"] for row in now["rows"]} != known and now["matches"] > seen["matches"]
            )
            # of two workers' matches the one that began first may end last
            began = [max(row["started"] for row in now["rows"]) for now in (seen, more)]
            assert began == sorted(began)
            assert {row["bot"] for row in more["board"]} == {"random", "greedy"}
        finally:
            assert run.stopped() == 130
        stopped = next(now for now in news if now["state"] != "running")
        assert (stopped["state"], stopped["rate"]) == ("unfinished", None)
        front = serving.text()
        with open_store(home, create=False) as store:
            (edition,) = store.tournaments.all()
            match = next(store.matches.read(edition.id, newest=True)).id
            record = store.matches.text(match)
        page = serving.text(f"report/matches/{match}.html")
        seeds = [str(edition.seed), *re.findall(r'"seed":"(\d+)"', record)]
        assert len(seeds) == 4
        assert not [seed for seed in seeds if seed in front + page]


def test_server_writes_nothing(home: Path, tmp_path: Path) -> None:
    """In a process that only reads, SQLite refuses to write, and no table is kept."""
    copy = tmp_path / "home"
    subprocess.run(["cp", "-r", home, copy], check=True)
    sql(copy, "DELETE FROM cache")

    def work() -> object:
        only_read()
        board = read_leaderboard(copy)
        with open_store(copy, create=True) as store:
            try:
                store.tournaments.end(1)
            except Exception as error:
                return f"{len(board.rows)} {type(error).__name__}"
        return "it was written"

    assert in_child(work) == "2 StoreError"
    assert sql(copy, "SELECT count(*) FROM cache") == [(0,)]


@pytest.mark.parametrize("readers", [40, *nightly([200])])
def test_readers_that_read_nothing_take_little_memory(tmp_path: Path, readers: int) -> None:
    """Readers who read nothing, and 200 idle connections, take little memory."""
    file = tournament(tmp_path, **LONG)
    home = tmp_path / "home"
    open_store(home, create=True).close()
    limits = "LOOK_SECONDS=0.02 MOST_READERS=201 SILENT_SECONDS=100"
    with Serving(home, limits=limits) as serving, contextlib.ExitStack() as opened:
        run = Running(home, "run", file, "--workers", 1)
        news = serving.news()
        next(now for now in news if len(now["rows"]) == 50)
        serving.text(
            f"report/matches/{next(news)['rows'][0]['id']}.html"
        )  # what a page needs is there
        before = _memory(serving.process.pid)
        for _ in range(readers):
            opened.enter_context(serving.follow())
        told = 0
        while told < 1_000_000:  # for each of them
            told += len(json.dumps(next(news)))
        for _ in range(200):
            opened.enter_context(serving.connect())
        next(news)
        grown = _memory(serving.process.pid) - before
        assert run.stopped() == 130
    assert grown < readers << 18  # a quarter of what they were told


def _memory(pid: int) -> int:
    """Return how many bytes of memory a process has."""
    status = Path(f"/proc/{pid}/status").read_text()
    (kib,) = re.findall(r"VmRSS:\s+(\d+) kB", status)
    return 1024 * int(kib)


def test_reader_past_limit_gets_503(home: Path) -> None:
    """A reader who comes when all places are taken gets 503, and later 200."""
    with Serving(home, limits="MOST_CONNECTIONS=5") as serving:
        with contextlib.ExitStack() as opened:
            for _ in range(5):
                reader = opened.enter_context(serving.follow())
                assert reader.recv(10).startswith(b"HTTP/1.1 ")
            assert serving.ask()[0].status == 503
        until(lambda: serving.ask()[0].status == 200)


def test_idle_connections_block_no_reader(home: Path) -> None:
    """2,000 connections without a whole request take no reader's place."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < 2500:
        pytest.skip(f"2,500 open files are needed, and there may be {hard}")
    resource.setrlimit(resource.RLIMIT_NOFILE, (2500, hard))
    with Serving(home) as serving, contextlib.ExitStack() as opened:
        opened.callback(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        serving.text()  # what it needs is there
        for number in range(2000):
            connection = opened.enter_context(serving.connect())
            with contextlib.suppress(OSError):  # it was closed for the next ones
                connection.sendall((b"", b"GET ", b"POST / HTTP/1.1\r\nHost: a\r\n")[number % 3])
        begun = time.monotonic()
        serving.text()
        assert time.monotonic() - begun < 1


def test_oldest_idle_connection_is_closed(home: Path) -> None:
    """The oldest idle connection is closed when there are too many, or after its time."""
    with Serving(home, limits="MOST_SILENT=3") as serving, contextlib.ExitStack() as opened:
        first, late, *_ = [opened.enter_context(serving.connect()) for _ in range(3)]
        late.sendall(f"GET {serving.path} HTTP/1.1\r\n".encode())
        opened.enter_context(serving.connect())
        assert _is_closed(first)
        late.sendall(b"Host: localhost\r\n\r\n")
        assert late.recv(12) == b"HTTP/1.1 200"
    with Serving(home, "--play", limits="ASKING_SECONDS=0.2") as serving:
        head = f"POST {serving.path}new HTTP/1.1\r\nHost: localhost\r\n"
        half = "Content-Type: application/json\r\nContent-Length: 9\r\n\r\nhalf"
        for part in (head, head + half):
            with serving.connect() as connection:
                connection.sendall(part.encode())
                assert _is_closed(connection)
        serving.text()


def _is_closed(connection: socket.socket) -> bool:
    """Wait until the server closes a connection without an answer."""
    with contextlib.suppress(ConnectionResetError):
        return connection.recv(1) == b""
    return True


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_signal_ends_server_with_readers(home: Path, number: int, code: int) -> None:
    """A signal ends the server at once, though a reader still follows."""
    with Serving(home) as serving, serving.follow() as reader:
        assert reader.recv(12) == b"HTTP/1.1 200"
        assert serving.end(number) == code
        assert "Traceback" not in serving.process.stderr.read()


def test_taken_port_is_refused(home: Path) -> None:
    """A port that is taken, or none, has exit code 2 and is named."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = process(home, "serve", "--port", port)
    assert done.returncode == 2
    assert f"port {port}" in done.stderr
    for wrong in (("--host", "no such name"), ("--port", 65536), ("--port", 70000)):
        assert process(home, "serve", *wrong).returncode == 2
