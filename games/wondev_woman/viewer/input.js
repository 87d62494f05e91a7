// How a person plays Wondev Woman: a unit, the cell it moves to or pushes from, the cell it builds on or pushes to.

import { AROUND, BoardInput, directionOf, drawArrow, drawDot, drawFrame, drawSign, enable, group, isUndo, makeButton, same } from "../../matches/viewer/picking.js";
import { drawPiece, fillCell, middleOf } from "../../matches/viewer/cells.js";

const NAMES = ["NW", "N", "NE", "W", "", "E", "SW", "S", "SE"];
const DEFEAT = "ACCEPT-DEFEAT";
const CLOSED = 4;
const TOP = 3;
/** How dark the fog is. */
const FOG = 0.5;

const beside = ({ x, y }, name) => {
  const [dx, dy] = AROUND[NAMES.indexOf(name)];
  return { x: x + dx, y: y + dy };
};

/** Read a legal action of the protocol, with the cells that it concerns. */
export function readAction(line, units) {
  const [kind, unit, first, second] = line.split(" ");
  const [x, y] = units[Number(unit)];
  const near = beside({ x, y }, first);
  return { line, unit: Number(unit), pushes: kind.startsWith("PUSH"), from: { x, y }, near, far: beside(near, second) };
}

/** Tell whether units of a seat see a cell in the fog. */
export function sees(units, { x, y }) {
  return units.some(([ux, uy]) => Math.max(Math.abs(ux - x), Math.abs(uy - y)) <= 1);
}

