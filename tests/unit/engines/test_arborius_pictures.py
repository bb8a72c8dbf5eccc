"""Arborius for people: the text board of section 8 and the picture."""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest
from support.arborius_setups import EXAMPLES, setup
from support.board_lines import (
    SVG,
    Chooser,
    distinct_bytes,
    drawn,
    marks,
    random_action,
    size,
    spots,
    texts,
)
from support.engine_play import play

import engines
from engines import State

GREEDY = Path(engines.__file__).parent.parent / "bots/greedy_python"
GAME = engines.load_game("arborius")
DECKS = ("starter", "plain", "tiny", "fight", "chains", "nest")
LISTS = 730  # left of the lists of tiles, right of all boards of a small root
VERBS = (
    *("freeze", "rotate", "descend", "ascend", "reorder", "unplay"),
    *("play", "enter", "exit", "attack", "defend"),
)


def start(line: str) -> State:
    return engines.load_game("arborius").new_initial_state(line)


def test_text_shows_boards_inside_boards() -> None:
    """Insides stand indented below their container; what is not active is marked."""
    line = setup(
        "-1,2:w0N|0,1:b0S+w1E*",
        "oak,elm,ivy[enter;exit]",
        "oak,fir,ash",
        w0="0,0:b1W",
        w1="10,0:w2N",
        dead="b2",
    )
    assert str(start(line)).splitlines() == [
        "turn 0: w to act",
        "[root]",
        "   -1   0",
        "2  w0^  .",
        "1  .    b0v/w1>*",
        "    [w0 oak]",
        "       0",
        "    0  b1<",
        "    [w1 elm] disabled",
        "       10",
        "    0  w2^",
        "w deck: -",
        "b deck: -",
        "dead: b2 ash",
    ]


def test_text_says_what_is_under_way() -> None:
    """Abilities, offers, gifts, defence and the end each have their words."""
    chained = play(start(EXAMPLES["B"]), "use:w0:w0", "unplay:w0", "descend:w1:1")
    assert str(chained).splitlines()[:3] == [
        "turn 0: w to act",
        "w0 performs w0 sorceress[unplay;descend.adj2], next icon 1, done to w1",
        "w1 may chain w1",
    ]
    owing = play(start(EXAMPLES["C"]), "attack:w0:b0")
    assert str(owing).splitlines()[0] == "turn 0: b gives 1 more out of b0 to w0"
    assert str(play(owing, "give:b0:0,0")).splitlines()[0] == "turn 0: b may defend"
    over = play(start(setup("0,0:w0E|1,0:b0W")), "move:w0:1")
    assert str(over).splitlines()[0] == "after 1 turn: w wins"
    assert str(over.drop_player(0)).splitlines()[0] == "after 1 turn: b wins"
    capped = engines.load_game("arborius(max_turns=1)").new_initial_state()
    assert str(play(capped, "move:w0:1")).splitlines()[0] == "after 1 turn: a draw"


def test_text_lists_the_decks_with_abilities() -> None:
    """A deck is what one can play, so abilities are shown."""
    text = str(engines.load_game("arborius(deck=tiny)").new_initial_state())
    tail = (
        "1 soldier[ascend;rotate], {0}2 horse[descend;rotate.adj1], {0}3 mask[rotate.stack;attack]"
    )
    assert f"w deck: w{tail.format('w')}" in text
    assert f"b deck: b{tail.format('b')}" in text


def test_text_names_the_players_and_the_last_action() -> None:
    """Names, how many tiles are where, and the action; colours add nothing to the characters."""
    state = play(start(setup("0,0:w0E|1,0:b0W", "oak,elm", "oak", dead="w1")), "move:w0:1")
    plain = state.draw_text(names=("ash", "<b>"), last=(0, "move:w0:1"))
    assert plain.splitlines()[:4] == [
        "after 1 turn: ash wins",
        "ash (player 0): w: 1 in play, 0 in the deck, 1 dead",
        "<b> (player 1): b: 1 in play, 0 in the deck, 0 dead",
        "last action: w move:w0:1",
    ]
    assert plain.splitlines()[4:] == str(state).splitlines()[1:]
    coloured = state.draw_text(names=("ash", "<b>"), last=(0, "move:w0:1"), color=True)
    assert re.sub("\x1b\\[[0-9;]*m", "", coloured) == plain
    assert "\x1b[7mw0>\x1b[0m" in coloured


