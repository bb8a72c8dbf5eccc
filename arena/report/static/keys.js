/* The keyboard on a page that people play on: a letter or number goes to the first part of the board that
   can be chosen and whose name ends with it, an arrow from there to the nearest one. */
"use strict";
document.addEventListener("keydown", (event) => {
  const board = document.getElementById("board");
  const [lit, nowhere] = [[...board.querySelectorAll(".lit")], event.target === document.body];
  const way = !nowhere && { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
  if (event.ctrlKey || event.altKey || event.metaKey || !(nowhere || [...lit, board].includes(event.target))) return;
  const middle = (node) => {
    const { left, right, top, bottom } = node.getBoundingClientRect();
    return [(left + right) / 2, (top + bottom) / 2];
  };
  const far = (node) => { // what is aside counts twice
    const [across, down] = middle(node).map((at, axis) => at - middle(event.target)[axis]);
    const along = across * way[0] + down * way[1];
    return along > 1 ? along + 2 * Math.abs(across * way[1] + down * way[0]) : Infinity;
  };
  const name = (node) => node.getAttribute("aria-label").toLowerCase().split(/[ ,]+/).at(-1);
  const near = way && lit.filter((node) => far(node) < Infinity).sort((a, b) => far(a) - far(b))[0];
  const to = way ? near : lit.find((node) => name(node) === event.key.toLowerCase());
  if (!to && !way) return;
  event.preventDefault();
  event.stopPropagation(); // elsewhere arrows go through the positions
  to?.focus();
}, true);
