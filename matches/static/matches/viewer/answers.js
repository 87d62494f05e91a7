// The bots' answers in the turn that is shown, as they wrote them; built only while the reader has it open.

import { element } from "./words.js";

export class Answers {
  constructor(details, { seats, turns }, letters, words) {
    Object.assign(this, { details, seats, turns, letters, words, turn: 0 });
    this.place = details.querySelector("div");
    details.addEventListener("toggle", () => this.show(this.turn));
  }

  show(turn) {
    this.turn = turn;
    if (this.details.open) this.place.replaceChildren(...this.seats.map((_, seat) => this.#answer(seat)));
  }

  #answer(seat) {
    const answered = element("section", "viewer-answer");
    const letter = element("b", "seat-letter", this.letters[seat]);
    letter.dataset.seat = seat;
    const played = this.turns[this.turn]?.seats[seat];
    const lines = played ? played.answer.join("\n") : "";
    answered.append(letter, lines ? element("pre", "", lines) : element("span", "muted", this.words.no_answer));
    return answered;
  }
}
