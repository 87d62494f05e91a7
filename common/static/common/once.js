// A second click would send a form again, and have the browser throw away the answer to the first with what only that
// one has: the cookie of the session that goes on, or the page behind a code that is good once.
"use strict";

const PATIENCE_MS = 3000;
const sentAt = new WeakMap();

document.addEventListener("submit", (event) => {
  if (event.timeStamp - sentAt.get(event.target) < PATIENCE_MS) event.preventDefault();
  else sentAt.set(event.target, event.timeStamp);
});
