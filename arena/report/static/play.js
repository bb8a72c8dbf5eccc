/* A match that people play: shows what the server says, step by step, and builds an action by clicks.
   An element with data-choices="1:0,3 2:4" is the first click of the actions 0 and 3, and the second of
   action 4. What was clicked leaves only the actions that have it in this place. */
"use strict";
(() => {
  const SHOWN = 200; // actions of the list
  const AGAIN_MS = 2000;
  const STEP_MS = 400; // that each move of others is shown, at least
  const REALLY_MS = 4000; // that the question waits whether somebody really resigns
  const element = (id) => document.getElementById(id);
  let state = null;
  let seat = null; // that is looked from, where several people share the page
  let parts = []; // of the board: { node, steps: Map(click → Set of actions) }
  let depth = []; // of each action: how many clicks build it
  let clicked = []; // the parts, in order
  let fitting = new Set(); // the actions that are left
  let shown = -1; // the version that is on the page
  let place = null; // the name of the part of the board that had the focus last
  let gone = false; // has the match made room for another one?
  let at = -1; // the step whose position is on the page
  let run = 0; // of the match: it may be played again
  let looks = false; // does somebody look at an earlier position?
  let really = 0; // the timer of that question

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
    if (what !== "prompt") element("note").textContent = said.refused ?? "";
    return said;
  };
  const play = async (index) => {
    element("filter").value = "";
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
    prompt();
    const next = parts.find(lit);
    if (document.activeElement === part.node) next?.node.focus();
  };
  const again = (before = []) => {
    clicked = [];
    fitting = new Set(state.choices.keys());
    before.forEach(take);
    light();
    prompt();
  };
  const prompt = async () => { // what to choose after these clicks
    const now = clicked;
    const said = now.length ? await ask("prompt", { clicks: now.map(({ node }) => node.getAttribute("aria-label")) }) : state;
    if (now === clicked && state.decision && (said.said ?? said.prompt)) element("status").textContent = status(said.said);
  };

  const words = (index) => {
    const said = state.words[index] ?? state.choices[index];
    return said.charAt(0).toUpperCase() + said.slice(1);
  };
  const list = () => {
    const wanted = element("filter").value.toLowerCase();
    const all = [...fitting].map((index) => [index, state.choices[index].toLowerCase(), words(index).toLowerCase()]);
    const exact = all.filter(([, action]) => action === wanted);
    const some = exact.length ? exact : all.filter(([, action, said]) => action.includes(wanted) || said.includes(wanted));
    const found = some.map(([index]) => index);
    const ready = (index) => clicked.length && (depth[index] <= clicked.length || fitting.size === 1);
    const rows = found.slice(0, SHOWN).map((index) => {
      const button = made("button", words(index), () => play(index));
      button.title = state.choices[index];
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

  const board = (picture, choices = []) => {
    parts = [];
    clicked = [];
    fitting = new Set(choices.keys());
    depth = new Array(fitting.size).fill(0);
    const node = picture.board ? drawBoard(picture.board, picture.ours, document.title) : "";
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

  const status = (prompt = state.prompt) => {
    const last = state.steps.length - 1;
    if (at < last) return `Position ${at} of ${last}. ${state.decision ? "It is your turn: → leads back." : ""}`;
    if (state.over) return state.over.said;
    if (state.undo === "wait") return "The others are asked whether you may take it back.";
    if (state.decision) return `Your turn${state.limit ? ` (${Math.ceil(state.limit / 1000)} seconds)` : ""}. ${prompt}`;
    if (state.covered && state.asked.length) return "Whose turn is it?";
    const who = state.acting?.length ? state.acting.join(" and ") : "the others";
    const said = [`Waiting for ${who}.`];
    for (const name of state.resigned) said.push(`${name} resigned; that counts when it is ${name === "you" ? "your" : "their"} turn.`);
    for (const other of state.away) if (!state.seats.includes(other)) said.push(`${state.names[other]} is away.`);
    if (!state.plays) said.unshift("You are watching.");
    return said.map((one) => one.charAt(0).toUpperCase() + one.slice(1)).join(" ");
  };
  const curtain = () => { // hidden hands on one page: each person asks to see their own
    const open = (other) => made("button", `Show the board of ${state.names[other]}`, () => {
      seat = other;
      shown = -1;
      refresh();
    });
    element("curtain").replaceChildren(...(state.covered ? state.asked.map(open) : []));
  };

  const log = () => {
    const rows = state.steps.map((step, index) => {
      const row = made("li", "", () => look(index));
      const said = step.said.length ? step.said.join("; ") : index ? "" : "The beginning";
      const button = made("button", said);
      button.title = step.acts.map(([, action]) => action ?? "").join(" ");
      row.append(button, ...step.told.map((text) => made("p", text)));
      if (index === at) row.setAttribute("aria-current", "step");
      return row;
    });
    const place = element("log");
    place.replaceChildren(...rows);
    const now = rows[at];
    if (now && (now.offsetTop < place.scrollTop || now.offsetTop + now.offsetHeight > place.scrollTop + place.clientHeight)) {
      place.scrollTop = now.offsetTop + now.offsetHeight - place.clientHeight;
    }
    element("back").disabled = at <= 0;
    element("next").disabled = at >= state.steps.length - 1;
  };

  const show = (picture = state) => { // the present position, or the picture of an earlier one
    const focused = document.activeElement;
    const [before, inside] = [focused?.id, element("board").contains(focused)];
    if (inside && focused.id !== "board") place = focused.getAttribute("aria-label"); // kept while others play
    const now = picture === state;
    state.curtain = seat !== null;
    document.title = `${state.decision ? "Your turn – " : ""}${element("title").textContent}`;
    curtain();
    board(picture, now ? state.choices : []);
    element("status").textContent = status();
    element("why").replaceChildren(...(now ? state.over?.why ?? [] : []).map((text) => made("li", text)));
    log();
    const plays = state.seats.length && !state.over;
    for (const id of ["undo", "resign", "hint", "unclick"]) element(id).hidden = !plays;
    element("building").hidden = !plays || !now;
    element("hint").disabled = !state.decision || !now;
    element("undo").disabled = !state.steps.some(({ acts }) => acts.some(([player]) => state.seats.includes(player)));
    element("resign").disabled = state.seat === null || state.resigned.includes(state.names[state.seat]);
    element("agree").hidden = state.undo !== "agree";
    element("rematch").hidden = !state.over || !state.seats.length;
    element("go").hidden = !state.over?.go;
    element("record").hidden = !state.over?.page;
    element("whole").hidden = !state.ours;
    if (element("invite")) element("invite").hidden = !state.free;
    if (state.over) seat = null;
    light();
    const same = inside && parts.find(({ node }) => node.getAttribute("aria-label") === place && node.tabIndex === 0);
    if (same) same.node.focus();
    else if (inside) (parts.find(lit)?.node ?? element("board")).focus();
    else if (before) element(before)?.focus();
  };
  const look = async (index) => { // at the position after a step
    const last = state.steps.length - 1;
    at = Math.max(0, Math.min(last, index));
    looks = at < last;
    if (!looks) return show();
    const mine = at;
    const query = `?run=${state.run}&at=${at}${seat === null ? "" : `&seat=${seat}`}`;
    const answer = await fetch(`position${query}`);
    if (answer.ok && mine === at) show(await answer.json());
  };
  const advance = async () => { // to the present, one move of others after the other
    const last = state.steps.length - 1;
    const [mine, again] = [state, run !== state.run];
    if (again || at > last) at = Math.min(last, state.replayed);
    if (again) looks = false;
    run = state.run;
    if (looks) return look(at);
    while (at < last - 1 && element("pace").checked && mine === state && !looks) {
      const { acts } = state.steps[at + 1];
      if (at + 1 >= state.replayed && !acts.every(([player]) => state.seats.includes(player))) {
        await look(at + 1);
        looks = false;
        await new Promise((done) => setTimeout(done, STEP_MS));
      } else at += 1;
    }
    if (looks || mine !== state) return;
    at = last;
    show();
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
    if (said.version === shown) {
      state.away = said.away;
      if (!clicked.length) element("status").textContent = status();
      return;
    }
    state = said;
    shown = said.version;
    await advance();
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
    go: () => ask("go-on"),
    back: () => look(at - 1),
    next: () => look(at + 1),
    resign: () => {
      clearTimeout(really);
      if (element("resign").textContent !== "Resign") ask("resign");
      const asks = element("resign").textContent === "Resign";
      element("resign").textContent = asks ? "Really resign?" : "Resign";
      if (asks) really = setTimeout(() => { element("resign").textContent = "Resign"; }, REALLY_MS);
    },
    hint: async () => {
      element("note").textContent = "Searching …";
      const found = await ask("hint");
      if (found.said) element("note").textContent = found.said;
      mark(state.choices?.indexOf(found.action));
    },
  };
  const primer = element("primer");
  if (primer) {
    buttons.how = () => primer.showModal();
    const known = `primer ${element("title").textContent}`;
    primer.addEventListener("close", () => localStorage.setItem(known, "read"));
    if (!localStorage.getItem(known)) primer.showModal();
  }
  element("pace").checked = localStorage.getItem("pace") !== "off";
  element("pace").addEventListener("change", () => localStorage.setItem("pace", element("pace").checked ? "on" : "off"));
  for (const id in buttons) element(id).addEventListener("click", buttons[id]);
  document.addEventListener("keydown", (event) => {
    if (element("primer")?.open) return;
    const types = event.target.closest("input[type=text]") || event.ctrlKey || event.altKey || event.metaKey;
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step && !types) {
      event.preventDefault();
      look(at + step);
      return;
    }
    if (/^[a-z0-9]$/i.test(event.key) && !types && state?.decision) element("filter").focus();
    const part = ["Enter", " "].includes(event.key) && parts.find(({ node }) => node === event.target);
    const back = ["Backspace", "Escape"].includes(event.key) && clicked.length && !event.target.closest("input");
    if (!part && !back) return;
    event.preventDefault();
    if (part) choose(part);
    else buttons.unclick();
  });
  follow();
})();
