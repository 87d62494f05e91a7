// A moving picture: a whole match as an animated GIF, made in the browser. Each frame holds only what has changed.

import { applyPalette, GIFEncoder, quantize } from "../vendor/gifenc-1.0.3/gifenc.esm.js";
import { chooseTurns, Pictures, saveFile } from "./picture.js";

const PICTURE_PX = 400;
const FRAMES_MAX = 300;
const FRAME_MS = 200;
const LAST_MS = 3000;
/** So many frames tell which colours there are. */
const SAMPLES = 6;
const COLOURS = 255;
/** For what has not changed; the colour behind the last one. */
const SAME = COLOURS;

/** Have the browser store the match as a file; the page answers while it is made. */
export async function saveGif(place, replay, game, page) {
  const pictures = new Pictures(place, replay, game, page.words, PICTURE_PX);
  const turns = chooseTurns(replay.frames.length - 1, FRAMES_MAX);
  const palette = coloursOf(pictures, turns);
  const gif = GIFEncoder();
  let before = null;
  for (const turn of turns) {
    const colours = applyPalette(pixelsOf(pictures, turn), palette);
    gif.writeFrame(before ? changed(before, colours) : colours, pictures.width, pictures.height, {
      ...(before ? { transparent: true, transparentIndex: SAME } : { palette }),
      delay: turn === turns.at(-1) ? LAST_MS : FRAME_MS,
      dispose: 1, // what is not drawn anew stays
    });
    before = colours;
    await new Promise((resolve) => setTimeout(resolve));
  }
  gif.finish();
  saveFile(new Blob([gif.bytes()], { type: "image/gif" }), `${page.name}.gif`);
}

function coloursOf(pictures, turns) {
  const samples = chooseTurns(turns.length - 1, SAMPLES).map((place) => pixelsOf(pictures, turns[place]));
  const all = new Uint8ClampedArray(samples.length * samples[0].length);
  samples.forEach((sample, i) => all.set(sample, i * sample.length));
  const palette = quantize(all, COLOURS);
  // Filled up, so that the last place is free for `SAME` however few colours there are.
  while (palette.length <= SAME) palette.push(palette[0]);
  return palette;
}

function pixelsOf(pictures, turn) {
  return pictures.draw(turn).getContext("2d").getImageData(0, 0, pictures.width, pictures.height).data;
}

function changed(before, colours) {
  return colours.map((colour, place) => (colour === before[place] ? SAME : colour));
}
