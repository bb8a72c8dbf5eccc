"""What must hold of the pictures and boards of a position, whatever the players are called."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree import ElementTree

from engines.core.conformance.report import SHOWN, BrokenPromise, claim, equal, listed, one_line
from engines.core.interface import State

_SAID = 20  # actions that are said in words
_CHOICES = 100  # actions that a picture marks
_CLICKS = re.compile(r"[1-9]\d*:\d+(,\d+)*( [1-9]\d*:\d+(,\d+)*)*", re.ASCII)
_NAMES = ("<script>\"'&]]>", "\x1b[2J\u202e\n")  # of bots, at worst


def check_pictures(state: State) -> None:
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
        for last in (None, (0, "?"), any_action(state)):
            _check_svg(state.draw(viewer, names=_NAMES, last=last))
            _check_printable(state.draw_text(viewer, names=_NAMES, last=last))
    for player in state.players_to_act():
        _check_choices(state, player, (listed(state, player) or ())[:_CHOICES])


def check_words(state: State) -> None:
    """Check that what is said to people is said in one line each."""
    for player in state.players_to_act():
        actions = (listed(state, player) or ())[:_SAID]
        said = [state.prompt(player, ()), state.prompt(player, ("a part",))]
        said += [state.called(action) for action in (*actions, "?", "no-such-action")]
        for words in said:
            fair = isinstance(words, str) and words != "" and one_line(words) == words
            claim(fair, "a sentence for people is one line", "a line", words)
    for event in (*(event.text for event in state.events()), "no-such-event"):
        claim(
            one_line(state.tell(event)) == state.tell(event), "an event is no line", "a line", event
        )


def any_action(state: State) -> tuple[int, str]:
    """Return an action of the position, which a picture may be asked to mark as the last one."""
    for player in state.players_to_act():
        if actions := listed(state, player):
            return player, actions[-1]
    return 0, "]]>"


def _check_printable(text: str) -> None:
    odd = [c for c in text if c != "\n" and not c.isprintable()]
    equal(odd, [], "the text board has unprintable characters")


def _check_choices(state: State, player: int, choices: Sequence[str]) -> None:
    """Check that a picture marks what can be chosen, each choice and nothing else, if anything."""
    clicks: dict[int, set[int]] = {}
    for element in _check_svg(state.to_svg(player, choices)).iter():
        if (marks := element.get("data-choices")) is None:
            continue
        numbers = [int(n) for n in re.findall(r"\d+(?=,|\s|$)", marks)]
        good = _CLICKS.fullmatch(marks) and max(numbers) < len(choices)
        wanted = f'"CLICK:INDEX,INDEX CLICK:INDEX", an index less than {len(choices)}'
        claim(bool(good), "the picture marks clicks of no action", wanted, one_line(marks))
        named = element.get("aria-label", "") != ""
        claim(named, "an element to click has no label", "an aria-label", one_line(marks))
        for click, indices in re.findall(r"(\d+):([\d,]+)", marks):
            for index in indices.split(","):
                clicks.setdefault(int(index), set()).add(int(click))
    for index, action in enumerate(choices if clicks else ()):
        steps = clicks.get(index, set())
        whole = steps == set(range(1, len(steps) + 1)) and bool(steps)
        found = f"clicks {sorted(steps)}"
        claim(whole, f"{action} cannot be built by clicks", "clicks from 1 on", found)


def _check_svg(svg: str) -> ElementTree.Element:
    """Check that a picture is one element that draws and does nothing else, and return it."""
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
    return root
