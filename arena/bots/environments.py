"""Folders that an organiser has named: bots may be started by a program in one, and read it whole.

A bot may also name a virtual environment among them, whose Python then starts it.

A home keeps each as a link in its folder ``environments``: the link has the name, and leads to the
folder. So a name is taken or given back in one step, whoever does something else at that moment.
"""

from __future__ import annotations

import contextlib
import glob
import hashlib
import os
import pwd
import stat
from pathlib import Path
from typing import NamedTuple

from arena.bots.bot_yaml import check_name
from arena.bots.content import names_in
from arena.machine.untrusted_files import make_private
from arena.process.cache import cache_place
from arena.sandbox.visible import SYSTEM, homes, is_another_for_each, within
from arena.values.arguments import PathLike, path_of, require
from arena.values.errors import BotError, UsageError, hint, near_miss
from arena.values.untrusted import show

SHELF = "environments"
OTHER_PACKAGES = "has other packages in its environment now; its play may differ"


class Environment(NamedTuple):
    """A folder that bots can be shown.

    Attributes:
        name: what the organiser calls it.
        folder: its absolute path, as it was given.
        problem: why no bot is shown it now; empty if bots are.
    """

    name: str
    folder: str
    problem: str = ""

    @property
    def python(self) -> str:
        """The interpreter of a virtual environment; empty if it is none."""
        python = os.path.join(self.folder, "bin", "python3")
        there = os.path.isfile(os.path.join(self.folder, "pyvenv.cfg")) and os.path.isfile(python)
        return python if there and not self.problem else ""

    @property
    def folders(self) -> tuple[str, ...]:
        """What bots are shown: its folder, also as what a link leads to."""
        return tuple(dict.fromkeys((self.folder, os.path.realpath(self.folder))))


def add_environment(home: PathLike, name: str, folder: PathLike) -> Environment:
    """Name a folder whose programs may start bots; such a bot can read the whole folder.

    Args:
        home: the arena's home, which keeps it.
        name: what it is called from now on.
        folder: the folder.

    Raises:
        BotError: it cannot be a name.
        UsageError: the name is taken, or the folder cannot be shown to bots.
    """
    home, folder = path_of(home, "home"), path_of(folder, "folder")
    require(name, str, "name", 'a text like "science"')
    check_name(name, "NAME", "an environment's name")
    place = os.path.abspath(folder)
    taken = {one.name: one.folder for one in list_environments(home)}
    if name in taken:
        raise UsageError(
            f'"{name}" names {show(taken[name])} already; expected a new name, or first: '
            f"arena environments remove {name}"
        )
    if problem := _problem(place, home):
        raise UsageError(f"{show(str(folder))} {problem}")
    make_private(home / SHELF)
    os.symlink(place, home / SHELF / name)
    return Environment(name, place)


def list_environments(home: PathLike) -> list[Environment]:
    """Return the folders that were named in a home, by their names.

    Raises:
        UsageError: others can write to the list.
    """
    home = path_of(home, "home")
    shelf = home / SHELF
    with contextlib.suppress(FileNotFoundError):
        found = shelf.lstat()
        if not stat.S_ISDIR(found.st_mode) or found.st_mode & 0o022 or not _is_ours(found):
            raise UsageError(
                f"{shelf}: expected a folder that only you can write, since it decides what bots "
                f"can read; remove it, and name its folders again by arena environments add"
            )
        return [_read(home, name) for name in sorted(os.listdir(shelf))]
    return []


def remove_environment(home: PathLike, name: str) -> Environment:
    """Take back what ``add_environment`` did: the folder is not shown any more.

    Raises:
        UsageError: there is none of that name.
    """
    home = path_of(home, "home")
    known = {one.name: one for one in list_environments(home)}
    if name not in known:
        raise UsageError(f'there is no environment "{show(name)}"{hint(name, [*known])}')
    (home / SHELF / name).unlink(missing_ok=True)
    return known[name]


