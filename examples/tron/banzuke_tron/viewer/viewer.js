// How Tron is drawn and described. Tiles: "." free, "0".."3" where a seat starts; a letter for a cell of a trail, by seat
// and by the direction (up, right, down, left) in which the seat has ridden into it: "a".."d" seat 0, "e".."h" seat 1, ..

import { shape as boardShape, beginBoard, drawGrid, fillCell, fillPath, makePen, middleOf, mix, strokePath, write } from "../../matches/viewer/cells.js";
import { LETTERS, traceShape } from "../../matches/viewer/seats.js";

export { cellAt, grid, placeOf } from "../../matches/viewer/cells.js";

const STEPS = [[0, -1], [1, 0], [0, 1], [-1, 0]];
const RIDES = 0;
/** Width of a trail, in cells. */
const WIDTH = 0.62;
/** The line in the middle of each seat's trail as dashes in cells, so that nobody needs to distinguish colours. */
const CORES = [null, [], [0.3, 0.4], [0.01, 0.33]];
/** How strongly the cells that a seat reaches first have its colour. */
const TINT = 0.13;
/** The space beyond the grid, in cells: the star of a crash into the wall takes 0.72, and its soft border a pixel. */
const REACH = 0.8;
/** How far a seat rides towards what it crashes into before it is thrown back, in cells. */
const INTO = 0.35;

/** The picture's size in cells, with space for crashes at the right and at the bottom. */
export function shape(setting) {
  const { columns, rows } = boardShape(setting);
  return { columns: columns + REACH, rows: rows + REACH };
}

/** The symbol of each kind of event. */
export const symbols = { "into-wall": "✸", "into-own-trail": "✸", "into-trail": "✸", "head-on": "✸", "last-two": "⚑" };

export const score = (frame, seat) => frame.scores[seat];

/** What is shown beside a seat's score, as [word, number]: how many cells it reaches before the others. */
export function parts(frame, seat) {
  const rides = frame.seats[seat][2] === RIDES;
  return [["space", rides ? territory(frame).filter((owner) => owner === seat).length : 0]];
}

/** A cell in words. */
export function cellText(setting, frame, { x, y }, words) {
  const seat = seatOf(frame.tiles[y][x]);
  const crashed = frame.crashes.flatMap((crash, other) => (crash?.[1] === x && crash[2] === y ? [other] : []));
  const at = seat !== null && frame.seats[seat][0] === x && frame.seats[seat][1] === y;
  const what = seat === null ? words.free : `${at ? words.head : words.trail} ${LETTERS[seat]}`;
  return [what, ...crashed.map((other) => `${words.crash} ${LETTERS[other]}`)].join(", ");
}

/** Paint what a step does not change: paper, grid, and the cells that seats reach first. */
export function drawStill(context, geometry, theme, scene) {
  const pen = beginBoard(context, geometry, theme, scene.setting);
  drawTerritory(pen, scene);
  drawGrid(pen, scene.setting);
  drawWall(pen, scene.setting);
}

/** Paint trails, heads and crashes; called with progress from 0 to 1. Of trails in two pieces one would see the seam. */
export function drawMoving(context, geometry, theme, scene) {
  const pen = makePen(context, geometry, theme);
  const { before, after, progress } = scene;
  const heads = after.seats.map((_, seat) => headPlace(scene, seat));
  heads.forEach(({ x, y }, seat) => drawTrail(pen, seat, [...pathOf(before, seat), [x, y]]));
  heads.forEach((head, seat) => drawHead(pen, scene, seat, head));
  after.crashes.forEach((crash, seat) => {
    if (crash) drawCrash(pen, after, seat, before.crashes[seat] ? 1 : Math.max(0, progress * 2 - 1));
  });
}

/** Where the head of a seat is seen during a step, in cells. */
function headPlace({ before, after, progress }, seat) {
  const [[x, y], [u, v]] = [before.seats[seat], after.seats[seat]];
  const crash = before.crashes[seat] ? null : after.crashes[seat];
  if (!crash) return { x: mix(x, u, progress), y: mix(y, v, progress) };
  const part = INTO * (1 - Math.abs(2 * progress - 1));
  return { x: mix(x, crash[1], part), y: mix(y, crash[2], part) };
}

/** The seat whose trail a tile is, or null. */
function seatOf(tile) {
  if (tile === ".") return null;
  return tile < "a" ? Number(tile) : (tile.charCodeAt(0) - 97) >> 2;
}

