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
    poll = select.poll()
    owners: dict[int, Guard] = {}
    for guard in guards:
        bot = guard.bot
        for descriptor, is_open in (
            (bot.stdout, bot.stdout_open),
            (bot.stderr, bot.stderr_open),
            (bot.pidfd, True),
        ):
            if is_open:
                poll.register(descriptor, select.POLLIN)
                owners[descriptor] = guard
    while staying and (left_ns := deadline - time.monotonic_ns()) > 0:
        events = poll.poll(min(left_ns, CHECK_NS) / 1e6)
        now = time.monotonic_ns()
        look(now)
        for guard in tuple(staying):
            if (excess := guard.look(now)) is not None:
                guard.bot.condemn(excess)
                staying.discard(guard)
        for descriptor, _ in events:
            guard = owners[descriptor]
            bot = guard.bot
            is_open = False
            if descriptor == bot.pidfd or bot.over_caps():
                staying.discard(guard)
            elif descriptor == bot.stdout:
                bot.read()
                is_open = bot.stdout_open
            else:
                bot.read_stderr()
                is_open = bot.stderr_open
            if not is_open:
                poll.unregister(descriptor)
    return bool(staying)
