// Tables that sort by a click: <table class="sortable"> with <th><button>…</button></th>.
// A cell is sorted by data-sort, or else by its text; numbers as numbers, largest first.
"use strict";
(() => {
  const value = (row, column) => {
    const cell = row.cells[column];
    return cell.dataset.sort ?? cell.textContent.trim();
  };

  const compare = (a, b) => {
    const [x, y] = [a, b].map((text) => (text === "" ? NaN : Number(text)));
    if (Number.isNaN(x) !== Number.isNaN(y)) return Number.isNaN(x) ? 1 : -1; // numbers first
    return Number.isNaN(x) ? a.localeCompare(b, "en") : y - x;
  };

  const sort = (table, header) => {
    const again = header.getAttribute("aria-sort") === header.dataset.first;
    const body = table.tBodies[0];
    const rows = [...body.rows];
    const column = header.cellIndex;
    const numbers = rows.some((row) => value(row, column) !== "" && !isNaN(value(row, column)));
    header.dataset.first = numbers ? "descending" : "ascending";
    const sign = again ? -1 : 1;
    rows.sort((a, b) => sign * compare(value(a, column), value(b, column)));
    for (const other of table.tHead.querySelectorAll("th")) other.removeAttribute("aria-sort");
    const order = again === numbers ? "ascending" : "descending";
    header.setAttribute("aria-sort", order);
    body.append(...rows);
  };

  for (const table of document.querySelectorAll("table.sortable")) {
    for (const header of table.tHead.querySelectorAll("th")) {
      const button = header.querySelector("button");
      if (button) button.addEventListener("click", () => sort(table, header));
    }
  }
})();
