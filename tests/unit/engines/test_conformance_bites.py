"""The conformance checks notice a broken promise: each case breaks one and names the sentence."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from support.script_games import Sums, SumsState
from support.small_games import Auction, AuctionState, Draws, DrawsState, Pebbles, PebblesState

from engines.core.conformance import BrokenPromise, check_game
from engines.core.conformance.dropped import check_one_node
from engines.core.errors import IllegalAction
from engines.core.interface import UNSTATED, Event, Game, GameType
from engines.core.registry import look_again


class Break(NamedTuple):
    """One method replaced by a wrong one, made from the right one."""

    game: str
    where: type
    method: str
    wrong: Callable[[Any], Callable[..., Any]]
    sentence: str


def in_place(right: Callable[..., Any]) -> Callable[..., Any]:
    """Return an ``apply_action`` that changes the state itself, and returns it."""

    def wrong(self: Any, player: int, action: str) -> Any:
        child = right(self, player, action)
        for kind in type(self).__mro__:
            for name in getattr(kind, "__slots__", ()):
                setattr(self, name, getattr(child, name))
        return self

    return wrong


def hands(state: DrawsState) -> str:
    """Return what no player may know of a game of Draws."""
    return "/".join(map(str, state.position.hands))


def telling(right: Callable[..., Any]) -> Callable[..., Any]:
    """Return an ``apply_action`` whose refusals say what the others hold."""

    def wrong(self: Any, player: int, action: str) -> Any:
        if action not in self.legal_actions(player):
            raise IllegalAction(f"not with {hands(self)}")
        return right(self, player, action)

    return wrong


def endless(right: Callable[..., Any]) -> Callable[..., Any]:
    """Return an ``apply_action`` that puts the stones back before the heap is empty."""

    def wrong(self: Any, player: int, action: str) -> Any:
        child = right(self, player, action)
        if child.position.stones > 0:
            return child
        return self.moved(self.position._replace(stones=9, turn=(player + 1) % 3))

    return wrong


def remembering(right: Callable[..., Any]) -> Callable[..., Any]:
    """Return a ``sample_state`` that always gives what was first drawn."""
    known: dict[tuple[str, int], Any] = {}

    def wrong(self: Any, observation: str, player: int, rng: random.Random) -> Any:
        drawn = right(self, observation, player, rng)
        return known.setdefault((observation, player), drawn)

    return wrong


def by_coin(right: Callable[..., Any]) -> Callable[..., Any]:
    """Return an ``apply_action`` that a coin may change."""
    coin = random.Random(1)

    def wrong(self: Any, player: int, action: str) -> Any:
        child = right(self, player, action)
        gift = coin.getrandbits(1)
        taken = tuple(n + gift * (p == player) for p, n in enumerate(child.position.taken))
        return child.moved(child.position._replace(taken=taken))

    return wrong


def shared_chance(right: Callable[..., Any]) -> Callable[..., Any]:
    """Return a ``setup`` that seeds the random numbers of the whole program."""

    def wrong(self: Any, seed: int) -> Any:
        random.seed(seed)
        return right(self, random.getrandbits(32))

    return wrong


# each breaks a promise that only shows if positions are compared with others
TELLING = [
    Break(
        "draws",
        DrawsState,
        "events",
        lambda right: lambda self: (*right(self), *[Event(None, hands(self))] * bool(self.news)),
        r"player \d is told more by the events",
    ),
    Break(
        "draws",
        DrawsState,
        "action_seen",
        lambda _: lambda self, viewer, player, action: action,
        "action_seen tells them apart",
    ),
    Break("draws", DrawsState, "apply_action", telling, "the reason why .* tells"),
    Break("draws", Draws, "sample_state", remembering, "are all the same"),
    Break(
        "draws",
        DrawsState,
        "events",
        lambda right: lambda self: (*right(self), Event(0, f"n{random.SystemRandom().random()}")),
        "differ from call to call",
    ),
    Break(
        "pebbles",
        PebblesState,
        "events",
        lambda right: lambda self: tuple(Event(1, event.text) for event in right(self)),
        "an event is private",
    ),
    Break(
        "pebbles",
        PebblesState,
        "action_seen",
        lambda _: lambda self, viewer, player, action: action if viewer == player else "?",
        "information is perfect, but player",
    ),
    Break("pebbles", PebblesState, "apply_action", by_coin, "applied twice"),
    Break("pebbles", PebblesState, "apply_action", endless, "and goes on"),
    Break(
        "pebbles",
        PebblesState,
        "sample_action",
        lambda _: (
            lambda self, player, rng: (
                self.legal_actions(player)[0] if player in self.players_to_act() else require(self)
            )
        ),
        "of 200 actions drawn are take:1",
    ),
    Break(
        "pebbles",
        PebblesState,
        "sample_action",
        lambda _: lambda self, player, rng: "take:1",
        "who owes nothing",
    ),
    Break(
        "pebbles",
        PebblesState,
        "ranks",
        lambda right: lambda self: self.drops.ranks(self.scores()),
        "go against the scores",
    ),
    Break(
        "auction",
        AuctionState,
        "key",
        lambda _: lambda self: (self.position[:3], self.drops),
        "states differ only if|their texts are not",
    ),
    Break("pebbles", Pebbles, "setup", shared_chance, "the whole program shares"),
    Break("auction", Auction, "title", lambda _: "Auc\ntion", "the title is one printable line"),  # type: ignore[arg-type, return-value]
    Break("auction", Auction, "rules_version", lambda _: "a", "rules_version is a whole number"),  # type: ignore[arg-type, return-value]
]


def require(state: Any) -> str:
    """Refuse to draw, as a game does for a player that owes nothing."""
    raise IllegalAction("nothing is owed")


BREAKS = [
    Break(
        "pebbles",
        PebblesState,
        "apply_action",
        in_place,
        "changed the state it was applied to",
    ),
    Break(
        "pebbles",
        PebblesState,
        "legal_actions",
        lambda right: lambda self, player: [*right(self, player)] or (),
        "is no tuple",
    ),
    Break(
        "pebbles",
        PebblesState,
        "legal_actions",
        lambda right: lambda self, player: right(self, player) * 2,
        "listed twice",
    ),
    Break(
        "pebbles",
        PebblesState,
        "count_legal",
        lambda _: lambda self, player: 3,
        "owes nothing but has 3 legal actions",
    ),
    Break(
        "auction",
        AuctionState,
        "apply_action",
        lambda right: lambda self, player, action: right(self, player, action.lower()),
        "was accepted but is not legal",
    ),
    Break(
        "draws",
        DrawsState,
        "sample_action",
        lambda _: lambda self, player, rng: "swap!",
        "expected keep or swap",
    ),
    Break(
        "draws",
        Draws,
        "sample_state",
        lambda _: lambda self, observation, player, rng: self.new_initial_state(self.setup(0)),
        "a drawn state looks different to 0",
    ),
    Break(
        "draws",
        DrawsState,
        "to_svg",
        lambda right: lambda self, player=None, choices=(): right(self, None),
        "the picture tells 0 more",
    ),
    Break(
        "auction",
        AuctionState,
        "to_svg",
        lambda right: lambda self, player=None, choices=(): right(self, player) + "<",
        "not well-formed XML",
    ),
    Break(
        "auction",
        AuctionState,
        "to_svg",
        lambda right: (
            lambda self, player=None, choices=(): right(self, player).replace(
                "<title", '<title data-choices="1:0,9999" aria-label="bid"' if choices else "<title"
            )
        ),
        "marks clicks of no action",
    ),
    Break(
        "auction",
        AuctionState,
        "to_svg",
        lambda right: (
            lambda self, player=None, choices=(): right(self, player).replace(
                "<title", '<title data-choices="1:0"' if choices else "<title"
            )
        ),
        "an element to click has no label",
    ),
    Break(
        "pebbles",
        PebblesState,
        "draw",
        lambda right: lambda self, player=None, **_: right(self, player).replace("20", "30"),
        "draw without names draws another picture",
    ),
    Break(
        "pebbles",
        PebblesState,
        "draw",
        lambda right: (
            lambda self, player=None, *, names=(), last=None: right(self, player).replace(
                "</svg>", "".join(names) + "</svg>"
            )
        ),
        "not well-formed XML",
    ),
    Break(
        "draws",
        DrawsState,
        "draw",
        lambda right: (
            lambda self, player=None, *, names=(), last=None: right(self, None if last else player)
        ),
        "the picture with the last action tells 0 more",
    ),
    Break(
        "pebbles",
        PebblesState,
        "draw_text",
        lambda right: (
            lambda self, player=None, *, names=(), last=None, color=False: (
                right(self, player) + "".join(names)
            )
        ),
        "unprintable",
    ),
    Break(
        "draws",
        DrawsState,
        "draw_text",
        lambda right: (
            lambda self, player=None, *, names=(), last=None, color=False: right(
                self, None if last else player
            )
        ),
        "the text with the last action tells 0 more",
    ),
    Break(
        "pebbles",
        PebblesState,
        "ranks",
        lambda _: lambda self: (1, 1, 2),
        "equal ranks are shared and the next ones skipped",
    ),
    Break(
        "pebbles",
        PebblesState,
        "count_sequences",
        lambda right: lambda self, depth: right(self, depth) + (depth == 2),
        r"perft\(2\) is 9 by plain recursion, not 10",
    ),
    Break(
        "pebbles",
        PebblesState,
        "random_playout",
        lambda _: lambda self, rng: (0.0, 0.0, 0.0),
        "playout",
    ),
    Break(
        "draws",
        DrawsState,
        "events",
        lambda _: lambda self: (Event(None, "two  spaces"),),
        "an event is one line",
    ),
    Break(
        "draws",
        DrawsState,
        "action_seen",
        lambda _: lambda self, viewer, player, action: "?",
        "sees the own action",
    ),
    Break(
        "auction",
        AuctionState,
        "action_seen",
        # right before the node, when the card bid is in the hand still, and wrong after it
        lambda _: (
            lambda self, viewer, player, action: (
                action if int(action[4:]) in self.position.hands[player] else "?"
            )
        ),
        r"player \d sees the own action bid:\d as \?",
    ),
    Break(
        "draws",
        DrawsState,
        "text_board",
        lambda _: lambda self, player: str(self),
        "the text board tells 0 more",
    ),
    Break(
        "draws",
        DrawsState,
        "text_board",
        lambda right: lambda self, player: right(self, player) + "\n" * (player is not None),
        "ends without a line feed",
    ),
    Break(
        "pebbles",
        PebblesState,
        "text_board",
        lambda _: lambda self, player: "stones",
        r"text_board\(None\) shows what str\(\) shows",
    ),
    Break(
        "auction",
        AuctionState,
        "drop_player",
        lambda _: lambda self, player: self,
        r"drop_player\(-1\)",
    ),
    Break(
        "pebbles",
        PebblesState,
        "text",
        lambda right: lambda self, view: right(self, view) + "\n",
        "ends without a line feed",
    ),
    Break(
        "auction",
        AuctionState,
        "__hash__",
        lambda _: lambda self: id(self),
        "two states are not equal",
    ),
    Break(
        "draws",
        Draws,
        "setup",
        lambda _: lambda self, seed: ",".join(map(str, random.sample(range(1, 6), 5))),
        "differs from one call to the next",
    ),
    Break(
        "pebbles",
        Pebbles,
        "new_initial_state",
        lambda right: lambda self, setup=None: right(self, setup or None),
        "'' was accepted as a setup",
    ),
]


@pytest.mark.usefixtures("small_games")
@pytest.mark.parametrize(
    "case", [*BREAKS, *TELLING], ids=lambda case: f"{case.where.__name__}.{case.method}"
)
def test_broken_promise_is_noticed(case: Break, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game with this one method broken does not pass, and the sentence says what is broken."""
    monkeypatch.setattr(case.where, case.method, case.wrong(getattr(case.where, case.method)))
    with pytest.raises((AssertionError, IllegalAction), match=case.sentence) as caught:
        check_game(case.game)
    assert caught.value.__notes__[-1] == f"in {case.game}"


