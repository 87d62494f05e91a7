// Tries: sends the program, tells how far the site has come, and shows the match, at first as it is played.

import { turnOfLink } from "../matches/viewer/links.js";
import { Listener } from "../matches/viewer/live.js";
import { Messages } from "../matches/viewer/messages.js";
import { fetchReplay, readReplay, ReplayError } from "../matches/viewer/replay.js";
import { showReplay } from "../matches/viewer/shell.js";
import { element, fill } from "../matches/viewer/words.js";

/** Pauses between two questions how far a try has come: while it may begin any moment, and else. */
const SOON_MS = 300;
const LATER_MS = 1500;
/** A try that has not begun for so long is not expected any moment. */
const SOON_FOR_MS = 8000;
const WATCHED_MS = 3000;
const OPEN = ["waiting", "running"];
const HTTP_TOO_MANY = 429;
/** The most bytes that a browser sends for a page that is being left. */
const LEAVING_BYTES_MAX = 60_000;

export class Tries extends EventTarget {
  /**
   * Fires "show" when the match is to be shown, with whether the user has just asked for it as `isAsked`, and "play-on"
   * with the try and the turn from which to play on.
   *
   * @param {object} page the context from the page
   * @param {(name: string) => HTMLElement} part returns an element of the page
   * @param {Editor} editor
   */
  constructor(page, part, editor) {
    super();
    Object.assign(this, { page, part, editor, words: page.workshop.words, shown: null });
    this.over = new AbortController();
    this.messages = new Messages(page.tables);
    page.game_words = this.messages.words("viewer-");
    /** Where the browser keeps for one tab which try it has begun last. */
    this.key = `workshop try ${page.workshop.place}`;
  }

