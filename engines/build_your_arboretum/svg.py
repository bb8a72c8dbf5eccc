"""The table as a picture: both gardens with their ad boards, offering, refuse, turn track."""

from __future__ import annotations

from engines.build_your_arboretum.bids import bid_text
from engines.build_your_arboretum.board import headline
from engines.build_your_arboretum.cards import CARDS, EMPTY, members
from engines.build_your_arboretum.observation import HIDDEN
from engines.build_your_arboretum.table import BID, BOARD_SIZE, NOBODY, PLAY, Table
from engines.build_your_arboretum.track import MOST_TURNS, TURNS

__all__ = ["table_svg"]

_SUIT_COLOURS = (
    "#b04a5a",  # P
    "#bf6f1f",  # Q
    "#8f7a1c",  # R
    "#4d7f33",  # S
    "#23827a",  # T
    "#2f6cab",  # U
    "#6654a8",  # V
    "#7d5a47",  # W
)
_TINTS = ("#fbeae8", "#e6eefb")
_STRONG = ("#b93a32", "#2b62b5")
_INK = "#2b2f2a"
_PALE = "#8a9187"

_CELL = 52  # side of a garden's cell
_CARD = 46  # side of a card
_STEP = 50  # from one card of a row to the next
_PANEL = 400  # width of a player's half
_LEFT = (20, 440)  # where the halves begin
_WIDTH = 860
_PANEL_TOP = 56
_PANEL_HEIGHT = 490
_PER_ROW = 8  # cards in a row of offering or refuse


