// A whole match as an animated GIF, made in the browser. Each frame holds only the pixels that have changed.

import { applyPalette, GIFEncoder, quantize } from "../vendor/gifenc-1.0.3/gifenc.esm.js";
import { chooseTurns, Pictures, saveFile } from "./picture.js";

/** The width of a cell, about, so that its text can be read. */
const CELL_PX = 32;
/** Limits of the width of the picture. */
const [WIDTH_PX_MIN, WIDTH_PX_MAX] = [400, 800];
const FRAMES_MAX = 300;
const FRAME_MS = 200;
const LAST_MS = 3000;
/** Number of frames that the palette is made from. */
const SAMPLES = 6;
const COLOURS = 255;
/** The palette index of pixels that have not changed: the one after all colours. */
const SAME = COLOURS;
const BLACK = [0, 0, 0];

/** Have the browser download the match as a GIF; the page stays responsive meanwhile. */
export async function saveGif(place, replay, game, page) {
  const widthPx = CELL_PX * game.shape(replay.setting, replay.frames).columns;
  const clampedPx = Math.min(Math.max(widthPx, WIDTH_PX_MIN), WIDTH_PX_MAX);
  const pictures = new Pictures(place, replay, game, page.words, clampedPx);
  const turns = chooseTurns(replay.frames.length - 1, FRAMES_MAX);
  const colours = coloursOf(pictures, turns);
  const palette = Array.from({ length: SAME + 1 }, (_, i) => colours[i] ?? BLACK);
  const gif = GIFEncoder();
  let before = null;
  for (const turn of turns) {
    // From the colours alone: the file's palette has a colour at `SAME`, too, which pixels could be matched to.
    const places = applyPalette(pixelsOf(pictures, turn), colours);
    gif.writeFrame(before ? changed(before, places) : places, pictures.width, pictures.height, {
      ...(before ? { transparent: true, transparentIndex: SAME } : { palette }),
      delay: turn === turns.at(-1) ? LAST_MS : FRAME_MS,
      dispose: 1, // pixels that are not drawn again stay
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
