"""What tests ask of the pictures of games: whole games drawn, their texts, marks and places."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator

SVG = "{http://www.w3.org/2000/svg}"
TAGS = ("svg", "style", "title", "g", "rect", "circle", "ellipse", "path", "text")
DRAWN = frozenset(SVG + tag for tag in TAGS)  # all that our games draw with

Spot = tuple[float, float]


def size(svg: str) -> tuple[int, int]:
    """Return the width and height of a picture, in pixels."""
    _, _, width, height = ET.fromstring(svg).attrib["viewBox"].split()
    return int(width), int(height)


def spots(svg: str) -> dict[str, list[Spot]]:
    """Return where each text is written, in pixels of the whole picture."""
    found: dict[str, list[Spot]] = {}
    for element, x, y in placed(ET.fromstring(svg), 0, 0):
        if element.tag == f"{SVG}text":
            at = x + float(element.attrib["x"]), y + float(element.attrib["y"])
            found.setdefault(element.text or "", []).append(at)
    return found


def marks(svg: str) -> list[list[str]]:
    """Return the texts inside the frames of each group that marks the last action."""
    written = [(text, spot) for text, places in spots(svg).items() for spot in places]
    found = []
    for group, x, y in placed(ET.fromstring(svg), 0, 0):
        if group.get("class") != "last":
            continue
        inside: list[str] = []
        for frame in group:
            left, top = x + float(frame.attrib["x"]), y + float(frame.attrib["y"])
            right, low = (left + float(frame.attrib["width"]), top + float(frame.attrib["height"]))
            inside += [t for t, (a, b) in written if left <= a <= right and top <= b <= low]
        found.append(inside)
    return found


def placed(element: ET.Element, x: float, y: float) -> Iterator[tuple[ET.Element, float, float]]:
    """Yield an element and all inside it, each with how far it is moved."""
    moved = re.match(r"translate\((\S+) (\S+)\)", element.get("transform", "translate(0 0)"))
    assert moved is not None
    x, y = x + float(moved[1]), y + float(moved[2])
    yield element, x, y
    for child in element:
        yield from placed(child, x, y)
