"use strict";
/* followNews(address, heard, lost) calls heard(data) with each message of the server, and lost() when
   the server does not answer. A page that nobody looks at hears nothing: a browser opens only a few
   connections to one server, and pages in other tabs would take them all. */
const followNews = (address, heard, lost) => {
  const AGAIN_MS = 5000;
  let source = null;
  let timer;

  const begin = () => {
    clearTimeout(timer);
    source?.close();
    source = document.hidden ? null : new EventSource(address);
    if (!source) return;
    source.onmessage = (event) => heard(JSON.parse(event.data));
    source.onerror = () => {
      lost();
      if (source.readyState === EventSource.CLOSED) timer = setTimeout(begin, AGAIN_MS); // it was refused
    };
  };

  document.addEventListener("visibilitychange", begin);
  begin();
};
