// Draws the screen of a table of Puyo Puyo: the own field at the left, the next pairs, and the opponent's field, which is
// small where there is little space. All lengths are in cells of the own field, unless their name ends with "px".

import { fillPath, setFont, strokePath, traceCross, traceDisc, write } from "../../matches/viewer/cells.js";
import { readTheme } from "../../matches/viewer/seats.js";
import { childColumn, COLUMNS } from "./falling.js";
import { COLOURS, drawPuyo } from "./viewer.js";

/** Rows above the visible ones: the hidden row, and the garbage to come. */
const HEAD = 2.3;
const VISIBLE = 12;
const FOOT = 1.1;
const EDGE = 0.12;
const DEATH = { x: 2, row: VISIBLE };
/** Layouts by width: where the next pairs and the opponent's field are, and the size of its cells. */
const WIDE = { columns: 17.6, next: 7.4, otherNext: 9.9, other: 11.4, size: 1, otherTop: HEAD };
const NARROW = { columns: 9.2, next: 7.75, otherNext: null, other: 6.5, size: 0.43, otherTop: 8.6 };
/** More device pixels a CSS pixel cost time in each frame, and nobody sees them in motion. */
const RATIO_MAX = 2;
/** Worth of the symbols of garbage, the largest first. */
const SYMBOLS = [[720, "crown"], [360, "moon"], [180, "star"], [30, "rock"], [6, "large"], [1, "small"]];
const SYMBOLS_MAX = 6;

export class Stage {
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {{isTsu: boolean, isCalm: boolean}} kind isCalm: the player wants less motion
   */
  constructor(canvas, kind) {
    Object.assign(this, { canvas, kind, context: canvas.getContext("2d", { alpha: false }), layers: [null, null] });
    this.dark = matchMedia("(prefers-color-scheme: dark)");
    this.dark.addEventListener("change", () => this.#forget());
  }

  /** Set the size, in CSS pixels; a cell has a whole number of device pixels. */
  fit(width, height) {
    const ratio = Math.min(devicePixelRatio || 1, RATIO_MAX);
    const isWide = width / height > 0.85;
    this.layout = isWide ? WIDE : NARROW;
    const rows = HEAD + VISIBLE + FOOT;
    const cell = Math.max(8, Math.floor(Math.min(width / this.layout.columns, height / rows) * ratio));
    if (cell === this.cellPx && ratio === this.ratio) return;
    Object.assign(this, { cellPx: cell, ratio });
    const { canvas } = this;
    [canvas.width, canvas.height] = [Math.ceil(cell * this.layout.columns), Math.ceil(cell * rows)];
    [canvas.style.width, canvas.style.height] = [`${canvas.width / ratio}px`, `${canvas.height / ratio}px`];
    this.#forget();
  }

  #forget() {
    this.theme = readTheme(this.canvas);
    this.sprites = new Map();
    this.layers = [null, null];
    this.ground = null;
  }

  /** The column of the own field at a pointer, with a fraction. */
  columnAt({ clientX }) {
    return (clientX - this.canvas.getBoundingClientRect().left) * this.ratio / this.cellPx - EDGE;
  }

  /** Width of a cell in CSS pixels. */
  get cell() {
    return this.cellPx / this.ratio;
  }

  /**
   * Draw everything.
   *
   * @param {object[]} sides the player's, then the opponent's: {seat, letter, name, score, pairs, coming, fixed, isClear,
   *   isDanger, isDead, still, falling, marks, popping, flash, text}; `still` is a list of cells that must be a new one
   *   whenever it changes; `falling` are cells with fractions of rows; `marks` where the pair will lie
   * @param {string} next the word over the next pairs
   */
  draw(sides, next) {
    this.ground ??= this.#picture(this.canvas.width, this.canvas.height, (context) => this.#drawGround(context, sides, next));
    this.context.drawImage(this.ground, 0, 0);
    sides.forEach((side, i) => this.#drawSide(side, i));
  }

  #frameOf(i) {
    const { layout, cellPx } = this;
    if (!i) return { left: EDGE * cellPx, top: HEAD * cellPx, cell: cellPx };
    return { left: layout.other * cellPx, top: layout.otherTop * cellPx, cell: Math.floor(layout.size * cellPx) };
  }

