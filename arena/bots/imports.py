"""What bots must be shown to import a plug-in game, and a trial that this is enough.

A bot's interpreter sees the standard library and nothing else of this machine. A plug-in may lie
anywhere: beside the arena, in a source tree (``pip install -e``), in a folder of ``PYTHONPATH``
(``--target``). What it consists of is found by importing it in a fresh interpreter.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from arena.bots.reach import check_unseen
from arena.isolation.trial import run_trial
from arena.machine.run_folder import own_folder
from arena.process.bot import LaunchError
from arena.process.cache import cache_folder
from arena.sandbox import Task, find_level
from arena.sandbox.visible import plain_path
from arena.values.errors import UsageError
from arena.values.model import Bot, Entrant, Import
from engines.core.registry import distribution_of

SECONDS = 60.0  # that a plug-in may take to be imported
LIMITED = ("bwrap", "landlock")  # the levels at which a bot does not see everything

# prints what is not part of the standard library: [name on a path, where it is], …
_LOOK = """
import json, os, sys, sysconfig
given, games = json.loads(sys.argv[1])
sys.path[:] = given
out = os.dup(1)
os.dup2(2, 1)
import engines
from importlib.metadata import distribution, entry_points, packages_distributions
home = map(os.path.realpath, map(sysconfig.get_path, ("stdlib", "platstdlib")))
home = tuple(os.path.join(place, "") for place in home)
before = set(sys.modules)
for game in games:
    engines.load_game(game).new_initial_state()
found = {}
def find(name, place):
    place = os.path.realpath(place)
    parts = place.split(os.sep)
    own = "site-packages" in parts or "dist-packages" in parts
    if os.path.exists(place) and (own or not place.startswith(home)):
        found[name] = place
for name in sorted(set(sys.modules) - before):
    parts = name.split(".")
    if parts[0] == "engines":
        continue
    for last in range(1, len(parts) + 1):  # the outermost package that is one folder
        module = sys.modules.get(".".join(parts[:last]))
        file = getattr(module, "__file__", None)
        if file:
            is_folder = hasattr(module, "__path__")
            ending = "" if is_folder else os.path.basename(file)[len(parts[last - 1]):]
            find("/".join(parts[:last]) + ending, os.path.dirname(file) if is_folder else file)
            break
owners = packages_distributions()
tops = {name.split("/")[0].partition(".")[0] for name in found}
for owner in {owner for top in tops for owner in owners.get(top, ())}:
    for file in distribution(owner).files or ():  # libraries and metadata lie beside a package
        if file.parts[0].endswith((".libs", ".dist-info")):
            find(file.parts[0], distribution(owner).locate_file(file.parts[0]))
for point in entry_points(group="engines.games"):
    place = getattr(point.dist, "_path", None)  # there is no public name for it
    if place is not None and point.name in {game.partition("(")[0] for game in games}:
        find(os.path.basename(place), place)
os.write(out, json.dumps(sorted(found.items())).encode())
"""

_TRIAL = """
import sys, engines
for game in sys.argv[1:]:
    engines.load_game(game).new_initial_state()
print("imported")
"""


def with_imports(
    entrants: Iterable[Entrant], games: Sequence[str], level: str, home: Path
) -> tuple[Entrant, ...]:
    """Return the entrants able to import these games at a level; errors as for ``imports_for``."""
    entrants = tuple(entrants)
    imports = imports_for(games, [entrant.bot for entrant in entrants], level, home)
    if not imports:
        return entrants
    return tuple(replace(one, bot=replace(one.bot, imports=imports)) for one in entrants)


def imports_for(
    games: Iterable[str], bots: Iterable[Bot], level: str, home: Path
) -> tuple[Import, ...]:
    """Return what bots must be shown so that they can import those of these games that plug in.

    Args:
        games: texts of games that load here.
        bots: who is to play them. If one of them runs on arena's own interpreter, the import is
            tried exactly where it runs.
        level: the isolation level.
        home: the arena's home, which bots are not shown.

    Raises:
        UsageError: bots could not import a game at this level, or would be shown the home or the
            cache with it; the message says what to do.
    """
    plugged = tuple(game for game in games if distribution_of(_name(game)))
    if not plugged:
        return ()
    imports = _look(plugged)
    if level in LIMITED:
        check_unseen("bots", [path for _, path in imports], home, cache_folder())
    if any(bot.start[0] == plain_path(sys.executable) for bot in bots):
        _try(plugged, imports, level)
    return imports


def _look(games: tuple[str, ...]) -> tuple[Import, ...]:
    """Find what is imported along with some games, in an interpreter that has imported nothing."""
    words = json.dumps([sys.path, games])
    try:
        done = subprocess.run(
            [sys.executable, "-c", _LOOK, words],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=SECONDS,
            check=True,
        )
    except subprocess.TimeoutExpired:
        raise _refusal(games, f"it takes longer than {SECONDS:g} s", "") from None
    except subprocess.CalledProcessError as error:
        raise _refusal(games, _last_line(error.stderr.decode("utf-8", "replace")), "") from None
    return tuple(Import(name, path) for name, path in json.loads(done.stdout))


def _try(games: tuple[str, ...], imports: tuple[Import, ...], level: str) -> None:
    """Import the games exactly where bots run."""
    with tempfile.TemporaryDirectory(prefix="probe-", dir=own_folder()) as folder:
        os.chmod(folder, 0o755)  # root's bots run under users of their own
        task = Task((sys.executable, "-c", _TRIAL, *games), folder, imports=imports)
        try:
            trial = run_trial(find_level(level).launch(task), SECONDS)
        except LaunchError as error:
            raise _refusal(games, str(error), level) from None
    if trial.code != 0 or "imported" not in trial.out:
        slow = f"it takes longer than {SECONDS:g} s"
        raise _refusal(games, slow if trial.code is None else _last_line(trial.err), level)


def _refusal(games: tuple[str, ...], reason: str, level: str) -> UsageError:
    names = {_name(game): distribution_of(_name(game)) for game in games}
    named = " and ".join(f'"{name}" of {brought}' for name, brought in names.items())
    where = f' at the isolation level "{level}"' if level else ""
    weaker = "; or use a level that hides no files: --sandbox limits" if level in LIMITED else ""
    return UsageError(
        f"bots cannot import the game {named}{where}: {reason}\n"
        "install it, and what it imports, into the environment of arena, as a copy: "
        f"{sys.executable} -m pip install FOLDER (without -e){weaker}"
    )


def _last_line(text: str) -> str:
    return (text.strip().splitlines() or ["it ends without a word"])[-1]


def _name(game: str) -> str:
    return game.partition("(")[0].strip()
