// What input modules of games share (`games/<game>/viewer/input.js`): the input of a board, cells under the pointer,
// directions of keys, a pad of directions, buttons, and marks on cells that may be chosen.

import { fillPath, makePen, middleOf, strokePath, traceCross, traceDisc, traceSquare, write } from "./cells.js";
import { element } from "./words.js";

/** The eight neighbours of a cell and, in the middle, the cell itself, row by row, as [dx, dy]. */
export const AROUND = [-1, 0, 1].flatMap((dy) => [-1, 0, 1].map((dx) => [dx, dy]));
const ARROWS = "↖↑↗←•→↙↓↘";
/** Keys of the directions, row by row: those in a square under the left hand, and those of the number pad. */
const LETTERS = ["KeyQ", "KeyW", "KeyE", "KeyA", "KeyS", "KeyD", "KeyZ", "KeyX", "KeyC"];
const NUMBERS = [7, 8, 9, 4, 5, 6, 1, 2, 3].map((number) => `Numpad${number}`);
const STRAIGHT = { ArrowUp: 1, ArrowLeft: 3, ArrowRight: 5, ArrowDown: 7 };

/** Return the direction [dx, dy] of a key, or null. */
export function directionOf({ code, ctrlKey, metaKey, altKey }) {
  if (ctrlKey || metaKey || altKey) return null;
  const index = STRAIGHT[code] ?? [LETTERS, NUMBERS].map((keys) => keys.indexOf(code)).find((found) => found >= 0);
  return AROUND[index] ?? null;
}

/** Tell whether a key takes back the last step. */
export function isUndo({ key, ctrlKey, metaKey }) {
  return key === "Backspace" || key === "Escape" || (key === "z" && (ctrlKey || metaKey));
}

/** Tell whether the focused element needs a key itself: fields, and buttons that the key presses. */
function isTaken({ target, key }) {
  if (target.closest?.("input, select, textarea, summary, dialog")) return true;
  return (key === "Enter" || key === " ") && Boolean(target.closest?.("button, a"));
}

/** Make a button. */
export function makeButton(text, act, className = "") {
  const button = element("button", `input-button ${className}`.trim(), text);
  button.type = "button";
  button.addEventListener("click", act);
  return button;
}

/** Make an element that holds others. */
export function group(className, ...parts) {
  const made = element("div", className);
  made.append(...parts);
  return made;
}

/**
 * Have a field keep its keys: the viewer's own would take arrows.
 *
 * @param {Object<string, () => void>} acts what some keys do, by key
 */
export function keepKeys(field, acts) {
  field.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (!acts[event.key]) return;
    event.preventDefault();
    acts[event.key]();
  });
}

/** Switch a button on or off; it keeps the focus. */
export function enable(button, on) {
  button.setAttribute("aria-disabled", String(!on));
}

/** A square of nine buttons for the directions. */
export class Pad {
  /**
   * @param {(index: number) => void} choose called with an index of `AROUND`
   * @param {(index: number) => boolean} [has] whether the pad has this direction; by default all
   */
  constructor(choose, has = () => true) {
    this.element = element("div", "input-pad");
    this.buttons = AROUND.map((_, index) => {
      const button = makeButton(ARROWS[index], () => choose(index));
      if (!has(index)) button.hidden = true;
      this.element.append(has(index) ? button : element("span"));
      return button;
    });
  }

  /** Show for each direction whether it may be chosen, its name for screen readers, and a sign in place of the arrow. */
  show(states) {
    states.forEach(({ on, label, sign, pressed }, index) => {
      const button = this.buttons[index];
      enable(button, on);
      button.textContent = sign ?? ARROWS[index];
      button.setAttribute("aria-label", label);
      button.title = label;
      button.classList.toggle("is-chosen", Boolean(pressed));
    });
  }
}

/**
 * Call a function with each cell of the board that is clicked or tapped, and redraw when another one is pointed at.
 *
 * @returns {{at: {x, y}|null, destroy: () => void}} `at` is the cell under a mouse
 */
export function followCells(table, pick) {
  const { canvas } = table.board;
  const pointed = { at: null };
  const cellOf = (event) => table.viewer.cellAt(table.setting, ...table.board.placeAt(event), table.frames.at(-1));
  const point = (cell) => {
    if (cell?.x === pointed.at?.x && cell?.y === pointed.at?.y) return;
    pointed.at = cell;
    table.redraw();
  };
  const handlers = {
    click(event) {
      const cell = cellOf(event);
      if (cell) pick(cell, event);
    },
    pointermove(event) {
      if (event.pointerType === "mouse") point(cellOf(event));
    },
    pointerleave() {
      point(null);
    },
  };
  for (const [kind, handler] of Object.entries(handlers)) canvas.addEventListener(kind, handler);
  pointed.destroy = () => {
    for (const [kind, handler] of Object.entries(handlers)) canvas.removeEventListener(kind, handler);
  };
  return pointed;
}