def test_text_describes_tiles_in_play() -> None:
    """With names there are abilities, and what w0 and b0 of example C are worth by its page."""
    lines = start(EXAMPLES["C"]).draw_text(names=("oak", "elm")).splitlines()
    assert [line for line in lines if " in play: " in line and "player" not in line] == [
        "w in play: w0 circle, attack 1, killed by 1",
        "w in play: w2 penitent[reorder;freeze;attack.adj2], attack 1, killed by 1",
        "w in play: w3 vine[enter;exit]",
        "b in play: b0 brute[defend;freeze.front], attack 2, killed by 2",
    ]


# Pictures.


def test_the_picture_is_one_plain_svg_element() -> None:
    """It is well-formed, named, the same for all, and refers to nothing outside itself."""
    svg = start(EXAMPLES["C"]).to_svg()
    root = ElementTree.fromstring(svg)
    assert root.tag == f"{SVG}svg"
    assert root.findtext(f"{SVG}title") == "Arborius: turn 0: player 0 to act"
    assert "http" not in svg.replace("http://www.w3.org/2000/svg", "")
    assert svg == start(EXAMPLES["C"]).to_svg(1)


def test_a_tile_is_on_its_board_and_in_its_list() -> None:
    """A tile in play is drawn once, and the list says where each one is."""
    line = setup("0,0:w0N+b0S|1,0:w1E", "oak,elm,ivy", "fir,ash,yew", w1="0,0:b1N", dead="b2")
    written = spots(start(line).to_svg())
    for tile, on_boards in {"w0": 1, "w1": 1, "w2": 0, "b0": 1, "b1": 1, "b2": 0}.items():
        assert len([x for x, _ in written[tile] if x < LISTS]) == on_boards, tile
    where = {
        tile: next(
            text
            for text in ("in root", "in w1", "deck", "dead")
            if any(y == at for _, y in written.get(text, ()))
        )
        for tile in ("w0", "w1", "w2", "b0", "b1", "b2")
        for x, at in written[tile]
        if x > LISTS
    }
    assert where == {
        "w0": "in root",
        "w1": "in root",
        "w2": "deck",
        "b0": "in root",
        "b1": "in w1",
        "b2": "dead",
    }


def test_what_is_out_of_reach_is_small_and_last() -> None:
    """The board in a covered tile comes after those that can be reached; its tiles are strips."""
    line = setup("0,0:w0N+b0S|1,0:w1E", "oak,elm,yew", "fir,ash", w0="0,0:b1N", w1="0,0:w2N")
    svg = start(line).to_svg()
    shown = texts(svg)
    assert shown.index("root") < shown.index("w1 elm") < shown.index("w0 oak, out of reach")
    assert shown.count("yew") == 2  # on the tile, and in the list
    assert shown.count("ash") == 1


def test_tiles_show_what_they_are_worth_in_a_fight() -> None:
    """In example C, w0 has attack 1 against 1 stack to give, and b0 2 against 2, as its page says.

    A tile that holds nothing has no numbers.
    """
    svg = start(EXAMPLES["C"]).to_svg()
    assert numbers(svg, "w0") == ["1", "1"]
    assert numbers(svg, "b0") == ["2", "2"]
    assert numbers(svg, "w3") == []
    tall = start(setup("0,0:w0N|0,1:b0N", "a,a,a,a", w0="0,0:w1N+w2N+w3N")).to_svg()
    assert numbers(tall, "w0") == ["3", "1"]  # the height of the highest stack; one stack


def test_abilities_are_signs_with_a_key() -> None:
    """The key has a sign for each verb; a tile has those of its ability, in order."""
    svg = GAME.new_initial_state().to_svg()
    key = {verb: signs(group(svg, verb)) for verb in VERBS}
    assert all(len(found) == 1 for found in key.values())
    assert len({found[0] for found in key.values()}) == len(VERBS)
    penitent = group(svg, "penitent")
    assert signs(penitent) == key["reorder"] + key["freeze"] + key["attack"]
    assert (penitent.findall(f"{SVG}text")[-1].text) == "2"  # attack.adj2
    assert "2: two neighbours, and so on" in texts(svg)
    vine = start(setup("0,0:w0N", "vine[enter;exit]"))
    on_board, _ = [g for g in ElementTree.fromstring(vine.to_svg()).iter() if has(g, "w0")]
    assert signs(on_board) == key["enter"] + key["exit"]


