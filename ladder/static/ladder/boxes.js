// Keeps boxes of a page that htmx fetches repeatedly (`hx-trigger="every .."`) alive when requests fail: by a proxy's 502
// while the site restarts, a rate limit's 429, or without any answer. A box stays as it is after a failure. htmx keeps
// its timer; this script cancels requests for a pause that doubles with each failure.
"use strict";

const PAUSE_MS = 1000;
const PAUSE_MS_MAX = 30_000;
/** By box: the last pause and its end. A successful answer replaces the box by a new element without a pause. */
const pauses = new WeakMap();

document.addEventListener("htmx:beforeRequest", (event) => {
  if (performance.now() < pauses.get(event.detail.elt)?.until) event.preventDefault();
});

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  const { xhr, pathInfo } = detail;
  // A user who was signed out elsewhere gets a redirect to the sign-in page. Reloading follows it for the whole page.
  if (xhr.responseURL && new URL(xhr.responseURL).pathname !== new URL(pathInfo.finalRequestPath, location).pathname) {
    location.reload();
  }
  // Never swap a whole page into a box: it is the sign-in page, or the error page of a proxy.
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
