/* Builds an action by clicks on the board, or takes one from the list beside it.
   An element with data-choices="1:0,3 2:4" is the first click of the actions 0 and 3, and the second of
   action 4. What was clicked leaves only the actions that have it in this place. */
"use strict";
const element = (id) => document.getElementById(id);
const made = (name, text, act) => {
  const node = document.createElement(name);
  node.textContent = text;
  if (name === "button") node.type = "button";
  if (act) node.addEventListener("click", act);
  return node;
};
// calls play(action), and prompt(names) after each click with what was clicked so far
const actionBuilder = (play, prompt) => {
  const SHOWN = 200; // actions of the list
  let state = { choices: [], words: [] };
  let parts = []; // of the board: { node, steps: Map(click → Set of actions) }
  let depth = []; // of each action: how many clicks build it
  let clicked = []; // the parts, in order
  let fitting = new Set(); // the actions that are left
  let place = null; // the name of the part that had the focus, also while others play

  const label = ({ node }) => node.getAttribute("aria-label");
  const here = (part) => part.steps.get(clicked.length + 1) ?? new Set();
  const lit = (part) => [...here(part)].some((index) => fitting.has(index));
  const light = () => {
    for (const part of parts) {
      const open = lit(part);
      part.node.classList.toggle("lit", open);
      part.node.classList.toggle("chosen", clicked.includes(part));
      part.node.tabIndex = open ? 0 : -1;
      part.node.role = open ? "button" : "img";
    }
    element("unclick").disabled = !clicked.length;
    mark();
    list();
  };
  const finish = (index) => { // nothing more can be chosen until the server has answered
    element("filter").value = "";
    [clicked, fitting] = [[], new Set()];
    light();
    play(state.choices[index]);
  };
  const take = (part) => {
    fitting = new Set([...here(part)].filter((index) => fitting.has(index)));
    clicked.push(part);
  };
  const choose = (part) => {
    if (!lit(part)) return;
    take(part);
    const [only] = fitting;
    if (fitting.size === 1 && depth[only] === clicked.length) return finish(only);
    light();
    prompt(clicked.map(label));
    const next = parts.find(lit);
    if (document.activeElement === part.node) next?.node.focus();
  };
  const again = (before = []) => {
    [clicked, fitting] = [[], new Set(state.choices.keys())];
    before.forEach(take);
    light();
    prompt(clicked.map(label));
  };

  const words = (index) => state.words[index] ?? state.choices[index];
  const list = () => {
    const wanted = element("filter").value.toLowerCase();
    const has = (index) => [state.choices[index], words(index)].some((text) => text.toLowerCase().includes(wanted));
    const exact = [...fitting].filter((index) => state.choices[index].toLowerCase() === wanted);
    const found = exact.length ? exact : [...fitting].filter(has);
    const ready = (index) => clicked.length && (depth[index] <= clicked.length || fitting.size === 1);
    const rows = found.slice(0, SHOWN).map((index) => {
      const button = made("button", words(index), () => finish(index));
      button.title = state.choices[index];
      if (ready(index)) button.className = "ready";
      button.onpointermove = button.onfocus = () => mark(index); // not where a row comes under a pointer at rest
      button.onpointerleave = button.onblur = () => mark();
      return button;
    });
    element("choices").replaceChildren(...rows);
    const more = (state.part ? ", and there are more" : "") + (found.length > SHOWN ? `; ${SHOWN} of them are shown` : "");
    element("count").textContent = state.choices.length ? `${found.length} of ${state.choices.length}${more}` : "Nothing to choose now.";
  };
  const mark = (index) => { // where an action of the list is on the board, if one is meant
    for (const { node, steps } of parts) {
      node.classList.toggle("shown", [...steps.values()].some((actions) => actions.has(index)));
    }
  };

  const draw = (picture, may) => { // and what may be chosen there; the focus stays where it was
    const [before, focused] = [document.activeElement, element("board").contains(document.activeElement)];
    if (focused && before.id !== "board") place = before.getAttribute("aria-label");
    [state, parts, clicked, fitting] = [may, [], [], new Set(may.choices.keys())];
    depth = new Array(fitting.size).fill(0);
    const node = picture.board ? drawBoard(picture.board, picture.ours, document.title) : "";
    element("board").replaceChildren(node);
    if (node && (NARROW || !node.matches("svg, img"))) drawBoard.fit(node); // else the whole board is in sight
    for (const found of node ? node.querySelectorAll("[data-choices]") : []) {
      const steps = new Map();
      for (const word of found.dataset.choices.split(" ")) {
        const [step, indices] = word.split(":");
        steps.set(Number(step), new Set(indices.split(",").map(Number)));
        for (const index of steps.get(Number(step))) depth[index] = Math.max(depth[index], Number(step));
      }
      const part = { node: found, steps };
      parts.push(part);
      found.addEventListener("click", () => choose(part));
    }
    light();
    if (focused) (parts.find((part) => lit(part) && label(part) === place) ?? { node: element("board") }).node.focus();
  };

  element("filter").addEventListener("input", list);
  element("filter").addEventListener("keydown", (event) => {
    if (event.key === "Enter" && element("choices").children.length === 1) element("choices").firstChild.click();
  });
  element("unclick").addEventListener("click", () => again(clicked.slice(0, -1)));
  document.addEventListener("keydown", (event) => {
    const part = ["Enter", " "].includes(event.key) && parts.find(({ node }) => node === event.target);
    const back = ["Backspace", "Escape"].includes(event.key) && clicked.length && !event.target.closest("input");
    if (part || back) event.preventDefault();
    if (part) choose(part);
    else if (back) again(clicked.slice(0, -1));
  });
  return { again, draw, mark, clicks: () => clicked.map(label) };
};