def environment_of(who: str, name: str, home: Path | None) -> Environment:
    """Return the virtual environment that a bot names in its ``bot.yaml``.

    Args:
        who: the bot, for messages.
        name: what the bot calls it.
        home: the arena's home, whose environments count; ``None``: there are none.

    Raises:
        BotError: there is none of that name, or no bot can use it.
        UsageError: others can write to the list.
    """
    known = {} if home is None else {one.name: one for one in list_environments(home)}
    where = f'{who}: the environment "{show(name)}"'
    if name not in known:
        raise BotError(
            f"{where} of its bot.yaml is not named here{hint(name, [*known])}; name it by: arena "
            f"environments add {show(name)} DIR"
        )
    found = known[name]
    if found.problem:
        raise BotError(f"{where} is not shown: {show(found.folder)} {found.problem}")
    if not found.python:
        raise BotError(
            f"{where} is no virtual environment: {show(found.folder)} has no pyvenv.cfg, or no "
            "bin/python3; python3 -m venv DIR makes one"
        )
    return found


def packages_in(environment: Environment) -> str:
    """Return ``sha256:<64 hex>`` over what a virtual environment has installed; empty: it is none.

    It is taken over the sorted lines ``name==version``, each with a line feed, as the folders
    ``….dist-info`` have them: nothing in the environment is run.
    """
    if not environment.python:
        return ""
    from importlib.metadata import distributions  # takes 20 ms to import

    pattern = os.path.join(glob.escape(environment.folder), "lib*", "python3*", "site-packages")
    places = dict.fromkeys(map(os.path.realpath, glob.iglob(pattern)))
    found = {f"{one.name}=={one.version}\n" for one in distributions(path=[*places])}
    return "sha256:" + hashlib.sha256("".join(sorted(found)).encode()).hexdigest()


def folders_with(program: str, home: Path) -> tuple[str, ...]:
    """Return the named folder in which a program lies, also as what a link leads to; else nothing.

    Of several it is the smallest.

    Raises:
        UsageError: no bot is shown that folder, as things are now.
    """
    place = os.path.realpath(os.path.dirname(program))
    around = {os.path.realpath(one.folder): one for one in list_environments(home)}
    nearest = max((folder for folder in around if within(place, folder)), default="")
    if not nearest:
        return ()
    chosen = around[nearest]  # of those around it each lies within the one before
    if chosen.problem:
        raise UsageError(
            f'the environment "{chosen.name}" is not shown: {show(chosen.folder)} {chosen.problem}'
        )
    return chosen.folders


def _read(home: Path, name: str) -> Environment:
    link = home / SHELF / name
    try:
        folder = os.readlink(link)
    except OSError:
        return Environment(name, str(link), "is no link that arena environments add has made")
    if not os.path.isabs(folder) or not _is_ours(link.lstat()):
        return Environment(name, folder, "was named by another user")
    return Environment(name, folder, _problem(folder, home))


def _is_ours(found: os.stat_result) -> bool:
    return found.st_uid in (0, os.geteuid())


def _problem(folder: str, home: Path) -> str:
    """Say why bots cannot be shown a folder; ``""`` if they can."""
    if not os.path.isdir(folder):
        meant = near_miss(os.path.basename(folder), names_in(Path(folder).parent))
        return f"is not a folder{meant or '; expected that of an environment or a program'}"
    real = os.path.realpath(folder)
    if real == "/":
        return "is the whole machine; expected the folder of one environment or program"
    if is_another_for_each(folder):
        return "means another folder to each program; expected one outside of /proc and /dev"
    if any(within(real, os.path.realpath(place)) for place in SYSTEM):
        return "is the system's: bots may be started by its programs without any environment"
    people = homes() | {entry.pw_dir for entry in pwd.getpwall()}
    held = sorted(one for one in people if one != "/" and within(one, real))
    if held:
        what = "is a home folder" if real in held else f"holds the home folder {held[0]}"
        return f"{what}; expected a folder with nothing in it that bots must not read"
    for what, kept in (("home", home), ("cache", cache_place())):
        place = os.path.realpath(kept)
        if within(place, real):
            return f"holds the arena's {what} {place}; expected a folder without it"
        if within(real, place):
            return f"lies in the arena's {what} {place}; expected a folder outside of it"
    return ""
