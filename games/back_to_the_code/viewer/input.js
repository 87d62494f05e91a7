// How a person plays Back to the Code: a step to a neighbour, a way to a cell farther off that is walked by itself, or once
// in a match a return, whose rounds are chosen while the board shows what it would undo.

import { fillCell, middleOf, strokePath } from "../../matches/viewer/cells.js";
import { AROUND, BoardInput, Pad, directionOf, drawArrow, drawDot, drawFrame, enable, group, isUndo, keepKeys, makeButton, same } from "../../matches/viewer/picking.js";
import { drawPattern, traceShape } from "../../matches/viewer/seats.js";
import { element } from "../../matches/viewer/words.js";

const STAY = 4;
const BACK_MAX = 25;
/** A key pressed while the others move counts if it is not older. */
const WISH_MS = 400;
const isStraight = ([dx, dy]) => Math.abs(dx) + Math.abs(dy) < 2;

/** Return the next cell on the way to another one: first along x, as in the protocol. */
export function stepTowards(from, to) {
  if (from.x !== to.x) return { x: from.x + Math.sign(to.x - from.x), y: from.y };
  return { x: from.x, y: from.y + Math.sign(to.y - from.y) };
}

/** Return the frame that a return by some rounds leads to: the last one with that many rounds completed. */
export function frameBefore(frames, rounds) {
  const wanted = Math.max(0, frames.at(-1).round - rounds);
  return frames.findLast((frame) => frame.round === wanted) ?? frames[0];
}

