"""The conformance checks notice a broken promise: each case breaks one and names the sentence."""

from __future__ import annotations

import random
from typing import Any

import pytest
from support.small_games import Auction, AuctionState, Draws, DrawsState, Pebbles, PebblesState

from engines.core.chance import shuffled
from engines.core.conformance import BrokenPromise, check_game
from engines.core.errors import IllegalAction
from engines.core.interface import UNSTATED, Event, Game, GameType
from engines.core.registry import look_again

pytestmark = pytest.mark.usefixtures("small_games")

# A wrong method gets the right one, and then what that gets. These are used below.


def in_place(right: Any, self: Any, player: int, action: str) -> Any:
    """Change the state itself, and return it."""
    child = right(self, player, action)
    for kind in type(self).__mro__:
        for name in getattr(kind, "__slots__", ()):
            setattr(self, name, getattr(child, name))
    return self


def hands(state: DrawsState) -> str:
    """Return what no player may know of a game of Draws."""
    return "/".join(map(str, state.position.hands))


def telling(right: Any, self: Any, player: int, action: str) -> Any:
    """Refuse with what the others hold."""
    if action not in self.legal_actions(player):
        raise IllegalAction(f"not with {hands(self)}")
    return right(self, player, action)


def endless(right: Any, self: Any, player: int, action: str) -> Any:
    """Put the stones back before the heap is empty."""
    child = right(self, player, action)
    if child.position.stones > 0:
        return child
    return self.moved(self.position._replace(stones=9, turn=(player + 1) % 3))


KNOWN: dict[tuple[str, int], Any] = {}


def remembering(right: Any, self: Any, seen: str, player: int, rng: random.Random) -> Any:
    """Draw a state only once."""
    return KNOWN.setdefault((seen, player), right(self, seen, player, rng))


COIN = random.Random(1)


def by_coin(right: Any, self: Any, player: int, action: str) -> Any:
    """Let a coin change what comes of an action."""
    child = right(self, player, action)
    gift = COIN.getrandbits(1)
    taken = tuple(n + gift * (p == player) for p, n in enumerate(child.position.taken))
    return child.moved(child.position._replace(taken=taken))


def shared_chance(right: Any, self: Any, seed: int) -> Any:
    """Seed the random numbers of the whole program."""
    random.seed(seed)
    return right(self, random.getrandbits(32))


def first_only(right: Any, self: Any, player: int, rng: random.Random) -> str:
    """Draw the first action always, for a player that owes one."""
    if player not in self.players_to_act():
        raise IllegalAction("nothing is owed")
    return str(self.legal_actions(player)[0])


def marking(words: str) -> Any:
    """Return a ``to_svg`` whose title is one more element to click."""

    def wrong(right: Any, self: Any, player: Any = None, choices: Any = ()) -> str:
        more = f"<title {words}" if choices else "<title"
        return str(right(self, player).replace("<title", more))

    return wrong


def with_the_last(right: Any, self: Any, view: Any) -> str:
    """Draw the whole truth where there is a last action."""
    return str(right(self, view._replace(player=None) if view.last else view))


def seen_in_hand(right: Any, self: Any, viewer: int, player: int, action: str) -> str:
    """Show a bid before its node is over, when the card is in the hand still, and not after it."""
    return action if int(action[4:]) in self.position.hands[player] else "?"


