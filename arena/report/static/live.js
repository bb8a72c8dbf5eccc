"use strict";
/* Shows what the page was sent, and whatever the server sends afterwards. */
(() => {
  const find = (id) => document.getElementById(id);

  const cell = (name, content, kind) => {
    const made = document.createElement(name);
    if (kind) made.className = kind;
    made.append(content);
    return made;
  };

  const put = (node, text) => {
    if (node.textContent !== text) node.textContent = text;
  };

  const showState = (data) => {
    const label = data.label || "No tournament yet";
    put(find("label"), label);
    document.title = `${label}, live`;
    put(find("state"), data.said);
    put(find("facts"), data.facts);
    find("report").hidden = !data.label;
    const bar = find("bar");
    bar.hidden = data.of === null;
    bar.max = data.of || 1;
    bar.value = data.matches;
  };

  const boardRow = (row) => {
    const made = document.createElement("tr");
    const name = cell("th", row.bot);
    name.scope = "row";
    made.append(cell("td", String(row.rank), "num"), name);
    for (const text of [row.score, row.interval, row.games, row.results, row.faults]) {
      made.append(cell("td", String(text), "num"));
    }
    return made;
  };

  const matchRow = (row, isNew) => {
    const made = document.createElement("tr");
    if (isNew) made.className = "new";
    made.dataset.id = row.id;
    const link = document.createElement("a");
    link.href = `matches/${encodeURIComponent(row.id)}.html`;
    link.textContent = row.id.slice(0, 8);
    const bots = cell("td", "");
    row.bots.forEach((name, seat) => {
      bots.append(cell("span", `${name} (${row.ranks[seat]})`, "seat"), " ");
    });
    const by = row.faults.length ? cell("td", row.faults.join(", "), "fault") : cell("td", row.by);
    made.append(cell("td", link), bots, by);
    made.append(cell("td", String(row.decisions), "num less"), cell("td", row.game));
    return made;
  };

  /* Rows that stay keep their place on the page, so that nobody's focus is lost. */
  const showMatches = (rows, first) => {
    const body = find("matches").tBodies[0];
    const known = new Map([...body.rows].map((row) => [row.dataset.id, row]));
    const wanted = new Set(rows.map((row) => row.id));
    for (const [id, row] of known) if (!wanted.has(id)) row.remove();
    let place = body.firstElementChild;
    for (const row of rows) {
      const there = known.get(row.id);
      if (there && there === place) {
        place = place.nextElementSibling;
        there.classList.remove("new");
      } else {
        body.insertBefore(there || matchRow(row, !first), place);
      }
    }
  };

  let board = "";
  const show = (data, first) => {
    showState(data);
    showMatches(data.rows, first);
    const text = JSON.stringify(data.board);
    if (text !== board) find("board").tBodies[0].replaceChildren(...data.board.map(boardRow));
    board = text;
  };

  show(JSON.parse(find("data").textContent), true);
  followNews("events", (data) => {
    find("lost").hidden = true;
    show(data, false);
  }, () => {
    find("lost").hidden = false;
  });
})();
