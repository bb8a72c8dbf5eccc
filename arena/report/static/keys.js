/* The keyboard on a board that people play on: arrows go to the next part that can be chosen, a letter
   or number to the one that ends with it, and a new picture has the focus where the old one had it. */
"use strict";
(() => {
  const board = document.getElementById("board");
  const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const open = () => [...board.querySelectorAll(".lit")];
  const label = (node) => node.getAttribute("aria-label") ?? "";
  let last = null; // what has the focus: its label, and whether a new picture takes it away

  const middle = (node) => {
    const { left, right, top, bottom } = node.getBoundingClientRect();
    return [(left + right) / 2, (top + bottom) / 2];
  };
  const next = (from, [dx, dy]) => { // the nearest one in a direction; aside counts twice
    const [x, y] = middle(from);
    const far = (node) => {
      const [across, down] = [middle(node)[0] - x, middle(node)[1] - y];
      const along = across * dx + down * dy;
      return along > 1 ? along + 2 * Math.abs(across * dy + down * dx) : Infinity;
    };
    const found = open().map((node) => [far(node), node]).sort((a, b) => a[0] - b[0])[0];
    return found && found[0] < Infinity ? found[1] : null;
  };
  board.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const way = WAYS[event.key];
    const lit = open();
    const inside = lit.includes(event.target);
    const named = () => lit.filter((node) => label(node).toLowerCase().split(/[ ,]+/).at(-1) === event.key.toLowerCase());
    const to = way ? (inside ? next(event.target, way) : lit[0]) : /^[a-z0-9]$/i.test(event.key) ? named()[0] : null;
    if (way && inside) event.stopPropagation();
    if (!to) return;
    event.preventDefault();
    event.stopPropagation();
    to.focus();
  });
  board.addEventListener("focusin", (event) => { last = label(event.target); });
  document.addEventListener("focusin", (event) => { if (!board.contains(event.target)) last = null; });
  new MutationObserver(() => {
    if (last === null || document.activeElement !== document.body) return;
    const same = open().find((node) => label(node) === last);
    (same ?? open()[0])?.focus({ preventScroll: true });
  }).observe(board, { childList: true, subtree: true, attributeFilter: ["class"] });
})();
