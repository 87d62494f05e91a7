// The running commentary: a list of what happened, kept in step with the board, and read aloud to screen readers.

import { element, fill } from "./words.js";

/** Symbols of events that all games have. */
const SYMBOLS = { fault: "✕", out: "✕", lead: "⇅", won: "★", drawn: "=" };
/** The symbol of kinds for which the game has none. */
const DOT = "•";

/** Return the symbol of an event in the list and on the seek bar. */
export function symbolOf({ kind }, { symbols = {} }) {
  // Own properties alone: a kind may be "constructor".
  const table = [symbols, SYMBOLS].find((known) => Object.hasOwn(known, kind));
  return table ? table[kind] : DOT;
}

export class Commentary {
  constructor(list, spoken, { events, live }, game, words, seek) {
    Object.assign(this, { list, spoken, events, game, words, seek, items: [] });
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
    const news = this.events.filter((event) => event.turn === turn).map(({ text }) => text);
    // While it plays only events are spoken: a voice cannot keep up with every turn's scores.
    if (!playing) news.unshift(fill(this.words.turn_short, { turn }), standing);
    if (news.length) this.spoken.textContent = news.join(" ");
  }

  #item(event) {
    const item = element("li", `viewer-event viewer-event-${event.kind}`);
    const button = element("button", "viewer-event-turn", fill(this.words.turn_short, { turn: event.turn }));
    button.type = "button";
    button.addEventListener("click", () => this.seek(event.turn));
    const mark = element("span", "viewer-event-sign", symbolOf(event, this.game));
    mark.setAttribute("aria-hidden", "true");
    if (event.seat !== null) mark.dataset.seat = event.seat;
    item.append(button, mark, element("span", "viewer-event-text", event.text));
    return item;
  }

  /** Scroll the list, but not the page, to an item. */
  #follow(item) {
    const top = item ? item.offsetTop : 0; // in the list, which is positioned
    this.list.scrollTop = top - this.list.clientHeight / 2;
  }
}