D, P, A = DrawsState, PebblesState, AuctionState
BREAKS: list[tuple[type, str, Any, str]] = [
    (P, "apply_action", in_place, "changed the state it was applied to"),
    (P, "legal_actions", lambda was, *at: [*was(*at)] or (), "is no tuple"),
    (P, "legal_actions", lambda was, *at: was(*at) * 2, "listed twice"),
    (P, "legal_actions", lambda was, *at: (*shuffled(COIN, was(*at)),), "legal actions differ"),
    (P, "count_legal", lambda *at: 3, "owes nothing but has 3 legal actions"),
    (A, "apply_action", lambda was, s, p, a: was(s, p, a.lower()), "was accepted but is not legal"),
    (D, "sample_action", lambda *at: "swap!", "expected keep or swap"),
    (
        Draws,
        "sample_state",
        lambda was, s, *seen: s.new_initial_state(s.setup(0)),
        "a drawn state looks different to 0",
    ),
    (
        D,
        "to_svg",
        lambda was, s, player=None, choices=(): was(s, None),
        "the picture shows player 0 something hidden",
    ),
    (A, "to_svg", lambda was, *at: was(*at) + "<", "not well-formed XML"),
    (A, "to_svg", marking('data-choices="1:0,9999" aria-label="bid"'), "marks clicks of no action"),
    (A, "to_svg", marking('data-choices="1:0"'), "an element to click has no label"),
    (
        P,
        "svg",
        lambda was, s, view: was(s, view).replace("</svg>", "".join(view.names) + "</svg>"),
        "not well-formed XML",
    ),
    (D, "svg", with_the_last, "the picture with the last action shows player 0 something hidden"),
    (P, "text", lambda was, s, view: was(s, view) + "".join(view.names), "unprintable"),
    (D, "text", with_the_last, "the picture with the last action shows player 0 something hidden"),
    (P, "ranks", lambda *at: (1, 1, 2), "equal ranks are shared and the next ones skipped"),
    (
        P,
        "count_sequences",
        lambda was, s, depth: was(s, depth) + (depth == 2),
        r"perft\(2\) is 9 by plain recursion, not 10",
    ),
    (P, "random_playout", lambda *at: (0.0, 0.0, 0.0), "playout"),
    (D, "events", lambda *at: (Event(None, "two  spaces"),), "an event is one line"),
    (D, "action_seen", lambda *at: "?", "sees the own action"),
    (A, "action_seen", seen_in_hand, r"player \d sees the own action bid:\d as \?"),
    (D, "text_board", lambda was, s, *at: str(s), "the text board shows player 0 something hidden"),
    (D, "text_board", lambda was, s, p: was(s, p) + "\n" * (p is not None), "without a line feed"),
    (P, "text_board", lambda *at: "stones", r"text_board\(None\) shows what str\(\) shows"),
    (A, "drop_player", lambda was, s, player: s, r"drop_player\(-1\)"),
    (P, "text", lambda was, *at: was(*at) + "\n", "ends without a line feed"),
    (A, "__hash__", lambda was, s: id(s), "two states are not equal"),
    (
        Draws,
        "setup",
        lambda *at: ",".join(map(str, random.sample(range(1, 6), 5))),
        "differs from one call to the next",
    ),
    (Pebbles, "new_initial_state", lambda was, s, at=None: was(s, at or None), "'' was accepted"),
    # what only shows if positions are compared with others
    (
        D,
        "events",
        lambda was, s: (*was(s), *[Event(None, hands(s))] * bool(s.news)),
        r"player \d is told more by the events",
    ),
    (D, "action_seen", lambda was, s, viewer, p, a: a, "action_seen tells them apart"),
    (D, "apply_action", telling, "the reason why .* shows"),
    (Draws, "sample_state", remembering, "are all the same"),
    (D, "public", lambda was, s: s.seen(None), r"a watcher sees what \d cannot know"),
    (P, "features", lambda *at: (1.0,), "features of 0 are 1"),
    (A, "features", lambda *at: (1.0, float("nan")), "no finite number"),
    (A, "features", lambda *at: (1.0, "two"), "no finite number"),
    (
        A,
        "features",
        lambda was, s, p: (len(s.players_to_act()) * 1.0, 0.0),
        "features show player . something hidden",
    ),
    (Pebbles, "action_names", lambda *at: ("take:1", "take:2"), "have no name"),
    (P, "called", lambda *at: "two\nlines", "is one line"),
    (P, "prompt", lambda *at: "", "is one line"),
    (D, "prompt", lambda was, s, *at: hands(s), "is asked shows something hidden"),
    (
        D,
        "events",
        lambda was, s: (*was(s), Event(0, f"n{random.SystemRandom().random()}")),
        "differ from call to call",
    ),
    (
        P,
        "events",
        lambda was, s: tuple(Event(1, event.text) for event in was(s)),
        "an event is private",
    ),
    (
        P,
        "action_seen",
        lambda was, s, viewer, p, a: a if viewer == p else "?",
        "information is perfect, but player",
    ),
    (P, "apply_action", by_coin, "applied twice"),
    (P, "apply_action", endless, "and goes on"),
    (P, "sample_action", first_only, "of 200 actions drawn are take:1"),
    (P, "sample_action", lambda *at: "take:1", "who owes nothing"),
    (P, "ranks", lambda was, s: s.drops.ranks(s.scores()), "go against the scores"),
    (A, "key", lambda was, s: (s.position[:3], s.drops), "states differ only if|texts are not"),
    (Pebbles, "setup", shared_chance, "the whole program shares"),
    (Pebbles, "setup", lambda *at: "9 0,0,0 0", "chance is sampled"),
]