  /** Send the program, and follow its try to the end. */
  async begin(asked) {
    await this.#run(true, async () => {
      this.#say(this.words.sending);
      const { reader, urls } = this.page.workshop;
      const body = { ...asked, reader, files: this.editor.files() };
      const { answer, problem } = await post(urls.begin, body, this.words);
      if (problem) return this.#say("", problem);
      try {
        sessionStorage.setItem(this.key, answer.id);
      } catch {
        // The user's browser keeps nothing: a reload does not take the try up again.
      }
      await this.#follow(answer, { turn: (asked.played?.turn ?? 1) - 1, playing: true, speed: 1 });
    });
  }

  /** After a reload, take up the last try of this tab again, if the site still has it. */
  async resume() {
    let id = null;
    try {
      id = sessionStorage.getItem(this.key);
    } catch {
      // The user's browser keeps nothing.
    }
    const told = id && (await get(this.#url("try", id)));
    if (!told) return;
    // The page's url names the turn at which the user has stopped.
    const turn = OPEN.includes(told.state) ? null : turnOfLink(location.hash);
    await this.#run(false, () => this.#follow(told, { turn: turn ?? 0, playing: turn === null, speed: 1 }));
  }

  /**
   * Do what shows a match, unless one is awaited already.
   *
   * @param {boolean} isAsked whether the user has just asked for it
   * @param {() => Promise<void>} act
   */
  async #run(isAsked, act) {
    if (this.busy) return;
    this.#busy(true);
    this.dispatchEvent(new CustomEvent("show", { detail: { isAsked } }));
    try {
      await act();
    } catch (error) {
      this.#say("", error instanceof ReplayError ? fill(this.page.words[error.word], error.values) : this.words.connection);
      if (!(error instanceof ReplayError)) throw error;
    } finally {
      this.#busy(false);
    }
  }

  /** Follow a try to its end. `start` is what a player does at first that shows a match which nobody has watched live. */
  async #follow(told, start) {
    this.#clear();
    this.told = told;
    this.#tell();
    this.game ??= await import(this.page.module);
    const url = this.#url("try");
    const begun = performance.now();
    let isLost = false;
    while (OPEN.includes(this.told.state)) {
      if (this.told.state === "running") this.#listen();
      const soon = !this.shown && !isLost && !this.told.place && performance.now() - begun < SOON_FOR_MS;
      await new Promise((go) => setTimeout(go, soon ? SOON_MS : LATER_MS));
      const news = await get(url);
      isLost = !news;
      if (isLost) this.#say(this.words.lost);
      else {
        this.told = news;
        this.#tell();
      }
    }
    this.#mark();
    if (this.told.state === "finished") await this.#replay(start);
  }

  /** Follow the match as it is played. */
  #listen() {
    if (this.listening) return;
    this.listening = true;
    const { id } = this.told;
    const current = (act) => (...given) => this.told.id === id && OPEN.includes(this.told.state) && act(...given);
    new Listener(this.#url("live"), {
      lines: current((records) => {
        const options = { live: true, messages: this.messages, letters: this.page.letters };
        if (records[0].format) this.#show(readReplay(records, options)); // also when another worker has begun anew
        else this.shown.grow(records);
      }),
      ended: current(() => this.shown.end()),
      heard() {},
      lost() {},
      broken() {},
      over() {},
    }).listen();
  }

  /** Show the match once more when it has ended: with what the program was asked, answered and wrote. */
  async #replay(start) {
    const replay = await fetchReplay(this.#url("replay"), { messages: this.messages, letters: this.page.letters });
    // A match that was watched live goes on where it is.
    const isWatched = this.shown && performance.now() - this.shownAt > WATCHED_MS;
    const { turn, playing, speed } = isWatched ? this.shown.player : start;
    this.#show(replay, this.#url("turns")); // it stops the player that was seen
    const { player } = this.shown;
    player.setSpeed(speed);
    if (this.told.turn !== null && start.playing) player.jump(this.told.turn); // what the author looks for is there
    else {
      player.jump(turn);
      if (playing && !player.stillness.matches) player.play();
    }
    this.#offerToPlayOn();
  }

  #offerToPlayOn() {
    const { player } = this.shown;
    const button = this.part("play-on");
    const turn = () => Math.max(player.turn, 1);
    const tell = () => (button.textContent = fill(this.words.play_on, { turn: turn() }));
    player.addEventListener("turn", tell);
    tell();
    button.hidden = false;
    button.addEventListener("click", () => {
      this.dispatchEvent(new CustomEvent("play-on", { detail: { try: this.told.id, turn: turn() } }));
    });
  }

  #show(replay, log = "") {
    this.over.abort();
    this.over = new AbortController();
    const viewer = this.part("viewer").content.cloneNode(true).firstElementChild;
    this.part("board").replaceChildren(viewer);
    const page = { ...this.page, log_json: log, autoplay: false };
    this.shownAt ??= performance.now();
    this.shown = showReplay(viewer, replay, this.game, page, this.over.signal);
  }

  #clear() {
    this.over.abort();
    this.shown = this.shownAt = null;
    this.listening = false;
    this.part("board").replaceChildren();
    this.part("log").hidden = true;
    this.part("marks").hidden = true;
    this.editor.mark([]);
  }

  #tell() {
    const { words, told } = this;
    const { state, step, place, seconds, why, log } = told;
    if (state === "waiting" && seconds) this.#say(fill(words.in_line_for, { place, seconds }));
    else if (state === "waiting") this.#say(place ? fill(words.in_line, { place }) : words.next);
    else if (state === "running") this.#say(step === "check" ? words.playing : words.building);
    else if (state === "finished") {
      const rank = told.ranks[told.seat];
      const outcome = fill(words.played, { turns: told.turns, rank, seats: told.seats.length });
      this.#say(outcome, told.turn === null ? "" : fill(words.fault, { turn: told.turn, why }));
    } else this.#say(words[state], why);
    this.part("log").hidden = !log;
    this.part("log").open = state === "rejected";
    this.part("log").querySelector("pre").textContent = log;
  }

  /** Mark the lines that a compiler or an interpreter names, and list them. */
  #mark() {
    const found = this.told.marks.map((mark) => ({ ...mark, path: this.editor.find(mark.path) }));
    const marks = found.filter(({ path }) => path);
    this.editor.mark(marks);
    this.part("marks").hidden = !marks.length;
    this.part("marks").replaceChildren(...marks.map(({ path, line, text, is_error: isError }) => {
      const item = element("li", isError ? "is-error" : "");
      const button = element("button", "link", fill(this.words.mark, { path, line, text }));
      button.type = "button";
      button.addEventListener("click", () => this.editor.go(path, line));
      item.append(button);
      return item;
    }));
  }

  #say(text, why = "") {
    for (const [name, said] of [["status", text], ["why", why]]) {
      const place = this.part(name);
      if (place.textContent !== said) place.textContent = said; // a screen reader says only what is new
      place.hidden = !said;
    }
  }

  #busy(busy) {
    this.busy = busy;
    this.part("try").setAttribute("aria-disabled", busy);
  }

  #url(name, id = this.told.id) {
    return this.page.workshop.urls[name].replace("/0/", `/${id}/`);
  }
}

/** Return the token against forged requests. It changes when the user signs in again in another tab. */
function token() {
  return document.cookie.match(/(?:^|; )csrftoken=(\w+)/)?.[1] ?? document.querySelector("[name=csrfmiddlewaretoken]").value;
}

/**
 * Post JSON to the site. Returns its answer, and a sentence if it refuses, or if there is none.
 *
 * @param {{outlivesPage?: boolean}} options outlivesPage: whether a small body is sent even if the page is left meanwhile
 */
export async function post(url, body, words, { outlivesPage = false } = {}) {
  const text = JSON.stringify(body);
  let response;
  try {
    response = await fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-CSRFToken": token() },
      body: text,
      keepalive: outlivesPage && new Blob([text]).size < LEAVING_BYTES_MAX,
    });
  } catch {
    return { problem: words.connection };
  }
  if (response.redirected) return { problem: words.sign_in };
  if (response.status === HTTP_TOO_MANY) return { problem: words.too_often };
  const answer = await response.json().catch(() => null);
  return { answer, problem: response.ok && answer ? "" : answer?.error ?? words.connection };
}

/** Return JSON of the site, or null if it does not answer now. */
async function get(url) {
  try {
    const response = await fetch(url, { headers: { Accept: "application/json" } });
    return response.ok && !response.redirected ? await response.json() : null;
  } catch {
    return null;
  }
}
