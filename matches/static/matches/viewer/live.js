// A match while it is played: its lines come as server-sent events (`matches/live.py`), the viewer grows with them.

import { readReplay } from "./replay.js";
import { showReplay } from "./shell.js";
import { element } from "./words.js";

/**
 * Show a match that is being played. While lines come, the box that asks for its state is taken off the page; if no
 * more can come from here, it is put back, and loads the page anew when there is news.
 */
export function followMatch(root, game, page, tell) {
  const state = document.querySelector("[data-viewer='state']");
  const said = root.querySelector("[data-viewer='live']");
  const source = new EventSource(page.live);
  let shown = null;

  source.addEventListener("lines", ({ data }) => {
    const records = data.split("\n").map((line) => JSON.parse(line));
    // A header in the middle: the match was begun anew, by another worker.
    if (shown && records[0].format) location.reload();
    else if (shown) shown.grow(records);
    else {
      state?.remove();
      shown = showReplay(root, readReplay(records, { live: true, tell }), game, page);
    }
  });
  source.addEventListener("ended", () => {
    source.close();
    shown.end();
    const link = element("a", "", page.words.live_result);
    link.href = location.pathname;
    said.replaceChildren(page.words.live_ended, " ", link);
  });
  source.addEventListener("away", () => leave());
  source.addEventListener("error", () => {
    // Otherwise the browser connects again by itself and goes on where it was.
    if (source.readyState === EventSource.CLOSED) leave();
  });

  function leave() {
    source.close();
    shown?.end();
    said.hidden = true;
    if (!state || state.isConnected) return;
    root.before(state);
    htmx.process(state);
  }
}