/** Make the input, see `docs/play/games.md`. */
export function makeInput(table) {
  const { words, tell, seat, letters } = table;
  const buttons = [0, 1].map((unit) => makeButton(tell("unit_number", { unit: `${letters[seat]}${unit + 1}` }), () => selectUnit(unit)));
  const undo = makeButton(words.undo, () => back());
  const defeat = makeButton(words.accept_defeat, () => input.open && input.answer(DEFEAT), "is-main");
  const parts = [group("input-row", ...buttons, undo, defeat)];
  const input = new BoardInput(table, { parts, begin, show, sentence, spoken, choose, key, paint });

  let actions = [];
  let unit = null;
  let near = null;

  const ofUnit = () => actions.filter((action) => action.unit === unit);
  const ofNear = () => ofUnit().filter((action) => same(action.near, near));
  const ableUnits = () => [...new Set(actions.map((action) => action.unit))];
  const unitAt = ({ x, y }) => input.frame.units[seat].findIndex(([ux, uy]) => ux === x && uy === y);
  const nameOf = (each) => `${letters[seat]}${each + 1}`;
  const cellName = ({ x, y }) => `${x} ${y}`;
  const heightOf = ({ x, y }) => Number(input.frame.rows[y][x]);

  function choose(cell) {
    if (!input.open) return;
    if (chooseLit(cell)) return;
    const own = unitAt(cell);
    if (own >= 0) selectUnit(own);
    else if (near && ofUnit().some((action) => same(action.near, cell))) selectNear(cell);
  }

  function selectUnit(chosen) {
    if (!input.open || !ableUnits().includes(chosen)) return;
    [unit, near] = [chosen, null];
    input.show();
  }

  function selectNear(cell) {
    near = cell;
    input.show();
  }

  /** Choose a cell next to the unit, or the cell that an action ends with; returns whether it may be chosen. */
  function chooseLit(cell) {
    const action = lit().find((each) => same(each, cell))?.action;
    if (!action) return false;
    if (near) input.answer(action.line);
    else selectNear(cell);
    return true;
  }

  function back() {
    if (!input.open) return;
    if (near) near = null;
    else if (ableUnits().length > 1) unit = null;
    input.show();
  }

  function sentence() {
    if (!input.open) return "";
    if (!actions.length) return words.no_action_left;
    if (unit === null) return words.choose_unit;
    if (!near) return tell(ofUnit().some(({ pushes }) => pushes) ? "choose_move_or_push" : "choose_move", { unit: nameOf(unit) });
    const [action] = ofNear();
    return action.pushes ? words.choose_push : tell("choose_build", { cell: cellName(near) });
  }

  function show() {
    const { open } = input;
    buttons.forEach((button, each) => {
      button.hidden = table.setting.units < 2;
      button.setAttribute("aria-pressed", String(open && unit === each));
      enable(button, open && ableUnits().includes(each));
    });
    enable(undo, open && (Boolean(near) || (unit !== null && ableUnits().length > 1)));
    defeat.hidden = !open || actions.length > 0;
  }

  /** What a screen reader says: the question, and what may be chosen. */
  function spoken() {
    if (!actions.length || unit === null) return sentence();
    const known = lit().filter((cell, index, cells) => cells.findIndex((other) => same(other, cell)) === index);
    const names = known.map((cell) => `${cellName(cell)} (${table.viewer.cellText(table.setting, input.frame, cell, table.gameWords)})`);
    return `${sentence()} ${names.join("; ")}.`;
  }

  /** Choose the neighbour in a direction: of the unit, then of the cell chosen. */
  function aim([dx, dy]) {
    const from = near ?? ofUnit()[0]?.from;
    if (from) chooseLit({ x: from.x + dx, y: from.y + dy });
  }

  /** Cells that are lit: where the next choice goes, with what comes of it. */
  function lit() {
    if (unit === null) return ableUnits().map((each) => input.frame.units[seat][each]).map(([x, y]) => ({ x, y }));
    const chosen = near ? ofNear() : ofUnit();
    return chosen.map((action) => ({ ...(near ? action.far : action.near), action }));
  }

  return input;

  function begin(question, isNew) {
    if (!isNew) return;
    actions = question.offered[0].filter((line) => line !== DEFEAT).map((line) => readAction(line, input.frame.units[seat]));
    const able = ableUnits();
    [unit, near] = [able.length === 1 ? able[0] : null, null];
  }

  function key(event) {
    if (isUndo(event)) back();
    else if (/^[12]$/.test(event.key) && !event.code.startsWith("Numpad")) selectUnit(Number(event.key) - 1);
    else if (directionOf(event)) aim(directionOf(event));
    else return event.key === " "; // else the replay would stop
    return true;
  }

  function paint(pen, { after }) {
    if (after.scores.includes(null)) drawFog(pen, after, seat);
    if (!input.open) return;
    const colour = pen.theme.seats[seat].line;
    if (unit !== null) {
      const [x, y] = after.units[seat][unit];
      drawFrame(pen, { x, y }, colour, { width: 0.05 });
      if (near) drawChosen(pen, { x, y });
    }
    for (const cell of lit()) drawLit(pen, cell, colour, same(input.pointed.at, cell));
  }

  /** The move or push so far: an arrow, and the unit on its new cell. */
  function drawChosen(pen, from) {
    const [{ pushes }] = ofNear();
    drawArrow(pen, from, near, pen.theme.seats[seat].line);
    if (pushes) return drawFrame(pen, near, pen.theme.seats[1 - seat].line, { width: 0.05 });
    const [[x, y], { cell }] = [middleOf(pen, near), pen];
    drawPiece(pen, { x, y }, { seat, text: unit + 1, radius: 0.22 * cell, alpha: 0.75, dashes: [0.05 * cell, 0.04 * cell] });
  }

  function drawLit(pen, cell, colour, isPointed) {
    drawFrame(pen, cell, colour, { width: isPointed ? 0.07 : 0.035, dashes: isPointed ? [] : [0.12, 0.08] });
    const { action } = cell;
    if (!action) return;
    if (!near && action.pushes) return drawSign(pen, { x: cell.x + 0.3, y: cell.y - 0.3 }, "→", pen.theme.seats[1 - seat].line, 0.17);
    if (near && !action.pushes) {
      const height = heightOf(cell) + 1;
      return drawSign(pen, cell, height === CLOSED ? "×" : `${height}`, colour, 0.2);
    }
    const gains = !near && heightOf(cell) === TOP;
    if (gains) drawSign(pen, cell, "▲", colour, 0.22);
    else drawDot(pen, cell, colour, 0.1);
  }
}

/** Darken the cells that no unit of a seat sees: units of the opponent may hide there. */
function drawFog(pen, { rows, units }, seat) {
  pen.context.globalAlpha = FOG;
  rows.forEach((row, y) => [...row].forEach((tile, x) => {
    if (tile !== "." && !sees(units[seat], { x, y })) fillCell(pen, { x, y }, pen.theme.paper);
  }));
  pen.context.globalAlpha = 1;
}
