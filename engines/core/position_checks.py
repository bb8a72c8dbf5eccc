"""What every position of a game must keep, whatever the game: shape, actions, drops, pictures."""

from __future__ import annotations

import itertools
import math
import random
from xml.etree import ElementTree

from engines.core.bad_texts import bad_texts, is_token
from engines.core.chance import shuffled
from engines.core.claims import (
    LISTED,
    MAX_ACTION,
    SHOWN,
    BrokenPromise,
    claim,
    ends,
    equal,
    line,
    listed,
    noted,
    one_line,
    raises,
    short,
    token,
)
from engines.core.errors import IllegalAction
from engines.core.interface import Event, State

__all__ = ["check_same", "check_shape", "check_state"]

MAX_REASON = 1000  # characters of the reason why an action is illegal

_TRIED = 24  # legal actions applied at a node
_COUNTED = 300  # actions applied to count sequences the plain way
_NAMES = ("<script>\"'&]]>", "\x1b[2J\u202e\n")  # of bots, at worst


def check_state(state: State, rng: random.Random) -> None:
    """Check what one position promises, without playouts; see ``check_game``."""
    with noted(f"at {state.observation(None)}"):
        check_shape(state)
        _check_legal(state, rng)
        _check_order(state, rng)
        _check_illegal(state, rng)
        _check_counts(state)
        _check_samples(state, rng)
        _check_drops(state, rng)
        _check_pictures(state)


def check_shape(state: State) -> None:
    """Check whatever is cheap enough for every node of a game."""
    game, players = state.game, state.players_to_act()
    seats = range(game.num_players)
    ascending = isinstance(players, tuple) and [*players] == sorted({*players})
    in_order = ascending and {*players} <= {*seats}
    sentence = f"players_to_act() is not in order: {players}"
    claim(in_order, sentence, f"a tuple of players of {[*seats]}, ascending", players)
    equal(state.is_terminal(), players == (), "a state is terminal only if nobody is to act")
    if game.type.dynamics == "sequential":
        sentence = f"dynamics are sequential, but players {players} are to act at once"
        claim(len(players) < 2, sentence, "one player to act", players)
    truth = state.observation(None)
    for viewer in (None, *seats):
        seen = state.observation(viewer)
        line(seen, "an observation")
        if game.type.information == "perfect":
            equal(seen, truth, f"information is perfect, but {viewer} does not see everything")
    for event in state.events():
        claim(isinstance(event, Event), "an event is an Event", "an Event", event)
        known = event.player in (None, *seats)
        claim(known, "an event is for nobody", f"None or one of {[*seats]}", event)
        line(event.text, "an event")
    again = game.new_initial_state(state.observation(None))
    check_same(state, again, "a state and its observation(None) as a setup")
    equal(again.events(), (), f"a state made from a position has no events: {again.events()}")
    _check_results(state)


def _check_results(state: State) -> None:
    scores, ranks, returns = state.scores(), state.ranks(), state.returns()
    n = state.game.num_players
    lengths = [len(scores), len(ranks), len(returns)]
    equal(lengths, [n, n, n], "scores, ranks, returns: one a player")
    finite = all(map(math.isfinite, scores))
    claim(finite, f"scores are finite numbers, not {scores}", "finite numbers", scores)
    places = tuple(1 + sum(other < rank for other in ranks) for rank in ranks)
    equal(ranks, places, f"equal ranks are shared and the next ones skipped, unlike {ranks}")
    means = [rank + (ranks.count(rank) - 1) / 2 for rank in ranks]
    expected = [(n + 1 - 2 * mean) / (n - 1) if n > 1 else 0.0 for mean in means]
    equal([*returns], expected, f"ranks {ranks} give returns {expected}, not {returns}")


