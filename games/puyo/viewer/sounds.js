// Sounds of a table of Puyo Puyo. Nothing sounds unless the player wants it.

import { Tones } from "../../matches/viewer/tones.js";

/** Frequencies in hertz: the scale that a chain climbs. */
const SCALE = [523, 587, 659, 698, 784, 880, 988, 1047, 1175, 1319, 1397, 1568];

export class Sounds {
  /** @param {() => boolean} isOn */
  constructor(isOn) {
    this.isOn = isOn;
    this.tones = new Tones();
  }

  move() {
    this.#play({ from: 330, seconds: 0.03, type: "square", volume: 0.3 });
  }

  turn() {
    this.#play({ from: 440, to: 620, seconds: 0.05 });
  }

  lock() {
    this.#play({ from: 180, to: 90, seconds: 0.09 });
  }

  /** A step of a chain, from 1. */
  pop(step) {
    const note = SCALE[Math.min(step, SCALE.length) - 1];
    this.#play({ from: note, seconds: 0.16, type: "square", volume: 0.6 },
      { from: note * 1.5, seconds: 0.2, after: 0.07, type: "square", volume: 0.5 });
  }

  garbage(puyos) {
    this.#play({ from: 120, to: 45, seconds: puyos < 6 ? 0.15 : 0.4, type: "sawtooth" });
  }

  allClear() {
    this.#play(...[0, 2, 4, 7].map((note, i) => ({ from: SCALE[note], seconds: 0.22, after: 0.1 * i })));
  }

  end(isWon) {
    const notes = isWon ? [0, 2, 4, 7, 7] : [4, 3, 1, 0];
    this.#play(...notes.map((note, i) => ({ from: SCALE[note] / (isWon ? 1 : 2), seconds: 0.25, after: 0.15 * i })));
  }

  #play(...tones) {
    if (this.isOn()) for (const tone of tones) this.tones.play(tone);
  }
}