@pytest.mark.usefixtures("small_games")
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


@pytest.mark.usefixtures("small_games")
def test_deals_of_large_seeds_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seeds of deals are below 2 to the power of 64, so a signed number is too small."""
    deal = Draws.setup

    def signed(self: Draws, seed: int) -> str:
        return deal(self, int.from_bytes(seed.to_bytes(8, "big", signed=True), "big"))

    monkeypatch.setattr(Draws, "setup", signed)
    with pytest.raises(OverflowError):
        check_game("draws")


def test_players_dropped_at_one_node_share_the_place() -> None:
    """Three who decide at once: the second one dropped did not stay longer than the first."""

    class Apart(SumsState):
        """The same game, but no drop knows of another one at its node."""

        __slots__ = ()

        def drop_player(self, player: int) -> Any:
            child = super().drop_player(player)
            return Apart(child.game, child.position._replace(last_fall=0), child.drops, child.news)

    state = Sums({"players": "3", "at": "once"}).new_initial_state()
    check_one_node(state, random.Random(1))
    apart = Apart(state.game, state.position, state.drops)
    with pytest.raises(BrokenPromise, match="were dropped at one node"):
        check_one_node(apart, random.Random(1))


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


@pytest.mark.usefixtures("small_games")
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


@pytest.mark.usefixtures("small_games")
def test_setups_that_never_differ_are_not_sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that deals the same for every seed has to say so."""
    monkeypatch.setattr(Pebbles, "setup", lambda self, seed: "9 0,0,0 0")
    with pytest.raises(BrokenPromise, match="chance is sampled"):
        check_game("pebbles")


@pytest.mark.usefixtures("small_games")
def test_what_comes_late_is_not_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games that were broken off show nothing of what comes after."""
    monkeypatch.setattr(Pebbles, "check_parameters", lambda self: None)
    monkeypatch.setattr(Pebbles, "type", GameType("simultaneous", "sampled", "imperfect", 9))
    look_again()
    check_game("pebbles", plies=2)


@pytest.mark.usefixtures("small_games")
def test_an_action_is_seen_only_after_its_node(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game need not know what is seen of an action before all at its node have acted."""

    def seen(state: AuctionState, viewer: int, player: int, action: str) -> str:
        assert int(action[4:]) not in state.position.hands[player], "asked before the node was over"
        return action

    monkeypatch.setattr(AuctionState, "action_seen", seen)
    check_game("auction", seeds=range(3))