def check_same(one: State, two: State, what: str) -> None:
    equal(two == one, True, f"{what}: two states are not equal")
    equal(hash(two), hash(one), f"{what}: two states are not equal, by their hashes")
    equal(two.observation(None), one.observation(None), f"{what}: two observations")
    equal(two.players_to_act(), one.players_to_act(), f"{what}: others are to act")
    for player in one.players_to_act():
        counts = one.count_legal(player), two.count_legal(player)
        equal(counts[1], counts[0], f"{what}: {counts[0]} or {counts[1]} legal actions")
        if counts[0] <= LISTED:
            lists = one.legal_actions(player), two.legal_actions(player)
            equal(lists[1], lists[0], f"{what}: the legal actions differ")
    equal(two.scores(), one.scores(), f"{what}: the scores differ")
    equal(two.ranks(), one.ranks(), f"{what}: the ranks differ")


def _check_legal(state: State, rng: random.Random) -> None:
    """Check that what is said to be legal is accepted, and changes nothing but by a new state."""
    before, code = state.observation(None), hash(state)
    for player in range(state.game.num_players):
        count = state.count_legal(player)
        if player not in state.players_to_act():
            equal(count, 0, f"player {player} owes nothing but has {count} legal actions")
            equal(state.legal_actions(player), (), f"player {player} owes nothing")
            continue
        claim(count > 0, f"player {player} is to act without a legal action", "1 or more", count)
        actions = listed(state, player)
        if actions is not None:
            kind = type(actions).__name__
            claim(kind == "tuple", f"legal_actions({player}) is no tuple", "a tuple", f"a {kind}")
            equal(len(actions), count, f"{len(actions)} actions listed but {count} counted")
            equal(len({*actions}), count, "a legal action is listed twice")
            equal(state.legal_actions(player), actions, "two lists of legal actions differ")
        drawn = [state.sample_action(player, rng) for _ in range(8)]
        strange = [] if actions is None else sorted({*drawn} - {*actions})
        equal(strange, [], f"one of {drawn} is not legal")
        published = state.timeout_action(player)
        drawn += [] if published is None else [published]
        for action in {*drawn, *shuffled(rng, actions or ())[:_TRIED]}:
            token(action, "an action")
            sentence = f"an action is too long: {short(action)}"
            claim(len(action) <= MAX_ACTION, sentence, f"{MAX_ACTION} or fewer", len(action))
            child = state.apply_action(player, action)
            equal(child.game, state.game, "an action leads to a state of another game")
            sentence = f"{action} changed the state it was applied to"
            equal((state.observation(None), hash(state)), (before, code), sentence)
            _check_seen(_node_finished(state, child, player, rng), player, action)


def _node_finished(state: State, child: State, player: int, rng: random.Random) -> State:
    """Return the state after a whole node, of which ``player`` has acted already."""
    for other in state.players_to_act():
        if other != player:
            child = child.apply_action(other, child.sample_action(other, rng))
    return child


def _check_seen(after: State, player: int, action: str) -> None:
    """Check what is seen of an action, asked of the state after its node."""
    for viewer in range(after.game.num_players):
        seen = after.action_seen(viewer, player, action)
        token(seen, "an action as it is seen")
    own = after.action_seen(player, player, action)
    equal(own, action, f"player {player} sees the own action {action} as {own}")


def _check_order(state: State, rng: random.Random) -> None:
    """Check at a simultaneous node that players act unseen and in any order."""
    players = state.players_to_act()
    for one, two in itertools.permutations(players, 2):
        first, second = state.sample_action(one, rng), state.sample_action(two, rng)
        child = state.apply_action(one, first)
        others = tuple(player for player in players if player != one)
        equal(child.players_to_act(), others, f"after {one} alone has acted {others} still owe")
        looks = child.observation(two), state.observation(two)
        equal(*looks, f"player {two} sees that {one} has acted")
        crossed = state.apply_action(two, second).apply_action(one, first)
        equal(child.apply_action(two, second), crossed, "the order at one node matters")


