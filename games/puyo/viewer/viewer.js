// How Puyo Puyo is drawn and described: two fields side by side, between them what falls next and the garbage that waits.
// Cells: "." empty, "0" garbage (skulls), "1".."5" colours. Fields are lists of rows, the hidden row of Tsu first.

import { drawPaper, ease, fillPath, makePen, strokePath, traceDisc, write } from "../../matches/viewer/cells.js";
import { LETTERS } from "../../matches/viewer/seats.js";

/** The colours of puyos, the same in the light and the dark theme; digits tell colours apart, too. */
export const COLOURS = ["#8d8780", "#d9534f", "#e2b23c", "#4fa864", "#5b8fd9", "#a578c9"];
const DIGIT = "#15120f";
const NAMES = ["garbage", "red", "yellow", "green", "blue", "purple"];
/** Layout in cells: the space round the fields, and between them. */
const EDGE = 0.4;
const HEAD = 1.2;
const MIDDLE = 5.6;
/** How many of the known pairs are drawn. */
const NEXT = 3;

/** The symbol of each kind of event. */
export const symbols = { chain: "≫", all_clear: "☆", garbage: "▾", danger: "!" };

export const score = (frame, seat) => frame.scores[seat];

/** What is shown beside a seat's score, as [word, number]. */
export const parts = ({ pending, fixed, steps }, seat) => [["garbage_waits", pending[seat] + fixed[seat]], ["chain", steps[seat]]];

/** The cells as the text board lists them: both fields side by side. */
export const grid = ({ columns, rows }) => ({ columns: 2 * columns, rows });

/** The picture's size in cells. */
export const shape = ({ columns, rows }) => ({ columns: 2 * columns + MIDDLE + 2 * EDGE, rows: rows + HEAD + EDGE });

/** The cell at a place of the picture, given in cells from its corner, or null. */
export function cellAt({ columns, rows }, column, row) {
  const y = Math.floor(row - HEAD);
  for (const seat of [0, 1]) {
    const x = Math.floor(column - fieldLeft({ columns }, seat));
    if (x >= 0 && x < columns && y >= 0 && y < rows) return { x: x + seat * columns, y };
  }
  return null;
}

/**
 * The place of a cell's upper left corner in the picture. Bots name a cell by its column and its row from the top, and
 * the opponent's columns go on from their own.
 */
export function placeOf({ columns, rows }, [x, y], seat) {
  if (!(x >= 0 && x < 2 * columns && y >= 0 && y < rows)) return null;
  return [fieldLeft({ columns }, x < columns ? seat : 1 - seat) + (x % columns), HEAD + y];
}

/** A cell in words. */
export function cellText({ columns }, frame, { x, y }, words) {
  const tile = frame.fields[Math.floor(x / columns)][y][x % columns];
  return tile === "." ? words.empty : words[NAMES[tile]];
}

/** Where a seat's field begins, in cells. */
const fieldLeft = ({ columns }, seat) => EDGE + seat * (columns + MIDDLE);

/** Paint what a step does not change, see `Board` in canvas.js. */
export function drawStill(context, geometry, theme, scene) {
  const pen = makePen(context, geometry, theme);
  drawPaper(pen);
  for (const seat of [0, 1]) {
    drawFrame(pen, scene, seat);
    drawCells(pen, scene, seat, (same) => same);
    drawNext(pen, scene, seat);
    drawGarbage(pen, scene, seat);
  }
}

/** Paint what a step changes over what it leaves alone; called with progress from 0 to 1. */
export function drawMoving(context, geometry, theme, scene) {
  const pen = makePen(context, geometry, theme);
  const eased = { ...scene, progress: ease(scene.progress) };
  for (const seat of [0, 1]) {
    drawCells(pen, eased, seat, (same) => !same);
    drawChain(pen, eased, seat);
  }
}

