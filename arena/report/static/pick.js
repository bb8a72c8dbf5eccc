// A bot picked in the leaderboard: each row shows its score against it, and its line and row stand out.
"use strict";
(() => {
  const board = document.getElementById("standings");
  if (!board) return;
  const { names, against, lines } = JSON.parse(document.getElementById("data").textContent);
  const none = document.getElementById("pick-none");
  const note = document.getElementById("pick-note");
  const before = note.textContent;

  const show = (picked) => {
    const name = names[picked];
    note.textContent = name === undefined ? before : `Score of every other bot against ${name}:`;
    for (const cell of board.querySelectorAll(".against")) cell.hidden = name === undefined;
    for (const row of board.tBodies[0].rows) {
      const cell = row.querySelector(".against");
      const [points, games] = against[row.dataset.bot][picked] ?? [0, 0];
      cell.textContent = games ? `${Math.round((100 * points) / games)} % (${points} of ${games})` : "";
      cell.dataset.sort = games ? points / games : "";
      row.classList.toggle("picked", Number(row.dataset.bot) === picked);
    }
    for (const row of document.querySelectorAll("#cross tr[data-bot]")) {
      row.classList.toggle("picked", Number(row.dataset.bot) === picked);
    }
    for (const line of document.querySelectorAll("#course [data-line]")) {
      line.classList.toggle("picked", lines[line.dataset.line] === picked);
    }
    none.hidden = name === undefined;
  };

  for (const part of document.querySelectorAll(".pick")) part.hidden = false;
  board.addEventListener("change", (event) => {
    if (event.target.name === "pick") show(Number(event.target.value));
  });
  none.addEventListener("click", () => {
    for (const radio of board.querySelectorAll("input[name=pick]")) radio.checked = false;
    show(-1);
  });
})();
