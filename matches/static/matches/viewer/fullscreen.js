// The viewer on the whole screen. Browsers end a full screen when its page is left, so a show goes on in a frame there.

const FRAME = "viewer-frame";

/** Return the document whose viewer fills the screen: the one around the frame in which a show goes on, or this one. */
function outer() {
  return window.frameElement?.className === FRAME ? parent.document : document;
}

/** Set the state of a button that fills the screen, now and whenever it changes. Some phones fill it with videos alone. */
export function watchFullScreen(button, signal) {
  const page = outer();
  const show = () => button.setAttribute("aria-pressed", page.fullscreenElement !== null);
  button.hidden = !page.fullscreenEnabled;
  page.addEventListener("fullscreenchange", show, { signal });
  show();
}

export async function toggleFullScreen() {
  const page = outer();
  if (!page.fullscreenEnabled) return;
  if (page.fullscreenElement) await page.exitFullscreen();
  else await page.querySelector("[data-viewer='root']").requestFullscreen();
}

/** Go to another page for good, in a frame if this one fills the screen; returns whether this page stays around it. */
export function leaveFor(url) {
  const screen = document.fullscreenElement;
  if (!screen) location.replace(url);
  else {
    const frame = Object.assign(document.createElement("iframe"), { className: FRAME, src: url, title: document.title });
    frame.addEventListener("load", () => frame.contentWindow.focus(), { once: true }); // for the viewer's keys
    screen.replaceChildren(frame);
  }
  return screen !== null;
}
