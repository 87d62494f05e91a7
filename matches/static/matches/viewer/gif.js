// A moving picture: a whole match as an animated GIF, made in the browser. Each frame holds only what has changed.

import { applyPalette, GIFEncoder, quantize } from "../vendor/gifenc-1.0.3/gifenc.esm.js";
import { chooseTurns, Pictures, saveFile } from "./picture.js";

/** About the width of a cell, so that its text can be read, and the limits of that of the picture. */
const CELL_PX = 32;
const [WIDTH_PX_MIN, WIDTH_PX_MAX] = [400, 800];
const FRAMES_MAX = 300;
const FRAME_MS = 200;
const LAST_MS = 3000;
/** So many frames tell which colours there are. */
const SAMPLES = 6;
const COLOURS = 255;
/** For what has not changed: the place behind those of all colours. */
const SAME = COLOURS;
const BLACK = [0, 0, 0];

/** Have the browser store the match as a file; the page answers while it is made. */
export async function saveGif(place, replay, game, page) {
  const widthPx = CELL_PX * game.shape(replay.setting).columns;
  const clampedPx = Math.min(Math.max(widthPx, WIDTH_PX_MIN), WIDTH_PX_MAX);
  const pictures = new Pictures(place, replay, game, page.words, clampedPx);
  const turns = chooseTurns(replay.frames.length - 1, FRAMES_MAX);
  const colours = coloursOf(pictures, turns);
  const palette = Array.from({ length: SAME + 1 }, (_, i) => colours[i] ?? BLACK);
  const gif = GIFEncoder();
  let before = null;
  for (const turn of turns) {
    // Among the colours alone: in the file's palette the place of `SAME` holds one, too, and would be taken for it.
    const places = applyPalette(pixelsOf(pictures, turn), colours);
    gif.writeFrame(before ? changed(before, places) : places, pictures.width, pictures.height, {
      ...(before ? { transparent: true, transparentIndex: SAME } : { palette }),
      delay: turn === turns.at(-1) ? LAST_MS : FRAME_MS,
      dispose: 1, // what is not drawn anew stays
    });
    before = places;
    await new Promise((resolve) => setTimeout(resolve));
  }
  gif.finish();
  saveFile(new Blob([gif.bytes()], { type: "image/gif" }), `${page.name}.gif`);
}

function coloursOf(pictures, turns) {
  const samples = chooseTurns(turns.length - 1, SAMPLES).map((place) => pixelsOf(pictures, turns[place]));
  const all = new Uint8ClampedArray(samples.length * samples[0].length);
  samples.forEach((sample, i) => all.set(sample, i * sample.length));
  return quantize(all, COLOURS);
}

function pixelsOf(pictures, turn) {
  return pictures.draw(turn).getContext("2d").getImageData(0, 0, pictures.width, pictures.height).data;
}

function changed(before, places) {
  return places.map((place, pixel) => (place === before[pixel] ? SAME : place));
}
