// Tables that sort by a click: <table class="sortable"> with <th><button>…</button></th>.
// A cell is sorted by data-sort, or else by its text; numbers as numbers, largest first.
"use strict";
(() => {
  const compare = (a, b) => {
    const [x, y] = [a, b].map((text) => (text === "" ? NaN : Number(text)));
    if (Number.isNaN(x) !== Number.isNaN(y)) return Number.isNaN(x) ? 1 : -1; // numbers first
    return Number.isNaN(x) ? a.localeCompare(b, "en") : y - x;
  };

  const sort = (table, header) => {
    const again = header.getAttribute("aria-sort") === header.dataset.first;
    const rows = [...table.tBodies[0].rows];
    const cell = (row) => row.cells[header.cellIndex];
    const value = (row) => cell(row).dataset.sort ?? cell(row).textContent.trim();
    const numbers = rows.some((row) => value(row) !== "" && !isNaN(value(row)));
    header.dataset.first = numbers ? "descending" : "ascending";
    rows.sort((a, b) => (again ? -1 : 1) * compare(value(a), value(b)));
    for (const other of table.tHead.querySelectorAll("th")) other.removeAttribute("aria-sort");
    header.setAttribute("aria-sort", again === numbers ? "ascending" : "descending");
    table.tBodies[0].append(...rows);
  };
  for (const button of document.querySelectorAll("table.sortable thead button")) {
    button.addEventListener("click", () => sort(button.closest("table"), button.closest("th")));
  }
})();