def _check_illegal(state: State, rng: random.Random) -> None:
    """Check that whatever is not legal raises ``IllegalAction``, and nothing else."""
    before, code = state.observation(None), hash(state)
    seats = range(state.game.num_players)
    begin = state.game.new_initial_state()
    good = [
        node.sample_action(player, rng)
        for node in (begin, state)
        for player in node.players_to_act()
    ]
    for player in (*seats, -1, len(seats), 99):
        owed = player in state.players_to_act()
        legal = (listed(state, player) if owed else None) or ()
        for text in {*good, *bad_texts(good)} - {*legal}:
            if owed and not legal and is_token(text) and len(text) <= MAX_ACTION:
                continue  # unlisted, so perhaps legal
            try:
                state.apply_action(player, text)
            except IllegalAction as error:
                reason = str(error)
                fair = reason.isascii() and reason.isprintable() and 0 < len(reason) <= MAX_REASON
                sentence = f"the reason is no short line of ASCII: {short(reason)}"
                claim(fair, sentence, f"1 to {MAX_REASON} printable characters", reason)
            else:
                sentence = f"{short(text)} of player {player} was accepted but is not legal"
                raise BrokenPromise(sentence, "IllegalAction", "a state")
        equal((state.observation(None), hash(state)), (before, code), "the state has changed")


def _check_counts(state: State) -> None:
    """Check ``count_sequences`` against plain recursion, as deep as that is cheap."""
    equal(state.count_sequences(0), 1, "there is one sequence of length 0")
    for depth in (1, 2, 3):
        counted = _sequences(state, depth, [_COUNTED])
        if counted is None:
            return
        fast = state.count_sequences(depth)
        equal(fast, counted, f"perft({depth}) is {counted} by plain recursion, not {fast}")


def _sequences(state: State, depth: int, budget: list[int]) -> int | None:
    """Count by applying every legal action; ``None`` once the budget of states is used up."""
    if depth == 0:
        return 1
    if not state.players_to_act():
        return 0
    player = state.players_to_act()[0]
    actions = listed(state, player)
    budget[0] -= 1 if actions is None or depth == 1 else len(actions)
    if actions is None or budget[0] < 0:
        return None
    if depth == 1:
        return len(actions)
    total = 0
    for action in actions:
        below_it = _sequences(state.apply_action(player, action), depth - 1, budget)
        if below_it is None:
            return None
        total += below_it
    return total


def _check_samples(state: State, rng: random.Random) -> None:
    """Check that an observation is enough: states drawn from it look and play the same."""
    for player in range(state.game.num_players):
        seen = state.observation(player)
        drawn = state.game.sample_state(seen, player, rng)
        equal(drawn.observation(player), seen, f"a drawn state looks different to {player}")
        check_shape(drawn)
        pictures = drawn.to_svg(player), state.to_svg(player)
        equal(*pictures, f"the picture tells {player} more")
        boards = drawn.text_board(player), state.text_board(player)
        equal(*boards, f"the text board tells {player} more")
        if state.game.type.information == "imperfect":  # else how it came there is no secret
            last = _any_action(state)
            pictures = drawn.draw(player, last=last), state.draw(player, last=last)
            equal(*pictures, f"the picture with the last action tells {player} more")
            texts = drawn.draw_text(player, last=last), state.draw_text(player, last=last)
            equal(*texts, f"the text with the last action tells {player} more")
        owed = player in state.players_to_act()
        equal(player in drawn.players_to_act(), owed, f"{player} owes an action in one only")
        if owed:
            counts = drawn.count_legal(player), state.count_legal(player)
            equal(*counts, "other legal actions")
            lists = listed(drawn, player), listed(state, player)
            equal(*lists, f"{player} cannot know the legal actions")


def _check_drops(state: State, rng: random.Random) -> None:
    """Check what becomes of a game whose players leave it one after another."""
    n, before = state.game.num_players, state.observation(None)
    for player in (-1, n):
        refused = raises(ValueError, state.drop_player, player)
        claim(refused, f"drop_player({player}): there is no such player", "ValueError", "a state")
    if " drop=" in before:
        return  # the rest is for games in which nobody is missing yet
    for player in range(n):
        after, gone = state.drop_player(player), [player]
        equal(state.observation(None), before, "drop_player changed the state")
        equal(after != state, True, "a state is the same after a drop")
        _check_dropped(after, gone)
        equal(after.ranks()[player], n, f"the first one dropped ranks last: {after.ranks()}")
        ends(after.observation(None), f" drop={player}", "the drop is not shown last")
        if n > 2:
            after = _played_on(after, gone, rng)
        for other in shuffled(rng, (seat for seat in range(n) if seat != player)):
            after = after.drop_player(other)
            gone.append(other)
            _check_dropped(after, gone)
        equal(after.ranks()[gone[-1]], 1, "with nobody left the last ones share the best place")
        if n > 1 and not state.is_terminal():
            last = [after.ranks()[seat] for seat in gone[-2:]]
            equal(last, [1, 1], f"who is left last shares the place of the one before: {last}")


