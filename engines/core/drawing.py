"""One style for the boards of all games: palette, frame, legend, names and marks.

A picture is a list of lines, one element a line, so that two positions share the lines of what
did not change: the ``<svg>``, the style (the same in every picture), the title, the paper, the
legend with one row a player, the game's own lines, ``</svg>``.

Colours have names, which are CSS classes: ``ink`` fills with the colour, ``ink-line`` draws lines
with it. The scheme is light, or dark where the reader prefers dark; ``data-theme="light"`` or
``"dark"`` on the picture or around it overrules that.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from engines.core.typed import NamedTuple

# light, dark; players differ in lightness as well as in colour, and ``on0`` is ink upon ``p0``
PALETTE: dict[str, tuple[str, str]] = {
    "paper": ("#fdfcf8", "#17181a"),
    "field": ("#efe9db", "#24272a"),  # the ground of a board
    "cell": ("#fbf8f0", "#2e3236"),  # an empty cell or a card
    "rule": ("#c9c0ac", "#50555a"),  # lines of a grid
    "ink": ("#26241f", "#eceae4"),
    "faint": ("#625b4d", "#b1ada3"),  # coordinates and remarks
    "p0": ("#00614a", "#1a8060"),
    "p1": ("#e69f00", "#f2b233"),
    "p2": ("#5b3a8c", "#7d5bb8"),
    "p3": ("#7cc4f0", "#8fd0f7"),
    "p4": ("#b3261e", "#d0453c"),
    "p5": ("#c3bcae", "#d3cdc0"),
    "on0": ("#ffffff", "#ffffff"),
    "on1": ("#1f1a10", "#1f1a10"),
    "on2": ("#ffffff", "#ffffff"),
    "on3": ("#1f1a10", "#1f1a10"),
    "on4": ("#ffffff", "#ffffff"),
    "on5": ("#1f1a10", "#1f1a10"),
    "tint0": ("#d5eae1", "#17352b"),  # a pale ground for what is a player's
    "tint1": ("#fcebc3", "#46381b"),
    "edge0": ("#003b2d", "#6fd3b0"),
    "edge1": ("#8a5a00", "#ffd98a"),
    "wood": ("#a9794a", "#8a6138"),
    "bark": ("#5b3b20", "#c79b6b"),
    "trunk": ("#ecd6ae", "#5a4630"),  # The Tree: tiles that are nobody's
    "foliage": ("#e2f0cd", "#2c3f27"),
    "branch0": ("#46554f", "#5d716a"),  # Treeblox: what is a player's and counts nothing
    "branch1": ("#f7e7c2", "#e0cd9c"),
    "mark": ("#b0187f", "#ff8ad4"),  # the last action
    "ice": ("#2a7ab8", "#8fd0f7"),
    # eight kinds, which have letters too; ``on0`` can be read on each
    "s0": ("#a8324a", "#a8324a"),
    "s1": ("#b05a00", "#b05a00"),
    "s2": ("#7a6500", "#7a6500"),
    "s3": ("#3d7a2a", "#3d7a2a"),
    "s4": ("#00776d", "#00776d"),
    "s5": ("#2166b0", "#2166b0"),
    "s6": ("#6a4fb3", "#6a4fb3"),
    "s7": ("#75503d", "#75503d"),
}

NARROWEST, LARGEST = 360, 1000  # sides of a picture, in pixels
_LEGEND = 440  # width of the legend, if a narrow page shows it alone
LONGEST_NAME = 24  # columns; a wide character takes two
ROW = 26  # height of a player's row in the legend
_MARGIN = 14
_SIZE = 14  # of letters, in pixels
_FONT = 'system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif'
PLAYERS = 6  # that have colours
_TERMINAL = {
    **{"p0": "1;32", "p1": "1;33", "p2": "1;35", "p3": "1;36", "p4": "1;31", "p5": "1;37"},
    **{"last": "7", "faint": "2"},
}
_MARKUP = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"})


class Seat(NamedTuple):
    """A player's row in the legend: name, what there is to say at its end, and whether they act."""

    name: str
    note: str = ""
    acts: bool = False


def label(player: int, names: Sequence[str]) -> str:
    r"""Return what a player is called: the name, harmless and short, or else ``player 0``.

    What cannot be seen, or turns the direction of writing, becomes ``\ufffd``. The result is not
    escaped yet: ``text`` does that.

    >>> label(0, ["oak", "elm"]), label(1, ["oak"]), label(0, ["a" * 30])
    ('oak', 'player 1', 'aaaaaaaaaaaaaaaaaaaaaaa…')
    """
    name = names[player][: 4 * LONGEST_NAME] if player < len(names) else ""
    shown, marks = "", 0
    for character in " ".join(name.split()):
        marks = 0 if _columns(character) else marks + 1
        shown += character if character.isprintable() and marks <= 2 else "\ufffd"
    if sum(map(_columns, shown)) > LONGEST_NAME:
        while sum(map(_columns, shown)) >= LONGEST_NAME:  # an ellipsis takes one
            shown = shown[:-1]
        shown += "…"
    return shown or f"player {player}"


