// The seats beside the board: letter, name, score and its parts, milliseconds of the turn, fault, final place.

import { faultUntil } from "./replay.js";
import { element, fill, number } from "./words.js";

export class Scoreboard {
  constructor(list, replay, game, page) {
    Object.assign(this, { replay, game, letters: replay.letters, words: page.words, gameWords: page.game_words });
    this.seats = replay.seats.map((seat, i) => this.#seat(seat, i, page.links[i]));
    list.replaceChildren(...this.seats.map(({ item }) => item));
  }

  show(turn) {
    const { frames, turns, footer } = this.replay;
    const scores = this.#scores(turn);
    const best = Math.max(...scores);
    this.seats.forEach((shown, seat) => {
      shown.score.textContent = points(scores[seat]);
      shown.item.classList.toggle("is-leading", scores[seat] === best);
      shown.parts.textContent = this.game
        .parts(frames[turn], seat)
        .map(([word, value]) => `${this.gameWords[word]} ${number(value, 1)}`)
        .join(" · ");
      shown.cpu.textContent = this.#cpu(turns[turn], seat);
      shown.fault.textContent = this.#fault(faultUntil(this.replay, seat, turn));
      shown.rank.textContent = footer && turn === frames.length - 1 ? this.#rank(footer.ranks[seat]) : "";
    });
  }

  /** Return all scores of a turn in one sentence, for screen readers. */
  standing(turn) {
    return `${this.#scores(turn).map((score, seat) => `${this.letters[seat]} ${points(score)}`).join(", ")}.`;
  }

  #scores(turn) {
    return this.replay.seats.map((_, seat) => this.game.score(this.replay.frames[turn], seat));
  }

  #cpu(turn, seat) {
    if (!turn) return "";
    const played = turn.seats[seat];
    if (!played) return this.words.not_asked;
    const words = played.limit_ms ? this.words.cpu_limited : this.words.cpu_now;
    return fill(words, { ms: number(played.cpu_ms, 1), limit: number(played.limit_ms ?? 0) });
  }

  #fault(fault) {
    return fault ? fill(this.words.fault, { turn: fault.turn, sentence: this.replay.say(fault.args.why) }) : "";
  }

  #rank(rank) {
    return fill(this.words.rank, { rank });
  }

  #seat({ name, version }, seat, link) {
    const item = element("li", "viewer-seat");
    item.dataset.seat = seat;
    const letter = element("span", "seat-letter", this.letters[seat]);
    letter.dataset.seat = seat;
    const title = element(link ? "a" : "span", "viewer-name", name);
    if (link) title.href = link;
    const [score, parts, cpu, fault, rank] = ["score", "parts", "cpu", "fault", "rank"].map((part) =>
      element("span", `viewer-${part}`));
    const head = element("span", "viewer-seat-head");
    head.append(title, element("span", "viewer-version", version ? fill(this.words.version, { version }) : ""), rank);
    item.append(letter, head, score, parts, cpu, fault);
    return { item, score, parts, cpu, fault, rank };
  }
}

/** Return a score as text; a player at a table may not know that of another seat. */
function points(score) {
  return score === null ? "?" : number(score, 1);
}