/** The field's letter, its edge, the line under the hidden row, and a cross at the cell that kills. */
function drawFrame(pen, { setting }, seat) {
  const { context, cell, theme } = pen;
  const { columns, rows, hidden } = setting;
  const [left, top] = [fieldLeft(setting, seat) * cell, HEAD * cell];
  context.strokeStyle = theme.line;
  context.lineWidth = Math.max(1, cell / 30);
  context.beginPath();
  for (let x = 1; x < columns; x++) {
    context.moveTo(left + x * cell, top);
    context.lineTo(left + x * cell, top + rows * cell);
  }
  if (hidden) {
    const [x, y, arm] = [left + 2.5 * cell, top + (hidden + 0.5) * cell, cell * 0.2];
    context.moveTo(left, top + hidden * cell);
    context.lineTo(left + columns * cell, top + hidden * cell);
    for (const side of [-1, 1]) {
      context.moveTo(x - arm, y - side * arm);
      context.lineTo(x + arm, y + side * arm);
    }
  }
  context.stroke();
  context.strokeStyle = theme.seats[seat].wall;
  context.lineWidth = Math.max(2, cell / 12);
  context.strokeRect(left, top, columns * cell, rows * cell);
  write(pen, LETTERS[seat], [left + (columns / 2) * cell, cell * 0.65], { size: cell * 0.7, weight: 700 });
}

/** The cells that a step leaves alone, or those that it changes: what goes shrinks, what comes grows. */
function drawCells(pen, { setting, before, after, progress }, seat, wanted) {
  const [left, top] = [fieldLeft(setting, seat), HEAD];
  after.fields[seat].forEach((row, y) => [...row].forEach((tile, x) => {
    const old = before.fields[seat][y][x];
    if (!wanted(old === tile)) return;
    const faint = y < setting.hidden ? 0.55 : 1;
    if (old !== tile) drawPuyo(pen, left + x + 0.5, top + y + 0.5, old, 1 - progress, faint);
    drawPuyo(pen, left + x + 0.5, top + y + 0.5, tile, old === tile ? 1 : progress, faint);
  }));
}

/** A puyo round a centre given in cells; garbage is a plain disc, colours have their digit. */
export function drawPuyo(pen, x, y, tile, size, alpha = 1) {
  const { context, cell, theme } = pen;
  if (tile === "." || size <= 0) return;
  context.globalAlpha = alpha;
  traceDisc(context, x * cell, y * cell, 0.45 * cell * size);
  fillPath(context, COLOURS[tile]);
  strokePath(context, theme.edge, Math.max(1, cell / 24));
  if (tile !== "0" && cell * size >= 13) {
    write(pen, tile, [x * cell, (y + 0.03) * cell], { size: cell * 0.44 * size, weight: 600, colour: DIGIT });
  }
  context.globalAlpha = 1;
}

/** The column of a seat's half of the middle, its centre, in cells. */
const middleOf = (setting, seat) => EDGE + setting.columns + (seat ? MIDDLE - 1.3 : 1.3);

/** The next pairs as they appear, child above axis, the present one first and large. */
function drawNext(pen, { setting, after }, seat) {
  const x = middleOf(setting, seat);
  after.pairs[seat].slice(0, NEXT).forEach(([axis, child], i) => {
    const y = HEAD + 0.5 + i * 2.4;
    drawPuyo(pen, x, y, `${child}`, i ? 0.8 : 1);
    drawPuyo(pen, x, y + (i ? 0.8 : 1), `${axis}`, i ? 0.8 : 1);
  });
}

/** How much garbage waits over a seat: what still may grow stands behind a plus. */
function drawGarbage(pen, { setting, after }, seat) {
  const [fixed, pending] = [after.fixed[seat], after.pending[seat]];
  if (!fixed && !pending) return;
  const { cell } = pen;
  const [x, y] = [middleOf(setting, seat), HEAD + 8.4];
  drawPuyo(pen, x, y, "0", 0.8);
  const text = pending ? `${fixed} + ${pending}` : fixed;
  write(pen, text, [x * cell, (y + 0.85) * cell], { size: cell * 0.5, weight: 700 });
}

/** The number of the step that popped in this turn. */
function drawChain(pen, { setting, after, progress }, seat) {
  const [step, { cell }] = [after.steps[seat], pen];
  if (!step || progress < 0.2) return;
  write(pen, `×${step}`, [middleOf(setting, seat) * cell, (HEAD + 10.9) * cell], { size: cell * 0.62, weight: 700 });
}
