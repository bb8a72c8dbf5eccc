"use strict";
document.getElementById("copy").addEventListener("click", async (event) => {
  const link = document.getElementById("invitation");
  link.select();
  await navigator.clipboard?.writeText(link.value).catch(() => {}); // else by hand: it is selected
  event.target.textContent = navigator.clipboard ? "Copied" : "Press Ctrl-C";
});
