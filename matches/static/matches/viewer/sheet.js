// A sheet of pictures: turns of a match side by side as one PNG, made in the browser.

import { LETTERS, readTheme } from "./seats.js";
import { element, fill, number } from "./words.js";

const COLUMNS = 3;
const PICTURES = 9;
/** About how wide a picture is, in pixels of the file. */
const PICTURE_PX = 480;
const CAPTION_PX = 34;
const GAP_PX = 12;

/** Which turns to show: the first, the last, and others as far apart as can be. */
export function chooseTurns(last, pictures) {
  const turns = Array.from({ length: pictures }, (_, i) => Math.round((i * last) / (pictures - 1)));
  return [...new Set(turns)];
}

/** Draw the sheet; returns its canvas. */
export function drawSheet(place, replay, game, words) {
  const turns = chooseTurns(replay.frames.length - 1, PICTURES);
  const theme = readTheme(place);
  const pictures = turns.map((turn) => drawPicture(replay, game, theme, turn));
  const [{ width, height }] = pictures;
  const sheet = document.createElement("canvas");
  const columns = Math.min(COLUMNS, turns.length);
  sheet.width = columns * (width + GAP_PX) + GAP_PX;
  sheet.height = Math.ceil(turns.length / columns) * (height + CAPTION_PX + GAP_PX) + GAP_PX;
  const context = sheet.getContext("2d", { alpha: false });
  context.fillStyle = theme.paper;
  context.fillRect(0, 0, sheet.width, sheet.height);
  context.fillStyle = theme.ink;
  context.font = `600 16px ${theme.font}`;
  pictures.forEach((picture, i) => {
    const x = GAP_PX + (i % columns) * (width + GAP_PX);
    const y = GAP_PX + Math.floor(i / columns) * (height + CAPTION_PX + GAP_PX);
    context.drawImage(picture, x, y);
    context.fillText(caption(replay, game, words, turns[i]), x, y + height + 22, width);
  });
  return sheet;
}

/** Have the browser store the sheet as a file. */
export async function saveSheet(place, replay, game, page) {
  const sheet = drawSheet(place, replay, game, page.words);
  const blob = await new Promise((resolve) => sheet.toBlob(resolve, "image/png"));
  const link = element("a");
  link.href = URL.createObjectURL(blob);
  link.download = `${page.name}.png`;
  link.click();
  // Only once the browser has begun to store it.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

function drawPicture({ setting, frames, turns }, game, theme, turn) {
  const { columns, rows } = game.shape(setting);
  const cell = Math.max(4, Math.floor(PICTURE_PX / columns));
  const picture = document.createElement("canvas");
  picture.width = cell * columns;
  picture.height = cell * rows;
  const context = picture.getContext("2d", { alpha: false });
  const scene = { setting, before: frames[Math.max(turn - 1, 0)], after: frames[turn], turn: turns[turn], progress: 1 };
  game.drawStill(context, { cell }, theme, scene);
  game.drawMoving(context, { cell }, theme, scene);
  return picture;
}

function caption({ seats, frames }, game, words, turn) {
  const scores = seats.map(({ name }, seat) => `${LETTERS[seat]} ${name} ${number(game.score(frames[turn], seat), 1)}`);
  return [fill(words.turn_short, { turn }), ...scores].join("  ");
}
