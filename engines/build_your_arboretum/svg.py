"""The table as a picture: both gardens with their scored paths, points and ad boards, and the rest.

In a garden the names of the cards are in their upper left corners, and the paths run beside them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engines.build_your_arboretum.bids import MOST_PARROTS
from engines.build_your_arboretum.cards import CARDS, CELLS, EMPTY, SUITS, members
from engines.build_your_arboretum.scoring import Path, rights_to, scored_paths
from engines.build_your_arboretum.table import BID, BOARD_SIZE, MOST_TURNS, NOBODY, PLAY, Table
from engines.build_your_arboretum.text import OWED, bid_seen
from engines.core.choices import GAP, Choices
from engines.core.drawing import Piece, Seat, frame, rect, text, token
from engines.core.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from engines.core.interface import Viewer

_MARGIN = 14
_CELL = 54  # side of a garden's cell
_CARD = 46  # side of a card
_STEP = 49  # from one card of a row to the next
_PANEL = 444  # width of a player's half
_LEFT = (_MARGIN, 2 * _MARGIN + _PANEL)  # where the halves begin
_WIDTH = 3 * _MARGIN + 2 * _PANEL
_TALL = 492  # height of a half
_ROW = 33  # from one line of the points to the next
_PER_ROW = 9  # cards in a row of offering or refuse
_CHIP = 49  # from one turn to the next
_PLANS = ("bulletin", "garden")
_KEY = (
    (
        "P to W are the eight kinds of tree, each with cards 1 to 8.",
        "The lines are the paths that score, from the dot to the ring.",
    ),
    (
        "Points are what the game would bring if it ended now. A kind",
        "with a dash cannot score: the other ad board has more of it.",
    ),
)


def draw_svg(
    table: Table,
    seats: Sequence[Seat],
    status: str,
    viewer: Viewer,
    marked: tuple[int, Iterable[str]] | None,
    choices: Sequence[str],
) -> str:
    """Draw the table as a player sees it, or for ``None`` with both bids open.

    Args:
        table: the position.
        seats: the players' rows of the legend.
        status: how far the game is.
        viewer: who looks.
        marked: who took the last action, and the cards and specials that it names.
        choices: the actions that are built by clicks.
    """
    drawing = _Drawing(table, Choices(choices, _clicks))
    for who in (0, 1):
        drawing.half(who, seats[who].name, viewer)
    top = _TALL + 8
    pieces = [Piece(left, 0, _PANEL, _TALL) for left in _LEFT]
    if choices:
        buttons = drawing.buttons(top, [seat.name for seat in seats])
        pieces += buttons
        top += max([piece.height for piece in buttons], default=0)
    height = drawing.common(top + 18)
    pieces += [Piece(left - 4, top, _PANEL + 8, height - top) for left in _LEFT]
    if marked is not None:
        drawing.mark(*marked)
    size = (_WIDTH, height)
    return frame("Build Your Arboretum", seats, status, size, drawing.lines, pieces)


class _Drawing:
    """The lines so far, and where everything is that an action can name."""

    def __init__(self, table: Table, picks: Choices[str]) -> None:
        self.table = table
        self.picks = picks
        self.lines: list[str] = []
        self.places: dict[str, str] = {}  # frames around cards, taken specials and players
        self.score = table.score()

    def half(self, who: int, name: str, viewer: Viewer) -> None:
        """Draw a player's garden, points and ad board."""
        table, left = self.table, _LEFT[who]
        self.lines += [
            rect(left, 0, _PANEL, _TALL, f"tint{who}", rounded=10),
            token(left + 14, 12, who),
            text(left + 42, 27, name, "ink bold", room=210),
            text(left + _PANEL - 14, 27, _household(table, who), "ink end"),
        ]
        self.places[f"player {who}"] = _ring(left + 14, 10, _PANEL - 28, 24)
        paths = self._points(who, left + 372, 62)
        self._garden(who, left + 30, 62, paths)
        self.lines.append(text(left + 30, 408, "Ad board", "faint"))
        board = members(table.boards[who])
        for k in range(BOARD_SIZE):
            x = left + 30 + k * _STEP
            self.card(x, 415, board[k], "ad board") if k < len(board) else self._slot(x, 415)
        if table.phase == BID:
            shown = bid_seen(table, who, viewer)
            shown = {OWED: "not yet", "?": "hidden", "-": "nothing"}.get(shown, shown)
            self.lines.append(text(left + 30, 483, f"Bid: {shown}", "ink", room=_PANEL - 44))

    def _points(self, who: int, x: int, y: int) -> dict[int, Path]:
        """Write what each suit, parrots and start bring; return the paths that are counted."""
        table = self.table
        self.lines.append(text(x, y - 7, "Points", "faint"))
        for k, line in enumerate(self.score[2:] + self.score[:2]):
            top, points = y + k * _ROW, line.points(who)
            shown = str(points)
            if k < len(SUITS):
                self.lines.append(_suit(x, top, k))
                if not rights_to(table.boards, k)[who]:
                    shown = "–"
            else:
                self.lines.append(text(x, top + 18, line.what, "ink", room=44))
            weight = "ink bold end" if points else "faint end"
            self.lines.append(text(x + 62, top + 18, shown, weight))
        total = sum([line.points(who) for line in self.score])
        top = y + len(self.score) * _ROW
        self.lines.append(text(x, top + 18, "total", "ink"))
        self.lines.append(text(x + 62, top + 18, str(total), "ink bold end"))
        return scored_paths(table.gardens[who], [line.points(who) > 0 for line in self.score[2:]])

    def _garden(self, who: int, left: int, top: int, paths: dict[int, Path]) -> None:
        """Draw a garden: the cells, the cards, the paths over them."""
        for k in range(6):
            middle = k * _CELL + _CELL // 2
            self.lines.append(text(left + middle, top - 7, "ABCDEF"[k], "faint mid"))
            self.lines.append(text(left - 12, top + middle + 4, str(k + 1), "faint mid"))
        self.lines.append(rect(left, top, 6 * _CELL, 6 * _CELL, "cell rule-line"))
        bars = "".join(f"M{left + k * _CELL} {top}v{6 * _CELL}" for k in range(1, 6))
        bars += "".join(f"M{left} {top + k * _CELL}h{6 * _CELL}" for k in range(1, 6))
        self.lines.append(f'<path class="none rule-line" d="{bars}"/>')
        for cell, card in enumerate(self.table.gardens[who]):
            if card != EMPTY:
                x, y = left + cell // 6 * _CELL + 4, top + cell % 6 * _CELL + 4
                self.card(x, y, card, name=text(x + 5, y + 17, CARDS[card], "on0 bold"))
            elif self.table.turns and who == self.table.turns[0] >> 1:
                x, y, name = left + cell // 6 * _CELL, top + cell % 6 * _CELL, CELLS[cell]
                self.lines += self.picks.spot(name, f"garden: {name}", x, y, _CELL, _CELL)
        lanes = _lanes(paths)
        for suit, path in paths.items():
            aside = 13 * (lanes[suit] + 0.5) / (max(lanes.values()) + 1)
            self.lines.append(_trail(left + 34 + aside, top + 31 + aside, suit, path))

    def common(self, top: int) -> int:
        """Draw what belongs to both players; return how far down it reaches."""
        table = self.table
        rows = 1
        for left, name, pile in ((0, "Offering", table.offering), (1, "Refuse", table.refuse)):
            cards = members(pile)
            rows = max(rows, -(-len(cards) // _PER_ROW))
            self.lines.append(text(_LEFT[left], top, name, "ink bold"))
            for k, card in enumerate(cards):
                row, column = divmod(k, _PER_ROW)
                x, y = _LEFT[left] + column * _STEP, top + 10 + row * _STEP
                self.card(x, y, card, name.lower())
            if not cards:
                self._slot(_LEFT[left], top + 10)
        top += rows * _STEP + 32
        self._track(top)
        self._specials(top)
        top += 78
        for left, lines in zip(_LEFT, _KEY, strict=True):
            for k, line in enumerate(lines):
                self.lines.append(text(left, top + 18 * k, line, "faint"))
        return top + 18 * len(_KEY[0])

    def _track(self, top: int) -> None:
        """Draw the turns to come, the next one framed; the places behind them stay empty."""
        table = self.table
        self.lines.append(text(_MARGIN, top, "Turns to come", "ink bold"))
        turns = table.turns if table.phase == PLAY else ()
        for k in range(MOST_TURNS):
            x, y = _MARGIN + k * _CHIP, top + 10
            if k >= len(turns):
                self._slot(x, y, _CARD, 40)
                continue
            who, plan = turns[k] >> 1, _PLANS[turns[k] & 1]
            edge = ' stroke-width="3"' if k == 0 else ""
            face = rect(x, y, _CARD, 40, f"p{who}" + (" ink-line" if k == 0 else ""), rounded=9)
            words = text(x + _CARD // 2, y + 17, str(who), f"on{who} bold mid")
            words += text(x + _CARD // 2, y + 33, plan, f"on{who} mid", room=_CARD - 4)
            self.lines.append(f"<g{edge}>{face}{words}</g>")

    def _specials(self, top: int) -> None:
        """Draw the three special actions, in the colour of who took them this round."""
        table, left = self.table, _LEFT[1]
        self.lines.append(text(left, top, "Once a round", "ink bold"))
        taken = (("dig", table.dig), ("hire", table.hire), ("start", table.start))
        for k, (name, who) in enumerate(taken):
            x, y = left + k * 106, top + 10
            free = who == NOBODY
            label, ink = (f"{name}: free", "ink") if free else (f"{name}: taken", f"on{who}")
            face = rect(x, y, 100, 40, "cell rule-line" if free else f"p{who}", rounded=9)
            self.lines.append(f"<g>{face}{text(x + 50, y + 25, label, f'{ink} mid')}</g>")
            self.lines += self.picks.spot(name, f"once a round: {name}", x, y, 100, 40)
            if not free:
                self.places[name] = _ring(x, y, 100, 40)

    def buttons(self, top: int, names: Sequence[str]) -> list[Piece]:
        """Draw what is said without a place on the table: bids, and beside them the rest."""
        sizes = range(1, MOST_PARROTS + 1)
        bids = [(f"{n}{plan[0]}", f"{n} {plan}") for n in sizes for plan in _PLANS]
        bids.append(("nothing", "bid nothing"))
        words = [(f"first:{who}", f"first: {name}") for who, name in enumerate(names)]
        words += [("done", "bid" if self.table.phase == BID else "done"), ("skip", "skip")]
        pieces: list[Piece] = []
        for part in (bids, words):
            left = _LEFT[len(pieces)]
            lines, height = self.picks.buttons(part, left, top, _PANEL)
            self.lines += lines
            if lines:
                pieces.append(Piece(left - 4, top - 4, _PANEL + 8, height + GAP))
        return pieces

    def card(self, x: int, y: int, card: int, where: str = "", name: str = "") -> None:
        """Draw a card, with its name large in the middle unless it is drawn already."""
        face = rect(x, y, _CARD, _CARD, f"s{card >> 3}", rounded=7)
        name = name or text(x + _CARD // 2, y + 29, CARDS[card], "on0 big bold mid")
        self.lines.append(f"<g>{face}{name}</g>")
        self.places[CARDS[card]] = _ring(x, y, _CARD, _CARD)
        if where:
            label = f"{where}: {CARDS[card]}"
            self.lines += self.picks.spot(CARDS[card], label, x, y, _CARD, _CARD)

    def _slot(self, x: int, y: int, width: int = _CARD, height: int = _CARD) -> None:
        place = f'x="{x}" y="{y}" width="{width}" height="{height}" rx="7"'
        self.lines.append(f'<rect class="none rule-line" stroke-dasharray="4 4" {place}/>')

    def mark(self, who: int, named: Iterable[str]) -> None:
        """Frame what the last action named, or who took it if none of that can be seen."""
        rings = [self.places[thing] for thing in named if thing in self.places]
        rings = rings or [self.places[f"player {who}"]]
        self.lines.append(f'<g class="last">{"".join(rings)}</g>')


def _clicks(action: str) -> list[str]:
    """Return what is clicked for an action; a list that could go on ends with ``done``."""
    verb, *words = action.split(":")
    if verb == "bid":
        return [*(words[0].split("-") if words[0] != "-" else ["nothing"]), "done"]
    if verb in ("hire", "skip"):  # to skip is asked twice, as to bid nothing is
        return [verb, *[card for text in words for card in text.split(",")], "done"]
    return words if verb in ("plant", "dig", "take") else [action]


def _household(table: Table, who: int) -> str:
    starts = ", starts" if table.starter == who else ""
    return f"{table.parrots[who]} parrots{starts}"


def _suit(x: int, y: int, suit: int) -> str:
    face = rect(x, y, 26, 26, f"s{suit}", rounded=6)
    return f"<g>{face}{text(x + 13, y + 18, SUITS[suit], 'on0 bold mid')}</g>"


def _lanes(paths: dict[int, Path]) -> dict[int, int]:
    """Give each path a lane that no other path has with which it shares a card."""
    lanes: dict[int, int] = {}
    for suit, path in paths.items():
        taken = [lane for other, lane in lanes.items() if {*path} & {*paths[other]}]
        lanes[suit] = min({*range(len(taken) + 1)} - {*taken})
    return lanes


def _trail(x: float, y: float, suit: int, path: Path) -> str:
    """Draw a path in its suit's colour on a pale seam, ``x`` and ``y`` being where A1 is passed."""
    points = [f"{x + cell // 6 * _CELL:g} {y + cell % 6 * _CELL:g}" for cell in path]
    line = "M" + "L".join(points)
    begin, end = (f"M{point}h0" for point in (points[0], points[-1]))
    shapes = (
        ("paper", 8, line),
        (f"s{suit}", 4, line),
        ("paper", 9, begin),
        ("paper", 13, end),
        (f"s{suit}", 10, end),
    )
    drawn = [
        f'<path class="{colour}-line" stroke-width="{width}" d="{d}"/>'
        for colour, width, d in shapes
    ]
    return f'<g class="none" stroke-linejoin="round" stroke-linecap="round">{"".join(drawn)}</g>'


def _ring(x: int, y: int, width: int, height: int) -> str:
    place = f'x="{x - 3}" y="{y - 3}" width="{width + 6}" height="{height + 6}"'
    return f'<rect {place} rx="9"/>'
