"""From a file or folder to a bot's program: how it starts, how it is built, what it hashes to.

A folder with a ``bot.yaml`` is a bot; without one, its only ``bot.*`` or ``main.*`` file is, or
else its only file; a file by itself is one too. Nothing is run or written here.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from arena.bots.bot_yaml import FILE_NAME, MAX_BYTES, BotManifest, parse_manifest
from arena.bots.content import File, hash_files, list_files, names_in, one_file, read_file
from arena.bots.executable import OTHER_LANGUAGE, check_executable, check_source, no_program
from arena.process.languages import find_language, language_of
from arena.process.languages.interface import Language, filled
from arena.values.errors import BotError, near_miss
from arena.values.model import DEFAULT_BOT_SIZE, NO_NEEDS, Needs
from arena.values.untrusted import show

ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz")

_MAIN = ("bot", "main")
MAX_NAMED = 10  # files that a message lists


@dataclass(frozen=True, slots=True)
class Program:
    """A bot as it lies on disk, not yet built.

    ``start`` and ``build`` may hold ``{tool}`` for the language's program on this machine, so that
    ``hash`` (over ``start`` and the files) is the same on every machine. ``folder`` is absolute;
    ``files`` are the bot's own, which may be one of many in it. ``environment`` names the virtual
    environment whose Python starts it; empty: none. ``version`` and ``origin`` are as in ``Bot``.
    """

    name: str
    folder: Path
    files: tuple[File, ...]
    start: tuple[str, ...]
    build: tuple[str, ...]
    language: str
    games: tuple[str, ...]
    hash: str
    needs: Needs = NO_NEEDS
    environment: str = ""
    version: int = 0
    origin: str = "file"

    @property
    def size(self) -> int:
        """How many bytes its files have."""
        return sum(file.size for file in self.files)


def is_archive(path: Path) -> bool:
    """Return whether a path has the name of an archive."""
    return path.name.lower().endswith(ARCHIVES)


def describe(
    path: Path, *, here: bool = True, asks: bool = False, most: int | None = DEFAULT_BOT_SIZE
) -> Program:
    """Return the bot that a file or folder is.

    Args:
        path: the file or folder.
        here: whether a file that starts by itself must be able to do so on this machine.
        asks: whether a source that is executable and begins with ``#!`` starts by itself.
        most: bytes of all its files together; ``None``: any number.

    Raises:
        BotError: there is no such path, or it is no bot; the message says what to do.
    """
    place = _resolve(path)
    if place.is_dir():
        files = list_files(place, most)
        if any(file.name == FILE_NAME for file in files):
            data = read_file(place, FILE_NAME, MAX_BYTES + 1)
            manifest = parse_manifest(data, str(path / FILE_NAME))
        else:
            if any(file.name == "bot.yml" for file in files):
                raise BotError(f"{path / 'bot.yml'}: rename it to {FILE_NAME}")
            manifest = BotManifest(name=place.name)
    elif place.is_file():
        if is_archive(place):
            raise BotError(
                f"{path}: an archive; unpack it and name its folder, or give it to arena submit"
            )
        files = (one_file(place.parent, place.name, most),)
        manifest = BotManifest(name=place.stem)
        place = place.parent
    else:
        raise BotError(f"{path}: neither a file nor a folder")
    manifest = _complete(place, files, manifest, here=here, asks=asks)
    if manifest.environment and manifest.language != "python":
        raise BotError(
            f"{path}: an environment is for bots in Python, whose bot.yaml says language: python"
        )
    digest = hash_files(place, files, manifest.start)
    return Program(folder=place, files=files, hash=digest, **asdict(manifest))


def _resolve(path: Path) -> Path:
    """Return the absolute path; a link named by itself may lead elsewhere in its own folder."""
    if path.name in ("", ".."):
        return Path(os.path.realpath(path))
    parent = Path(os.path.realpath(path.parent))
    place = parent / path.name
    if not os.path.lexists(place):
        hint = near_miss(path.name, names_in(parent))
        raise BotError(f"{_short(path)}: there is no such file or folder{hint}")
    if place.is_symlink():
        target = Path(os.path.realpath(place))
        if parent not in target.parents or not target.exists():
            shown = show(str(target))
            raise BotError(
                f"{path}: a link out of its folder, to {shown}; name the file itself instead"
            )
        return target
    return place


def _short(path: Path) -> Path:
    """Return a path as one types it here, if that is shorter."""
    here = os.path.relpath(path)
    return Path(here) if len(here) < len(str(path)) else path


def _complete(
    folder: Path, files: tuple[File, ...], manifest: BotManifest, *, here: bool, asks: bool
) -> BotManifest:
    """Return a manifest with the language, the start line and the build line that it leaves out."""
    if manifest.start:
        return manifest
    try:
        language = find_language(manifest.language) if manifest.language else None
    except BotError as error:
        raise BotError(f"{folder / FILE_NAME}: {error}") from None
    source = _main_file(folder, files, language)
    language = language or language_of(source.name)
    if asks and source.executable and read_file(folder, source.name, 2) == b"#!":
        language = None
    if language is None:
        if here:
            check_executable(folder, source)
        return replace(manifest, language="", start=(f"./{source.name}",))
    check_source(folder, source, language)
    start = filled(language.run, source.name)
    build = manifest.build or filled(language.build or (), source.name)
    return replace(manifest, language=language.name, start=start, build=build)


def _there(files: Sequence[File], known: Sequence[File]) -> str:
    """Say which files there are, and what to do about those in a known language."""
    inner = sorted({file.name.partition("/")[0] for file in files if "/" in file.name})
    found = inner or [file.name for file in files]
    names = ", ".join(show(name, 60) for name in found[:MAX_NAMED])
    names += f" and {len(found) - MAX_NAMED} more" if len(found) > MAX_NAMED else ""
    if inner:
        return f"there are only the folders {names}: hand in the one with the bot"
    if not files:
        return "there is no file in it"
    odd = [(file.name, said) for file in files if (said := no_program(file.name))]
    hint = f"; {show(odd[0][0], 60)} is {odd[0][1]}" if odd else ""
    if known:
        to = f"to {_MAIN[0]}{Path(known[0].name).suffix}"
        hint = f"; rename {show(known[0].name, 60)} {to} if it is the bot"
        if len(known) > 1:
            hint = f"; rename the one that starts the bot {to}, or, if each is a bot of its own, "
            hint += "name the files and not their folder"
    other = "" if len(known) > 1 or odd else f"; {OTHER_LANGUAGE}"
    return f"there is {names}{hint}{other}"


def _main_file(folder: Path, files: Sequence[File], language: Language | None) -> File:
    """Return the file that a folder's bot starts from."""
    top = [file for file in files if "/" not in file.name and file.name != FILE_NAME]
    if len(top) == len(files) == 1:
        return top[0]
    known = [
        file
        for file in top
        if (found := language_of(file.name)) is not None and language in (None, found)
    ]
    if language is not None and len(known) == 1:
        return known[0]
    # a compiled "bot" left beside its "bot.c" is no second bot
    mains = [file for file in known if Path(file.name).stem.lower() in _MAIN] or [
        file for file in top if language is None and file.name in _MAIN
    ]
    if len(mains) == 1:
        return mains[0]
    if mains:
        names = " and ".join(file.name for file in mains)
        which = f"say which in a {FILE_NAME} (arena help bots), or hand in one"
        raise BotError(f"{folder}: both {names} could be the bot; {which}")
    raise BotError(
        f"{folder}: no {FILE_NAME}, and no file called bot.* or main.* in a known language; "
        + _there(top or files, known)
        if language is None
        else f"{folder}: no file called bot.* or main.* in the language {language.name}"
    )
