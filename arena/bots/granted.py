"""What a bot needs beside what a person grants it: nobody else does, its ``bot.yaml`` least."""

from __future__ import annotations

from arena.bots.content import too_large
from arena.bots.program import Program
from arena.tournament.clocks import parse_limit
from arena.tournament.units import format_size, parse_memory
from arena.values.errors import BotError
from arena.values.model import USUAL, Granted
from arena.values.untrusted import show


def granted_by(
    memory: str | None = None, start: str | None = None, bot_size: str | None = None
) -> Granted:
    """Return what a person grants by texts such as ``3GiB`` and ``60s``; raises ``UsageError``."""
    return Granted(
        memory_bytes=USUAL.memory_bytes if memory is None else parse_memory(memory),
        start_ms=(start and parse_limit("start", start)) or USUAL.start_ms,
        bot_size=USUAL.bot_size if bot_size is None else parse_memory(bot_size),
    )


def check_granted(name: str, program: Program, granted: Granted) -> None:
    """Raise ``BotError`` if a bot needs more than it is granted, or is larger.

    Args:
        name: what messages call it.
        program: the bot.
        granted: what it may have.
    """
    if program.size > granted.bot_size:
        raise too_large(show(name), granted.bot_size)
    wrong = []
    if program.needs.memory_bytes > granted.memory_bytes:
        size, has = format_size(program.needs.memory_bytes), format_size(granted.memory_bytes)
        wrong.append(
            f"{size} of memory and has {has}: memory: {size} in the tournament file, or "
            f"--memory {size}, grants it"
        )
    if program.needs.start_ms > granted.start_ms:
        time, has = (f"{ms / 1000:g}s" for ms in (program.needs.start_ms, granted.start_ms))
        wrong.append(
            f"{time} to start and has {has}: clock: {{start: {time}}} in the tournament file, "
            f"--start {time} or --clock start={time} grants it"
        )
    if wrong:
        raise BotError(f'"{show(name)}" needs, as its bot.yaml says, {"; and ".join(wrong)}')