/** The cells of a seat's trail as [x, y], from its start to its head. */
function pathOf({ tiles, seats }, seat) {
  let [x, y] = seats[seat];
  const path = [[x, y]];
  for (let tile = tiles[y][x]; tile >= "a"; tile = tiles[y][x]) {
    const [dx, dy] = STEPS[(tile.charCodeAt(0) - 97) & 3];
    [x, y] = [x - dx, y - dy];
    path.push([x, y]);
  }
  return path.reverse();
}

const territories = new WeakMap();

/** For each cell, row by row, the seat that reaches it first, or null; null also where several do so at once. */
function territory(frame) {
  if (territories.has(frame)) return territories.get(frame);
  const { tiles, seats } = frame;
  const [height, width] = [tiles.length, tiles[0].length];
  const owners = Array(width * height).fill(null);
  const steps = Array(width * height).fill(Infinity);
  let front = seats.flatMap(([x, y, does], seat) => (does === RIDES ? [[x, y, seat]] : []));
  for (let step = 1; front.length; step++) {
    const next = [];
    for (const [x, y, seat] of front) {
      for (const [dx, dy] of STEPS) {
        const [u, v] = [x + dx, y + dy];
        const cell = v * width + u;
        if (tiles[v]?.[u] !== "." || steps[cell] < step) continue;
        if (steps[cell] === step) {
          if (owners[cell] !== seat) owners[cell] = null;
        } else {
          [steps[cell], owners[cell]] = [step, seat];
          next.push([u, v, seat]);
        }
      }
    }
    front = next;
  }
  territories.set(frame, owners);
  return owners;
}

/** Tint the cells that seats reach first, and those below their trails. */
function drawTerritory(pen, { setting, after }) {
  pen.context.globalAlpha = TINT;
  territory(after).forEach((reached, index) => {
    const [x, y] = [index % setting.width, Math.floor(index / setting.width)];
    const owner = reached ?? seatOf(after.tiles[y][x]);
    if (owner !== null) fillCell(pen, { x, y }, pen.theme.seats[owner].wall);
  });
  pen.context.globalAlpha = 1;
}

function drawWall({ context, cell, corner, theme }, { width, height }) {
  context.strokeStyle = theme.ink;
  context.lineWidth = Math.max(2, cell * 0.12);
  context.strokeRect(corner, corner, width * cell, height * cell);
}

/** A trail along cells [x, y]: a broad line with a thin one in its middle. */
function drawTrail(pen, seat, path) {
  const { context, cell, theme } = pen;
  context.lineCap = context.lineJoin = "round";
  context.beginPath();
  for (const [x, y] of path) context.lineTo(...middleOf(pen, { x, y }));
  strokePath(context, theme.seats[seat].wall, WIDTH * cell);
  if (CORES[seat]) {
    context.setLineDash(CORES[seat].map((dash) => dash * cell));
    strokePath(context, theme.seats[seat].onWall, Math.max(1, 0.12 * cell));
    context.setLineDash([]);
  }
  context.lineCap = "butt";
}

/** A seat's shape with its letter; faint when it rides no more. */
function drawHead(pen, { before, after, progress }, seat, { x, y }) {
  const { context, cell, theme } = pen;
  const rides = after.seats[seat][2] === RIDES || (before.seats[seat][2] === RIDES && progress < 0.5);
  const [[cx, cy], radius] = [middleOf(pen, { x, y }), (rides ? 0.62 : 0.54) * cell];
  traceShape(context, seat, cx, cy, radius);
  fillPath(context, theme.edge);
  strokePath(context, theme.seats[seat].wall, cell * 0.14);
  context.globalAlpha = rides ? 1 : 0.65;
  write(pen, LETTERS[seat], [cx, cy + 0.03 * cell], { size: radius * 1.06, weight: 700 });
  context.globalAlpha = 1;
}

/** A star where a seat has crashed, between its head and what it hit. */
function drawCrash(pen, frame, seat, amount) {
  const { context, cell, theme } = pen;
  const [[x, y], [, u, v, hit]] = [frame.seats[seat], frame.crashes[seat]];
  const part = hit === "wall" ? 0.6 : 0.9;
  const [cx, cy] = middleOf(pen, { x: mix(x, u, part), y: mix(y, v, part) });
  context.beginPath();
  for (let i = 0; i < 16; i++) {
    const [angle, radius] = [(Math.PI * i) / 8, amount * cell * (i % 2 ? 0.24 : 0.55)];
    context.lineTo(cx + radius * Math.cos(angle), cy + radius * Math.sin(angle));
  }
  context.closePath();
  context.lineJoin = "round";
  strokePath(context, theme.paper, cell * 0.14);
  fillPath(context, theme.ink);
}