def table_svg(table: Table, player: int | None) -> str:
    """Draw the table as a player sees it, or for ``None`` with both bids open."""
    common_top = _PANEL_TOP + _PANEL_HEIGHT + 20
    offering, refuse = members(table.offering), members(table.refuse)
    rows = max(1, *[-(-len(cards) // _PER_ROW) for cards in (offering, refuse)])
    track_top = common_top + 26 + rows * _STEP + 12
    height = track_top + 26 + _CARD + 20
    title = headline(table)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" '
        f'font-family="Helvetica, Arial, sans-serif">',
        f"<title>Build Your Arboretum, {title}</title>",
        f'<rect width="{_WIDTH}" height="{height}" fill="#f6f5ef"/>',
        _text(20, 36, title[0].upper() + title[1:], 20, bold=True),
        _text(
            _WIDTH - 20,
            36,
            f"{len(table.deck)} in the deck, {table.removed.bit_count()} removed",
            14,
            anchor="end",
            fill=_PALE,
        ),
    ]
    for who in (0, 1):
        parts += _half(table, who, hide_bid=player not in (None, who))
    parts += _row(_LEFT[0], common_top, "Offering", offering)
    parts += _row(_LEFT[1], common_top, "Refuse", refuse)
    parts += _track(table, track_top)
    parts += _specials(table, track_top)
    parts.append("</svg>")
    return "\n".join(parts)


def _half(table: Table, who: int, *, hide_bid: bool) -> list[str]:
    """Draw a player's garden and ad board."""
    left = _LEFT[who]
    parts = [
        f'<rect x="{left}" y="{_PANEL_TOP}" width="{_PANEL}" height="{_PANEL_HEIGHT}" rx="10" '
        f'fill="{_TINTS[who]}" stroke="{_STRONG[who]}" stroke-opacity="0.35"/>',
        _text(left + 16, _PANEL_TOP + 28, f"Player {who}", 17, bold=True, fill=_STRONG[who]),
        _text(
            left + _PANEL - 16,
            _PANEL_TOP + 28,
            f"parrots: {table.parrots[who]}" + (", starts" if table.starter == who else ""),
            14,
            anchor="end",
        ),
    ]
    x0, y0 = left + 50, _PANEL_TOP + 62
    for k in range(6):
        middle = k * _CELL + _CELL // 2
        parts.append(_text(x0 + middle, y0 - 7, "ABCDEF"[k], 12, anchor="middle", fill=_PALE))
        parts.append(_text(x0 - 14, y0 + middle + 4, str(k + 1), 12, anchor="middle", fill=_PALE))
    for cell, card in enumerate(table.gardens[who]):
        x, y = x0 + cell // 6 * _CELL, y0 + cell % 6 * _CELL
        parts.append(
            f'<rect x="{x}" y="{y}" width="{_CELL}" height="{_CELL}" fill="#ffffff" '
            f'stroke="#cfd3c8"/>'
        )
        if card != EMPTY:
            parts.append(_card(x + 3, y + 3, card))
    y = y0 + 6 * _CELL + 26
    parts.append(_text(left + 25, y - 8, "Ad board", 12, fill=_PALE))
    board = members(table.boards[who])
    for k in range(BOARD_SIZE):
        x = left + 25 + k * _STEP
        if k < len(board):
            parts.append(_card(x, y, board[k]))
        else:
            parts.append(_slot(x, y))
    if table.phase == BID:
        bid = table.bids[who]
        shown = HIDDEN if hide_bid else "owed" if bid is None else bid_text(bid)
        # 40 characters fit; the longest bid of 17 parrots is pressed together a little
        squeeze = ' textLength="320" lengthAdjust="spacingAndGlyphs"' if len(shown) > 40 else ""
        parts.append(_text(left + 25, y + _CARD + 24, "Bid", 13))
        parts.append(
            f'<text x="{left + 54}" y="{y + _CARD + 24}" font-size="13" fill="{_INK}" '
            f'font-family="monospace"{squeeze}>{shown}</text>'
        )
    return parts


def _row(left: int, top: int, name: str, cards: list[int]) -> list[str]:
    """Draw a named pile of cards, in rows of 8."""
    parts = [_text(left, top + 14, name, 14, bold=True)]
    for k, card in enumerate(cards):
        row, column = divmod(k, _PER_ROW)
        parts.append(_card(left + column * _STEP, top + 24 + row * _STEP, card))
    if not cards:
        parts.append(_slot(left, top + 24))
    return parts


def _track(table: Table, top: int) -> list[str]:
    """Draw the turns to come, the next one framed; the slots behind them stay empty."""
    parts = [_text(_LEFT[0], top + 14, "Turns to come", 14, bold=True)]
    for k in range(MOST_TURNS):
        x, y = _LEFT[0] + k * 56, top + 24
        if table.phase != PLAY or k >= len(table.turns):
            parts.append(_slot(x, y, rounded=23))
            continue
        turn = table.turns[k]
        frame = f' stroke="{_INK}" stroke-width="4"' if k == 0 else ""
        parts.append(
            f'<rect x="{x}" y="{y}" width="{_CARD}" height="{_CARD}" rx="23" '
            f'fill="{_STRONG[turn >> 1]}"{frame}/>'
        )
        parts.append(
            _text(x + 23, y + 29, TURNS[turn], 17, anchor="middle", bold=True, fill="#ffffff")
        )
    return parts


def _specials(table: Table, top: int) -> list[str]:
    """Draw the three special actions, in the colour of who took them this round."""
    left = _LEFT[0] + MOST_TURNS * 56 + 20
    parts = [_text(left, top + 14, "Once a round", 14, bold=True)]
    for k, (name, who) in enumerate(
        (("dig", table.dig), ("hire", table.hire), ("start", table.start))
    ):
        x, y = left + k * 100, top + 30
        fill, ink = ("#ffffff", _INK) if who == NOBODY else (_STRONG[who], "#ffffff")
        label = name if who == NOBODY else f"{name}: {who}"
        parts.append(
            f'<rect x="{x}" y="{y}" width="92" height="34" rx="8" fill="{fill}" stroke="#cfd3c8"/>'
        )
        parts.append(_text(x + 46, y + 22, label, 14, anchor="middle", fill=ink))
    return parts


def _card(x: int, y: int, card: int) -> str:
    return (
        f'<rect x="{x}" y="{y}" width="{_CARD}" height="{_CARD}" rx="7" '
        f'fill="{_SUIT_COLOURS[card >> 3]}"/>'
        + _text(x + 23, y + 30, CARDS[card], 19, anchor="middle", bold=True, fill="#ffffff")
    )


def _slot(x: int, y: int, *, rounded: int = 7) -> str:
    return (
        f'<rect x="{x}" y="{y}" width="{_CARD}" height="{_CARD}" rx="{rounded}" fill="none" '
        f'stroke="#c3c8bd" stroke-dasharray="4 4"/>'
    )


def _text(
    x: int,
    y: int,
    text: str,
    size: int,
    *,
    anchor: str = "start",
    bold: bool = False,
    fill: str = _INK,
) -> str:
    weight = ' font-weight="bold"' if bold else ""
    place = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return f'<text x="{x}" y="{y}" font-size="{size}"{weight}{place} fill="{fill}">{text}</text>'
