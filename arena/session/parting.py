"""How processes leave: they are read and watched until they have ended, or their time is over."""

from __future__ import annotations

import select
import time
from collections.abc import Callable, Sequence

from arena.match.protocol import QUIT
from arena.process.bot import CHECK_NS
from arena.session.guard import Guard


def dismiss(
    guards: Sequence[Guard], grace_ms: int, look: Callable[[int], None] = lambda now: None
) -> None:
    """Have bots leave: ``quit``, the end of their input, a while to go, then kill them.

    ``look`` is as for ``wait_for_ends``.
    """
    for guard in guards:
        if guard.bot.write(QUIT):
            guard.bot.close_stdin()
    wait_for_ends(guards, grace_ms, look)
    for guard in guards:
        guard.bot.kill()


def wait_for_ends(
    guards: Sequence[Guard], within_ms: float, look: Callable[[int], None] = lambda now: None
) -> bool:
    """Read what processes write until all have ended, for at most so long.

    One that writes more than anyone may is waited for no longer. One that uses more than it may is
    killed, and knows why.

    Args:
        guards: of those that leave.
        within_ms: how long they may take.
        look: looks at other bots, which nothing else watches meanwhile; it gets the time in ns, and
            is called at least every ``CHECK_NS``.

    Returns:
        Whether one of them is still waited for.
    """
    deadline = time.monotonic_ns() + int(within_ms * 1e6)
    staying = set(guards)
    while staying and (left_ns := deadline - time.monotonic_ns()) > 0:
        poll = select.poll()
        for bot in [guard.bot for guard in staying]:
            poll.register(bot.pidfd, select.POLLIN)
            if bot.stdout_open:
                poll.register(bot.stdout, select.POLLIN)
            if bot.stderr_open:
                poll.register(bot.stderr, select.POLLIN)
        ready = {descriptor for descriptor, _ in poll.poll(min(left_ns, CHECK_NS) / 1e6)}
        now = time.monotonic_ns()
        look(now)
        for guard in tuple(staying):
            bot = guard.bot
            if bot.stdout in ready:
                bot.read()
            if bot.stderr in ready:
                bot.read_stderr()
            if (excess := guard.look(now)) is not None:
                bot.condemn(excess)
            if bot.pidfd in ready or bot.over_caps() or excess is not None:
                staying.discard(guard)
    return bool(staying)