/** Make the input, see `docs/play/games.md`. */
export function makeInput(table) {
  const { words, tell, seat } = table;
  const pad = new Pad((index) => step(AROUND[index]), (index) => isStraight(AROUND[index]));
  const stop = makeButton(words.stop, () => halt());
  const returns = makeButton(words.back, () => toggle());
  const choice = element("label", "input-row");
  const slider = Object.assign(element("input"), { type: "range", min: 1, max: BACK_MAX, value: 10 });
  const count = element("output", "input-number");
  choice.append(slider, count);
  const go = makeButton("", () => finishBack(), "is-main");
  const cancel = makeButton(words.cancel, () => toggle());
  const tools = group("input-row", stop, returns);
  const last = group("input-row", go, cancel);
  const parts = [pad.element, group("input-column", tools, choice, last)];
  const input = new BoardInput(table, { parts, begin, rest, show, sentence, spoken, choose: walk, key, paint });

  let offered = new Set();
  /** The cell on the way to which this seat is, or null. */
  let goal = null;
  let choosing = false;
  /** The direction of the last key between two questions, and when it was pressed. */
  let wish = null;

  const own = () => {
    const [x, y] = input.frame.seats[seat];
    return { x, y };
  };
  const line = ({ x, y }) => `${x} ${y}`;
  const most = () => Math.min(BACK_MAX, input.frame.round);
  const hasBack = () => Boolean(input.frame.seats[seat][2]);
  const rounds = () => Number(slider.value);

  function step([dx, dy]) {
    if (choosing || !isStraight([dx, dy])) return;
    goal = null;
    if (!input.open) {
      wish = { direction: [dx, dy], at: performance.now() };
      return;
    }
    const cell = { x: own().x + dx, y: own().y + dy };
    if (offered.has(line(cell))) answer(line(cell));
  }

  function walk(cell) {
    if (choosing) return;
    goal = same(cell, own()) ? null : cell;
    if (!input.open) return table.redraw();
    answer(goal ? line(stepTowards(own(), goal)) : line(cell));
  }

  function halt() {
    goal = null;
    input.show();
  }

  function toggle() {
    if (!hasBack() || most() < 1) return;
    [choosing, goal] = [!choosing, null];
    slider.max = most();
    input.show();
    if (choosing) slider.focus();
    else returns.focus();
  }

  function finishBack() {
    if (input.open && choosing) answer(`BACK ${rounds()}`);
  }

  function answer(text) {
    wish = null;
    input.answer(text);
  }

  function sentence() {
    if (choosing) return tell("choose_back", { rounds: rounds() });
    if (goal) return tell("walking", { cell: line(goal) });
    return input.open ? words.choose_step : "";
  }

  function spoken() {
    return choosing ? sentence() : `${tell("here", { cell: line(own()) })} ${sentence()}`;
  }

  function show() {
    const { open } = input;
    input.place.classList.toggle("is-walking", goal !== null);
    pad.show(AROUND.map(([dx, dy], index) => {
      const cell = { x: own().x + dx, y: own().y + dy };
      const on = open && !choosing && offered.has(line(cell));
      return { on, label: index === STAY ? words.stay : tell("step", { cell: line(cell) }) };
    }));
    enable(stop, goal !== null);
    enable(returns, open && hasBack() && most() > 0);
    for (const each of [choice, last]) each.hidden = !choosing;
    tools.hidden = choosing;
    slider.setAttribute("aria-label", words.rounds);
    count.textContent = rounds();
    go.textContent = tell("go_back", { rounds: rounds() });
    enable(go, open);
  }

  slider.addEventListener("input", () => input.show());
  keepKeys(slider, { Enter: finishBack, Escape: toggle, Backspace: toggle });

  return input;

  function begin(question) {
    choosing = false;
    offered = new Set(question.offered[0]);
    if (same(goal, own()) || question.refused) goal = null;
    if (wish && performance.now() - wish.at < WISH_MS) step(wish.direction);
    else if (goal) answer(line(stepTowards(own(), goal)));
    wish = null;
  }

  function rest() {
    choosing = false;
  }

  function key(event) {
    if (event.code === "KeyB") toggle();
    else if (isUndo(event)) halt();
    else if (event.key === " ") step(AROUND[STAY]);
    else if (event.code === "KeyS") step([0, 1]); // S is below W here: there are no diagonals
    else if (directionOf(event)) step(directionOf(event));
    else return false;
    return true;
  }

  function paint(pen, { after }) {
    const colour = pen.theme.seats[seat].line;
    const aimed = input.pointed.at;
    if (choosing) drawUndone(pen, after, frameBefore(table.frames, rounds()));
    if (goal) drawWay(pen, colour);
    if (!input.open || choosing) return;
    for (const step of AROUND.filter(isStraight)) {
      const cell = { x: own().x + step[0], y: own().y + step[1] };
      if (offered.has(line(cell)) && !same(cell, own())) drawDot(pen, cell, colour, 0.2);
    }
    if (aimed && !same(aimed, own())) drawFrame(pen, aimed, colour, { width: 0.12 });
  }

  /** The way to the goal: first along x, then along y. */
  function drawWay(pen, colour) {
    const corner = { x: goal.x, y: own().y };
    if (!same(corner, own()) && !same(corner, goal)) drawLine(pen, own(), corner, colour);
    const from = same(corner, goal) ? own() : corner;
    if (!same(from, goal)) drawArrow(pen, from, goal, colour);
    drawFrame(pen, goal, colour, { width: 0.12 });
  }
}

function drawLine(pen, from, to, colour) {
  const { context, cell, theme } = pen;
  context.beginPath();
  context.moveTo(...middleOf(pen, from));
  context.lineTo(...middleOf(pen, to));
  for (const [style, width] of [[theme.edge, 0.18], [colour, 0.09]]) strokePath(context, style, Math.max(2, width * cell));
}

/** What a return undoes: the cells that it changes, as they were then, and the places of the seats. */
function drawUndone(pen, now, then) {
  const { context, cell, corner, theme } = pen;
  context.save();
  now.tiles.forEach((row, y) => [...row].forEach((tile, x) => {
    const old = then.tiles[y][x];
    if (old === tile) return;
    context.globalAlpha = 0.8;
    fillCell(pen, { x, y }, theme.paper);
    if (old === ".") return;
    context.globalAlpha = 0.34;
    context.strokeStyle = theme.seats[old].wall;
    fillCell(pen, { x, y }, theme.seats[old].wall);
    drawPattern(context, Number(old), corner + x * cell, corner + y * cell, cell);
  }));
  context.globalAlpha = 1;
  then.seats.forEach(([x, y, , out], seat) => {
    if (out) return;
    traceShape(context, seat, ...middleOf(pen, { x, y }), 0.55 * cell);
    context.setLineDash([0.16 * cell, 0.1 * cell]);
    strokePath(context, theme.seats[seat].line, Math.max(2, 0.12 * cell));
  });
  context.restore();
}
