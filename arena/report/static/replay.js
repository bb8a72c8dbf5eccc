// Steps through a match. All texts are put on the page as text; boards are SVG. Of those of our
// own games the page takes what is on two lists; those of plug-ins are images.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const last = data.frames.length - 1;
  const element = (id) => document.getElementById(id);
  const slider = element("slider");
  const links = [...document.querySelectorAll("#actions a")];
  let at = -1;
  let timer = 0; // of the next step, while it plays
  let writing = 0; // of the address, which browsers let change only so often

  const picture = (index) => data.frames[index].map((line) => data.lines[line]).join("\n");

  // all boards of a match have one scale, that of the largest
  const sizes = data.frames.map((frame) => {
    const found = / viewBox="0 0 (\d+) (\d+)"/.exec(data.lines[frame[0]]);
    return found && found.slice(1).map(Number);
  });
  const [widest, highest] = [0, 1].map((side) => Math.max(...sizes.map((size) => (size ? size[side] : 1))));

  const fit = (node, size) => {
    if (!size) return;
    node.style.setProperty("--natural", size[0]);
    node.style.width = `min(${(100 * size[0]) / widest}%, ${(78 * size[0]) / highest}vh)`;
  };

  const elements = new Set("circle ellipse g path rect svg text title".split(" "));
  const attributes = new Set(
    ("class cx cy d height lengthAdjust opacity r role rx ry stroke stroke-dasharray stroke-linecap " +
      "stroke-linejoin stroke-opacity stroke-width textLength transform viewBox width x y").split(" ")
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

  const draw = (index) => {
    if (!data.ours) { // of a plug-in: as an image, where nothing runs and nothing is fetched
      const image = document.createElement("img");
      image.alt = `Board: ${data.steps[index].head}`;
      image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(picture(index))}`;
      return image;
    }
    const parsed = new DOMParser().parseFromString(picture(index), "image/svg+xml");
    const node = copy(parsed.documentElement);
    fit(node, sizes[index]);
    return node;
  };

  const made = (name, text, className) => {
    const node = document.createElement(name);
    node.textContent = text;
    if (className) node.className = className;
    return node;
  };

  const details = (step) => {
    const found = [];
    if (step.rows.length) {
      const list = document.createElement("dl");
      for (const [name, value] of step.rows) list.append(made("dt", name), made("dd", value));
      found.push(list);
    }
    for (const text of step.events) found.push(made("p", text, "event"));
    for (const [source, text] of step.words) {
      found.push(made("h3", source), made("pre", text));
    }
    return found;
  };

  const reveal = (link) => { // moves the list alone, not the page
    const list = element("actions");
    const [inner, outer] = [link.getBoundingClientRect(), list.getBoundingClientRect()];
    if (inner.top < outer.top) list.scrollTop -= outer.top - inner.top + outer.height / 3;
    if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom + outer.height / 3;
  };

  const address = () => {
    clearTimeout(writing);
    writing = setTimeout(() => {
      if (location.hash !== `#${at}`) history.replaceState(null, "", `#${at}`);
    }, timer ? 1000 : 200);
  };

  const go = (index) => {
    const to = Math.max(0, Math.min(last, index));
    if (to === at) return;
    if (at >= 0) links[at].removeAttribute("aria-current");
    at = to;
    element("board").replaceChildren(draw(at));
    element("head").textContent = data.steps[at].head;
    element("details").replaceChildren(...details(data.steps[at]));
    slider.value = at;
    slider.setAttribute("aria-valuetext", data.steps[at].head);
    links[at].setAttribute("aria-current", "step");
    reveal(links[at]);
    for (const cursor of document.querySelectorAll(".cursor")) {
      cursor.setAttribute("d", `M${at} -3V103`);
    }
    element("first").disabled = element("back").disabled = at === 0;
    element("last").disabled = element("next").disabled = at === last;
    address();
  };

  const stop = () => {
    clearTimeout(timer);
    timer = 0;
    element("play").classList.remove("playing");
    element("play").setAttribute("aria-label", "Play");
  };

  const step = () => {
    if (at === last) return stop();
    go(at + 1);
    timer = setTimeout(step, 1000 / Number(element("speed").value));
  };

  const play = () => {
    if (timer) return stop();
    if (at === last) go(0);
    element("play").classList.add("playing");
    element("play").setAttribute("aria-label", "Pause");
    timer = setTimeout(step, 1000 / Number(element("speed").value));
  };

  const move = (index) => {
    stop();
    go(index);
  };

  const keys = {
    ArrowLeft: () => move(at - 1),
    ArrowRight: () => move(at + 1),
    Home: () => move(0),
    End: () => move(last),
    " ": play,
  };

  document.addEventListener("keydown", (event) => {
    const key = keys[event.key];
    const modified = event.ctrlKey || event.altKey || event.metaKey || event.shiftKey;
    if (!key || modified || event.target.closest("select, input")) return; // they have their own
    if (event.key === " " && event.target.closest("button, a")) return;
    event.preventDefault();
    key();
  });

  const asked = () => {
    const index = Number(location.hash.slice(1));
    return /^#\d+$/.test(location.hash) ? index : null;
  };

  addEventListener("hashchange", () => {
    if (asked() !== null) move(asked());
  });
  document.addEventListener("click", (event) => { // also where the address is not yet up to date
    const link = event.target.closest("a[href^='#']");
    if (link) move(Number(link.hash.slice(1)));
  });
  slider.addEventListener("input", () => move(Number(slider.value)));
  element("first").addEventListener("click", () => move(0));
  element("back").addEventListener("click", () => move(at - 1));
  element("next").addEventListener("click", () => move(at + 1));
  element("last").addEventListener("click", () => move(last));
  element("play").addEventListener("click", play);
  for (const plot of document.querySelectorAll(".plot")) {
    plot.addEventListener("click", (event) => {
      const box = plot.getBoundingClientRect();
      move(Math.floor(((event.clientX - box.left) / box.width) * (last + 1)));
    });
  }
  go(asked() ?? 0);
})();
