"""A small attack suite: a bot of ours tries, at each level, to get at a victim of ours."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from arena.doctor.finding import Finding, State
from arena.doctor.programs.attacker import ATTACKS
from arena.owner import name_part
from arena.sandbox import Level, Task
from arena.session.trial import run_trial

__all__ = ["attack_finding", "attack_level"]

PROGRAMS = Path(__file__).parent / "programs"
NICEST = 19
SECONDS = 15.0  # for all attacks at one level


def attack_level(level: Level) -> Mapping[str, bool] | None:
    """Have a bot try everything at a level; returns which attacks came through.

    ``None``: the bot did not come to its end, so that nothing is known.

    Raises:
        OSError: this machine has no process or descriptor left.
        LaunchError: the bot cannot be started.
    """
    with tempfile.TemporaryDirectory(prefix=f"arena-attack-{name_part()}-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        bot = folder / "bot"
        bot.mkdir()
        shutil.copy(PROGRAMS / "attacker.py", bot)
        secret = secrets.token_hex(16)
        file = folder / "secret"
        file.write_text(f"{secret}\n", encoding="ascii")
        drop = Path(f"{name}.drop")
        with victim(secret) as (process, told):
            nice = os.getpriority(os.PRIO_PROCESS, process.pid)
            plan = {
                **told,
                "file": str(file),
                "drop": str(drop),
                "size": len(secret),
                "nice": min(nice + 1, NICEST),
            }
            argv = (sys.executable, "-u", "./attacker.py", json.dumps(plan))
            trial = run_trial(level.launch(Task(argv, str(bot))), SECONDS)
            slowed = os.getpriority(os.PRIO_PROCESS, process.pid) != nice
            noticed, _ = process.communicate()
        lines = trial.out.splitlines()
        if "end" not in lines:
            return None
        got = {line.partition(" ")[0]: secret in line for line in lines} | {
            "change_file": file.read_text(encoding="ascii") != f"{secret}\n",
            "leave_file": drop.exists(),
            "send_signal": "signal" in noticed,
            "slow_down": slowed,
            "reach_hypervisor": "reach_hypervisor opened" in lines,
        }
        drop.unlink(missing_ok=True)
        return {attack.__name__: got.get(attack.__name__, False) for attack in ATTACKS}


@contextmanager
def victim(secret: str) -> Iterator[tuple[subprocess.Popen[str], dict[str, object]]]:
    """Run a victim with a secret in its environment, its memory and its argument.

    Gives its process, and where it says that the secret is.

    Raises:
        OSError: it does not start.
    """
    process = subprocess.Popen(
        [sys.executable, str(PROGRAMS / "victim.py"), secret],
        env={**os.environ, "ARENA_SECRET": secret},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            if not line:
                raise OSError("the victim of the attacks does not start")
            yield process, json.loads(line)
        finally:
            process.kill()


def attack_finding(level: Level, through: Mapping[str, bool] | None) -> Finding:
    """Return what the attacks at a level come to.

    Args:
        level: the level.
        through: which of the attacks came through, ``None`` if that is not known.
    """
    topic = f"attacks at {level.name}"
    if through is None:
        state = State.RED if level.isolates else State.YELLOW
        remedy = "run arena doctor again; if it stays so, use another level"
        return Finding(topic, state, "the bot that tries them did not come to its end", remedy)
    names = [name for name, came_through in through.items() if came_through]
    data = {"level": level.name, "tried": len(through), "through": names}
    what = f"{len(names)} of {len(through)} came through"
    if names and level.isolates:
        what += f": {', '.join(names).replace('_', ' ')}"
        remedy = "use another level for untrusted bots, and report this"
        return Finding(topic, State.RED, what, remedy, data)
    trust = ": for bots you trust" if names else ""
    return Finding(topic, State.GREEN, what + trust, data=data)
