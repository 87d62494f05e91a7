// How Kakomimasu is drawn and described. Tiles: "." neutral, "A".."D" a wall of seat 0..3, "a".."d" area of seat 0..3.

import { beginBoard, drawGrid, drawPiece, ease, fillCell, fillPath, makePen, middleOf, mix, stepTiles, strokePath, touched, traceCross, traceDisc, write } from "../../matches/viewer/cells.js";
import { LETTERS, drawPattern } from "../../matches/viewer/seats.js";

export { cellAt, grid, placeOf, shape } from "../../matches/viewer/cells.js";

const POINTS_MAX = 16;
/** The gap between a wall and the edge of its cell, in cells. */
const WALL_GAP = 0.06;

/** Split a tile into what it is. */
export function readTile(tile) {
  if (tile === ".") return { kind: "neutral", seat: null };
  const upper = tile.toUpperCase();
  return { kind: tile === upper ? "wall" : "area", seat: LETTERS.indexOf(upper) };
}

/** The symbol of each kind of event. */
export const symbols = { enclosed: "◆", rings: "◆", lost: "◇" };

export function score(frame, seat) {
  const [walls, areas] = frame.points[seat];
  return walls + areas;
}

/** What a seat's score is made of, as [word, number]. */
export function parts(frame, seat) {
  const [walls, areas] = frame.points[seat];
  return [["walls", walls], ["areas", areas]];
}

/** A cell in words: its points, then wall or area with its owner, then the agent on it. */
export function cellText(setting, frame, { x, y }, words) {
  const { kind, seat } = readTile(frame.tiles[y][x]);
  const text = [`${setting.points[y * setting.width + x]}`];
  if (kind !== "neutral") text.push(`${words[kind]} ${LETTERS[seat]}`);
  const agent = agentAt(frame, x, y);
  if (agent) text.push(`${words.agent} ${agent}`);
  return text.join(", ");
}

function agentAt(frame, x, y) {
  for (const [seat, agents] of frame.agents.entries()) {
    const number = agents.findIndex(([ax, ay]) => ax === x && ay === y);
    if (number >= 0) return `${LETTERS[seat]}${number + 1}`;
  }
  return null;
}

/**
 * Where an agent is seen during a step from a cell [x, y] to another, of which -1 is off the board, as {x, y, size} in
 * cells; null while it is off the board. `order` is that of `readOrder`, `progress` 0..1.
 */
export function agentPlace(from, to, order, progress) {
  if (to[0] < 0) return null;
  if (from[0] < 0) return { x: to[0], y: to[1], size: progress };
  if (from[0] !== to[0] || from[1] !== to[1]) {
    return { x: mix(from[0], to[0], progress), y: mix(from[1], to[1], progress), size: 1 };
  }
  // It stayed: a refused move or a removal reaches out to its target and comes back.
  const reach = order.target ? 0.3 * Math.sin(Math.PI * progress) : 0;
  const [tx, ty] = order.target ?? to;
  return { x: mix(to[0], tx, reach), y: mix(to[1], ty, reach), size: 1 };
}

/** Read an answer line, as the bot wrote it: `MOVE 3 4 hello`. Its target counts only next to the agent. */
export function readOrder(line, [x, y]) {
  const [, kind, tx, ty] = /^(PUT|MOVE|REMOVE) (-?\d+) (-?\d+)/.exec(line ?? "") ?? [];
  const near = kind && Math.max(Math.abs(tx - x), Math.abs(ty - y)) === 1;
  return { kind: kind ?? "NONE", target: near ? [Number(tx), Number(ty)] : null };
}

/** Paint what a step leaves alone, see `Board` in canvas.js: all but cells that change, those beside them, and agents. */
export function drawStill(context, geometry, theme, scene) {
  const pen = beginBoard(context, geometry, theme, scene.setting);
  drawGround(pen, scene.setting);
  drawGrid(pen, scene.setting);
  drawTiles(pen, scene, (cell) => !touched(scene, cell));
}

/** Paint what a step changes over what it leaves alone; called with progress from 0 to 1. */
export function drawMoving(context, geometry, theme, scene) {
  const pen = makePen(context, geometry, theme);
  const eased = { ...scene, progress: ease(scene.progress) };
  drawTiles(pen, eased, (cell) => touched(scene, cell));
  drawAgents(pen, eased);
}

function drawTiles(pen, scene, wanted) {
  const tiles = stepTiles(scene).map((each) => ({ ...each, ...readTile(each.tile) }));
  for (const tile of tiles) if (tile.kind === "area" && wanted(tile)) drawArea(pen, tile);
  drawWalls(pen, tiles, scene.setting, wanted);
  drawPoints(pen, scene.setting, scene.progress < 0.5 ? scene.before : scene.after, wanted);
}

