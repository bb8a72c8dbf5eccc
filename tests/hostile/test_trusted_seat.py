"""An isolated bot beside one that has the organiser's own rights, and a host that is given one."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest
from support.arena_users import as_user
from support.host_terms import FIRST, MATCHES, terms
from support.needs import working

from arena.bots.program import describe
from arena.bots.travel import pack_bot
from arena.cluster.host import Host
from arena.values.origins import ASK

PROGRAM = Path(__file__).with_name("trusted_seat.py")
# what a bot without isolation gets, so that these attempts are some
OPEN = {"memory", "descriptors", "signals", "port", "socket", "abstract", "file", "program"}


@pytest.mark.slow
@pytest.mark.parametrize("user", ["user", "root"])
@pytest.mark.parametrize("level", ["none", "landlock", "bwrap"])
def test_isolated_bot_reaches_nothing_of_trusted_bot(level: str, user: str) -> None:
    """An isolated bot reaches no memory, file or socket of a trusted one."""
    working(level)
    done = as_user(user, str(PROGRAM), level)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    opened = {name for name, how in found.items() if how == "open"}
    assert opened == (OPEN if level == "none" else set())


def test_host_refuses_trusted_bot(tmp_path: Path) -> None:
    """A host of a cluster that is given a trusted bot refuses it, and starts nothing."""
    source = tmp_path / "first.py"
    source.write_text(f"open({str(tmp_path / 'seen')!r}, 'w')\n{FIRST}")
    agreed = terms(source)
    oak = agreed.jobs.entrants["oak"]
    asking = replace(oak, bot=replace(oak.bot, origin=ASK))
    jobs = replace(agreed.jobs, entrants={**agreed.jobs.entrants, "oak": asking})
    program = describe(source)
    host = Host(tmp_path / "home", "none")
    try:
        answer = host.play(replace(agreed, jobs=jobs), {program.hash: pack_bot(program)}, MATCHES)
    finally:
        host.rest(10.0)
    assert "oak" in answer.refusal
    assert answer.lasting
    assert answer.results == ()
    assert not os.path.exists(tmp_path / "seen")
