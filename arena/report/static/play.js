/* A match that people play: shows what the server says, and builds an action by clicks on the board.
   An element with data-choices="1:0,3 2:4" is the first click of the actions 0 and 3, and the second of
   action 4. What was clicked leaves only the actions that have it in this place. */
"use strict";
(() => {
  const SHOWN = 200; // actions of the list
  const AGAIN_MS = 2000;
  const element = (id) => document.getElementById(id);
  let state = null;
  let seat = null; // that is looked from, where several people share the page
  let parts = []; // of the board: { node, steps: Map(click → Set of actions) }
  let depth = []; // of each action: how many clicks build it
  let clicked = []; // the parts, in order
  let fitting = new Set(); // the actions that are left
  let shown = -1; // the version that is on the page
  let gone = false; // has the match made room for another one?

  const made = (name, text, act) => {
    const node = document.createElement(name);
    node.textContent = text;
    if (name === "button") node.type = "button";
    if (act) node.addEventListener("click", act);
    return node;
  };
  const ask = async (what, asked = {}) => {
    const answer = await fetch(what, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ seat: state.seat, decision: state.decision, ...asked }),
    });
    const said = await answer.json();
    element("note").textContent = said.refused ?? "";
    return said;
  };
  const play = async (index) => {
    clicked = []; // nothing more can be chosen until the server has answered
    fitting = new Set();
    light();
    if (state.curtain) seat = null;
    const said = await ask("act", { action: state.choices[index] });
    if (said.refused) again();
  };
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
    list();
  };
  const take = (part) => {
    fitting = new Set([...here(part)].filter((index) => fitting.has(index)));
    clicked.push(part);
  };
  const choose = (part) => {
    if (!lit(part)) return;
    take(part);
    const [only] = fitting;
    if (fitting.size === 1 && depth[only] === clicked.length) return play(only);
    light();
    const next = parts.find(lit);
    if (document.activeElement === part.node) next?.node.focus();
  };
  const again = (before = []) => {
    clicked = [];
    fitting = new Set(state.choices.keys());
    before.forEach(take);
    light();
  };

  const list = () => {
    const wanted = element("filter").value.toLowerCase();
    const found = [...fitting].filter((index) => state.choices[index].toLowerCase().includes(wanted));
    const ready = (index) => clicked.length && (depth[index] <= clicked.length || fitting.size === 1);
    const rows = found.slice(0, SHOWN).map((index) => {
      const button = made("button", state.choices[index], () => play(index));
      if (ready(index)) button.className = "ready";
      for (const kind of ["pointerenter", "focus"]) button.addEventListener(kind, () => mark(index));
      return button;
    });
    element("choices").replaceChildren(...rows);
    const more = (state.part ? ", and there are more" : "") + (found.length > SHOWN ? `; ${SHOWN} of them are shown` : "");
    element("count").textContent = state.choices?.length ? `${found.length} of ${state.choices.length}${more}` : "";
  };
  const mark = (index) => { // where an action of the list is on the board
    for (const { node, steps } of parts) {
      node.classList.toggle("shown", [...steps.values()].some((actions) => actions.has(index)));
    }
  };

  const board = () => {
    parts = [];
    clicked = [];
    fitting = new Set((state.choices ?? []).keys());
    depth = new Array(fitting.size).fill(0);
    const waits = !state.board && !state.hidden; // for its first position: the old one stays meanwhile
    element("board").classList.toggle("old", waits);
    if (waits) return;
    const node = state.board ? drawBoard(state.board, state.ours, document.title) : "";
    element("board").replaceChildren(node);
    if (!node) return;
    if (NARROW || !node.matches("svg, img")) drawBoard.fit(node); // else the whole board is in sight
    for (const found of node.querySelectorAll("[data-choices]")) {
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
  };

  const status = () => {
    if (state.over) return state.over.said;
    if (state.undo === "wait") return "The others are asked whether you may take it back.";
    if (state.decision) return state.limit ? `Your turn: ${Math.ceil(state.limit / 1000)} seconds.` : "Your turn.";
    if (state.hidden && state.asked.length) return "Whose turn is it?";
    if (state.hidden && !state.plays) return "Hidden things stay hidden until the end; what all players know is listed.";
    return "The others are thinking.";
  };
  const curtain = () => { // hidden hands on one page: each person asks to see their own
    const open = (other) => made("button", `Show the board of ${state.names[other]}`, () => {
      seat = other;
      shown = -1;
      refresh();
    });
    element("curtain").replaceChildren(...(state.hidden ? state.asked.map(open) : []));
  };

  const show = () => {
    const before = document.activeElement?.id;
    state.curtain = seat !== null;
    element("status").textContent = status();
    document.title = `${state.decision ? "Your turn – " : ""}${element("title").textContent}`;
    curtain();
    board();
    element("events").replaceChildren(...(state.events ?? []).map((text) => made("p", text)));
    const rows = state.log.map(([player, action]) => made("li", `${state.names[player]}: ${action}`));
    element("log").replaceChildren(...rows);
    element("log").scrollTop = element("log").scrollHeight;
    const plays = state.seat !== null && state.seat !== undefined && !state.over;
    for (const id of ["undo", "resign", "hint", "building", "unclick"]) element(id).hidden = !plays;
    element("hint").disabled = element("resign").disabled = !state.decision;
    element("resign").textContent = "Resign";
    element("agree").hidden = state.undo !== "agree";
    element("rematch").hidden = !state.over || !state.seats.length;
    element("record").hidden = !state.over?.page;
    element("whole").hidden = !state.ours;
    if (element("invite")) element("invite").hidden = !state.free;
    if (state.over) seat = null;
    light();
    if (before) element(before)?.focus();
  };

  const refresh = async () => {
    const query = `?${shown < 0 ? "" : `after=${shown}`}${seat === null ? "" : `&seat=${seat}`}`;
    const answer = await fetch(`state${query}`);
    gone = answer.status === 410;
    if (gone) {
      element("lost").textContent = await answer.text();
      element("lost").hidden = false;
      document.querySelector("main").inert = true;
      return;
    }
    if (!answer.ok) throw new Error(answer.statusText);
    const said = await answer.json();
    element("lost").hidden = true;
    if (said.version === shown) return;
    state = said;
    shown = said.version;
    show();
  };

  const follow = async () => {
    while (!gone) {
      try {
        await refresh();
      } catch {
        element("lost").hidden = false;
        await new Promise((done) => setTimeout(done, AGAIN_MS));
      }
    }
  };

  element("filter").addEventListener("input", list);
  element("filter").addEventListener("keydown", (event) => {
    const rows = element("choices").children;
    if (event.key === "Enter" && rows.length === 1) rows[0].click();
  });
  const buttons = {
    unclick: () => again(clicked.slice(0, -1)),
    undo: () => ask("undo"),
    yes: () => ask("agree", { yes: true }),
    no: () => ask("agree", { yes: false }),
    rematch: () => ask("rematch"),
    resign: () => {
      if (element("resign").textContent !== "Resign") ask("resign");
      else element("resign").textContent = "Really resign?";
    },
    hint: async () => {
      element("note").textContent = "Searching …";
      const found = await ask("hint");
      if (found.said) element("note").textContent = found.said;
      mark(state.choices?.indexOf(found.action));
    },
  };
  for (const id in buttons) element(id).addEventListener("click", buttons[id]);
  document.addEventListener("keydown", (event) => {
    const part = ["Enter", " "].includes(event.key) && parts.find(({ node }) => node === event.target);
    const back = ["Backspace", "Escape"].includes(event.key) && clicked.length && !event.target.closest("input");
    if (!part && !back) return;
    event.preventDefault();
    if (part) choose(part);
    else buttons.unclick();
  });
  follow();
})();
