// Sends a form only once within three seconds. A second click would make the browser discard the first response, which
// may hold what no other has: the cookie of the new session, or the page after a code that is valid once.
"use strict";

const PATIENCE_MS = 3000;
const sentAt = new WeakMap();

document.addEventListener("submit", (event) => {
  if (event.timeStamp - sentAt.get(event.target) < PATIENCE_MS) event.preventDefault();
  else sentAt.set(event.target, event.timeStamp);
});