def _check_dropped(state: State, gone: list[int]) -> None:
    check_shape(state)
    n, ranks = state.game.num_players, state.ranks()
    for player in gone:
        equal(player in state.players_to_act(), False, f"{player} was dropped and still owes")
        refused = raises(ValueError, state.drop_player, player)
        claim(refused, f"{player} was dropped twice", "ValueError", "a state")
        above = all(ranks[p] < ranks[player] for p in range(n) if p not in gone)
        sentence = f"a dropped player ranks below all others: {ranks}"
        claim(above, sentence, f"player {player} below all who stayed", ranks)
    if len(gone) >= n - 1:
        equal(state.is_terminal(), True, "the game goes on with one player left")
    for viewer in range(n):
        mark = " " + state.observation(None).split(" ")[-1]
        sentence = "the last field of an observation says who was dropped"
        claim(mark.startswith(" drop="), sentence, " drop=...", mark)
        ends(state.observation(viewer), mark, f"{viewer} cannot see who was dropped")


def _played_on(state: State, gone: list[int], rng: random.Random) -> State:
    """Play a few random actions without the dropped player."""
    for _ in range(2 * state.game.num_players):
        players = state.players_to_act()
        if not players:
            break
        state = state.apply_action(players[0], state.sample_action(players[0], rng))
        _check_dropped(state, gone)
    return state


def _check_pictures(state: State) -> None:
    equal(state.text_board(None), str(state), "text_board(None) shows what str() shows")
    equal(state._repr_svg_(), state.to_svg(), "notebooks show another picture")
    for viewer in (None, *range(state.game.num_players)):
        text = state.text_board(viewer)
        ended = text != "" and text == text.rstrip("\n")
        sentence = "the text board ends without a line feed"
        claim(ended, sentence, "a text that ends in no line feed", text[-SHOWN:])
        _check_printable(text)
        equal(state.text_board(viewer), text, "two text boards of one state differ")
        svg = state.to_svg(viewer)
        equal(state.to_svg(viewer), svg, "two pictures of one state differ")
        _check_svg(svg)
        equal(state.draw(viewer), svg, "draw without names draws another picture than to_svg")
        plain = state.draw_text(viewer)
        equal(plain, text, "draw_text without names draws another board than text_board")
        for last in (None, (0, "?"), _any_action(state)):
            _check_svg(state.draw(viewer, names=_NAMES, last=last))
            _check_printable(state.draw_text(viewer, names=_NAMES, last=last))


def _any_action(state: State) -> tuple[int, str]:
    """Return an action of the position, which a picture may be asked to mark as the last one."""
    for player in state.players_to_act():
        if actions := listed(state, player):
            return player, actions[-1]
    return 0, "]]>"


def _check_printable(text: str) -> None:
    odd = [c for c in text if c != "\n" and not c.isprintable()]
    equal(odd, [], "the text board has unprintable characters")


def _check_svg(svg: str) -> None:
    """Check that a picture is one element that draws and does nothing else."""
    try:
        root = ElementTree.fromstring(svg)
    except ElementTree.ParseError as error:
        raise BrokenPromise(
            f"the picture is not well-formed XML: {error}",
            "well-formed XML",
            one_line(svg[-SHOWN:]),
        ) from None
    equal(root.tag, "{http://www.w3.org/2000/svg}svg", f"the picture is a {root.tag}")
    claim("viewBox" in root.attrib, "the picture has no viewBox", "viewBox", [*root.attrib])
    for element in root.iter():
        script = element.tag.endswith("script")
        claim(not script, "the picture contains a script", "no script", element.tag)
        for key, value in element.attrib.items():
            outside = key.endswith("href") and not value.startswith("#")
            sentence = f"the picture refers to {value}"
            claim(not outside, sentence, "references within the picture", value)
