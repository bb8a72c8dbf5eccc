// Steps through a match. All texts are put on the page as text; board.js draws the boards.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const last = data.steps.length - 1;
  const element = (id) => document.getElementById(id);
  const [slider, place] = ["slider", "board"].map(element);
  const links = [...document.querySelectorAll("#actions a")];
  const better = element("better"); // where something is explained
  const embedded = location.hash === "#playing"; // in the live page, where it plays by itself
  let at = -1;
  let scale = 0; // of boards, at least
  let timer = 0; // of the next step, while it plays
  let writing = 0; // of the address, which browsers let change only so often

  // all boards of a match have one scale, that of the largest
  const sizes = data.frames.map((frame) => {
    const found = / viewBox="0 0 (\d+) (\d+)"/.exec(data.lines[frame[0]]);
    return found ? found.slice(1).map(Number) : [1, 1];
  });
  const [widest, highest] = [0, 1].map((side) => Math.max(...sizes.map((size) => size[side])));
  const fit = (node, width) => { // no letter is too small; what is too wide is moved sideways
    const whole = node.matches("svg");
    if (whole) node.style.width = `min(${(100 * width) / widest}%, ${(78 * width) / highest}vh)`;
    scale = drawBoard.fit(node, whole ? scale : 0);
    if (place.scrollWidth > place.clientWidth) place.classList.add("large"); // it gets more room
    place.classList.toggle("wider", place.scrollWidth > place.clientWidth);
  };

  const show = (instead) => { // the board, or instead that after the better move, as a ghost
    const { ghost, better: words } = data.steps[at];
    const index = instead ? ghost : at;
    const text = data.frames[index].map((line) => data.lines[line]).join("\n");
    const node = drawBoard(text, data.ours, data.steps[at].head);
    const left = place.scrollLeft;
    place.replaceChildren(node);
    if (data.ours) fit(node, sizes[index][0]);
    place.scrollLeft = left;
    const [mark, seen] = [node.querySelector(".last") ?? place, place].map((one) => one.getBoundingClientRect());
    if (mark.left < seen.left || mark.right > seen.right) place.scrollLeft += mark.left - seen.left - seen.width / 2;
    if (!better) return;
    better.disabled = ghost === undefined;
    better.setAttribute("aria-pressed", instead);
    place.classList.toggle("ghost", instead);
    const said = words ? `Instead of what was played: ${words}` : "";
    element("instead").textContent = instead ? `Not played: ${words}` : said;
  };
  const made = (name, textContent = "") => Object.assign(document.createElement(name), { textContent });
  const details = (step) => {
    const list = made("dl");
    list.append(...step.rows.flatMap(([name, value]) => [made("dt", name), made("dd", value)]));
    const words = step.words.flatMap(([source, text]) => [made("h3", source), made("pre", text)]);
    return [list, ...step.events.map((text) => made("p", text)), ...words];
  };
  const reveal = (link) => { // moves the list alone, not the page
    const list = element("actions");
    const above = link.offsetTop - list.scrollTop;
    if (above < 0 || above + link.offsetHeight > list.clientHeight) list.scrollTop += above - list.clientHeight / 3;
  };
  const address = () => {
    clearTimeout(writing);
    writing = setTimeout(() => history.replaceState(null, "", `#${at}`), timer ? 1000 : 200);
  };

  const go = (index) => {
    const to = Math.max(0, Math.min(last, index));
    if (to === at) return;
    if (at >= 0) links[at].removeAttribute("aria-current");
    at = to;
    show(false);
    element("head").textContent = data.steps[at].head;
    element("details").replaceChildren(...details(data.steps[at]));
    slider.value = at;
    slider.setAttribute("aria-valuetext", data.steps[at].head);
    links[at].setAttribute("aria-current", "step");
    reveal(links[at]);
    for (const cursor of document.querySelectorAll(".cursor")) cursor.setAttribute("d", `M${at} -3V103`);
    element("first").disabled = element("back").disabled = at === 0;
    element("last").disabled = element("next").disabled = at === last;
    address();
  };

  const wait = (plays) => { // for the next step, if it plays
    clearTimeout(timer);
    timer = plays ? setTimeout(step, 1000 / Number(element("speed").value)) : 0;
    element("play").classList.toggle("plays", plays);
    element("play").setAttribute("aria-label", plays ? "Pause" : "Play");
  };
  const step = () => {
    if (at < last) go(at + 1);
    wait(at < last);
  };
  const play = () => {
    if (!timer && at === last) go(0);
    wait(!timer);
  };

  const move = (index) => {
    wait(false);
    go(index);
  };
  const buttons = {
    first: () => move(0),
    back: () => move(at - 1),
    next: () => move(at + 1),
    last: () => move(last),
    play,
    mistake: () => move(data.costs.find((index) => index > at) ?? data.costs[0]),
    better: () => {
      wait(false);
      show(!place.classList.contains("ghost"));
    },
  };
  const keys = { Home: "first", ArrowLeft: "back", ArrowRight: "next", End: "last", " ": "play", b: "better", n: "mistake" };

  document.addEventListener("keydown", (event) => {
    const button = element(keys[event.key]);
    const modified = event.ctrlKey || event.altKey || event.metaKey || event.shiftKey;
    if (!button || modified || event.target.closest("select, input")) return; // they have their own
    if (event.key === " " && event.target.closest("button, a, summary")) return;
    event.preventDefault();
    button.click();
  });
  const asked = () => (/^#\d+$/.test(location.hash) ? Number(location.hash.slice(1)) : null);

  addEventListener("hashchange", () => move(asked() ?? at));
  document.addEventListener("click", (event) => { // also where the address is not yet up to date
    const link = event.target.closest("a[href^='#']");
    if (link) move(Number(link.hash.slice(1)));
  });
  slider.addEventListener("input", () => move(Number(slider.value)));
  for (const id in buttons) element(id)?.addEventListener("click", buttons[id]);
  for (const plot of document.querySelectorAll(".plot")) {
    plot.addEventListener("click", (event) => {
      const box = plot.getBoundingClientRect();
      move(Math.floor(((event.clientX - box.left) / box.width) * (last + 1)));
    });
  }
  go(asked() ?? data.opens);
  if (embedded) {
    document.documentElement.classList.add("embedded");
    for (const link of document.links) link.target = "_top";
    element("speed").value = ["1", "2", "4"].find((speed) => last / Number(speed) < 30) ?? "8";
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) go(last);
    else play();
  }
})();
