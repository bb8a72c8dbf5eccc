"""What people see of a page, or hear of it: names of controls, contrast, what does not fit."""

from __future__ import annotations

from typing import Any

CONTROLS = {"button", "slider", "combobox", "link", "textbox", "checkbox", "radio", "tab"}

# every text with the contrast of its colour to what is behind it, opacity counted in
CONTRASTS = """() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (color) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = (top, bottom) =>
    [0, 1, 2].map((i) => top[i] * top[3] + bottom[i] * (1 - top[3])).concat(1);
  const light = (color) => {
    const [r, g, b] = color.slice(0, 3).map((c) =>
      c / 255 <= 0.03928 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const background = (node) => {
    const layers = [];
    for (let at = node; at; at = at.parentElement) {
      layers.unshift(rgba(getComputedStyle(at).backgroundColor));
    }
    return layers.reduce((below, layer) => over(layer, below), [255, 255, 255, 1]);
  };
  const found = [];
  for (const node of document.body.querySelectorAll("*")) {
    const texts = [...node.childNodes].filter((child) => child.nodeType === Node.TEXT_NODE);
    const text = texts.map((child) => child.data).join("").trim();
    const hidden = !node.checkVisibility() || node.closest("svg, script, .unseen") || node.disabled;
    if (!text || hidden) continue;
    let opacity = 1;
    for (let at = node; at; at = at.parentElement) opacity *= Number(getComputedStyle(at).opacity);
    const behind = background(node);
    const color = rgba(getComputedStyle(node).color);
    const front = over([...color.slice(0, 3), color[3] * opacity], behind);
    const [a, b] = [light(front), light(behind)].sort((x, y) => y - x);
    found.push([text.slice(0, 40), (a + 0.05) / (b + 0.05)]);
  }
  return found;
}"""


def nameless(page: Any) -> list[str]:
    """Return the roles of controls in the accessibility tree that have no name."""
    session = page.context.new_cdp_session(page)
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    controls = [n for n in nodes if not n["ignored"] and n["role"]["value"] in CONTROLS]
    assert controls
    return [n["role"]["value"] for n in controls if not n.get("name", {}).get("value", "").strip()]


def pale(page: Any) -> list[tuple[str, float]]:
    """Return the texts of a page, each with its contrast, if that is below 4.5:1."""
    found = page.evaluate(CONTRASTS)
    assert len(found) > 10
    return [(text, ratio) for text, ratio in found if ratio < 4.5]


def overflow(page: Any) -> int:
    """Return by how many pixels a page is wider than its window."""
    width = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    return max(0, int(width))


def check(page: Any) -> None:
    """Assert that controls have names, that texts contrast, and that the page fits its window."""
    assert nameless(page) == []
    assert pale(page) == []
    assert overflow(page) == 0
