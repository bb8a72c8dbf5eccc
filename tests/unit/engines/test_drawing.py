"""The style of all pictures: colours that can be read, names that are harmless."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest

from engines.core.drawing import PALETTE, PLAYERS, STYLE, Seat, frame, label, text, token

SVG = "{http://www.w3.org/2000/svg}"
LIGHT, DARK = 0, 1
GROUNDS = {  # what is written in a colour, and on what
    "ink": ("paper", "field", "cell", "tint0", "tint1"),
    "faint": ("paper", "field", "cell", "tint0", "tint1"),
    "on0": ("p0", *(f"s{kind}" for kind in range(8))),
    **{f"on{player}": (f"p{player}",) for player in range(1, 6)},
}


def luminance(colour: str) -> float:
    """Return the relative luminance of ``#rrggbb`` as WCAG 2.2 defines it."""
    parts = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours as WCAG 2.2 defines it."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_the_contrast_formula() -> None:
    """Black on white is 21 to 1, and #767676 is the palest grey that may be written on white."""
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#767676", "#ffffff") >= 4.5 > contrast("#777777", "#ffffff")


@pytest.mark.parametrize("scheme", [LIGHT, DARK])
@pytest.mark.parametrize("colour", GROUNDS)
def test_text_can_be_read(colour: str, scheme: int) -> None:
    """Text has a contrast of 4.5 at least on each ground that it is written on."""
    for ground in GROUNDS[colour]:
        assert contrast(PALETTE[colour][scheme], PALETTE[ground][scheme]) >= 4.5, ground


@pytest.mark.parametrize("scheme", [LIGHT, DARK])
def test_signs_can_be_seen(scheme: int) -> None:
    """The mark of the last action and what is player 0's stand out from the board: 3 to 1."""
    for ground in ("paper", "field"):
        for sign in ("mark", "p0"):
            assert contrast(PALETTE[sign][scheme], PALETTE[ground][scheme]) >= 3, (sign, ground)


@pytest.mark.parametrize("scheme", [LIGHT, DARK])
def test_players_differ_in_lightness(scheme: int) -> None:
    """The first two players can be told apart without seeing any colour: 2.4 to 1."""
    assert contrast(PALETTE["p0"][scheme], PALETTE["p1"][scheme]) >= 2.4


def test_six_players_have_colours() -> None:
    """A seventh has the first one's, with its own number."""
    assert {f"p{player}" for player in range(PLAYERS)} < PALETTE.keys()
    assert len({PALETTE[f"p{player}"] for player in range(PLAYERS)}) == 6
    assert 'class="p0"' in token(0, 0, 6)
    assert ">6<" in token(0, 0, 6)


def test_each_scheme_has_each_colour() -> None:
    """Light is there once; dark for those who prefer it, and for a page that asks for it."""
    for name, (light, dark) in PALETTE.items():
        assert STYLE.count(f"--{name}:{light};") == (3 if light == dark else 1)
        assert STYLE.count(f"--{name}:{dark};") == (3 if light == dark else 2)
    assert "prefers-color-scheme:dark" in STYLE
    assert "[data-theme=dark] .board" in STYLE
    assert "\n" not in STYLE
    assert all(rule.startswith((".board", "@media", "[data-theme")) for rule in rules())


def rules() -> list[str]:
    """Return the selectors of the style with what is in front of them."""
    return [rule.strip("}") for rule in re.findall(r"[^{}]+(?=\{)", STYLE[len("<style>") :])]


@pytest.mark.parametrize(
    ("name", "called"),
    [
        ("oak", "oak"),
        ("", "player 0"),
        (" \n ", "player 0"),
        ("a b\tc", "a b c"),
        ("a" * 24, "a" * 24),
        ("a" * 25, "a" * 23 + "…"),
        ("木" * 12, "木" * 12),  # each takes two columns
        ("木" * 13, "木" * 11 + "…"),
        ("\u202eoak", "\ufffdoak"),
        ("\x1b[2J", "\ufffd[2J"),
        ("e\u0301\u0301\u0301", "e\u0301\u0301\ufffd"),
        ("<b>", "<b>"),
    ],
)
def test_a_name_is_short_and_harmless(name: str, called: str) -> None:
    """A name has 24 columns at most; nothing in it is unseen or turns the writing around."""
    assert label(0, [name]) == called


def test_a_frame_is_one_harmless_element() -> None:
    """Markup in names, status and title stays text; the style is the second line."""
    evil = "</title><script>\"'&]]>"
    seats = [Seat(evil, evil, acts=True), Seat("elm")]
    picture = frame("Oak", seats, evil, (360, 100), [text(0, 0, evil, room=50)])
    assert picture.split("\n")[1] == STYLE
    root = ET.fromstring(picture)
    assert root.get("role") == "img"
    assert root.findtext(f"{SVG}title") == f"Oak: {evil}"
    assert [e.text for e in root.iter(f"{SVG}text")].count(evil) == 4
    assert not [e for e in root.iter() if "script" in e.tag]
