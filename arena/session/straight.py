"""The straight path: usual decisions, one after the other, in one function; for speed.

A decision is usual if one player is asked while nobody has written anything that was not judged,
and it answers at once by one plain `play`, which counts. Everything else takes the general way of
``listen.py``, which remains what a decision is: whatever is not usual is handed over to it as it
stands, and a match sends and records the same without this file (`tests/property/match` plays
both ways).

The poll is over the output of all bots, so that none of them can write unasked and not be noticed.
"""

from __future__ import annotations

import os
import select
import time

from arena.crash import ARMED, cross
from arena.match.protocol import PLAIN_ANSWER
from arena.process.bot import CHUNK
from arena.session.judge import Judge
from arena.session.listen import QUICK_MS, Listener

__all__ = ["WRITE_GRACE_NS", "play_straight"]

QUICK_NS = QUICK_MS * 1_000_000
WRITE_GRACE_NS = 100_000_000  # the clock starts at the latest this long after the offer


def play_straight(judge: Judge, listener: Listener) -> tuple[int, ...]:
    """Play usual decisions up to one that is not.

    Returns:
        The open node of that one, whose player may have been asked already, and is settled then;
        nothing if the match is over.
    """
    referee, guards = judge.referee, judge.guards
    course = referee.course
    clock, read_plain = time.monotonic_ns, PLAIN_ANSWER.fullmatch
    usual = {guard: [(guard.bot.stdout, select.POLLIN)] for guard in guards.values()}
    poll = None
    while not course.over:
        since = clock()
        if since >= listener.look_at:
            listener.look_around({}, since)
            poll, since = None, clock()  # somebody may have been killed
        node = referee.open_node()
        player = node[0]
        guard = guards.get(player)
        if guard is None or len(node) > 1 or not (poll := poll or listener.quiet()):
            return node
        bot = guard.bot
        block = referee.ask(player)
        if ARMED:
            cross("message")
        offered = clock()
        guard.ask(offered)
        whole = bot.write(block)
        if guard.frozen:
            guard.wake()
        start = clock() if whole else offered + WRITE_GRACE_NS
        heard = None
        asked = referee.players[player]
        if whole and asked.limit_ms >= QUICK_MS:
            events = poll.poll(QUICK_MS)
            now = clock()
            if events == usual[guard] and now - since <= QUICK_NS:
                data = os.read(bot.stdout, CHUNK)
                if found := read_plain(data):
                    spent = guard.spent(now - start, now)
                    if referee.answer(player, found[1], found[2], spent):
                        guard.answered(now)
                        if ARMED:
                            cross("answer")
                        continue
                heard = events, now
                bot.lines.feed(data)
                judge.asked(player, start)
                listener.late_ns = 0
                if listener.hear(player, now):  # such as `info` and an answer in one
                    return node
            elif (
                events
                and now - since <= QUICK_NS  # a longer gap is for the general way to explain
                and not {*bot.descriptors, listener.lifeline} & {fd for fd, _ in events}
            ):
                since = now  # somebody else has written: the quick poll begins again
            else:
                heard = events, now
        judge.asked(player, start)
        patience_ms = asked.limit_ms + asked.seat.clock.margin_ms
        listener.hear_out({player: start + patience_ms * 1_000_000}, since, heard)
        return node
    return ()
