// Shows owners what their bots draw (`drawings.js`): on the board, with a switch for each bot, and as graphs of values.
// Only canvas and `textContent` take what a bot has written.

import { fillPath, setFont, strokePath, traceDisc } from "./cells.js";
import { readDrawings } from "./drawings.js";
import { element, fill, number } from "./words.js";

/** How many names of values have a graph: those that are written first in the match. */
const GRAPHS_MAX = 6;
const DIGITS = 3;
const FILL_ALPHA = 0.35;

/**
 * Show the drawings of the reader's bots as the player goes from turn to turn, if there are any.
 *
 * @param {HTMLElement} root the viewer's element
 * @param {TurnLog} log
 * @param {{replay: object, game: object, words: object, board: Board, player: Player}} viewer
 * @returns {Promise<Map<string, object>>} graphs by the value of the buttons that have been added for them
 */
export async function addSketch(root, log, { replay, game, words, board, player }) {
  const place = root.querySelector("[data-viewer='drawings']");
  const turns = place ? await log.turns() : null;
  if (!turns) return new Map();
  const sketch = new Sketch(place, turns, replay, game, words, () => board.draw());
  board.over = (...args) => sketch.draw(...args);
  player.addEventListener("turn", () => sketch.show(player.turn));
  sketch.show(player.turn);
  board.draw();
  const choices = root.querySelector(".viewer-series");
  return new Map([...sketch.graphs].map(([name, graph]) => {
    const button = Object.assign(element("input"), { type: "radio", name: "viewer-graph", value: `value:${name}` });
    const label = element("label");
    label.append(button, element("span", "", name));
    choices.append(label);
    return [button.value, graph];
  }));
}

class Sketch {
  /**
   * @param {HTMLElement} place for switches and values; hidden while there is nothing to show
   * @param {{seat: number, turn: number, stderr: string}[]} log the turns of the reader's bots
   * @param {object} replay as `readReplay` makes it
   * @param {object} game its module; without `placeOf` there are values, but nothing is drawn
   * @param {object} words the sentences of the page
   * @param {() => void} redraw called when a bot's drawings are switched on or off
   */
  constructor(place, log, { setting, frames, letters }, game, words, redraw) {
    Object.assign(this, { place, setting, frames, letters, game, words, redraw, turn: 0 });
    /** What was read, by turn and seat. */
    this.turns = frames.map(() => new Map());
    for (const { seat, turn, stderr } of log) {
      if (letters[seat] && this.turns[turn] && stderr.includes("@")) this.turns[turn].set(seat, readDrawings(stderr));
    }
    /** The series of each value, by name, as `Graph` takes them. */
    this.graphs = this.#makeGraphs();
    this.shown = this.#makeSwitches();
    this.values = element("span", "viewer-drawn-values num");
    this.note = element("span", "viewer-drawn-note");
    this.place.append(this.values, this.note);
    this.place.hidden = !this.turns.some((seats) => seats.size);
  }

  /** Show the values of a turn, and what of it could not be drawn. The board asks for the drawings by `draw`. */
  show(turn) {
    this.turn = turn;
    this.placed = [...(this.turns[turn] ?? [])].map(([seat, read]) => ({ seat, ...read, ...this.#place(seat, read) }));
    const isAlone = this.letters.length === 1 || this.placed.length < 2;
    this.values.textContent = this.placed.filter(({ values }) => values.size).map(({ seat, values }) => {
      const said = [...values].map(([name, value]) => `${name} ${number(value, DIGITS)}`).join(" · ");
      return isAlone ? said : `${this.letters[seat]}: ${said}`;
    }).join("  ");
    const wrong = this.placed.map((each) => each.wrong).find(Boolean);
    const isCut = this.placed.some(({ cut }) => cut);
    this.note.textContent = wrong ? fill(this.words.not_drawn, { line: wrong }) : isCut ? this.words.drawings_cut : "";
  }

  /** Draw over the board, see `Board`. */
  draw(context, { cell }, theme) {
    const drawn = (this.placed ?? []).filter(({ seat }) => this.shown.has(seat)).flatMap(({ items }) => items);
    const scale = { context, cell, theme };
    for (const item of drawn) if (item.kind === "cell") drawCells(scale, item);
    for (const item of drawn) if (item.kind === "line") drawLine(scale, item);
    for (const item of drawn) if (item.kind === "text") drawText(scale, item);
  }

  /** Return the drawings of a seat with the places of their cells, and the first line that names a cell off the board. */
  #place(seat, { drawings, wrong }) {
    if (!this.game.placeOf) return { items: [] };
    const frame = this.frames[this.turn];
    const placed = drawings.map((drawing) => {
      const places = drawing.cells.map((cell) => this.game.placeOf(this.setting, cell, seat, frame));
      return { ...drawing, places };
    });
    const isWhole = ({ places }) => places.every(Boolean);
    return { items: placed.filter(isWhole), wrong: wrong || (placed.find((each) => !isWhole(each))?.line ?? "") };
  }

  #makeGraphs() {
    const graphs = new Map();
    this.turns.forEach((seats, turn) => {
      for (const [seat, { values }] of seats) {
        for (const [name, value] of values) {
          if (!graphs.has(name)) {
            if (graphs.size === GRAPHS_MAX) continue;
            graphs.set(name, { series: [...this.letters].map(() => this.frames.map(() => null)) });
          }
          graphs.get(name).series[seat][turn] = value;
        }
      }
    });
    return graphs;
  }

  /** Make a switch for each seat that draws; returns the set of the seats that are switched on, at first one. */
  #makeSwitches() {
    const seats = [...this.letters].map((_, seat) => seat);
    const drawing = seats.filter((seat) => this.turns.some((turn) => turn.get(seat)?.drawings.length));
    const shown = new Set(drawing.slice(0, 1));
    for (const seat of this.game.placeOf ? drawing : []) {
      const box = Object.assign(element("input"), { type: "checkbox", checked: shown.has(seat) });
      box.addEventListener("change", () => {
        if (box.checked) shown.add(seat);
        else shown.delete(seat);
        this.redraw();
      });
      const label = element("label", "viewer-drawn");
      const letter = element("b", "seat-letter", this.letters[seat]);
      letter.dataset.seat = seat;
      label.append(box, element("span", "", this.words.drawings), letter);
      this.place.append(label);
    }
    return shown;
  }
}

