// A sheet of pictures: some turns of a match side by side in one PNG, made in the browser.

import { chooseTurns, Pictures, saveFile } from "./picture.js";

const COLUMNS = 3;
const PICTURES = 9;
const PICTURE_PX = 480;
const GAP_PX = 12;

/** Draw the sheet; returns its canvas. */
function drawSheet(place, replay, game, words) {
  const pictures = new Pictures(place, replay, game, words, PICTURE_PX);
  const turns = chooseTurns(replay.frames.length - 1, PICTURES);
  const columns = Math.min(COLUMNS, turns.length);
  const sheet = document.createElement("canvas");
  sheet.width = columns * (pictures.width + GAP_PX) + GAP_PX;
  sheet.height = Math.ceil(turns.length / columns) * (pictures.height + GAP_PX) + GAP_PX;
  const context = sheet.getContext("2d", { alpha: false });
  context.fillStyle = pictures.theme.paper;
  context.fillRect(0, 0, sheet.width, sheet.height);
  turns.forEach((turn, i) => {
    const x = GAP_PX + (i % columns) * (pictures.width + GAP_PX);
    const y = GAP_PX + Math.floor(i / columns) * (pictures.height + GAP_PX);
    context.drawImage(pictures.draw(turn), x, y);
  });
  return sheet;
}

/** Have the browser download the sheet as a file. */
export async function saveSheet(place, replay, game, page) {
  const sheet = drawSheet(place, replay, game, page.words);
  saveFile(await new Promise((resolve) => sheet.toBlob(resolve, "image/png")), `${page.name}.png`);
}
