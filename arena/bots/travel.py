"""A bot as one archive of bytes, for another machine: what arrives is the bot of that hash.

The archive is a plain tar of the bot's own files in their order, with nothing of the machine in it:
the same bot is the same bytes everywhere. It is not compressed: whatever sends or keeps it can
compress it.
"""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

from arena.bots.content import chunks, is_hash
from arena.bots.program import Program
from arena.bots.snapshots import described_as, keep, kept_folder
from arena.bots.unpack import unpack
from arena.machine.run_folder import scratch_folder
from arena.machine.untrusted_files import make_private
from arena.values.errors import BotError
from arena.values.model import DEFAULT_BOT_SIZE
from arena.values.untrusted import show


def pack_bot(program: Program, most: int | None = DEFAULT_BOT_SIZE) -> bytes:
    """Return the archive of a bot's own files, whatever else lies in its folder.

    Args:
        program: the bot.
        most: bytes of its files; ``None``: any number.

    Raises:
        BotError: a file cannot be read any more, or there is too much.
    """
    if most is not None and program.size > most:
        raise BotError(f"{program.name}: more than {most >> 20} MiB cannot be carried elsewhere")
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for file in program.files:
            content = b"".join(chunks(program.folder, file.name, file.size))
            entry = tarfile.TarInfo(file.name)  # without an owner and a time
            entry.size, entry.mode = len(content), 0o755 if file.executable else 0o644
            archive.addfile(entry, io.BytesIO(content))
    return out.getvalue()


def unpack_bot(archive: bytes, digest: str, home: Path, most: int = DEFAULT_BOT_SIZE) -> Program:
    """Keep the bot of an archive in a home; return it.

    Nothing of it is built or run, and it need not be able to start on this machine.

    Args:
        archive: what ``pack_bot`` gave, or anything else.
        digest: the hash that the bot must have, ``sha256:<64 hex>``.
        home: the arena's home.
        most: bytes of all its files together.

    Raises:
        BotError: something in the archive is not as it must be, or it holds another bot; nothing of
            it is left.
    """
    if not is_hash(digest):
        raise BotError(f'expected a hash like sha256:<64 hex>, found "{show(digest, 80)}"')
    shelf = kept_folder(home, digest).parent
    make_private(shelf)
    with scratch_folder(shelf) as scratch:
        folder = (scratch / "bot").resolve()
        folder.mkdir()
        label = f"bot-{digest[7:19]}.tar"
        unpack(io.BytesIO(archive), label, folder, most)
        try:
            program = described_as(digest, folder, most)
        except BotError as error:
            raise type(error)(str(error).replace(str(folder), label)) from None
        if program.hash != digest:
            raise BotError(f"{label}: it holds another bot, {program.hash}; expected {digest}")
        return keep(program, home)
