// Boxes of a page that are asked for by themselves (`hx-trigger="every .."`) outlive answers that fail: a proxy's 502
// while the site restarts, a limit's 429, no connection, no answer. The box stays as it is, and htmx goes on asking at
// its own pace; after a failure we leave its requests out for a pause that doubles from one failure to the next.
"use strict";

const PAUSE_MS = 1000;
const PAUSE_MS_MAX = 30_000;
/** By box: the last pause and when it is over. An answer that is good puts another box in the place of this one. */
const pauses = new WeakMap();

document.addEventListener("htmx:beforeRequest", (event) => {
  if (performance.now() < pauses.get(event.detail.elt)?.until) event.preventDefault();
});

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  const { xhr, pathInfo } = detail;
  // Who has been signed out elsewhere is sent to sign in: the page itself leads there, and comes back from there.
  if (xhr.responseURL && new URL(xhr.responseURL).pathname !== new URL(pathInfo.finalRequestPath, location).pathname) {
    location.reload();
  }
  // A whole page is never a part of one: this is that form, or what a proxy says while the site is away.
  if (/^\s*(<!doctype|<html)/i.test(detail.serverResponse)) {
    detail.shouldSwap = false;
    detail.isError = true;
  }
});

document.addEventListener("htmx:afterRequest", ({ detail: { elt, successful } }) => {
  if (successful) {
    pauses.delete(elt);
    return;
  }
  const ms = Math.min(2 * pauses.get(elt)?.ms || PAUSE_MS, PAUSE_MS_MAX);
  pauses.set(elt, { ms, until: performance.now() + ms });
});
