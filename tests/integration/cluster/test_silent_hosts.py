"""A host that takes matches and never answers, beside one that plays slowly; both are real."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from support.arena_command import arena, process
from support.dask_hosts import SECONDS, client, scheduler

from arena.cluster.certificates import Certificates
from arena.cluster.host import HOME
from arena.cluster.settings import PRELOAD

# what `dask worker --preload` makes a host of, whose matches never end
SILENT_HOST = """\
import time
from arena.cluster import host, signs
from arena.cluster.host import dask_setup, dask_teardown
host.Host.play = lambda *words: time.sleep(3600)
signs.STILL_SECONDS = 4.0
"""
# uses 95 % of its limit, and notes each match that it is started for
SLOW = """\
import time
for line in iter(input, "quit"):
    verb, _, rest = line.partition(" ")
    if verb == "hello": print("ready want=legal", flush=True)
    elif verb == "game": open({notes!r}, "a").write(rest + "\\n")
    elif verb == "legal": action = rest.split()[0]
    elif verb == "go": time.sleep(0.475); print("play", action, flush=True)
"""
FILE = """\
name: grove
game: connect_four
rounds: 1
seed: 11
sandbox: none
clock: {{move: 500ms, first: 5s}}
bots: [random, random-sh, {{name: slow, run: {bot}}}]
"""


@contextmanager
def host(address: str, key: Certificates, home: Path, preload: object) -> Iterator[None]:
    """Run a host process of Dask's own program meanwhile, and kill it."""
    words = [sys.executable, "-m", "dask", "worker", address, "--preload", str(preload)]
    words += ["--nthreads", "1", "--no-dashboard", "--no-nanny", "--tls-ca-file"]
    words += [str(key.certificate), "--tls-cert", str(key.certificate), "--tls-key", str(key.key)]
    with subprocess.Popen(words, env={**os.environ, HOME: str(home)}) as running:
        try:
            yield
        finally:
            running.kill()


@pytest.mark.slow
def test_a_silent_host_and_a_slow_one(tmp_path: Path) -> None:
    """The run ends and names the silent one; a bot that uses its time plays each match once."""
    notes, folder = tmp_path / "notes", tmp_path / "certificates"
    (tmp_path / "slow.py").write_text(SLOW.format(notes=str(notes)))
    (tmp_path / "silent.py").write_text(SILENT_HOST)
    file = tmp_path / "grove.yaml"
    file.write_text(FILE.format(bot="slow.py"))
    with (
        scheduler(folder) as (_, address, key),
        host(address, key, tmp_path / "one", PRELOAD),
        host(address, key, tmp_path / "two", tmp_path / "silent.py"),
        client(address, key) as there,
    ):
        there.wait_for_workers(2, timeout=SECONDS)
        where = ("--certificates", folder)
        done = arena(tmp_path / "home", "run", file, "--allow-unsafe", "--cluster", address, *where)
        assert done.returncode == 0, done.stderr
        [named] = [line for line in done.stderr.splitlines() if "did not answer" in line]
        assert "no sign of it" in named
        rows = json.loads(process(tmp_path, "cluster", "status", address, *where, "--json").stdout)
        assert "no sign of it" in rows["rows"][0]["wrong"]
    begun = Counter(notes.read_text().splitlines())
    assert (len(begun), set(begun.values())) == (4, {1})