/** What a table calls while a person plays on the board; the game says what can be chosen. */
export class BoardInput {
  /**
   * @param {object} table see `docs/play/games.md`
   * @param {object} game
   * @param {HTMLElement[]} game.parts what lies under the board between the hint and the explanation of keys
   * @param {string} [game.className] of the whole
   * @param {(question: object, isNew: boolean) => void} game.begin a question is open; not new: the player has looked back
   * @param {() => void} [game.rest] no question is open any more
   * @param {() => void} game.show update the parts
   * @param {() => string} game.sentence the hint
   * @param {() => string} [game.spoken] what a screen reader says; by default the hint
   * @param {(cell: {x, y}) => void} game.choose a cell was clicked or tapped
   * @param {(event: KeyboardEvent) => boolean} game.key tells whether the game takes a key
   * @param {(pen: object, scene: object) => void} game.paint paint over the board
   */
  constructor(table, game) {
    Object.assign(this, { table, game, open: false, asked: null });
    this.place = element("div", `input ${game.className ?? ""}`.trim());
    this.place.style.setProperty("--input-seat", `var(--seat-line-${table.seat}, var(--seat-${table.seat}))`);
    this.hint = element("p", "input-hint");
    this.place.append(this.hint, ...game.parts, element("p", "input-keys", table.words.keys));
    table.place.append(this.place);
    this.pointed = followCells(table, (cell) => game.choose(cell));
  }

  /** The last frame of the match. */
  get frame() {
    return this.table.frames.at(-1);
  }

  ask(question) {
    const isNew = question.number !== this.asked;
    [this.open, this.asked] = [true, question.number];
    this.game.begin(question, isNew);
    if (this.open) this.show();
  }

  rest() {
    this.open = false;
    this.game.rest?.();
    this.show();
  }

  answer(...lines) {
    this.open = false;
    this.table.send(lines);
  }

  /** Show what may be chosen now; `said`: what a screen reader says first. */
  show(said = "") {
    const { game, table } = this;
    this.place.dataset.open = String(this.open);
    this.hint.textContent = game.sentence();
    game.show();
    if (this.open) table.say(`${said} ${(game.spoken ?? game.sentence)()}`.trim());
    table.redraw();
  }

  key(event) {
    return !isTaken(event) && this.game.key(event);
  }

  draw(context, geometry, theme, scene) {
    this.game.paint(makePen(context, geometry, theme), scene);
  }

  destroy() {
    this.pointed.destroy();
    this.place.remove();
  }
}

/** A cell of the board that keys move about; null until the first key. */
export class Cursor {
  constructor({ width, height }) {
    Object.assign(this, { width, height, at: null });
  }

  /** Step on, from the start if it was nowhere. */
  step([dx, dy], start) {
    const from = this.at;
    this.at = from ? { x: clamp(from.x + dx, this.width), y: clamp(from.y + dy, this.height) } : start;
    return this.at;
  }
}

const clamp = (value, size) => Math.max(0, Math.min(size - 1, value));

export const same = (a, b) => Boolean(a && b) && a.x === b.x && a.y === b.y;

/** A frame in a cell that can be read on any ground: a line with a lighter one under it. */
export function drawFrame(pen, at, colour, { width = 0.07, dashes = [], inset = 0.05 } = {}) {
  const { context, cell, theme } = pen;
  traceSquare(pen, at, inset, 0.12);
  context.setLineDash(dashes.map((length) => length * cell));
  strokeTwice(context, theme.edge, colour, Math.max(1.5, width * cell));
  context.setLineDash([]);
}

/** A dot in the middle of a cell: it may be chosen. */
export function drawDot(pen, at, colour, radius = 0.16) {
  const { context, theme } = pen;
  traceDisc(context, ...middleOf(pen, at), Math.max(3, radius * pen.cell));
  strokeTwice(context, theme.edge, theme.edge, Math.max(1.5, 0.05 * pen.cell));
  fillPath(context, colour);
}

/** A cross in the middle of a cell. */
export function drawCross(pen, at, colour, radius = 0.2) {
  const { context, cell, theme } = pen;
  traceCross(context, ...middleOf(pen, at), Math.max(3, radius * cell));
  strokeTwice(context, theme.edge, colour, Math.max(2, 0.1 * cell));
}

/** An arrow from the middle of a cell to that of another, not quite. */
export function drawArrow(pen, from, to, colour) {
  const { context, cell, theme } = pen;
  const [[ax, ay], [bx, by]] = [middleOf(pen, from), middleOf(pen, to)];
  const length = Math.hypot(bx - ax, by - ay);
  const [ux, uy] = [(bx - ax) / length, (by - ay) / length];
  const [sx, sy] = [ax + ux * 0.36 * cell, ay + uy * 0.36 * cell];
  const [ex, ey] = [bx - ux * 0.12 * cell, by - uy * 0.12 * cell];
  const head = 0.22 * cell;
  context.beginPath();
  context.moveTo(sx, sy);
  context.lineTo(ex, ey);
  for (const side of [-1, 1]) {
    context.moveTo(ex, ey);
    context.lineTo(ex - head * (ux - side * uy * 0.7), ey - head * (uy + side * ux * 0.7));
  }
  context.lineCap = "round";
  strokeTwice(context, theme.edge, colour, Math.max(2, 0.09 * cell));
  context.lineCap = "butt";
}

/** A short text in a cell, on a disc. */
export function drawSign(pen, at, text, colour, radius = 0.24) {
  const { context, cell, theme } = pen;
  const [cx, cy] = middleOf(pen, at);
  traceDisc(context, cx, cy, radius * cell);
  fillPath(context, theme.edge);
  strokePath(context, colour, Math.max(1.5, 0.05 * cell));
  write(pen, text, [cx, cy + 0.02 * cell], { size: radius * 1.15 * cell, weight: 700 });
}

function strokeTwice(context, under, over, width) {
  strokePath(context, under, width * 2);
  strokePath(context, over, width);
}