def named(sentence: str, names: Sequence[str]) -> str:
    """Put what players are called in the place of ``{0}``, ``{1}`` … of a sentence.

    >>> named("{1} drew a tile", ["oak", "{0}"]), named("{0} passed", [])
    ('{0} drew a tile', 'player 0 passed')
    """
    import re  # imported here, since most programs never put names into sentences

    return re.sub("{([0-9])}", lambda player: label(int(player[1]), names), sentence)


def does(name: str, verb: str) -> str:
    """Return what somebody does, in a word that ends in ``s``, as it is said to oneself, too.

    >>> does("oak", "wins"), does("you", "wins")
    ('oak wins', 'you win')
    """
    return f"{name} {verb.removesuffix('s') if name == 'you' else verb}"


def called(player: int, names: Sequence[str]) -> str:
    """Return a player's name with the number, or the number alone.

    >>> called(0, ["oak"]), called(1, ["oak"])
    ('oak (player 0)', 'player 1')
    """
    name, number = label(player, names), f"player {player}"
    return number if name == number else f"{name} ({number})"


def outcomes(ranks: Sequence[int]) -> tuple[str, ...]:
    """Return what to say of each player at the end of a game.

    >>> outcomes([2, 1]), outcomes([1, 1]), outcomes([1, 3, 2])
    (('', 'wins'), ('draw', 'draw'), ('wins', 'place 3', 'place 2'))
    """
    best = "wins" if ranks.count(1) == 1 else "draw" if len(set(ranks)) == 1 else "place 1"
    rest = "place {}" if len(ranks) > 2 else ""
    return tuple(best if rank == 1 else rest.format(rank) for rank in ranks)


def with_outcomes(notes: Sequence[str], ranks: Sequence[int]) -> list[str]:
    """Return each player's note with how the game ended for that player, where that can be said.

    >>> with_outcomes(["3 held", "5 held"], [2, 1])
    ['3 held', '5 held, wins']
    """
    ends = outcomes(ranks)
    return [f"{note}, {end}" if end else note for note, end in zip(notes, ends, strict=True)]


class Piece(NamedTuple):
    """A rectangle of a body that a narrow page shows alone, and whether it shows it unasked."""

    x: int
    y: int
    width: int
    height: int
    folded: bool = False


def frame(
    title: str,
    seats: Sequence[Seat],
    status: str,
    size: tuple[int, int],
    body: Iterable[str],
    pieces: Sequence[Piece] = (),
) -> str:
    """Return a picture: the legend, the status and below them the body, in the middle.

    It is at least ``NARROWEST`` wide, and at most ``LARGEST`` wide and high: a larger body becomes
    smaller.

    Args:
        title: the game's name; with the status it names the picture for those who do not see it.
        seats: one a player.
        status: whose turn it is and what for, or how the game ended.
        size: width and height of the body, in pixels; its upper left corner is at (0, 0).
        body: lines of elements.
        pieces: what a page too narrow for the body shows one below the other, in this order, and
            above them the legend. It finds them in ``data-pieces``: ``X Y WIDTH HEIGHT``, with
            ``folded`` behind, and commas between.
    """
    head = header_height(len(seats))
    scale = min(1, LARGEST / size[0], (LARGEST - head) / size[1])
    width = max(NARROWEST, int(size[0] * scale + 0.999))
    height = head + int(size[1] * scale + 0.999)
    left = (width - size[0] * scale) / 2
    place = f"translate({left:g} {head})"
    if scale < 1:
        place += f" scale({scale:.3f})"
    legend = width
    marked = ""
    if pieces:
        legend = min(width, _LEGEND)
        parts = [f"0 0 {legend} {head - 4}"]  # without the edge of what is below
        for x, y, wide, tall, folded in pieces:
            box = (left + x * scale, head + y * scale, wide * scale, tall * scale)
            parts.append(" ".join([f"{side:.5g}" for side in box]) + " folded" * folded)
        marked = f' data-pieces="{",".join(parts)}"'
    return "\n".join(
        [
            '<svg xmlns="http://www.w3.org/2000/svg" class="board" role="img"'
            f' viewBox="0 0 {width} {height}" width="{width}" height="{height}"{marked}>',
            STYLE,
            f"<title>{escape(f'{title}: {status}')}</title>",
            rect(0, 0, width, height, "paper", rounded=10),
            *_legend(seats, legend),
            text(_MARGIN, head - 12, status, "faint", room=legend - 2 * _MARGIN),
            f'<g transform="{place}">',
            *body,
            "</g>",
            "</svg>",
        ]
    )


def header_height(players: int) -> int:
    """Return the height of the legend and the status line, in pixels."""
    return 10 + ROW * players + 30


