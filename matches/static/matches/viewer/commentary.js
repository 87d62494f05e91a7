// The running commentary: a list of what happened, kept in step with the board, and read aloud to screen readers.

import { element, fill } from "./words.js";

/** The symbol of each kind of event, in the list and on the seek bar; other kinds, which a game may add, get a dot. */
const SYMBOLS = {
  fault: "✕", lead: "⇅", enclosed: "◆", lost: "◇", back: "↶", settled: "■", capture: "◆", chance: "★", erased: "○",
  chain: "≫", all_clear: "☆", garbage: "▾", danger: "!", dead: "■",
};

export function symbolOf(event) {
  return SYMBOLS[event.kind] ?? "•";
}

/** Return an event in words: its text, a sentence about a seat, after the letter of the seat. */
export function sentenceOf({ seat, text }, letters) {
  return seat === null ? text : `${letters[seat]}: ${text}`;
}

export class Commentary {
  constructor(list, spoken, { events, live }, letters, words, seek) {
    Object.assign(this, { list, spoken, events, letters, words, seek, items: [] });
    list.replaceChildren(...(live ? [] : [element("li", "viewer-event-none", words.no_events)]));
    this.grow();
  }

  /** Add list items for events that have been added to the replay. */
  grow() {
    const news = this.events.slice(this.items.length).map((event) => this.#item(event));
    if (news.length && !this.items.length) this.list.replaceChildren();
    this.items.push(...news);
    this.list.append(...news);
  }

  /** Mark the events before and in a turn in the list, and have a screen reader speak those in it. */
  show(turn, { playing, standing }) {
    let latest = null;
    this.events.forEach((event, i) => {
      this.items[i].classList.toggle("is-past", event.turn < turn);
      this.items[i].classList.toggle("is-now", event.turn === turn);
      if (event.turn <= turn) latest = this.items[i];
    });
    this.#follow(latest);
    const news = this.events.filter((event) => event.turn === turn).map((event) => sentenceOf(event, this.letters));
    // While it plays only events are spoken: a voice cannot keep up with every turn's scores.
    if (!playing) news.unshift(fill(this.words.turn_short, { turn }), standing);
    if (news.length) this.spoken.textContent = news.join(" ");
  }

  #item(event) {
    const item = element("li", `viewer-event viewer-event-${event.kind}`);
    const button = element("button", "viewer-event-turn", fill(this.words.turn_short, { turn: event.turn }));
    button.type = "button";
    button.addEventListener("click", () => this.seek(event.turn));
    const mark = element("span", "viewer-event-sign", symbolOf(event));
    mark.setAttribute("aria-hidden", "true");
    if (event.seat !== null) mark.dataset.seat = event.seat;
    const text = element("span", "viewer-event-text", event.text);
    if (event.seat !== null) text.prepend(element("b", "", `${this.letters[event.seat]} `));
    item.append(button, mark, text);
    return item;
  }

  /** Scroll the list, but not the page, to an item. */
  #follow(item) {
    const top = item ? item.offsetTop : 0; // in the list, which is positioned
    this.list.scrollTop = top - this.list.clientHeight / 2;
  }
}