/** Tint each cell by its points: rich cells warm, poor ones grey. */
function drawGround(pen, { width, points }) {
  points.forEach((value, i) => {
    pen.context.globalAlpha = Math.min(1, Math.abs(value) / POINTS_MAX);
    fillCell(pen, { x: i % width, y: Math.floor(i / width) }, value < 0 ? pen.theme.poor : pen.theme.rich);
  });
  pen.context.globalAlpha = 1;
}

function drawArea(pen, { x, y, seat, amount }) {
  const { context, cell, corner, theme } = pen;
  context.globalAlpha = 0.24 * amount;
  fillCell(pen, { x, y }, theme.seats[seat].wall);
  context.globalAlpha = 0.5 * amount;
  context.strokeStyle = theme.seats[seat].wall;
  context.lineWidth = Math.max(1, cell / 24);
  drawPattern(context, seat, corner + x * cell, corner + y * cell, cell);
  context.globalAlpha = 1;
}

/** Walls reach out to neighbouring walls of their seat, so that a ring looks like one. */
function drawWalls(pen, tiles, { width }, wanted) {
  const walls = new Map(tiles.filter((tile) => tile.kind === "wall").map((tile) => [tile.y * width + tile.x, tile]));
  for (const wall of [...walls.values()].filter(wanted)) {
    const joint = (dx, dy) => {
      const next = wall.x + dx >= 0 && wall.x + dx < width && walls.get((wall.y + dy) * width + wall.x + dx);
      return next && next.seat === wall.seat ? Math.min(next.amount, wall.amount) : 0;
    };
    drawWall(pen, wall, { left: joint(-1, 0), right: joint(1, 0), top: joint(0, -1), bottom: joint(0, 1) });
  }
}

/** @param joints how far (0..1) the wall reaches to its neighbour on each side */
function drawWall({ context, cell, corner, theme }, { x, y, seat, amount }, joints) {
  const half = (joint) => (0.5 - WALL_GAP * (1 - joint)) * cell * amount;
  const [cx, cy] = [corner + (x + 0.5) * cell, corner + (y + 0.5) * cell];
  const [left, top] = [cx - half(joints.left), cy - half(joints.top)];
  const round = (a, b) => 0.2 * cell * (1 - Math.max(a, b));
  context.fillStyle = theme.seats[seat].wall;
  context.beginPath();
  context.roundRect(left, top, cx + half(joints.right) - left, cy + half(joints.bottom) - top, [
    round(joints.left, joints.top), round(joints.right, joints.top),
    round(joints.right, joints.bottom), round(joints.left, joints.bottom),
  ]);
  context.fill();
  context.globalAlpha = 0.2;
  context.strokeStyle = theme.seats[seat].onWall;
  context.lineWidth = Math.max(1, cell / 24);
  const size = (1 - 2 * WALL_GAP) * cell * amount;
  drawPattern(context, seat, cx - size / 2, cy - size / 2, size);
  context.globalAlpha = 1;
}

function drawPoints(pen, { width, points }, frame, wanted) {
  const { cell, theme } = pen;
  if (cell < 13) return;
  points.forEach((value, i) => {
    const [x, y] = [i % width, Math.floor(i / width)];
    if (!wanted({ x, y })) return;
    const { kind, seat } = readTile(frame.tiles[y][x]);
    const colour = kind === "wall" ? theme.seats[seat].onWall : theme.ink;
    write(pen, `${value}`.replace("-", "−"), middleOf(pen, { x, y: y + 0.03 }), { size: cell * 0.4, colour });
  });
}

function drawAgents(pen, { before, after, turn, progress }) {
  after.agents.forEach((agents, seat) => {
    const standing = turn?.seats[seat] === null || turn?.seats[seat]?.fault;
    agents.forEach((to, number) => {
      const from = before.agents[seat][number];
      const order = readOrder(turn?.seats[seat]?.answer?.[number], from);
      const place = agentPlace(from, to, order, progress);
      const refused = order.kind !== "NONE" && after.results?.[seat]?.[number] > 0;
      if (place) drawAgent(pen, { ...place, seat, number, refused, alpha: standing ? 0.7 : 1 });
    });
  });
}

function drawAgent(pen, { x, y, size, seat, number, refused, alpha }) {
  const [cx, cy] = middleOf(pen, { x, y });
  const radius = 0.37 * pen.cell * size;
  drawPiece(pen, { x: cx, y: cy }, { seat, text: number + 1, radius, alpha });
  if (refused) drawRefusal(pen, cx + radius * 0.85, cy - radius * 0.85);
}

/** A small cross: the rules refused this agent's order. */
function drawRefusal({ context, cell, theme }, x, y) {
  const arm = cell * 0.09;
  traceDisc(context, x, y, arm * 1.9);
  fillPath(context, theme.ink);
  traceCross(context, x, y, arm);
  strokePath(context, theme.edge, cell * 0.06);
}
