// The running commentary: a list of what happened, kept in step with the board, and read aloud to screen readers.

import { element, fill } from "./words.js";

/** Signs of the kinds of events, in the list and on the seek bar; kinds a game adds by itself get a dot. */
const SIGNS = {
  fault: "✕", lead: "⇅", enclosed: "◆", lost: "◇", back: "↶", settled: "■", capture: "◆", chance: "★", erased: "○",
  chain: "≫", all_clear: "☆", garbage: "▾", danger: "!", dead: "■",
};

export function sign(event) {
  return SIGNS[event.kind] ?? "•";
}

/** An event in words: its text is a sentence about its seat, which is named here. */
export function tell({ seat, text }, letters) {
  return seat === null ? text : `${letters[seat]}: ${text}`;
}

export class Commentary {
  constructor(list, spoken, { events, live }, letters, words, seek) {
    Object.assign(this, { list, spoken, events, letters, words, seek, items: [] });
    list.replaceChildren(...(live ? [] : [element("li", "viewer-event-none", words.no_events)]));
    this.grow();
  }

  /** Take up the events that have been added. */
  grow() {
    const news = this.events.slice(this.items.length).map((event) => this.#item(event));
    if (news.length && !this.items.length) this.list.replaceChildren();
    this.items.push(...news);
    this.list.append(...news);
  }

  /** Mark what has happened until a turn and speak of what happened in it. */
  show(turn, { playing, standing }) {
    let latest = null;
    this.events.forEach((event, i) => {
      this.items[i].classList.toggle("is-past", event.turn < turn);
      this.items[i].classList.toggle("is-now", event.turn === turn);
      if (event.turn <= turn) latest = this.items[i];
    });
    this.#follow(latest);
    const news = this.events.filter((event) => event.turn === turn).map((event) => tell(event, this.letters));
    // While it plays only events are spoken: a voice cannot keep up with every turn's scores.
    if (!playing) news.unshift(fill(this.words.turn_short, { turn }), standing);
    if (news.length) this.spoken.textContent = news.join(" ");
  }

  #item(event) {
    const item = element("li", `viewer-event viewer-event-${event.kind}`);
    const button = element("button", "viewer-event-turn", fill(this.words.turn_short, { turn: event.turn }));
    button.type = "button";
    button.addEventListener("click", () => this.seek(event.turn));
    const mark = element("span", "viewer-event-sign", sign(event));
    mark.setAttribute("aria-hidden", "true");
    if (event.seat !== null) mark.dataset.seat = event.seat;
    const text = element("span", "viewer-event-text", event.text);
    if (event.seat !== null) text.prepend(element("b", "", `${this.letters[event.seat]} `));
    item.append(button, mark, text);
    return item;
  }

  /** Scroll the list, never the page. */
  #follow(item) {
    const top = item ? item.offsetTop : 0; // in the list, which is positioned
    this.list.scrollTop = top - this.list.clientHeight / 2;
  }
}
