// A match that is being played: its lines come as server-sent events (`matches/live.py`), and are added to the viewer.
/* global htmx -- every page of the site loads it */

import { readReplay, ReplayError } from "./replay.js";
import { showReplay } from "./shell.js";
import { element } from "./words.js";

/** The site sends an event every five seconds: a connection that is quiet for this time is dead, as after a sleep. */
const QUIET_MS_MAX = 20_000;
const PAUSE_MS = 1000;
const PAUSE_MS_MAX = 30_000;
/** The most characters of all lines of a match: twice what a worker sends. More would fill the browser's memory. */
const CHARACTERS_MAX = 16 << 20;

/**
 * Show a match that is being played. While lines come, the box that polls the match's state is not on the page. When
 * the connection is lost, the box is put back, and reloads the page when the state changes; meanwhile the page tries
 * to connect again.
 */
export function followMatch(root, game, page, messages) {
  const said = root.querySelector("[data-viewer='live']");
  const box = new StateBox(root);
  let shown = null;

  new Listener(page.live, {
    lines(records) {
      // A second header: another worker has begun the match anew.
      if (shown && records[0].format) location.reload();
      else if (shown) shown.grow(records);
      else {
        box.remove(); // first, since the board takes the height that is free
        shown = showReplay(root, readReplay(records, { live: true, messages, letters: page.letters }), game, page);
      }
    },
    heard() {
      said.hidden = false;
      if (shown) box.remove();
    },
    lost() {
      said.hidden = true;
      box.putBack();
    },
    broken() {
      this.lost();
      if (page.next) import("./next.js").then(({ leaveSoon }) => leaveSoon(page.next));
    },
    over() {
      location.reload();
    },
    ended() {
      shown.end();
      const link = element("a", "", page.words.live_result);
      link.href = location.pathname;
      said.replaceChildren(page.words.live_ended, " ", link);
    },
  }).listen();
}

/** The box that polls the state of the match. The embedded page has none: an event tells it that the match is over. */
class StateBox {
  constructor(root) {
    this.root = root;
    this.removed = null;
  }

  remove() {
    // Looked up each time, since htmx replaces the box with each answer.
    const box = document.querySelector("[data-viewer='state']");
    if (!box) return;
    box.remove();
    this.removed = box;
  }

  putBack() {
    if (!this.removed) return;
    // A copy: htmx takes the removed element for one that still polls, but it stopped when it was removed.
    const again = this.removed.cloneNode(true);
    this.removed = null;
    this.root.before(again);
    htmx.process(again);
  }
}

/**
 * Receives events until the match has ended, and connects again when a connection ends. It does not leave that to the
 * browser: for a browser a proxy's 502 ends the stream for good, and it waits for ever on a connection that is dead.
 */
export class Listener {
  /**
   * @param {{lines, heard, lost, broken, over, ended}} handlers called when lines have come; when any event has come;
   *   when no connection can be made; when lines cannot be shown; when the match has ended and its last line was missed;
   *   when its last line has come
   * @param {Object<string, (data: object) => void>} told called with the data of further events, by their names
   */
  constructor(url, handlers, told = {}) {
    Object.assign(this, { url, handlers, told, after: "", failures: 0, characters: 0 });
  }

  listen() {
    this.source = new EventSource(this.after ? `${this.url}?after=${this.after}` : this.url);
    const hear = (name, act) => this.source.addEventListener(name, act);
    hear("lines", (event) => {
      try {
        this.#take(event);
      } catch (error) {
        // No further lines are received: they could not be shown, either.
        this.#stop();
        this.handlers.broken();
        throw error;
      }
    });
    for (const [name, act] of Object.entries(this.told)) {
      hear(name, ({ data, lastEventId }) => {
        this.after = lastEventId || this.after;
        this.#heard();
        act(JSON.parse(data));
      });
    }
    hear("still", () => this.#heard());
    hear("away", () => this.#again({ lost: true }));
    hear("error", () => this.#again());
    for (const end of ["over", "ended"]) {
      hear(end, () => {
        this.#stop();
        this.handlers[end]();
      });
    }
    this.#watch();
  }

  #take({ data, lastEventId }) {
    this.characters += data.length;
    if (this.characters > CHARACTERS_MAX) throw new ReplayError("damaged");
    this.after = lastEventId;
    this.handlers.lines(data.split("\n").map((line) => JSON.parse(line)));
    this.#heard();
  }

  #heard() {
    this.failures = 0;
    this.#watch();
    this.handlers.heard();
  }

  #watch() {
    clearTimeout(this.watch);
    this.watch = setTimeout(() => this.#again(), QUIET_MS_MAX);
  }

  #stop() {
    this.source.close();
    clearTimeout(this.watch);
  }

  /** Connect again after a pause. Every connection ends some time: only a second failure in a row counts as lost. */
  #again({ lost = this.failures > 0 } = {}) {
    this.#stop();
    if (lost) this.handlers.lost();
    setTimeout(() => this.listen(), Math.min(PAUSE_MS * 2 ** this.failures, PAUSE_MS_MAX));
    this.failures += 1;
  }
}
