// A match that people play: shows what the server says, step by step. clicks.js builds an action.
"use strict";
(() => {
  const AGAIN_MS = 2000;
  const STEP_MS = 400; // that each move of others is shown, at least
  const REALLY_MS = 4000; // that the question waits whether somebody really resigns
  let state = null;
  let seat = null; // that is looked from, where several people share the page
  let shown = -1; // the version that is on the page
  let gone = false; // has the match made room for another one?
  let at = -1; // the step whose position is on the page
  let run = 0; // of the match: it may be played again
  let due = 0; // when the move of others that is shown has been there long enough
  let looks = false; // does somebody look at an earlier position?
  let really = 0; // the timer of that question

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
  const play = async (action) => {
    if (state.curtain) seat = null;
    const said = await ask("act", { action });
    if (said.refused) builder.again();
  };
  const prompt = async (clicks) => { // what to choose after these clicks
    const [now, said] = [state, clicks.length ? await ask("prompt", { clicks }) : state];
    const same = now === state && builder.clicks().join() === clicks.join();
    if (same && (said.said ?? said.prompt)) element("status").textContent = status(said.said);
  };
  const builder = actionBuilder(play, prompt);

  const status = (prompt = state.prompt) => {
    const last = state.steps.length - 1;
    if (at < last && !looks) return state.steps[at].said.join("; "); // this one is shown a while
    if (at < last) return `Position ${at} of ${last}. ${state.decision ? "It is your turn: → leads back." : ""}`;
    if (state.over) return state.over.said;
    if (state.undo === "wait") return "The others are asked whether you may take it back.";
    if (state.decision) return `Your turn${state.limit ? ` (${Math.ceil(state.limit / 1000)} seconds)` : ""}. ${prompt}`;
    if (state.covered && state.asked.length) return "Whose turn is it?";
    const who = state.acting?.length ? state.acting.join(" and ") : "the others";
    const said = [state.free ? "Nobody has taken the free seat yet." : `Waiting for ${who}.`];
    for (const name of state.resigned) said.push(`${name} resigned; that counts when it is ${name === "you" ? "your" : "their"} turn.`);
    for (const other of state.free ? [] : state.away) if (!state.seats.includes(other)) said.push(`${state.names[other]} is away.`);
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
    const before = document.activeElement?.id;
    const now = picture === state;
    state.curtain = seat !== null;
    document.title = `${state.decision ? "Your turn – " : ""}${element("title").textContent}`;
    curtain();
    builder.draw(picture, now ? state : { choices: [], words: [] });
    element("status").textContent = status();
    element("why").replaceChildren(...(now ? state.over?.why ?? [] : []).map((text) => made("li", text)));
    log();
    const plays = state.seats.length && !state.over;
    for (const id of ["undo", "resign", "hint", "unclick"]) element(id).hidden = !plays;
    element("building").hidden = !plays || !now || !state.decision;
    element("hint").disabled = !state.decision || !now;
    element("undo").disabled = !state.steps.some(({ acts }) => acts.some(([player]) => state.seats.includes(player)));
    element("resign").disabled = state.seat === null || state.resigned.includes(state.names[state.seat]);
    element("agree").hidden = state.undo !== "agree";
    element("asks").textContent = state.asks;
    element("rematch").hidden = !state.over || !state.seats.length;
    element("go").hidden = !state.over?.go;
    element("record").hidden = !state.over?.page;
    element("whole").hidden = !state.ours;
    if (element("invite")) element("invite").hidden = !state.free;
    if (state.over) seat = null;
    if (before && before !== "board") element(before)?.focus();
  };
  const look = async (index, asked = true) => { // at the position after a step, as somebody asked for
    const last = state.steps.length - 1;
    at = Math.max(0, Math.min(last, index));
    looks = asked && at < last;
    if (at === last) return show();
    const mine = at;
    const answer = await fetch(`position?run=${state.run}&at=${at}${seat === null ? "" : `&seat=${seat}`}`);
    if (answer.ok && mine === at) show(await answer.json());
  };
  const isOurs = ({ acts }) => acts.every(([player]) => state.seats.includes(player));
  const advance = async () => { // to the present, one move of others after the other
    const last = state.steps.length - 1;
    const [mine, again] = [state, run !== state.run];
    if (again || at > last) at = run ? Math.min(last, state.replayed) : last;
    [run, looks] = [state.run, looks && !again];
    if (looks) return look(at);
    let drawn = false;
    while (at < last && mine === state && !looks) {
      const paced = element("pace").checked && at + 1 >= state.replayed && !isOurs(state.steps[at + 1]);
      const wait = paced ? due - Date.now() : 0;
      if (wait > 0) await new Promise((done) => setTimeout(done, wait));
      else if (paced) await look(at + 1, false);
      else at += 1;
      if ((drawn = paced && wait <= 0)) due = Date.now() + STEP_MS;
    }
    if (!looks && mine === state && !drawn) show();
  };

  const refresh = async () => {
    const query = `?${shown < 0 ? "" : `after=${shown}`}${seat === null ? "" : `&seat=${seat}`}`;
    const answer = await fetch(`state${query}`);
    gone = answer.status === 410;
    if (gone) {
      Object.assign(element("lost"), { textContent: await answer.text(), hidden: false });
      document.querySelector("main").inert = true;
      return;
    }
    if (!answer.ok) throw new Error(answer.statusText);
    const said = await answer.json();
    element("lost").hidden = true;
    if (said.version === shown) {
      state.away = said.away;
      if (!builder.clicks().length) element("status").textContent = status();
      return;
    }
    state = said;
    await advance();
    shown = said.version; // not before: what fails is tried again
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

  const buttons = {
    undo: () => ask("undo"),
    yes: () => ask("agree", { yes: true }),
    no: () => ask("agree", { yes: false }),
    rematch: () => ask("rematch"),
    go: () => ask("go-on"),
    back: () => look(at - 1),
    next: () => look(at + 1),
    resign: () => {
      const asks = element("resign").textContent === "Resign";
      element("resign").textContent = asks ? "Really resign?" : "Resign";
      clearTimeout(really);
      if (asks) really = setTimeout(() => { element("resign").textContent = "Resign"; }, REALLY_MS);
      else ask("resign");
    },
    hint: async () => {
      element("note").textContent = "Searching …";
      const found = await ask("hint");
      if (found.said) element("note").textContent = found.said;
      builder.mark(state.choices.indexOf(found.action));
    },
  };
  const primer = element("primer");
  if (primer) {
    buttons.how = () => primer.showModal();
    const known = `primer ${element("title").textContent}`;
    primer.addEventListener("close", () => localStorage.setItem(known, "read"));
    if (!localStorage.getItem(known)) primer.showModal();
  }
  element("pace").checked = (localStorage.getItem("pace") ?? `${!matchMedia("(prefers-reduced-motion: reduce)").matches}`) === "true";
  element("pace").addEventListener("change", () => localStorage.setItem("pace", element("pace").checked));
  Object.assign(element("lobby"), { href: localStorage.getItem("lobby"), hidden: !localStorage.getItem("lobby") });
  for (const id in buttons) element(id).addEventListener("click", buttons[id]);
  document.addEventListener("keydown", (event) => {
    const types = element("primer")?.open || event.target.closest("input[type=text]") || event.ctrlKey || event.altKey || event.metaKey;
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step || types) return;
    event.preventDefault();
    look(at + step);
  });
  follow();
})();
