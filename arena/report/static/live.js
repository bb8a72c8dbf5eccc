"use strict";
/* When there is news, the page is loaded again behind the scenes, and its part that changes takes the
   place of the one here. Beside it the newest match plays; when it has ended, the next newest does. */
(() => {
  const rows = (part) => [...part.querySelectorAll("#matches tbody tr")];
  const show = async () => {
    const answer = await fetch(location.href);
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const old = document.getElementById("live");
    const part = document.adoptNode(page.getElementById("live"));
    const known = new Set(rows(old).map((row) => row.dataset.id));
    for (const row of rows(part)) row.classList.toggle("new", !known.has(row.dataset.id));
    const link = old.contains(document.activeElement) ? document.activeElement.href : null;
    const places = [...old.querySelectorAll(".scroll")].map((table) => table.scrollLeft);
    old.replaceWith(part);
    part.querySelectorAll(".scroll").forEach((table, i) => { table.scrollLeft = places[i]; });
    if (link) [...part.querySelectorAll("a")].find((a) => a.href === link)?.focus({ preventScroll: true });
    document.title = page.title;
  };

  const frame = document.getElementById("newest");
  let shown = ""; // the match that plays, or has been played
  const follow = () => {
    const link = document.querySelector("#matches a.match")?.getAttribute("href") ?? shown;
    const plays = frame.contentDocument?.querySelector("#last:enabled");
    if (link === shown || plays) return;
    frame.src = `${link}#playing`;
    shown = link;
    document.getElementById("newest-match").hidden = false;
  };
  setInterval(follow, 2000);
  follow();
  const lost = document.getElementById("lost");
  const fails = () => { lost.hidden = false; };
  followNews("events", () => {
    lost.hidden = true;
    show().catch(fails);
  }, fails);
})();
