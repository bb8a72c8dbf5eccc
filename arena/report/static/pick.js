// A bot picked in the leaderboard: each row shows its score against it, and its line and row stand out.
"use strict";
(() => {
  const board = document.getElementById("standings");
  if (!board) return;
  const { names, against, lines } = JSON.parse(document.getElementById("data").textContent);
  const [none, note] = ["pick-none", "pick-note"].map((id) => document.getElementById(id));
  const before = note.textContent;

  const pick = (picked) => {
    const name = names[picked];
    none.hidden = name === undefined;
    note.textContent = none.hidden ? before : `Score of every other bot against ${name}:`;
    for (const cell of board.querySelectorAll(".against")) cell.hidden = none.hidden;
    for (const row of board.tBodies[0].rows) {
      const cell = row.querySelector(".against");
      const [points, games] = against[row.dataset.bot][picked] ?? [0, 0];
      cell.textContent = games ? `${Math.round((100 * points) / games)} % (${points} of ${games})` : "";
      cell.dataset.sort = games ? points / games : "";
    }
    for (const part of document.querySelectorAll("[data-bot], [data-line]")) {
      part.classList.toggle("picked", Number(part.dataset.bot ?? lines[part.dataset.line]) === picked);
    }
  };
  for (const part of document.querySelectorAll(".pick")) part.hidden = false;
  board.addEventListener("change", (event) => pick(Number(event.target.value)));
  none.addEventListener("click", () => {
    board.querySelector("input:checked").checked = false;
    pick(-1);
  });
})();
