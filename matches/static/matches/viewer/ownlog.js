// For owners: what their bots were asked, answered and wrote to standard error in the turn that is shown. It is fetched
// when the reader opens it; the site serves only the turns of the reader's own bots.

import { element } from "./words.js";

export class OwnLog {
  constructor(details, url, letters, words) {
    Object.assign(this, { details, url, letters, words, turn: 0 });
    this.place = details.querySelector("div");
    details.addEventListener("toggle", () => this.show(this.turn));
  }

  async show(turn) {
    this.turn = turn;
    if (!this.details.open) return;
    this.fetched ??= this.#fetch();
    const turns = await this.fetched;
    if (turns) this.#fill(turns.filter(({ turn: number }) => number === this.turn));
  }

  async #fetch() {
    try {
      const response = await fetch(this.url, { headers: { Accept: "application/json" } });
      if (!response.ok) throw new Error(response.statusText);
      return await response.json();
    } catch {
      this.fetched = null; // so that the next turn fetches again
      this.place.replaceChildren(element("p", "", this.words.log_failed));
      return null;
    }
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
