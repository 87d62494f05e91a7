// How Back to the Code is drawn and described. Tiles: "." neutral, "0".."3" owned by seat 0..3.

import { shape as boardShape, beginBoard, drawGrid, drawPiece, ease, fillCell, fillPath, makePen, middleOf, mix, stepTiles, strokePath, touched, traceDisc } from "../../matches/viewer/cells.js";
import { LETTERS, drawPattern } from "../../matches/viewer/seats.js";

export { cellAt, grid, placeOf } from "../../matches/viewer/cells.js";

/** How far apart seats on one cell are drawn, in cells. */
const APART = 0.22;
/** How far the drawing of a seat that has its BACK reaches beyond its cell, in cells. */
const REACH = 0.46;
const SIDES = [[0, -1], [1, 0], [0, 1], [-1, 0]];

/** The picture's size in cells, with space for players at the right or at the bottom. */
export function shape(setting) {
  const { columns, rows } = boardShape(setting);
  return { columns: columns + REACH, rows: rows + REACH };
}

/** The symbol of each kind of event. */
export const symbols = { enclosed: "◆", rings: "◆", back: "↶", back_wasted: "↶", settled: "■" };

export const score = (frame, seat) => frame.scores[seat];

/** What is shown beside a seat's score, as [word, number]. */
export const parts = (frame, seat) => [["back_left", frame.seats[seat][2]]];

/** A cell in words: its owner, then who stands on it. */
export function cellText(setting, frame, { x, y }, words) {
  const tile = frame.tiles[y][x];
  const standing = frame.seats.flatMap(([sx, sy, , out], seat) => (sx === x && sy === y && !out ? [seat] : []));
  const owner = tile === "." ? words.neutral : `${words.area} ${LETTERS[tile]}`;
  return [owner, ...standing.map((seat) => `${words.agent} ${LETTERS[seat]}`)].join(", ");
}

/** Where a seat is seen during a step, in cells; progress 0..1. Seats that share a cell are drawn a little apart. */
export function seatPlace({ before, after }, seat, progress) {
  const [from, to] = [before, after].map(({ seats }) => {
    const [x, y] = seats[seat];
    const shared = seats.some(([ox, oy], other) => other !== seat && ox === x && oy === y);
    return shared ? [x + (seat % 2 ? APART : -APART), y + (seat < 2 ? -APART : APART)] : [x, y];
  });
  return { x: mix(from[0], to[0], progress), y: mix(from[1], to[1], progress) };
}

/** Paint what a step does not change, see `Board` in canvas.js. */
export function drawStill(context, geometry, theme, scene) {
  const pen = beginBoard(context, geometry, theme, scene.setting);
  drawGrid(pen, scene.setting);
  drawTiles(pen, scene, (cell) => !touched(scene, cell));
}

/** Paint what a step changes over what it leaves alone; called with progress from 0 to 1. */
export function drawMoving(context, geometry, theme, scene) {
  const pen = makePen(context, geometry, theme);
  const eased = { ...scene, progress: ease(scene.progress) };
  drawTiles(pen, eased, (cell) => touched(scene, cell));
  scene.after.seats.forEach((_, seat) => drawSeat(pen, eased, seat));
}

function drawTiles(pen, scene, wanted) {
  for (const tile of stepTiles(scene)) if (wanted(tile)) drawTile(pen, tile, scene.after.tiles);
}

/** A cell of a seat, with a line where its land ends. */
function drawTile(pen, { x, y, tile, amount }, tiles) {
  const { context, cell, corner, theme } = pen;
  const [left, top] = [corner + x * cell, corner + y * cell];
  context.strokeStyle = theme.seats[tile].wall;
  context.globalAlpha = 0.34 * amount;
  fillCell(pen, { x, y }, theme.seats[tile].wall);
  context.lineWidth = Math.max(1, cell / 24);
  drawPattern(context, Number(tile), left, top, cell);
  context.globalAlpha = amount;
  context.lineWidth = Math.max(1, cell / 10);
  for (const [dx, dy] of SIDES) if (tiles[y + dy]?.[x + dx] !== tile) drawSide(context, left, top, cell, dx, dy);
  context.globalAlpha = 1;
}

/** A line along a side of a cell, within it. */
function drawSide(context, left, top, cell, dx, dy) {
  const reach = (cell - context.lineWidth) / 2;
  const [x, y] = [left + cell / 2 + dx * reach, top + cell / 2 + dy * reach];
  context.beginPath();
  context.moveTo(x - dy * (cell / 2), y - dx * (cell / 2));
  context.lineTo(x + dy * (cell / 2), y + dx * (cell / 2));
  context.stroke();
}

/** A seat's shape with its letter; faint when it is out, with a dot while it has its BACK. */
function drawSeat(pen, scene, seat) {
  const { context, cell, theme } = pen;
  const [, , back, out] = scene.after.seats[seat];
  const [x, y] = middleOf(pen, seatPlace(scene, seat, scene.progress));
  const radius = 0.6 * cell;
  drawPiece(pen, { x, y }, { seat, text: LETTERS[seat], radius, alpha: out ? 0.45 : 1, rim: 0.13, size: 0.62 * cell });
  if (!back || out) return;
  traceDisc(context, x + radius * 0.9, y - radius * 0.9, cell * 0.17);
  fillPath(context, theme.seats[seat].wall);
  strokePath(context, theme.edge, cell * 0.06);
}
