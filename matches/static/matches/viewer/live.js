// A match while it is played: its lines come as server-sent events (`matches/live.py`), the viewer grows with them.
/* global htmx -- every page of the site loads it */

import { readReplay, ReplayError } from "./replay.js";
import { showReplay } from "./shell.js";
import { element } from "./words.js";

/** The site says something every five seconds: a connection that is quiet for longer is dead, as after a sleep. */
const QUIET_MS_MAX = 20_000;
const PAUSE_MS = 1000;
const PAUSE_MS_MAX = 30_000;
/** Of all lines of a match: twice what a worker shows of one. More would fill the memory of whoever watches. */
const SIGNS_MAX = 16 << 20;

/**
 * Show a match that is being played. While lines come, the box that asks for its state is taken off the page. When none
 * come, it is put back, and loads the page anew when there is news; meanwhile the page tries to listen again.
 */
export function followMatch(root, game, page, tell) {
  const said = root.querySelector("[data-viewer='live']");
  const box = new StateBox(root);
  let shown = null;

  new Listener(page.live, {
    lines(records) {
      // A header in the middle: the match was begun anew, by another worker.
      if (shown && records[0].format) location.reload();
      else if (shown) shown.grow(records);
      else {
        box.takeOff(); // before the board is made as high as there is room for
        shown = showReplay(root, readReplay(records, { live: true, tell }), game, page);
      }
    },
    heard() {
      said.hidden = false;
      if (shown) box.takeOff();
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

/** The box that asks for the state of the match. A page in a frame has none: it hears when the match is over. */
class StateBox {
  constructor(root) {
    this.root = root;
    this.taken = null;
  }

  takeOff() {
    // Looked for each time: an answer puts another box in the place of the one before.
    const asking = document.querySelector("[data-viewer='state']");
    if (!asking) return;
    asking.remove();
    this.taken = asking;
  }

  putBack() {
    if (!this.taken) return;
    // A copy, since htmx takes the box itself for one that still asks, and it does no more since it was taken off.
    const again = this.taken.cloneNode(true);
    this.taken = null;
    this.root.before(again);
    htmx.process(again);
  }
}

/**
 * Listens until the match has ended, however often the connection ends. It does not leave that to the browser, for
 * which a proxy's 502 ends the stream for good, and which waits for ever on a connection that has died in silence.
 */
class Listener {
  /**
   * @param {{lines, heard, lost, broken, over, ended}} told lines come; anything was heard; nothing can be heard; what was
   *   heard cannot be shown; the match ended unheard; its last line has come
   */
  constructor(url, told) {
    Object.assign(this, { url, told, after: "", failures: 0, signs: 0 });
  }

  listen() {
    this.source = new EventSource(this.after ? `${this.url}?after=${this.after}` : this.url);
    const hear = (name, act) => this.source.addEventListener(name, act);
    hear("lines", (event) => {
      try {
        this.#take(event);
      } catch (error) {
        // What cannot be shown is heard no more: the next lines could not be, either.
        this.#stop();
        this.told.broken();
        throw error;
      }
    });
    hear("still", () => this.#heard());
    hear("away", () => this.#again({ lost: true }));
    hear("error", () => this.#again());
    for (const end of ["over", "ended"]) {
      hear(end, () => {
        this.#stop();
        this.told[end]();
      });
    }
    this.#watch();
  }

  #take({ data, lastEventId }) {
    this.signs += data.length;
    if (this.signs > SIGNS_MAX) throw new ReplayError("damaged");
    this.after = lastEventId;
    this.told.lines(data.split("\n").map((line) => JSON.parse(line)));
    this.#heard();
  }

  #heard() {
    this.failures = 0;
    this.#watch();
    this.told.heard();
  }

  #watch() {
    clearTimeout(this.watch);
    this.watch = setTimeout(() => this.#again(), QUIET_MS_MAX);
  }

  #stop() {
    this.source.close();
    clearTimeout(this.watch);
  }

  /** Listen again after a pause. Every connection ends some time: nothing is lost until the next one has failed, too. */
  #again({ lost = this.failures > 0 } = {}) {
    this.#stop();
    if (lost) this.told.lost();
    setTimeout(() => this.listen(), Math.min(PAUSE_MS * 2 ** this.failures, PAUSE_MS_MAX));
    this.failures += 1;
  }
}
