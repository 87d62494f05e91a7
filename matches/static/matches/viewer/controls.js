// Buttons, seek bar with marked events, speed, keyboard and the link to a turn.

import { SPEEDS } from "./player.js";
import { symbolOf } from "./commentary.js";
import { toggleFullScreen, watchFullScreen } from "./fullscreen.js";
import { linkToTurn } from "./links.js";
import { element, fill } from "./words.js";

/** Keys that work anywhere on the page, unless the focus is on an element that takes the key itself. */
const KEYS = {
  " ": (player) => player.toggle(),
  ArrowLeft: (player) => player.back(),
  ArrowRight: (player) => player.forward(),
  Home: (player) => player.go(0),
  End: (player) => (player.live ? player.follow() : player.go(player.last)),
  "+": (player) => player.shiftSpeed(1),
  "=": (player) => player.shiftSpeed(1),
  "-": (player) => player.shiftSpeed(-1),
  f: (player, root) => root.querySelector("[data-viewer='full']:not([hidden])")?.click(),
};

export class Controls {
  constructor(root, player, events, game, words, signal) {
    Object.assign(this, { root, player, events, game, words, signal });
    this.seek = this.#part("seek");
    this.speed = this.#part("speed");
    this.#listen();
    this.grow();
    player.addEventListener("turn", () => this.#show());
    player.addEventListener("state", () => this.#show());
  }

  /** Show turns and events that have been added to the replay. */
  grow() {
    this.seek.max = this.player.last;
    this.#mark();
    this.#show();
  }

  #part(name) {
    return this.root.querySelector(`[data-viewer="${name}"]`);
  }

  #listen() {
    const { player } = this;
    const click = (name, act) => this.#part(name)?.addEventListener("click", act);
    click("first", () => player.go(0));
    click("back", () => player.back());
    click("play", () => player.toggle());
    click("forward", () => player.forward());
    click("last", () => player.go(player.last));
    click("link", () => this.#copyLink());
    click("follow", () => player.follow());
    click("full", toggleFullScreen);
    if (this.#part("full")) watchFullScreen(this.#part("full"), this.signal);
    this.seek.addEventListener("input", () => player.go(this.seek.valueAsNumber));
    this.speed.replaceChildren(...SPEEDS.map((speed) => new Option(`${speed}×`, speed)));
    this.speed.addEventListener("change", () => player.setSpeed(Number(this.speed.value)));
    document.addEventListener("keydown", (event) => this.#key(event), { signal: this.signal });
  }

  #key(event) {
    const act = KEYS[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey || takesKey(event.target, event.key)) return;
    event.preventDefault();
    act(this.player, this.root);
  }

  #show() {
    const { player, words } = this;
    this.seek.value = player.turn;
    const where = fill(words.turn, { turn: player.turn, turns: player.last });
    this.seek.setAttribute("aria-valuetext", where);
    this.#part("turn").textContent = where;
    const play = this.#part("play");
    play.setAttribute("aria-label", player.playing ? words.pause : words.play);
    play.title = play.getAttribute("aria-label");
    play.dataset.playing = player.playing;
    this.speed.value = player.speed;
    const follow = this.#part("follow");
    if (follow) {
      follow.hidden = !player.live;
      follow.setAttribute("aria-pressed", player.following);
    }
    for (const name of ["first", "back"]) setDisabled(this.#part(name), player.turn === 0);
    for (const name of ["forward", "last"]) setDisabled(this.#part(name), player.turn === player.last);
  }

  /** Draw the marks of events on the seek bar, for eye and mouse; the commentary has the same events as a list. */
  #mark() {
    const marks = this.events.map((event) => {
      const mark = element("span", `viewer-mark viewer-mark-${event.kind}`, symbolOf(event, this.game));
      mark.style.left = `${(100 * event.turn) / this.player.last}%`;
      mark.title = `${fill(this.words.turn_short, { turn: event.turn })} ${event.text}`;
      if (event.seat !== null) mark.dataset.seat = event.seat;
      mark.addEventListener("click", () => this.player.go(event.turn));
      return mark;
    });
    this.#part("marks").replaceChildren(...marks);
  }

  async #copyLink() {
    const said = this.#part("copied");
    try {
      await navigator.clipboard.writeText(linkToTurn(this.player.turn));
      said.textContent = this.words.copied;
    } catch {
      // There is no clipboard without https, or the reader has refused it.
      said.textContent = this.words.not_copied;
    }
  }
}

/** Mark a button as disabled. It keeps the keyboard's focus, which it would lose with the `disabled` attribute. */
export function setDisabled(button, disabled) {
  button.setAttribute("aria-disabled", disabled);
}

/** Tell whether the element with the focus takes a key itself. */
export function takesKey(target, key) {
  if (target.closest("input:not([type=range], [type=radio]), textarea, select, [contenteditable]")) return true;
  if (target.matches("input[type=radio]")) return key.startsWith("Arrow") || key === " ";
  if (target.matches("pre, .scroll, ol")) return true; // they scroll
  return key === " " && Boolean(target.closest("button, a, summary"));
}
