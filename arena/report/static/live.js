"use strict";
/* When there is news, the page is loaded again behind the scenes, and its part that changes takes the
   place of the one here. Beside it the newest match plays; when it has ended, the next newest does. */
(() => {
  let shown = ""; // the match that plays, or has been played
  const links = () => [...document.querySelectorAll("#matches a.match")];
  const mark = () => { // the match that plays beside the table
    for (const link of links()) link.ariaCurrent = link.getAttribute("href") === shown ? "true" : null;
  };
  const show = async () => {
    const answer = await fetch(location.href);
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const old = document.getElementById("live");
    const part = document.adoptNode(page.getElementById("live"));
    const link = old.contains(document.activeElement) ? document.activeElement.href : null;
    const places = [...old.querySelectorAll(".scroll")].map((table) => table.scrollLeft);
    old.replaceWith(part);
    mark();
    part.querySelectorAll(".scroll").forEach((table, i) => { table.scrollLeft = places[i]; });
    if (link) [...part.querySelectorAll("a")].find((a) => a.href === link)?.focus({ preventScroll: true });
    document.title = page.title;
  };

  const [frame, keep] = ["newest", "keep"].map((id) => document.getElementById(id));
  const follow = () => {
    const link = links()[0]?.getAttribute("href") ?? shown;
    const plays = frame.contentDocument?.querySelector("#last:enabled");
    if (link === shown || plays || keep.checked) return;
    frame.src = `${link}#playing`;
    shown = link;
    document.getElementById("newest-match").hidden = false;
    mark();
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
