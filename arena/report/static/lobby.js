/* Begins matches, and shows their links. */
"use strict";
(() => {
  const form = document.getElementById("new");
  const SAID = ["For everybody at one page", "To watch"];
  const row = (link, said) => {
    const anchor = Object.assign(document.createElement("a"), { href: link });
    anchor.textContent = anchor.href;
    const item = document.createElement("li");
    item.append(`${said}: `, anchor);
    return item;
  };

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const seats = [...form.querySelectorAll("select")].map((one) => one.value).filter((value) => value);
    const answer = await fetch("new", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ game: form.elements.game.value, seats }),
    });
    const said = await answer.json();
    document.getElementById("note").textContent = said.refused ?? "";
    const last = (said.links ?? []).length - 1;
    const names = (said.links ?? []).map((_, i) => (i === 0 ? SAID[0] : i === last ? SAID[1] : `For person ${i}`));
    document.getElementById("links").replaceChildren(...names.map((name, i) => row(said.links[i], name)));
  });
})();
