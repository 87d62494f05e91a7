// Boards of square cells with rulers at their left and top edge: the places of cells, and drawing that games share.
// A frame's `tiles` are rows with one character for each cell, "." for an empty one.

import { traceShape } from "./seats.js";

/** Width of the rulers, in cells. */
const RULER = 0.8;

/** Return the numbers of columns and rows for the text board. */
export function grid({ width, height }) {
  return { columns: width, rows: height };
}

/** Return the picture's size in cells, rulers included. */
export function shape({ width, height }) {
  return { columns: width + RULER, rows: height + RULER };
}

/** Return the cell at a place of the picture, or null; the place is given in cells from the picture's corner. */
export function cellAt({ width, height }, column, row) {
  const [x, y] = [Math.floor(column - RULER), Math.floor(row - RULER)];
  return x >= 0 && y >= 0 && x < width && y < height ? { x, y } : null;
}

/** Return the place of a cell's upper left corner in the picture, in cells, or null for one that is not on the board. */
export function placeOf({ width, height }, [x, y]) {
  return x >= 0 && y >= 0 && x < width && y < height ? [x + RULER, y + RULER] : null;
}

/** Make the object that all drawing functions take: context, device pixels a cell, theme, corner of the first cell. */
export function makePen(context, { cell }, theme) {
  context.lineJoin = "round";
  return { context, cell, theme, corner: Math.round(RULER * cell) };
}

/** Begin to draw a board: its paper and its rulers. Returns the pen. */
export function beginBoard(context, geometry, theme, sides) {
  const pen = makePen(context, geometry, theme);
  drawPaper(pen);
  drawRulers(pen, sides);
  return pen;
}

export function drawPaper({ context, theme }) {
  context.fillStyle = theme.paper;
  context.fillRect(0, 0, context.canvas.width, context.canvas.height);
}

export function drawRulers({ context, cell, corner, theme }, { width, height }) {
  const every = cell < 22 ? 2 : 1;
  context.fillStyle = theme.ink;
  context.globalAlpha = 0.6;
  setFont(context, theme, cell * (every === 2 ? 0.44 : 0.36));
  for (let x = 0; x < width; x += every) context.fillText(x, corner + (x + 0.5) * cell, corner * 0.55);
  for (let y = 0; y < height; y += every) context.fillText(y, corner * 0.5, corner + (y + 0.5) * cell);
  context.globalAlpha = 1;
}

export function drawGrid({ context, cell, corner, theme }, { width, height }) {
  context.strokeStyle = theme.line;
  context.lineWidth = Math.max(1, Math.round(cell / 40));
  context.beginPath();
  for (let x = 0; x <= width; x++) {
    context.moveTo(corner + x * cell + 0.5, corner);
    context.lineTo(corner + x * cell + 0.5, corner + height * cell);
  }
  for (let y = 0; y <= height; y++) {
    context.moveTo(corner, corner + y * cell + 0.5);
    context.lineTo(corner + width * cell, corner + y * cell + 0.5);
  }
  context.stroke();
}

export function setFont(context, theme, size, weight = 500) {
  context.font = `${weight} ${Math.max(6, Math.round(size))}px ${theme.font}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
}

/** Write a text round a place, or beside it, in pixels; `most`: its greatest width. */
export function write({ context, theme }, text, [x, y], { size, weight, colour = theme.ink, align = "center", most }) {
  context.fillStyle = colour;
  setFont(context, theme, size, weight);
  context.textAlign = align;
  context.fillText(text, x, y, most);
}

/** Fill the path that is traced. */
export function fillPath(context, colour) {
  context.fillStyle = colour;
  context.fill();
}

/** Draw along the path that is traced. */
export function strokePath(context, colour, width) {
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.stroke();
}

/** Trace a disc. The caller fills and strokes it, as those of the following functions. */
export function traceDisc(context, x, y, radius) {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
}

export function traceCross(context, x, y, arm) {
  context.beginPath();
  for (const side of [-1, 1]) {
    context.moveTo(x - arm, y - side * arm);
    context.lineTo(x + arm, y + side * arm);
  }
}

/** Trace a square with round corners within a cell, so far from its edge; lengths in cells. */
export function traceSquare({ context, cell, corner }, { x, y }, inset, radius) {
  const size = (1 - 2 * inset) * cell;
  context.beginPath();
  context.roundRect(corner + (x + inset) * cell, corner + (y + inset) * cell, size, size, radius * cell);
}

export function fillCell({ context, cell, corner }, { x, y }, colour) {
  context.fillStyle = colour;
  context.fillRect(corner + x * cell, corner + y * cell, cell, cell);
}

/** Return the middle of a cell, in pixels. */
export const middleOf = ({ cell, corner }, { x, y }) => [corner + (x + 0.5) * cell, corner + (y + 0.5) * cell];

/**
 * Paint a piece of a seat: the seat's shape with a text in it.
 *
 * @param {{x, y}} at centre of the piece, in pixels
 * @param {{seat, text, radius, alpha, dashes, rim, size}} piece radius, and size of the text, in pixels; dashes of its rim
 *   in pixels, by default none; rim: its width in cells
 */
export function drawPiece(pen, { x, y }, { seat, text, radius, alpha, dashes = [], rim = 0.09, size = radius * 1.135 }) {
  const { context, cell, theme } = pen;
  context.globalAlpha = alpha;
  traceShape(context, seat, x, y, radius);
  fillPath(context, theme.edge);
  context.setLineDash(dashes);
  strokePath(context, theme.seats[seat].wall, cell * rim);
  context.setLineDash([]);
  write(pen, text, [x, y + 0.02 * cell], { size, weight: 700 });
  context.globalAlpha = 1;
}

/** Tell whether a step changes a cell, or a neighbour that may be drawn connected to it. */
export function touched({ before, after }, { x, y }) {
  const changes = (cx, cy) => before.tiles[cy]?.[cx] !== after.tiles[cy]?.[cx];
  return changes(x, y) || changes(x - 1, y) || changes(x + 1, y) || changes(x, y - 1) || changes(x, y + 1);
}

/** Return all tiles of a step except "." as {x, y, tile, amount}; in a cell that changes, old and new tile overlap with
 * amounts below 1. */
export function stepTiles({ setting, before, after, progress }) {
  const tiles = [];
  const add = (x, y, tile, amount) => {
    if (tile !== "." && amount > 0) tiles.push({ x, y, tile, amount });
  };
  for (let y = 0; y < setting.height; y++) {
    for (let x = 0; x < setting.width; x++) {
      const [old, now] = [before.tiles[y][x], after.tiles[y][x]];
      if (old !== now) add(x, y, old, 1 - progress);
      add(x, y, now, old === now ? 1 : progress);
    }
  }
  return tiles;
}

export const mix = (a, b, part) => a + (b - a) * part;
export const ease = (part) => (part < 0.5 ? 2 * part * part : 1 - 2 * (1 - part) ** 2);
