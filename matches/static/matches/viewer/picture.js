// Pictures of single turns, for image files that are made in the browser.

import { readTheme } from "./seats.js";
import { element, fill, number } from "./words.js";

const CAPTION_PX = 34;

/**
 * Draws turns of a match onto canvases of one size.
 *
 * @param {number} widthPx about how wide the board is, in pixels of the file
 */
export class Pictures {
  constructor(place, replay, game, words, widthPx) {
    Object.assign(this, { replay, game, words, theme: readTheme(place) });
    const { columns, rows } = game.shape(replay.setting, replay.frames);
    this.cell = Math.max(4, Math.floor(widthPx / columns));
    this.width = this.cell * columns;
    this.height = this.cell * rows + CAPTION_PX;
  }

  /** Draw a turn with its caption; returns its canvas. */
  draw(turn) {
    const { setting, letters, frames, turns } = this.replay;
    const picture = document.createElement("canvas");
    picture.width = this.width;
    picture.height = this.height;
    const context = picture.getContext("2d", { alpha: false, willReadFrequently: true });
    context.fillStyle = this.theme.paper;
    context.fillRect(0, 0, picture.width, picture.height);
    const before = frames[Math.max(turn - 1, 0)];
    const scene = { setting, letters, before, after: frames[turn], turn: turns[turn], progress: 1 };
    this.game.drawStill(context, { cell: this.cell }, this.theme, scene);
    this.game.drawMoving(context, { cell: this.cell }, this.theme, scene);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = this.theme.ink;
    context.font = `600 16px ${this.theme.font}`;
    context.textAlign = "left";
    context.textBaseline = "alphabetic";
    context.fillText(this.#caption(turn), 0, this.height - CAPTION_PX + 22, this.width);
    return picture;
  }

  #caption(turn) {
    const { seats, letters, frames } = this.replay;
    const score = (seat) => number(this.game.score(frames[turn], seat), 1);
    const scores = seats.map(({ name }, seat) => `${letters[seat]} ${name} ${score(seat)}`);
    return [fill(this.words.turn_short, { turn }), ...scores].join("  ");
  }
}

/** Return at most `most` turns, evenly spread, with the first and the last. */
export function chooseTurns(last, most) {
  if (last < most) return Array.from({ length: last + 1 }, (_, turn) => turn);
  return Array.from({ length: most }, (_, i) => Math.round((i * last) / (most - 1)));
}

/** Have the browser download a file. */
export function saveFile(blob, name) {
  const link = element("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // Later, since the browser must have begun the download.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