  #picture(width, height, draw) {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [width, height];
    draw(canvas.getContext("2d"));
    return canvas;
  }

  #drawGround(context, sides, next) {
    const { theme } = this;
    context.fillStyle = theme.paper;
    context.fillRect(0, 0, this.canvas.width, this.canvas.height);
    sides.forEach((side, i) => this.#drawField(context, side, this.#frameOf(i)));
    const at = [(this.layout.next + 0.25) * this.cellPx, 0.55 * this.cellPx];
    write({ context, theme }, next, at, { size: 0.42 * this.cellPx, weight: 600 });
  }

  #drawField(context, side, { left, top, cell }) {
    const { theme } = this;
    context.globalAlpha = 0.5;
    context.strokeStyle = theme.line;
    context.lineWidth = 1;
    context.beginPath();
    for (let x = 1; x < COLUMNS; x++) {
      context.moveTo(Math.round(left + x * cell) + 0.5, top);
      context.lineTo(Math.round(left + x * cell) + 0.5, top + VISIBLE * cell);
    }
    context.stroke();
    context.globalAlpha = 1;
    context.strokeStyle = theme.seats[side.seat].wall;
    context.lineWidth = Math.max(2, cell / 12);
    context.beginPath(); // open above: pairs come from there
    context.moveTo(left, top);
    context.lineTo(left, top + VISIBLE * cell);
    context.lineTo(left + COLUMNS * cell, top + VISIBLE * cell);
    context.lineTo(left + COLUMNS * cell, top);
    context.stroke();
    if (!this.kind.isTsu) return;
    traceCross(context, left + (DEATH.x + 0.5) * cell, top + 0.5 * cell, 0.24 * cell);
    strokePath(context, theme.line, Math.max(2, cell / 9));
  }

  #drawSide(side, i) {
    const { context } = this;
    const frame = this.#frameOf(i);
    const { left, top, cell } = frame;
    if (side.isDanger) {
      context.globalAlpha = 0.13 + (this.kind.isCalm ? 0 : 0.06 * Math.sin(performance.now() / 180));
      context.fillStyle = COLOURS[1];
      context.fillRect(left, top, COLUMNS * cell, VISIBLE * cell);
      context.globalAlpha = 1;
    }
    if (side.isDead) context.globalAlpha = 0.35;
    this.#drawLayer(side, i, frame);
    for (const { x, row, tile } of side.marks) this.#drawMark(frame, x, row, tile);
    for (const { x, row, tile, stretch } of side.falling) this.#puyo(frame, x, row, tile, stretch);
    this.#drawPopping(side, frame);
    context.globalAlpha = 1;
    this.#drawComing(side, frame);
    this.#drawScore(side, frame);
    this.#drawNext(side, i);
    if (side.text) this.#drawText(side.text, frame);
    if (side.isClear) this.#outlined("☆", [left + 5.6 * cell, top + (VISIBLE + 0.55) * cell], { size: 0.5 * cell, weight: 700 });
  }

  /** The cells that lie still, from a picture that is made anew when they change. */
  #drawLayer(side, i, frame) {
    const { cell } = frame;
    const layer = this.layers[i];
    if (layer?.of !== side.still) {
      this.layers[i] = { of: side.still, picture: this.#picture(COLUMNS * cell, (VISIBLE + HEAD) * cell, (context) => {
        const inside = { left: 0, top: HEAD * cell, cell, context };
        for (const { x, row, tile } of side.still) {
          context.globalAlpha = row > VISIBLE ? 0.5 : 1;
          this.#puyo(inside, x, row, tile);
        }
        context.globalAlpha = 1;
        this.#drawBridges(context, side.still, inside);
      }) };
    }
    this.context.drawImage(this.layers[i].picture, frame.left, frame.top - HEAD * cell);
  }

  /** Puyos of a colour that touch each other hang together. */
  #drawBridges(context, cells, { top, cell }) {
    const tiles = new Map(cells.map(({ x, row, tile }) => [`${x} ${row}`, tile]));
    for (const { x, row, tile } of cells) {
      if (tile === "0" || row > VISIBLE) continue;
      context.fillStyle = COLOURS[tile];
      const [cx, cy] = [(x + 0.5) * cell, top + (VISIBLE - row + 0.5) * cell];
      const [half, gap] = [0.27 * cell, 0.28 * cell]; // what lies between the digits
      if (tiles.get(`${x + 1} ${row}`) === tile) context.fillRect(cx + gap, cy - half, cell - 2 * gap, 2 * half);
      if (row < VISIBLE && tiles.get(`${x} ${row + 1}`) === tile) context.fillRect(cx - half, cy - cell + gap, 2 * half, cell - 2 * gap);
    }
  }

  /** A puyo on a field; stretch below 1 makes it flat, as if it had just come down. */
  #puyo({ left, top, cell, context = this.context }, x, row, tile, stretch = 1) {
    const sprite = this.#sprite(tile, cell);
    const height = cell * stretch;
    context.drawImage(sprite, left + x * cell, top + (VISIBLE - row) * cell + cell - height, cell, height);
  }

  #sprite(tile, cell) {
    const key = `${tile} ${cell}`;
    if (!this.sprites.has(key)) {
      const picture = this.#picture(cell, cell, (context) => drawPuyo({ context, cell, theme: this.theme }, 0.5, 0.5, tile, 1));
      this.sprites.set(key, picture);
    }
    return this.sprites.get(key);
  }

  #drawMark({ left, top, cell }, x, row, tile) {
    const [cx, cy] = [left + (x + 0.5) * cell, top + (VISIBLE - row + 0.5) * cell];
    traceDisc(this.context, cx, cy, 0.3 * cell);
    strokePath(this.context, COLOURS[tile], Math.max(2, cell / 12));
    write(this, tile, [cx, cy + 0.03 * cell], { size: 0.3 * cell, weight: 600 });
  }

  #drawPopping({ popping, flash }, frame) {
    const { context } = this;
    const { left, top, cell } = frame;
    const burst = Math.max(0, (flash - 0.6) / 0.4);
    const isLit = this.kind.isCalm || flash > 0.6 || Math.floor(flash * 13) % 2 === 0;
    for (const { x, row, tile } of popping) {
      const [cx, cy] = [left + (x + 0.5) * cell, top + (VISIBLE - row + 0.5) * cell];
      if (!burst) {
        context.globalAlpha = isLit ? 1 : 0.35;
        this.#puyo(frame, x, row, tile);
        continue;
      }
      context.globalAlpha = 1 - burst;
      for (let i = 0; i < 6; i++) {
        const far = this.kind.isCalm ? 0.2 : 0.2 + 0.5 * burst;
        traceDisc(context, cx + far * cell * Math.cos(i * 1.047), cy + far * cell * Math.sin(i * 1.047), 0.13 * cell);
        fillPath(context, COLOURS[tile]);
      }
    }
    context.globalAlpha = 1;
  }

  /** The garbage to come, as the usual symbols; how much of it may still grow stands behind a plus. */
  #drawComing({ coming, fixed }, { left, top, cell }) {
    if (!coming) return;
    const y = top - (HEAD - 0.55) * cell;
    let rest = coming;
    const symbols = [];
    for (const [worth, name] of SYMBOLS) {
      while (rest >= worth && symbols.length < SYMBOLS_MAX) {
        symbols.push(name);
        rest -= worth;
      }
    }
    symbols.forEach((name, i) => this.#drawSymbol(name, left + (0.4 + i * 0.66) * cell, y, 0.29 * cell));
    const text = coming > fixed ? `${fixed}+${coming - fixed}` : fixed;
    const size = Math.max(0.4 * cell, 0.28 * this.cellPx);
    write(this, text, [left + (COLUMNS + 0.1) * cell, y], { size, weight: 700, align: "right" });
  }

  #drawSymbol(name, x, y, radius) {
    const { context, theme } = this;
    const fills = { small: COLOURS[0], large: COLOURS[0], rock: COLOURS[1], star: COLOURS[2], moon: COLOURS[2], crown: COLOURS[2] };
    context.beginPath();
    if (name === "small") context.arc(x, y + radius * 0.4, radius * 0.55, 0, 2 * Math.PI);
    else if (name === "large") context.arc(x, y, radius, 0, 2 * Math.PI);
    else if (name === "moon") {
      context.arc(x, y, radius, 0.6, 2 * Math.PI - 0.6);
      context.quadraticCurveTo(x - radius * 0.1, y, x + radius * Math.cos(0.6), y + radius * Math.sin(0.6));
    } else if (name === "crown") {
      for (const [dx, dy] of [[-1, 0.8], [-1, -0.6], [-0.45, 0.05], [0, -0.9], [0.45, 0.05], [1, -0.6], [1, 0.8]]) context.lineTo(x + dx * radius, y + dy * radius);
    } else {
      const corners = name === "star" ? 10 : 7;
      for (let i = 0; i < corners; i++) {
        const far = name === "star" && i % 2 ? radius * 0.45 : radius * 1.05;
        const angle = (2 * Math.PI * i) / corners - Math.PI / 2;
        context.lineTo(x + far * Math.cos(angle), y + far * Math.sin(angle));
      }
    }
    context.closePath();
    fillPath(context, fills[name]);
    strokePath(context, theme.ink, Math.max(1, radius / 8));
  }

  #drawScore({ letter, score, name }, { left, top, cell }) {
    const [size, isSmall] = [Math.max(cell, 0.62 * this.cellPx), cell < this.cellPx];
    const y = top + VISIBLE * cell + 0.58 * size;
    write(this, letter, [left, y], { size: 0.5 * size, weight: 700, align: "left" });
    if (!isSmall) write(this, name, [left + 0.6 * size, y], { size: 0.4 * size, align: "left", most: 2.6 * cell });
    write(this, score, [left + (isSmall ? 6 : 5.1) * cell, y], { size: 0.5 * size, weight: 700, align: "right" });
  }

  /** The pairs after the present one, child above axis. */
  #drawNext({ pairs }, i) {
    const { layout, cellPx } = this;
    const left = i ? layout.otherNext : layout.next;
    if (left === null) return;
    const [first, height, gap] = i ? [0, 3.8, 1.7] : [1, 1, 2.35];
    pairs.slice(first, 3).forEach((pair, n) => {
      const size = i || n ? 0.7 : 1;
      const cell = Math.floor(cellPx * size);
      const [x, y] = [left + 0.25 - size / 2, height + n * gap].map((cells) => Math.round(cells * cellPx));
      pair.forEach((tile, isChild) => this.context.drawImage(this.#sprite(`${tile}`, cell), x, isChild ? y : y + cell));
    });
  }

  #drawText({ lines, row, age }, { left, top, cell }) {
    const rise = this.kind.isCalm ? 0 : Math.min(age, 0.6) * 0.8;
    const size = Math.max(cell, 0.6 * this.cellPx);
    lines.forEach((line, i) => {
      const at = [left + 3 * cell, top + (VISIBLE - row - rise) * cell + i * 0.72 * size];
      this.#outlined(line, at, { size: (i ? 0.5 : 0.78) * size, weight: 800 });
    });
  }

  #outlined(text, at, { size, weight }) {
    const { context, theme } = this;
    setFont(context, theme, size, weight);
    context.lineJoin = "round";
    context.strokeStyle = theme.paper;
    context.lineWidth = Math.max(4, this.cellPx / 7);
    context.strokeText(text, ...at);
    write(this, text, at, { size, weight });
  }

  /** Where the two puyos of a pair are drawn, from its axis and the angle of its child, in quarter turns. */
  static puyosOf({ x, row, part }, angle, [axis, child]) {
    const turn = (angle * Math.PI) / 2;
    return [{ x, row: row - part, tile: axis }, { x: x + Math.sin(turn), row: row - part + Math.cos(turn), tile: child }];
  }

  /** Where the puyos of a pair come to rest. */
  static marksOf(pair, rest, [axis, child]) {
    return [{ x: pair.x, row: rest.axis, tile: axis }, { x: childColumn(pair), row: rest.child, tile: child }];
  }
}
