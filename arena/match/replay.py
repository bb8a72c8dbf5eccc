"""A record held against the rules: its actions played again through the engine, without any bot."""

from __future__ import annotations

import itertools

from arena.match.course import Course
from arena.match.feed import Feed, public_setup, tell, tell_deal
from arena.match.forfeit import forfeit_differences
from arena.match.opening import deal_from
from arena.model import Fault, Record, Termination
from engines import EngineError, State, load_game

__all__ = ["first_difference", "replay_states", "rules_difference", "verify"]


def verify(record: Record) -> list[str]:
    """Return what is wrong with a record, one sentence each; nothing if it is all right.

    Checked are: every action is legal where it stands; the game ended as recorded, with the same
    scores and ranks; and what each player was sent is what it was allowed to know. Of a match that
    was never played: that nothing but the forfeit is in it.
    """
    try:
        return _Replay(record).differences()
    except EngineError as error:
        return [f"the rules do not accept it: {error}"]
    except (LookupError, ValueError) as error:  # players that are not there, or dropped twice
        return [f"it contradicts itself: {error}"]


def replay_states(record: Record) -> list[State]:
    """Return the states from the setup on: one more than opening actions and actions together.

    Raises:
        EngineError: an action is not legal where it stands.
    """
    game = load_game(record.game)
    states = [*deal_from(game, record.seed, record.setup, record.opening).states]
    for player, action in record.actions:
        state = states[-1]
        states.append(
            state.drop_player(player) if action is None else state.apply_action(player, action)
        )
    return states


def first_difference(old: Record, new: Record) -> str | None:
    """Compare two plays of one match, action by action; ``None`` if they are the same."""
    for index, (was, now) in enumerate(zip(old.actions, new.actions, strict=False)):
        if was != now:
            answers = f"was {_answer(old, index)}, now {_answer(new, index)}"
            return f"decision {index + 1} differs: {answers}{_time_explains(old, new, index)}"
    if len(old.actions) != len(new.actions):
        shorter = min(len(old.actions), len(new.actions))
        return (
            f"decision {shorter + 1} differs: there were {len(old.actions)} decisions, "
            f"now there are {len(new.actions)}"
        )
    then, again = _end(old), _end(new)
    changed = [what for what in then if then[what] != again[what]]
    if changed:
        before = ", ".join(f"{what} {then[what]}" for what in changed)
        after = ", ".join(f"{what} {again[what]}" for what in changed)
        return f"the end differs: was {before}; now {after}"
    return None


def rules_difference(record: Record) -> str | None:
    """Say that a record was played under other rules than those that are here, if it was.

    Raises:
        EngineError: there is no such game.
    """
    version = load_game(record.game).rules_version
    if record.rules_version == version:
        return None
    return (
        f"it was played under version {record.rules_version} of the rules, "
        f"this is version {version}"
    )