def text(
    x: float, y: float, content: str, classes: str = "ink", *, room: float | None = None
) -> str:
    """Return a text element.

    Args:
        x: where it begins, or its middle or end with the class ``mid`` or ``end``.
        y: its baseline.
        content: any text; it is escaped here.
        classes: a colour, and any of ``small``, ``big``, ``bold``, ``mono``, ``mid``, ``end``.
        room: the most pixels it may take; letters that would take more are pressed together.
    """
    squeeze = ""
    if room is not None and _length(content, bold="bold" in classes.split()) > room:
        squeeze = f' textLength="{room:g}" lengthAdjust="spacingAndGlyphs"'
    return f'<text class="{classes}" x="{x:g}" y="{y:g}"{squeeze}>{escape(content)}</text>'


def rect(
    x: float, y: float, width: float, height: float, classes: str, *, rounded: float = 0
) -> str:
    """Return a rectangle."""
    corner = f' rx="{rounded:g}"' if rounded else ""
    place = f'x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"{corner}'
    return f'<rect class="{classes}" {place}/>'


def token(x: float, y: float, player: int, size: float = 20) -> str:
    """Return a player's sign: a square in the player's colour with the player's number on it."""
    return (
        f"<g>{rect(x, y, size, size, f'p{player % PLAYERS}', rounded=size / 4)}"
        f"{text(x + size / 2, y + size / 2 + 5, str(player), f'on{player % PLAYERS} bold mid')}</g>"
    )


def escape(content: str) -> str:
    """Return a text as it stands in XML; what XML does not allow becomes a question mark.

    >>> escape("a<b>")
    'a&lt;b&gt;'
    """
    if not content.isprintable():
        content = "".join(c if c.isprintable() else "\ufffd" for c in content)
    return content.translate(_MARKUP)


def paint(content: str, style: str, color: bool) -> str:
    r"""Return a text in a colour of the terminal, or as it is.

    Args:
        content: the text.
        style: ``p0`` to ``p5``, ``last`` or ``faint``.
        color: whether there is a terminal with colours.

    >>> paint("oak", "p0", True), paint("oak", "p0", False)
    ('\x1b[1;32moak\x1b[0m', 'oak')
    """
    return f"\x1b[{_TERMINAL[style]}m{content}\x1b[0m" if color else content


def _legend(seats: Sequence[Seat], width: int) -> Iterator[str]:
    for player, seat in enumerate(seats):
        top = 10 + ROW * player
        weight = " bold" if seat.acts else ""
        note = _length(seat.note, bold=seat.acts) + 12 if seat.note else 0
        yield token(_MARGIN, top, player)
        yield text(42, top + 15, seat.name, "ink" + weight, room=width - 42 - _MARGIN - note)
        if seat.note:
            yield text(width - _MARGIN, top + 15, seat.note, "ink end" + weight)
        if seat.acts:
            yield f'<path class="ink" d="M3 {top + 4}l7 6l-7 6z"/>'


def _columns(character: str) -> int:
    import unicodedata  # imported here, since most programs never draw

    if unicodedata.category(character) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _length(content: str, *, bold: bool = False) -> float:
    """Return about how many pixels a text takes, in fonts of usual width."""
    wide = sum(c.isupper() or not c.isascii() or c in "mw@%" for c in content)
    return _SIZE * (0.55 * len(content) + 0.4 * wide) * (1.15 if bold else 1)


def _style() -> str:
    """Return the style of all pictures on one line.

    The colours are variables, so that a scheme is written once; a reader of SVG that knows no
    variables takes the colour before, which is the light one.
    """
    light, dark = (
        "".join(f"--{name}:{colours[scheme]};" for name, colours in PALETTE.items())
        for scheme in (0, 1)
    )
    rules = [f".board{{{light}color-scheme:light dark}}"]
    rules += [
        f"@media (prefers-color-scheme:dark)"
        f"{{.board:not([data-theme=light],[data-theme=light] *){{{dark}}}}}",
        f".board[data-theme=dark],[data-theme=dark] .board{{{dark}}}",
        f".board text{{font-family:{_FONT};font-size:{_SIZE}px}}",
        ".board .small{font-size:12px}.board .big{font-size:18px}.board .bold{font-weight:600}",
        ".board .mono{font-family:ui-monospace,Menlo,Consolas,monospace}",
        ".board .mid{text-anchor:middle}.board .end{text-anchor:end}",
    ]
    for name, (colour, _) in PALETTE.items():
        rules.append(f".board .{name}{{fill:{colour};fill:var(--{name})}}")
        rules.append(f".board .{name}-line{{stroke:{colour};stroke:var(--{name})}}")
    mark = PALETTE["mark"][0]
    rules += [
        f".board .last{{fill:none;stroke:{mark};stroke:var(--mark);stroke-width:3}}",
        ".board .none{fill:none}.board .pale{opacity:.45}",
        ".board .pick{fill:transparent;pointer-events:all}",
        ".board .shade{fill:#000;opacity:.16}.board .shadow{fill:#000;opacity:.32}",
    ]
    return f"<style>{''.join(rules)}</style>"


STYLE = _style()
"""The style element: the second line of every picture, the same in all of them."""