def test_a_long_ability_is_written_out() -> None:
    """Signs that do not fit end in dots; the list has the whole ability in words."""
    ability = "rotate.stack.front;freeze.stack.adj2;reorder.stack.front;ascend.stack"
    shown = texts(start(setup("0,0:w0N", f"ivy[{ability}]")).to_svg())
    assert ability in shown
    assert "…" in shown


def test_facings_and_ice_are_shown() -> None:
    """Each facing has its own tip; ice has a frame and a flake."""
    tips = set()
    for facing in "NESW":
        svg = start(setup(f"0,0:w0{facing}")).to_svg()
        tips |= {line for line in svg.split("\n") if line.startswith('<path class="edge0"')}
    assert len(tips) == 4
    assert "ice-line" not in svg.split("</style>")[1]
    frozen = start(setup("0,0:w0E*+b0N*|1,0:w1N", "a,a")).to_svg().split("</style>")[1]
    assert frozen.count("ice-line") == 3  # frame and flake on top, a flake on what is covered


@pytest.mark.parametrize(
    ("line", "actions", "marked"),
    [
        ("A", ["unplay:w0"], {"w0"}),
        ("C", ["attack:w0:b0"], {"w0", "b0"}),
        ("C", ["attack:w0:b0", "give:b0:0,0"], {"b0"}),
        ("C", ["use:w2:w2"], {"w2"}),
        ("C", ["use:w2:w2", "reorder:w2:1:1"], {"w2"}),
        ("B", ["use:w0:w0", "unplay:w0", "descend:w1:1"], {"w1"}),
        ("C", ["attack:w0:b0", "give:b0:0,0", "pass"], set()),  # names nothing: the player
    ],
)
def test_the_last_action_is_marked(line: str, actions: list[str], marked: set[str]) -> None:
    """The tiles that an action was about are framed, those not in play in the list."""
    before = play(start(EXAMPLES[line]), *actions[:-1])
    (player,) = before.players_to_act()
    after = play(before, actions[-1])
    ((*found,),) = marks(after.draw(names=("oak", "elm"), last=(player, actions[-1])))
    assert {text for text in found if re.fullmatch(r"[wb]\d+", text)} == marked
    assert marked or f"{'wb'[player]}: {('oak', 'elm')[player]}" in found


def test_all_tiles_that_moved_are_marked() -> None:
    """``move:w0:2`` takes the tile below along, but not the one below that."""
    state = play(start(setup("0,0:w2N+w1N+w0E|1,0:b0W", "a,a,a")), "move:w0:2")
    (found,) = marks(state.draw(last=(0, "move:w0:2")))
    assert sorted(found)[:2] == ["a", "w0"]
    assert "w1" in found
    assert "w2" not in found
    assert "b0" not in found


@pytest.mark.parametrize("last", [None, (0, "?"), (1, "move:w99:1"), (2, "end"), (0, "use:w0")])
def test_what_cannot_be_read_marks_nothing(last: tuple[int, str] | None) -> None:
    """The picture and the text are then those without a last action."""
    state = start(EXAMPLES["C"])
    assert state.draw(last=last) == state.to_svg()
    assert state.draw_text(last=last) == str(state)


def test_colours_are_tied_to_the_players() -> None:
    """Legend and lists have the names, as text, with the letter of the player's tiles."""
    evil = "</text><script>"
    state = play(start(setup("0,0:w0E|1,0:b0W")), "move:w0:1")
    shown = texts(state.draw(names=(evil, "elm")))
    assert shown.count(evil) == 1
    assert f"w: {evil}" in shown
    assert "b: elm" in shown
    assert "w: 1 in play, 0 in the deck, 0 dead, wins" in shown
    assert f"after 1 turn: {evil} wins" in shown


def test_what_is_under_way_is_said() -> None:
    """Abilities and chains are in words below the boards."""
    chained = play(start(EXAMPLES["B"]), "use:w0:w0", "unplay:w0", "descend:w1:1")
    shown = texts(chained.to_svg())
    assert "w1 may chain w1" in shown
    assert any(text.startswith("w0 performs w0 sorceress[unplay;") for text in shown)


