"use strict";
/* On a page of the report: says that there are newer results. It changes nothing else, as somebody may
   be reading or sorting a table. */
(() => {
  const note = document.getElementById("newer");
  const { events, label, matches, state } = note.dataset;
  followNews(events, (data) => {
    const more = data.label === label ? data.matches - Number(matches) : 0;
    const played = more === 1 ? "1 more match has" : `${more} more matches have`;
    const what = more > 0 ? `${played} been played` : "The tournament has changed";
    note.firstElementChild.textContent = `${what} since this page was made.`;
    note.hidden = data.label === label && data.state === state && more === 0;
  }, () => {});
})();