/** Return a length that grows with the cells, between two lengths of the page, in pixels of the canvas. */
function length(cells, { cell }, least, most) {
  return Math.min(Math.max(cells * cell, least * devicePixelRatio), most * devicePixelRatio);
}

/** Tinted cells with a frame, through which the board can still be read. */
function drawCells(scale, { colour, places }) {
  const { context, cell } = scale;
  const width = length(0.07, scale, 1.5, 4);
  context.fillStyle = context.strokeStyle = colour;
  context.lineWidth = width;
  for (const [column, row] of places) {
    const [x, y, side] = [Math.round(column * cell) + width, Math.round(row * cell) + width, cell - 2 * width];
    context.globalAlpha = FILL_ALPHA;
    context.fillRect(x, y, side, side);
    context.globalAlpha = 1;
    context.strokeRect(x, y, side, side);
  }
}

/** A line through the middles of cells, with a dot where it ends. */
function drawLine(scale, { colour, places }) {
  const { context } = scale;
  const middles = places.map((place) => middle(place, scale));
  const [x, y] = middles.at(-1);
  const width = length(0.1, scale, 2, 6);
  context.lineCap = "round";
  for (const [stroke, rim] of [[rimOf(colour), width / 2], [colour, 0]]) {
    context.strokeStyle = context.fillStyle = stroke;
    context.lineWidth = width + 2 * rim;
    context.beginPath();
    for (const place of middles) context.lineTo(...place);
    context.stroke();
    traceDisc(context, x, y, width + rim);
    context.fill();
  }
  context.lineCap = "butt";
}

/** Words on a label round the middle of a cell, moved so that it does not leave the picture. */
function drawText(scale, { colour, places: [place], text }) {
  const { context, theme } = scale;
  const size = length(0.32, scale, 11, 16);
  setFont(context, theme, size, 700);
  const { width: whole } = context.canvas;
  const width = Math.min(context.measureText(text).width + 0.8 * size, whole);
  const height = 1.4 * size;
  const [centre, y] = middle(place, scale);
  const x = Math.min(Math.max(centre, width / 2), whole - width / 2);
  context.beginPath();
  context.roundRect(x - width / 2, y - height / 2, width, height, 0.3 * size);
  for (const [stroke, part] of [[rimOf(colour), 0.3], [colour, 0.15]]) strokePath(context, stroke, part * size);
  fillPath(context, theme.edge);
  context.fillStyle = theme.ink;
  context.fillText(text, x, y + 0.04 * size, width - 0.5 * size);
}

const middle = ([column, row], { cell }) => [(column + 0.5) * cell, (row + 0.5) * cell];

/** Return the colour that sets a line of this colour off from any ground: light for dark ones, dark for light ones. */
function rimOf(colour) {
  const [red, green, blue] = [1, 3, 5].map((start) => parseInt(colour.slice(start, start + 2), 16));
  return 0.3 * red + 0.59 * green + 0.11 * blue < 150 ? "#fffdf7" : "#15120f";
}