@pytest.mark.parametrize(("where", "method", "wrong", "sentence"), BREAKS)
def test_broken_promise_is_noticed(
    where: Any, method: str, wrong: Any, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game with this one method broken does not pass, and the sentence says what is broken."""
    right = getattr(where, method)
    monkeypatch.setattr(where, method, lambda *at, **more: wrong(right, *at, **more))
    game = where.__name__.removesuffix("State").lower()
    with pytest.raises((AssertionError, IllegalAction), match=sentence) as caught:
        check_game(game)
    assert caught.value.__notes__[-1] == f"in {game}"


def test_the_true_state_is_no_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that remembers what it was asked gives the truth away; two deals that look alike."""
    seen: dict[tuple[str, int], Any] = {}
    observe, sample = DrawsState.observation, Draws.sample_state

    def remember(self: DrawsState, player: int | None) -> str:
        text = observe(self, player)
        if player is not None:
            seen[text, player] = self
        return text

    def cheat(self: Draws, observation: str, player: int, rng: random.Random) -> Any:
        return seen.get((observation, player)) or sample(self, observation, player, rng)

    monkeypatch.setattr(DrawsState, "observation", remember)
    monkeypatch.setattr(Draws, "sample_state", cheat)
    with pytest.raises(BrokenPromise, match="in two deals are the same"):
        check_game("draws")


def test_deals_of_large_seeds_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seeds of deals are below 2 to the power of 64, so a signed number is too small."""
    deal = Draws.setup

    def signed(self: Draws, seed: int) -> str:
        return deal(self, int.from_bytes(seed.to_bytes(8, "big", signed=True), "big"))

    monkeypatch.setattr(Draws, "setup", signed)
    with pytest.raises(OverflowError):
        check_game("draws")


# small games with an untrue type, and what is said of each
UNTRUE = [
    (Pebbles, UNSTATED, "does not state its type"),
    (Pebbles, GameType("Sequential", "sampled", "perfect", 9), "dynamics is 'Sequential'"),  # type: ignore[arg-type]
    (Pebbles, GameType("sequential", "sampled", "open", 9), "information is 'open'"),  # type: ignore[arg-type]
    (Pebbles, GameType("sequential", "sampled", "perfect", -1), "max_game_length is -1"),
    (Pebbles, GameType("sequential", "deterministic", "perfect", 9), "chance is deterministic"),
    (Pebbles, GameType("simultaneous", "sampled", "perfect", 9), "dynamics are simultaneous"),
    (Pebbles, GameType("sequential", "sampled", "imperfect", 9), "information is imperfect"),
    # nine stones, three at a time: no game has fewer than three actions
    (Pebbles, GameType("sequential", "sampled", "perfect", 2), "max_game_length is 2"),
    (Auction, GameType("sequential", "sampled", "imperfect", 6), "dynamics are sequential"),
    (Auction, GameType("simultaneous", "sampled", "perfect", 6), "information is perfect"),
    (Auction, GameType("simultaneous", "sampled", "imperfect", 5), "max_game_length is 5"),
    (Draws, GameType("sequential", "sampled", "perfect", 4), "information is perfect"),
    (Draws, GameType("sequential", "sampled", "imperfect", 3), "max_game_length is 3"),
]


@pytest.mark.parametrize(("game", "untrue", "sentence"), UNTRUE)
def test_untrue_type_is_noticed(
    game: type[Game], untrue: GameType, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A type that is missing, misspelt or contradicted by what is played does not pass."""
    monkeypatch.setattr(game, "type", untrue)
    monkeypatch.setattr(game, "check_parameters", lambda self: None)
    look_again()
    with pytest.raises(BrokenPromise, match=sentence):
        check_game(game.name)


def test_what_comes_late_is_not_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games that were broken off show nothing of what comes after."""
    monkeypatch.setattr(Pebbles, "check_parameters", lambda self: None)
    monkeypatch.setattr(Pebbles, "type", GameType("simultaneous", "sampled", "imperfect", 9))
    look_again()
    check_game("pebbles", plies=2)
