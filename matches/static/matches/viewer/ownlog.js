// For owners: what their bots were asked, answered and wrote to standard error in the turn that is shown; the site serves
// only the turns of the reader's own bots.

import { element } from "./words.js";

/** The turn log at a url, fetched once. */
export class TurnLog {
  constructor(url) {
    this.url = url;
  }

  /** Return the turns; null if they could not be loaded, then the next call tries again. */
  turns() {
    this.fetched ??= this.#fetch();
    return this.fetched;
  }

  async #fetch() {
    try {
      const response = await fetch(this.url, { headers: { Accept: "application/json" } });
      if (!response.ok) throw new Error(response.statusText);
      return await response.json();
    } catch {
      this.fetched = null;
      return null;
    }
  }
}

export class OwnLog {
  constructor(details, log, letters, words) {
    Object.assign(this, { details, log, letters, words, turn: 0 });
    this.place = details.querySelector("div");
    details.addEventListener("toggle", () => this.show(this.turn));
  }

  async show(turn) {
    this.turn = turn;
    if (!this.details.open) return;
    const turns = await this.log.turns();
    if (turns) this.#fill(turns.filter(({ turn: number }) => number === this.turn));
    else this.place.replaceChildren(element("p", "", this.words.log_failed));
  }

  #fill(turns) {
    if (turns.length) this.place.replaceChildren(...turns.map((turn) => this.#seat(turn)));
    else this.place.replaceChildren(element("p", "muted", this.words.log_none));
  }

  #seat({ seat, stderr, asked, answered }) {
    const section = element("section", "viewer-own");
    const letter = element("b", "seat-letter", this.letters[seat]);
    letter.dataset.seat = seat;
    const texts = [["stderr", stderr], ["asked", asked], ["answered", answered]];
    section.append(letter, ...texts.flatMap(([word, text]) => {
      const written = element("pre", "", text || "–");
      written.tabIndex = 0;
      return [element("p", "muted small", this.words[word]), written];
    }));
    return section;
  }
}