# Size.


@pytest.mark.parametrize("deck", DECKS)
def test_pictures_fit(deck: str) -> None:
    """Up to the middle of random games nothing is made smaller to fit into 1,000 × 1,000."""
    assert fits(deck, range(6), every=4) > 40


@pytest.mark.slow
@pytest.mark.parametrize("deck", DECKS)
def test_pictures_of_many_games_fit(deck: str) -> None:
    """The same of many games."""
    assert fits(deck, range(100, 160), every=3) > 400


def fits(deck: str, seeds: range, every: int) -> int:
    """Check that pictures fit; return how many there were."""
    looked_at = 0
    for seed in seeds:
        rng = random.Random(seed)
        states = [engines.load_game(f"arborius(deck={deck})").new_initial_state()]
        while not states[-1].is_terminal():
            (player,) = states[-1].players_to_act()
            states.append(states[-1].apply_action(player, states[-1].sample_action(player, rng)))
        for state in states[: len(states) // 2 + 1 : every]:
            svg = state.to_svg()
            assert "scale(" not in svg
            assert max(size(svg)) <= 1000
            assert "font-size" not in svg.split("</style>")[1]  # its smallest letters have 12
            looked_at += 1
    return looked_at


def test_a_wide_root_has_the_lists_below() -> None:
    """Where a root takes the whole width, the lists move, and nothing gets smaller."""
    row = "|".join(f"{x},0:w{x}E" for x in range(12))
    svg = start(setup(f"{row}|12,0:b0W", ",".join(["oak"] * 12))).to_svg()
    assert "scale(" not in svg
    assert size(svg)[0] == 1000
    ((x, y),) = spots(svg)["w: player 0"]
    assert x < 100
    assert y > max(y for _, y in spots(svg)["root"])


@pytest.mark.parametrize("seed", [0, 2, 3])
def test_a_random_game_takes_few_lines(seed: int) -> None:
    """A page that stores each line once needs far less than 600 KB for 100 decisions."""
    pictures = [svg for _, svg in drawn(GAME, seed, random_action)]
    assert len(pictures) == 101
    assert distinct_bytes(pictures) < 150_000
    assert [len(marks(svg)) for svg in pictures] == [0] + [1] * (len(pictures) - 1)


def test_a_greedy_game_takes_few_lines(greedy: Chooser) -> None:
    """So it is where the bot plays well enough to use all boards."""
    pictures = [svg for _, svg in drawn(GAME, 1, greedy)]
    assert len(pictures) == 101
    assert distinct_bytes(pictures) < 150_000


@pytest.fixture
def greedy(monkeypatch: pytest.MonkeyPatch) -> Iterator[Chooser]:
    """How the bundled greedy bot chooses among 20 actions; its modules are forgotten again."""
    monkeypatch.syspath_prepend(str(GREEDY))
    bot = import_module("bot")

    def choose(state: State, player: int, rng: random.Random) -> str:
        actions = list(state.legal_actions(player))
        rng.shuffle(actions)
        seen = state.observation(player)
        match = SimpleNamespace(
            game=str(state.game), observation=seen, seat=player, legal=actions[:20], rng=rng
        )
        return str(bot.choose(match, None, None))

    yield choose
    for name in ("bot", "kit"):
        sys.modules.pop(name, None)


def has(group: ElementTree.Element, text: str) -> bool:
    """Return whether a group has a text right in it."""
    return any(element.text == text for element in group.findall(f"{SVG}text"))


def group(svg: str, text: str) -> ElementTree.Element:
    """Return the first group that a text is in."""
    return next(g for g in ElementTree.fromstring(svg).iter(f"{SVG}g") if has(g, text))


def signs(group: ElementTree.Element) -> list[str]:
    """Return the shapes of the signs in a group."""
    return [path.attrib["d"] for path in group.findall(f"{SVG}path")]


def numbers(svg: str, tile: str) -> list[str]:
    """Return the numbers on a tile that is seen whole."""
    for whole in ElementTree.fromstring(svg).iter(f"{SVG}g"):
        parts = list(whole)
        if parts and has(parts[0], tile) and len(parts[0].findall(f"{SVG}text")) > 1:
            return [t.text or "" for part in parts[1:] for t in part.findall(f"{SVG}text")]
    raise AssertionError(f"{tile} is not seen whole")