class _Replay:
    def __init__(self, record: Record) -> None:
        self.record = record
        self.game = load_game(record.game)
        self.wrong: list[str] = []
        self.codes = {fault.player: fault.code for fault in record.faults}
        self.rest = list(record.actions)
        self.started_not = {f.player for f in record.faults if self._never_ready(f)}

    def differences(self) -> list[str]:
        record = self.record
        other = rules_difference(record)
        if other is not None:
            return [other]
        if len(record.decisions) != len(record.actions):
            self.wrong.append("decisions and actions differ in number")
        if len(record.players) != self.game.num_players:
            return [f"{record.game} has {self.game.num_players} players"]
        if record.unplayed:
            return self.wrong + forfeit_differences(record, self.game)
        course = self._play()
        self._compare_end(course)
        return self.wrong

    def _play(self) -> Course:
        record = self.record
        deal = deal_from(self.game, record.seed, record.setup, record.opening)
        setup = public_setup(record.setup, deal.states[0], self.game.num_players)
        self.feeds = {
            player: Feed(player, seat.want, setup, seat.seed, record.draw)
            for player, seat in enumerate(record.players)
            if player not in self.started_not
        }
        tell_deal([*self.feeds.values()], record.opening, deal.states, record.draw)
        course = Course(self.game, deal)
        course.never_began = self.started_not
        while self.rest and self.rest[0][1] is None and self.rest[0][0] in self.started_not:
            self._drop(course, self.rest.pop(0)[0])
        asked = [0] * self.game.num_players
        while self.rest and not course.state.is_terminal():
            self._node(course, asked)
        if self.rest:
            self.wrong.append(f"{len(self.rest)} actions stand after the end of the game")
        self._compare_sent(course)
        for player in sorted(self.codes):
            if player not in course.dropped:
                self.wrong.append(f"player {player} has a fault but was not dropped")
        return course

    def _never_ready(self, fault: Fault) -> bool:
        """Return whether a player was dropped before the game began.

        Mostly for ``startup``; or it was killed before it was ready, for the memory or the
        processes it had. Who is killed for memory after that was asked something. A flood of lines
        before the first question is that of a player who was ready: it told what it wants, or it
        is dropped where it is asked.
        """
        if fault.decision > 0:
            return False
        if fault.code is Termination.FLOOD:
            first = itertools.takewhile(lambda action: action[1] is None, self.record.actions)
            told = self.record.players[fault.player].want
            return (fault.player, None) in first and not told
        return fault.code in (Termination.STARTUP, Termination.MEMORY)

    def _node(self, course: Course, asked: list[int]) -> None:
        """Play one node: everyone who owes is asked, then actions and drops in player order."""
        node = course.state.players_to_act()
        for player in node:
            asked[player] += 1
            falls = (player, None) in self.rest[: len(node)]
            if falls:  # it may have been dropped for what it wrote before it was asked
                self.feeds[player].before_last = self.feeds[player].sent()
            self.feeds[player].ask(course.state, asked[player])
        done: list[tuple[int, str | None]] = []
        states: list[State] = []
        for player in node:
            if not self.rest or self.rest[0][0] != player:
                if course.state.is_terminal():
                    continue  # a drop ended the game before this player's answer counted
                found = f"player {self.rest[0][0]}'s" if self.rest else "nothing"
                self.wrong.append(f"player {player}'s action is missing: {found} stands there")
                self.rest.clear()
                break
            _, action = self.rest.pop(0)
            if action is None:
                self._drop(course, player)
            else:
                course.act(player, action, course.state.apply_action(player, action))
            done.append((player, action))
            states.append(course.state)
        if states:
            tell([f for p, f in self.feeds.items() if p not in course.dropped], done, states)

    def _drop(self, course: Course, player: int) -> None:
        course.drop(player, self.codes.get(player, Termination.RESIGN))

    def _compare_sent(self, course: Course) -> None:
        for player, seat in enumerate(self.record.players):
            feed = self.feeds.get(player) or Feed(player, (), None, seat.seed)
            if player in course.dropped:
                allowed = seat.sent in (feed.sent(), feed.before_last)
            else:
                feed.held_back()
                allowed = seat.sent == feed.sent()
            if not allowed:
                self.wrong.append(
                    f"player {player} ({seat.bot}) was not sent what it was allowed to know"
                )

    def _compare_end(self, course: Course) -> None:
        record = self.record
        if record.by is Termination.MAXMOVES:
            if course.state.is_terminal():
                self.wrong.append("the rules ended the game, not the number of decisions")
            course.by = record.by  # a record does not say how many decisions were allowed
        else:
            course.look_for_end()
            if not course.over:
                self.wrong.append("the game is not over after the last action")
            elif record.by is not course.by:
                self.wrong.append(f"it ended by {course.by}, not by {record.by}")
        ranks = course.ranks()
        if record.ranks != ranks:
            self.wrong.append(f"the ranks are {ranks}, not {record.ranks}")
        expected = course.state.scores() if record.by is Termination.RULES else None
        if record.scores != expected:
            self.wrong.append(f"the scores are {expected}, not {record.scores}")


def _end(record: Record) -> dict[str, object]:
    return {"ranks": record.ranks, "scores": record.scores, "by": record.by}


def _answer(record: Record, index: int) -> str:
    player, action = record.actions[index]
    bot = record.players[player].bot
    if action is not None:
        return f"{bot} {action}"
    codes = [fault.code for fault in record.faults if fault.player == player]
    return f"{bot} dropped by {codes[0] if codes else Termination.RESIGN}"


def _time_explains(old: Record, new: Record, index: int) -> str:
    for record in (old, new):
        player, action = record.actions[index]
        out_of_time = action is None and any(
            f.player == player and f.code is Termination.TIME for f in record.faults
        )
        if out_of_time or record.decisions[index].forced or record.decisions[index].late:
            return "; time explains it"
    return "; time does not explain it"
