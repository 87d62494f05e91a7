// How Attack 25 is drawn and described. Tiles: "." empty, "R", "G", "W", "B" panels of seat 0..3.

import { placeOf as cellPlace, beginBoard, drawGrid, ease, fillPath, makePen, middleOf, stepTiles, strokePath, traceSquare, write } from "../../matches/viewer/cells.js";
import { drawPattern } from "../../matches/viewer/seats.js";

export { cellAt, grid, shape } from "../../matches/viewer/cells.js";

/** The gap between a panel and the edge of its cell, in cells. */
const GAP = 0.04;
/** The letters of the seats, and of their panels, as in the protocol. */
const letters = "RGWB";

/** The symbol of each kind of event. */
export const symbols = { capture: "◆", capture_most: "◆", chance: "☆", erased: "○", erased_own: "○", wiped: "◇" };

export const score = (frame, seat) => frame.panels[seat];

/** What is shown beside a seat's score, as [word, number]; nothing in order mode. */
export const parts = ({ chips, bids }, seat) => (chips ? [["chips", chips[seat]], ["bid", bids[seat]]] : []);

/** The number of a panel, as in the rules. */
export const panelNumber = ({ x, y }) => 5 * y + x + 1;

/** The cell of a panel. */
export const panelCell = (number) => ({ x: (number - 1) % 5, y: Math.floor((number - 1) / 5) });

/** Bots name a panel by its number, see `placeOf` in cells.js. */
export function placeOf(setting, [number]) {
  const { x, y } = panelCell(number);
  return number > 0 ? cellPlace(setting, [x, y]) : null;
}

/** A cell in words: its number, its owner, who may take it. */
export function cellText(setting, frame, cell, words) {
  const [number, tile] = [panelNumber(cell), frame.tiles[cell.y][cell.x]];
  const text = [`${number}`, tile === "." ? words.neutral : `${words.panel} ${tile}`];
  if (frame.legal.includes(number)) text.push(`${words.choice} ${letters[frame.picks]}`);
  return text.join(", ");
}

/** How wide a panel is seen while it turns over or comes or goes, 0..1, by its amount (see `stepTiles`). */
export const panelWidth = (amount) => Math.max(0, 2 * amount - 1);

/** Paint what a step does not change, see `Board` in canvas.js. */
export function drawStill(context, geometry, theme, scene) {
  const pen = beginBoard(context, geometry, theme, scene.setting);
  drawGrid(pen, scene.setting);
  for (let y = 0; y < 5; y++) for (let x = 0; x < 5; x++) drawNumber(pen, { x, y });
  drawPanels(pen, scene, (cell) => !changes(scene, cell));
}

/** Paint what a step changes over what it leaves alone; called with progress from 0 to 1. */
export function drawMoving(context, geometry, theme, scene) {
  const pen = makePen(context, geometry, theme);
  const { after, progress } = scene;
  drawPanels(pen, { ...scene, progress: ease(progress) }, (cell) => changes(scene, cell));
  for (const number of after.legal) drawFrame(pen, number, theme.seats[after.picks].line, [0.12, 0.08], progress);
  if (after.taken) drawFrame(pen, after.taken, contrast(theme, after, after.taken), [], progress);
  if (after.erased) drawFrame(pen, after.erased, theme.ink, [0.03, 0.06], progress);
}

/** Return a colour that can be read on a panel, or on the page's background where there is no panel. */
function contrast(theme, { tiles }, number) {
  const seat = letters.indexOf(tiles.join("")[number - 1]);
  return seat < 0 ? theme.ink : theme.seats[seat].onWall;
}

const changes = ({ before, after }, { x, y }) => before.tiles[y][x] !== after.tiles[y][x];

function drawPanels(pen, scene, wanted) {
  for (const panel of stepTiles(scene)) if (wanted(panel)) drawPanel(pen, panel);
}

function drawNumber(pen, at) {
  pen.context.globalAlpha = 0.75;
  write(pen, panelNumber(at), middleOf(pen, at), { size: pen.cell * 0.24 });
  pen.context.globalAlpha = 1;
}

/** A panel with its seat's colour, pattern and letter, and its number; seen from the side while it turns. */
function drawPanel(pen, { x, y, tile, amount }) {
  const { context, cell, theme } = pen;
  const seat = letters.indexOf(tile);
  const size = (1 - 2 * GAP) * cell;
  context.save();
  context.translate(...middleOf(pen, { x, y }));
  context.scale(panelWidth(amount), 1);
  context.beginPath();
  context.roundRect(-size / 2, -size / 2, size, size, 0.08 * cell);
  fillPath(context, theme.seats[seat].wall);
  strokePath(context, theme.seats[seat].line, Math.max(1, cell / 60));
  context.strokeStyle = context.fillStyle = theme.seats[seat].onWall;
  context.globalAlpha = 0.16;
  context.lineWidth = Math.max(1, cell / 40);
  drawPattern(context, seat, -size / 2, -size / 2, size);
  context.globalAlpha = 1;
  const colour = theme.seats[seat].onWall;
  write(pen, tile, [0, 0.03 * cell], { size: cell * 0.42, weight: 700, colour });
  write(pen, panelNumber({ x, y }), [-0.29 * cell, -0.3 * cell], { size: cell * 0.16, colour });
  context.restore();
}

/** A frame within a panel's cell, dashed by the given lengths in cells. */
function drawFrame(pen, number, colour, dashes, alpha) {
  const { context, cell } = pen;
  context.globalAlpha = alpha;
  context.setLineDash(dashes.map((length) => length * cell));
  traceSquare(pen, panelCell(number), 0.065, 0.06);
  strokePath(context, colour, 0.035 * cell);
  context.setLineDash([]);
  context.globalAlpha = 1;
}
