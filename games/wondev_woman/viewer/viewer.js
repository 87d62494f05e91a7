// How Wondev Woman is drawn and described. Rows: "." no cell, "0".."3" its height, "4" closed for ever.

import * as cells from "../../matches/viewer/cells.js";
import { beginBoard, drawPiece, ease, fillPath, makePen, middleOf, mix, strokePath, traceSquare, write } from "../../matches/viewer/cells.js";
import { LETTERS } from "../../matches/viewer/seats.js";

/** The gaps between a cell and its floor, and between a floor and the next one upon it, in cells. */
const GAP = 0.03;
const INSET = 0.055;
const TOP = 3;
const FOG = 3;

const sides = ({ size }) => ({ width: size, height: size });

export const grid = (setting) => cells.grid(sides(setting));
export const shape = (setting) => cells.shape(sides(setting));
export const cellAt = (setting, column, row) => cells.cellAt(sides(setting), column, row);
export const placeOf = (setting, cell) => cells.placeOf(sides(setting), cell);

/** The symbol of each kind of event. */
export const symbols = { push: "→", blocked: "▫", point: "▲", last_chance: "!" };

/** Points of a seat; null: a player at a table does not know those of the opponent in the fog. */
export const score = (frame, seat) => frame.scores[seat];

/** What is shown beside a seat's score, as [word, number]: how much choice the seat to move has. */
export function parts({ mover, actions }, seat) {
  return mover === seat && actions !== null ? [["legal_actions", actions]] : [];
}

/** A cell in words: its height, then who stands on it, and whether the other seat sees that. */
export function cellText(setting, frame, { x, y }, words) {
  const tile = frame.rows[y][x];
  if (tile === ".") return words.no_cell;
  const text = [Number(tile) > TOP ? words.closed : `${words.height} ${tile}`];
  for (const { seat, number, place } of unitsOf(frame)) {
    if (place[0] !== x || place[1] !== y) continue;
    text.push(`${words.unit} ${LETTERS[seat]}${number + 1}`);
    if (isHidden(setting, frame, seat, place)) text.push(words.hidden);
  }
  return text.join(", ");
}

/** Whether the other seat does not see a unit of this seat. */
export function isHidden({ league }, frame, seat, [x, y]) {
  const others = unitsOf(frame).filter((unit) => unit.seat !== seat);
  return league >= FOG && others.every(({ place: [ox, oy] }) => Math.max(Math.abs(ox - x), Math.abs(oy - y)) > 1);
}

/** The units of a frame as {seat, number, place}; not those that a player at a table does not see, at [-1, -1]. */
function unitsOf({ units }) {
  const all = units.flatMap((places, seat) => places.map((place, number) => ({ seat, number, place })));
  return all.filter(({ place }) => place[0] >= 0);
}

/** Paint what a step does not change, see `Board` in canvas.js. */
export function drawStill(context, geometry, theme, scene) {
  const pen = beginBoard(context, geometry, theme, sides(scene.setting));
  for (const cell of cellsOf(scene)) if (cell.before === cell.after) drawTower(pen, cell, Number(cell.after));
}

/** Paint what a step changes over what it leaves alone; called with progress from 0 to 1. */
export function drawMoving(context, geometry, theme, scene) {
  const pen = makePen(context, geometry, theme);
  const eased = { ...scene, progress: ease(scene.progress) };
  for (const cell of cellsOf(scene)) {
    if (cell.before === cell.after) continue;
    drawTower(pen, cell, mix(Number(cell.before), Number(cell.after), eased.progress));
    // In the fog, a step shows what both seats have built.
    const colour = scene.after.scores.includes(null) ? theme.ink : theme.seats[scene.before.mover].wall;
    drawBuilt(pen, cell, colour, eased.progress);
  }
  for (const unit of unitsOf(scene.after)) drawUnit(pen, eased, unit);
  for (const unit of unitsOf(scene.before)) {
    const [x] = scene.after.units[unit.seat][unit.number];
    if (x < 0 && eased.progress < 1) drawUnit(pen, { ...eased, after: scene.before, alpha: 1 - eased.progress }, unit);
  }
}

/** The cells of the board as {x, y, before, after}, with their tiles round a step. */
function cellsOf({ setting: { size }, before, after }) {
  const all = Array.from({ length: size * size }, (_, i) => ({ x: i % size, y: Math.floor(i / size) }));
  const tiles = all.map(({ x, y }) => ({ x, y, before: before.rows[y][x], after: after.rows[y][x] }));
  return tiles.filter((tile) => tile.after !== ".");
}

/** A cell and the floors upon it; the highest one fades in while the height is no whole number. */
function drawTower(pen, { x, y }, height) {
  drawFloor(pen, x, y, 0, pen.theme.poor, 0.6);
  for (let floor = 1; floor <= Math.min(TOP, Math.ceil(height)); floor++) {
    drawFloor(pen, x, y, floor, pen.theme.rich, Math.min(1, height - floor + 1));
  }
  if (height > TOP) drawFloor(pen, x, y, 0, pen.theme.ink, 0.8 * (height - TOP));
  drawHeight(pen, x, y, Math.round(height));
}

function drawFloor(pen, x, y, floor, colour, alpha) {
  const { context, cell, theme } = pen;
  traceSquare(pen, { x, y }, GAP + floor * INSET, 0.08);
  context.globalAlpha = alpha;
  fillPath(context, colour);
  context.globalAlpha = 0.6 * alpha;
  strokePath(context, theme.ink, Math.max(1, cell / 50));
  context.globalAlpha = 1;
}

/** The height as a number, in the corner that units leave free; a cross where the cell is closed. */
function drawHeight(pen, x, y, height) {
  const { cell, corner, theme } = pen;
  const [place, size, colour] = height > TOP ? [0.5, 0.5, theme.edge] : [GAP + TOP * INSET + 0.045, 0.16, theme.ink];
  const at = [corner + (x + place) * cell, corner + (y + place) * cell];
  write(pen, height > TOP ? "×" : height, at, { size: size * cell, weight: 600, colour });
}

/** A frame in the colour of the seat that has built here. */
function drawBuilt(pen, at, colour, alpha) {
  pen.context.globalAlpha = alpha;
  traceSquare(pen, at, GAP, 0.08);
  strokePath(pen.context, colour, 0.05 * pen.cell);
  pen.context.globalAlpha = 1;
}

/** A unit on its way; its rim is dashed while the other seat does not see it. */
function drawUnit(pen, { setting, before, after, progress, alpha: shown = 1 }, { seat, number, place }) {
  const { cell } = pen;
  const old = before.units[seat][number];
  const comes = old[0] < 0; // out of the fog
  const from = comes ? place : old;
  const [x, y] = middleOf(pen, { x: mix(from[0], place[0], progress), y: mix(from[1], place[1], progress) });
  const dashes = isHidden(setting, after, seat, place) ? [0.07 * cell, 0.05 * cell] : [];
  const alpha = (after.out[seat] ? 0.5 : 1) * (comes ? progress : shown);
  drawPiece(pen, { x, y }, { seat, text: number + 1, radius: 0.22 * cell, alpha, dashes });
}
