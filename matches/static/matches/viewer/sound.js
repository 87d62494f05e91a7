// Sounds of what happens in a match, for readers who want them: each kind of event has its own.

import { Tones } from "./tones.js";

/** Frequencies in hertz, of a scale without clashes: the kinds of events that a game has climb it. */
const SCALE = [523, 587, 659, 784, 880, 1047];
const FALL = [{ from: 160, to: 60, seconds: 0.4, type: "sawtooth", volume: 0.7 }];
/** Tones of the events that all games have. */
const TONES = {
  lead: [{ from: 659, seconds: 0.12 }, { from: 880, seconds: 0.2, after: 0.1 }],
  fault: FALL,
  out: FALL,
  won: [523, 659, 784, 1047].map((from, i) => ({ from, seconds: 0.3, after: 0.14 * i })),
  drawn: [{ from: 523, seconds: 0.25 }, { from: 523, seconds: 0.35, after: 0.25 }],
};
/** The most kinds of one turn that sound, and the seconds between them. */
const KINDS_MAX = 3;
const APART = 0.12;

/** Return the tones of a kind of event. */
export function tonesOf(kind, { symbols = {} }) {
  if (Object.hasOwn(TONES, kind)) return TONES[kind];
  const place = Object.keys(symbols).indexOf(kind) + 1;
  return [{ from: SCALE[place % SCALE.length], seconds: 0.18 }];
}

export class Sound {
  /** A sound that is off. `events` may grow. */
  constructor(player, events, game) {
    Object.assign(this, { player, events, game, tones: new Tones(), isOn: false, turn: player.turn });
    player.addEventListener("turn", () => this.#hear());
  }

  /** Switch the sound on or off; returns whether it is on. */
  toggle() {
    this.isOn = !this.isOn;
    if (this.isOn) this.tones.play({ from: SCALE[0], seconds: 0.15 }); // so that the reader hears that it works
    return this.isOn;
  }

  /** Let the events of a turn sound that follows the last one; a jump is silent. */
  #hear() {
    const { turn } = this.player;
    const follows = turn === this.turn + 1;
    this.turn = turn;
    if (!this.isOn || !follows) return;
    const kinds = new Set(this.events.filter((event) => event.turn === turn).map(({ kind }) => kind));
    [...kinds].slice(0, KINDS_MAX).forEach((kind, i) => {
      for (const tone of tonesOf(kind, this.game)) this.tones.play({ ...tone, after: (tone.after ?? 0) + i * APART });
    });
  }
}
