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
    referee, course = judge.referee, judge.referee.course
    clock, read, read_plain = time.monotonic_ns, os.read, PLAIN_ANSWER.fullmatch
    lone = {
        (player,): (player, referee.players[player], guard, [(guard.bot.stdout, select.POLLIN)])
        for player, guard in judge.guards.items()
    }
    now, poll = clock(), None
    while node := course.to_act:
        if now >= listener.look_at:
            listener.look_around({}, now)
            poll = None  # somebody may have been killed
        if node not in lone or (poll is None and (poll := listener.quiet()) is None):
            return referee.open_node()
        player, asked, guard, answers = lone[node]
        block = referee.ask(player)
        if ARMED:
            cross("message")
        since = clock()
        guard.ask(since)
        bot = guard.bot
        whole = bot.write(block)
        if guard.frozen:
            guard.wake()
        start = clock() if whole else since + WRITE_GRACE_NS
        heard = None
        if whole and asked.limit_ms >= QUICK_MS:
            events = poll.poll(QUICK_MS)
            now = clock()
            if events == answers and now - since <= QUICK_NS:
                try:
                    data = read(bot.stdout, CHUNK)
                except BlockingIOError:  # it has taken back what it wrote
                    data = b""
                if found := read_plain(data):
                    decided = guard.answered_at_once(now - start, now)
                    if referee.answer(player, found[1], found[2], decided):
                        if guard.pondered:
                            guard.answered(now)
                        if ARMED:
                            cross("answer")
                        continue
                    guard.take_back()
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
