"""The straight path: usual decisions, one after the other, in one function; for speed.

A decision is usual if one player is asked while nobody has written anything that was not judged,
and it answers at once by one plain `play`, which counts. Everything else takes the general way of
``loop.py``, which remains what a decision is: whatever is not usual is handed over to it as it
stands, and a match sends and records the same without this file (`tests/property/match` plays
both ways).

The poll is over the output of all bots, so that none of them can write unasked and not be noticed.
"""

from __future__ import annotations

import os
import select
import time

from arena.machine.crash import cross
from arena.machine.heartbeat import ENGINE, LISTENING, WORKING
from arena.match.charging import decided_at_once
from arena.match.protocol import PLAIN_ANSWER
from arena.process.bot import CHUNK, LONG_NS
from arena.session.loop import QUICK_MS, Loop

QUICK_NS = QUICK_MS * 1_000_000


def play_straight(loop: Loop) -> tuple[int, ...]:
    """Play usual decisions up to one that is not.

    Returns:
        The open node of that one, whose player may have been asked already, and is settled then;
        nothing if the match is over.
    """
    referee, course = loop.referee, loop.referee.course
    clock, read, read_plain = time.monotonic_ns, os.read, PLAIN_ANSWER.fullmatch
    heartbeat = loop.heartbeat
    lone = {
        (seat.player.number,): (seat, [(seat.bot.stdout, select.POLLIN)]) for seat in loop.here()
    }
    now, poll = clock(), None
    while node := course.to_act:
        if now >= loop.next_check_ns:
            loop.check_all(now)
            poll = None  # somebody may have been killed
        if node not in lone or (poll is None and (poll := loop.quiet()) is None):
            return referee.open_node()
        seat, answers = lone[node]
        player, watch = node[0], seat.stopwatch
        heartbeat.decisions = len(course.decisions)
        heartbeat.doing = ENGINE
        block = referee.ask(player)
        heartbeat.doing = WORKING
        cross("message")
        whole = seat.ask(block)
        since, heard = watch.asked_at, None
        if whole and seat.player.limit_ms >= QUICK_MS:
            heartbeat.doing = LISTENING
            polled = max(watch.start, since)
            events = poll.poll(QUICK_MS)
            now = clock()
            in_time, bot = now - since <= QUICK_NS, seat.bot
            if events == answers and in_time:
                heartbeat.since_ns, heartbeat.doing = now, bot.mark
                try:
                    data = read(bot.stdout, CHUNK)
                except BlockingIOError:  # it has taken back what it wrote
                    data = b""
                read_at = clock()
                heartbeat.doing = ENGINE  # of the answer
                if read_at - now > LONG_NS:
                    bot.held(now, read_at)
                elif found := read_plain(data):
                    watch.cpu_ns = cpu_ns = bot.meter.cpu_ns(now)
                    decided = decided_at_once(now - watch.start, cpu_ns - watch.asked_cpu_ns)
                    if referee.answer(player, found[1].decode("ascii"), found[2], decided):
                        seat.answered(now)
                        cross("answer")
                        continue
                heard = events, polled, now
                bot.lines.feed(data)
                loop.listening.begin(now)
                seat.wait()
                if bot.excess is None and loop.hear(seat, now):  # such as `info` and an answer
                    return node
            elif in_time and _woken_by_others(events, {*bot.descriptors, loop.runner_fd}):
                since = now  # the quick poll begins again
            else:  # a longer gap is for the general way to explain
                heard = events, polled, now
        seat.wait()
        loop.wait_for_answers([seat], since, heard)
        return node
    return ()


def _woken_by_others(events: list[tuple[int, int]], own: set[int]) -> bool:
    """Return whether a bot has written, and it was neither the bot that is asked nor the end."""
    return bool(events) and own.isdisjoint({descriptor for descriptor, _ in events})
