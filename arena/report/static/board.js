// Puts boards on a page. They are SVG: of those of our own games a page takes what is on two lists;
// those of plug-ins are images.
"use strict";
const drawBoard = (() => {
  const elements = new Set("circle ellipse g path rect svg text title".split(" "));
  const attributes = new Set(
    ("aria-label class cx cy d data-choices height lengthAdjust opacity r role rx ry stroke stroke-dasharray " +
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

  return (text, ours, label) => {
    if (ours) return copy(new DOMParser().parseFromString(text, "image/svg+xml").documentElement);
    const image = document.createElement("img"); // where nothing runs and nothing is fetched
    image.alt = `Board: ${label}`;
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
    return image;
  };
})();
