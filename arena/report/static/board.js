// Draws boards. They are SVG: of those of our own games a page takes what is on two lists; those of
// plug-ins are images. On a narrow page, and where people play, a board is its pieces, as they fit.
"use strict";
const NARROW = matchMedia("(max-width: 640px)").matches;
const LEAST = NARROW ? 11 : 12; // pixels of a letter
const drawBoard = (() => {
  const elements = new Set("circle ellipse g path rect svg text title".split(" "));
  const attributes = new Set(
    ("aria-label class cx cy d data-choices data-pieces height lengthAdjust opacity r role rx ry stroke stroke-dasharray " +
      "stroke-linecap stroke-linejoin stroke-opacity stroke-width textLength transform viewBox width x y").split(" ")
  );

  const copy = (source) => { // nothing but shapes and texts: no links, no HTML, no handlers
    const node = document.createElementNS("http://www.w3.org/2000/svg", source.localName);
    for (const { name, value } of source.attributes) {
      if (attributes.has(name)) node.setAttribute(name, value);
    }
    for (const child of source.childNodes) {
      if (child.nodeType === Node.TEXT_NODE) node.append(child.data);
      else if (elements.has(child.localName)) node.append(copy(child));
    }
    return node;
  };

  const playing = document.querySelector(".playing");
  let unfolded = !NARROW; // the legend
  const pieces = (board) => {
    const room = document.getElementById("board").clientWidth - 30;
    const zoom = Math.max(1, Math.min(1.2, room / board.viewBox.baseVal.width)); // two may fit beside one another
    const place = Object.assign(document.createElement("div"), { className: "pieces" });
    const legend = Object.assign(document.createElement("details"), { open: true });
    legend.append(Object.assign(document.createElement("summary"), { textContent: "Legend" }));
    for (const piece of board.dataset.pieces.split(",")) {
      const [x, y, width, height, folded] = piece.split(" ");
      const part = board.cloneNode(true);
      const size = { viewBox: `${x} ${y} ${width} ${height}`, width, height };
      for (const name in size) part.setAttribute(name, size[name]);
      const frame = Object.assign(document.createElement("div"), { className: "piece" });
      frame.style.width = `min(100%, ${zoom * width}px)`;
      frame.append(part);
      (folded ? legend : place).append(frame);
    }
    legend.addEventListener("toggle", () => (unfolded = legend.open));
    if (legend.children.length > 1) place.append(legend);
    return place;
  };

  const draw = (text, ours, label) => {
    const board = ours ? copy(new DOMParser().parseFromString(text, "image/svg+xml").documentElement) : null;
    if (board?.querySelector("[data-choices]")) board.role = "group";
    if (board) return (NARROW || playing) && board.dataset.pieces ? pieces(board) : board;
    const image = document.createElement("img"); // where nothing runs and nothing is fetched
    image.alt = `Board: ${label}`;
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
    return image;
  };

  // What is drawn is put on the page, and then fitted: no letter is too small, and no board has a
  // smaller scale than ``scale``. What is wider than its place is moved sideways there, and shows it.
  draw.fit = (node, scale = 0) => {
    let needed = scale;
    for (const board of node.matches("svg") ? [node] : node.querySelectorAll("svg")) {
      const seen = board.getBoundingClientRect();
      [...board.querySelectorAll("[data-choices], text")].filter((part) => { // of other pieces
        const box = part.getBoundingClientRect();
        const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
        return x < seen.left || x > seen.right || y < seen.top || y > seen.bottom;
      }).forEach((part) => part.remove()); // to measure after each removal would lay out the page again
      const letters = [...board.querySelectorAll("text")].map(
        (text) => parseFloat(getComputedStyle(text).fontSize) * (text.getCTM()?.a ?? 1)
      );
      const width = board.viewBox.baseVal.width;
      needed = Math.max(scale, ((board.clientWidth / width) * LEAST) / Math.min(...letters));
      board.style.minWidth = `${needed * width}px`;
      const place = board.parentNode;
      const wider = place.scrollWidth > place.clientWidth + 1;
      place.classList.toggle("wider", wider);
      if (wider) place.tabIndex = 0; // arrow keys move it
    }
    for (const legend of node.querySelectorAll("details")) legend.open = unfolded;
    return needed;
  };
  return draw;
})();
