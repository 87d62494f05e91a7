// The viewer's module of games that bring none: the frame's `rows`, or the frame as JSON, as a board of characters.
//
// Rows of equal length are a board: square cells with a grid and rulers, in which the letter of a seat has the seat's
// colour. Other rows are lines of text.

import * as cells from "./cells.js";
import { drawPaper, drawRulers, drawGrid, fillCell, makePen, setFont, write } from "./cells.js";
import { drawPattern } from "./seats.js";

/** The most cells that are shown in one direction; what lies beyond is cut off. */
const SIDE_MAX = 200;
/** Where lines of JSON are broken, in characters. */
const JSON_COLUMNS = 60;
/** Width of a character in a line of text, in cells. */
const NARROW = 0.6;
const EDGE = 0.5;

/** Return the rows of a frame as lists of characters, and whether they are a board. */
export function readFrame(frame) {
  const { rows } = frame;
  if (!Array.isArray(rows) || !rows.every((row) => typeof row === "string")) {
    return { rows: jsonOf(frame).slice(0, SIDE_MAX).map((row) => [...row]), isBoard: false };
  }
  const signs = rows.slice(0, SIDE_MAX).map((row) => [...row].slice(0, SIDE_MAX));
  const isBoard = signs.length > 1 && signs[0].length > 0 && signs.every(({ length }) => length === signs[0].length);
  return { rows: signs, isBoard };
}

/** Return a frame's values as lines of text. */
function jsonOf(frame) {
  return Object.entries(frame).flatMap(([name, value]) => {
    const line = `${name}: ${JSON.stringify(value)}`;
    return line.match(new RegExp(`.{1,${JSON_COLUMNS}}`, "gsu"));
  });
}

/** Return the numbers of columns and rows of cells that some frames need. */
function size(frames) {
  const all = frames.map((frame) => readFrame(frame).rows);
  return {
    width: Math.max(1, ...all.map((rows) => Math.max(0, ...rows.map((row) => row.length)))),
    height: Math.max(1, ...all.map((rows) => rows.length)),
  };
}

/** The picture's size in cells: all frames fit into it that are known now. */
export function shape(setting, frames) {
  const { width, height } = size(frames);
  if (readFrame(frames[0]).isBoard) return cells.shape({ width, height });
  return { columns: width * NARROW + 2 * EDGE, rows: height + 2 * EDGE };
}

/** The text board has a cell for each character of a board, and one for each line of text. */
export function grid(setting, frame) {
  const { rows, isBoard } = readFrame(frame);
  return { columns: isBoard ? rows[0].length : 1, rows: rows.length };
}

export function cellText(setting, frame, { x, y }) {
  const { rows, isBoard } = readFrame(frame);
  return isBoard ? (rows[y]?.[x] ?? "") : (rows[y]?.join("") ?? "");
}

export function cellAt(setting, column, row, frame) {
  const { rows, isBoard } = readFrame(frame);
  return isBoard ? cells.cellAt({ width: rows[0].length, height: rows.length }, column, row) : null;
}

/** A bot names a character of a board by its column and row. */
export function placeOf(setting, cell, seat, frame) {
  const { rows, isBoard } = readFrame(frame);
  return isBoard ? cells.placeOf({ width: rows[0].length, height: rows.length }, cell) : null;
}

export const score = (frame, seat) => frame.scores?.[seat] ?? 0;

export const parts = () => [];

/** Paint the board; there is no movement, but cells that have changed are tinted. */
export function drawStill(context, geometry, theme, { before, after, letters }) {
  const { rows, isBoard } = readFrame(after);
  const pen = makePen(context, geometry, theme);
  drawPaper(pen);
  if (isBoard) drawBoard(pen, rows, readFrame(before).rows, letters);
  else drawLines(pen, rows);
}

export function drawMoving() {} // all has been painted

function drawBoard(pen, rows, before, letters) {
  const size = { width: rows[0].length, height: rows.length };
  drawRulers(pen, size);
  rows.forEach((row, y) => row.forEach((sign, x) => {
    if (before[y]?.[x] !== sign) fillCell(pen, { x, y }, pen.theme.rich);
    drawSign(pen, x, y, sign, letters.indexOf(sign));
  }));
  drawGrid(pen, size);
}

/** A character; the letter of a seat on the seat's colour and pattern. */
function drawSign(pen, x, y, sign, seat) {
  const { context, cell, corner, theme } = pen;
  const [left, top] = [corner + x * cell, corner + y * cell];
  const colours = theme.seats[seat];
  if (colours) {
    fillCell(pen, { x, y }, colours.wall);
    context.strokeStyle = colours.onWall;
    context.globalAlpha = 0.2;
    context.lineWidth = Math.max(1, cell / 24);
    drawPattern(context, seat, left, top, cell);
  }
  context.globalAlpha = sign === "." ? 0.4 : 1;
  write(pen, sign, [left + cell / 2, top + cell * 0.53], { size: cell * 0.6, weight: 600, colour: colours?.onWall });
  context.globalAlpha = 1;
}

/** Lines of text: each character stands in its column, also one that another font has. */
function drawLines({ context, cell, theme }, rows) {
  setFont(context, { font: theme.mono }, cell * 0.9);
  context.fillStyle = theme.ink;
  rows.forEach((row, y) => row.forEach((sign, x) => {
    context.fillText(sign, (EDGE + (x + 0.5) * NARROW) * cell, (EDGE + y + 0.5) * cell);
  }));
}
