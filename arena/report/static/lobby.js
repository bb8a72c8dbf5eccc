/* Begins matches from the cards of the lobby, or takes a free seat by the link of an invitation. */
"use strict";
(() => {
  const name = document.getElementById("name");
  const seat = location.pathname; // of an invitation: what seat this browser has taken by it
  const post = async (what, asked) => {
    if (name) localStorage.setItem("name", name.value);
    const headers = { "Content-Type": "application/json" };
    const body = JSON.stringify({ name: name?.value ?? "", ...asked });
    const said = await (await fetch(what, { method: "POST", headers, body })).json();
    document.getElementById("note").textContent = said.refused ?? "";
    return said.link;
  };
  const begin = (form, how) => {
    const { game } = form.dataset;
    const [players, bot] = ["players", "bot"].map((one) => form.elements[one]?.value);
    const others = Number(players ?? form.dataset.usual) - 1;
    const seats = ["human", ...Array(others).fill(how === "bot" ? bot : "human")];
    return post("new", { game: players ? `${game}(players=${players})` : game, seats, here: how === "here" });
  };

  document.addEventListener("submit", async (event) => {
    event.preventDefault();
    const joins = event.target.id === "join";
    const link = await (joins ? post("join", {}) : begin(event.target, event.submitter.value));
    if (!link) return;
    if (joins) localStorage.setItem(seat, link);
    location.assign(link);
  });
  if (name) name.value = localStorage.getItem("name") ?? "";
  const [back, taken] = [document.getElementById("back"), localStorage.getItem(seat)];
  if (back && taken) Object.assign(back, { href: taken, hidden: false });
  const open = document.getElementById("open");
  if (open) { // it changes while others begin matches
    localStorage.setItem("lobby", seat); // the way back from a match
    setInterval(async () => {
      if (document.hidden || open.contains(document.activeElement)) return;
      const page = new DOMParser().parseFromString(await (await fetch("")).text(), "text/html");
      open.replaceChildren(...page.getElementById("open").children);
      open.hidden = !open.querySelector("li");
    }, 5000);
  }
})();
