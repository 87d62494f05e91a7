// Reads what bots draw and measure by lines on standard error (docs/play/drawings.md):
//
//   @cell COLOUR CELL..        @line COLOUR CELL CELL..        @text COLOUR CELL WORDS        @value NAME NUMBER
//
// Bots write these lines, so every number and length has a bound here. `banzuke/drawings.py` reads `@value`, too.

/** Most drawings of a bot in a turn, and most cells that they name together. */
const DRAWINGS_MAX = 200;
const CELLS_MAX = 1000;
/** Most characters of a text, of the name of a value, and of a line that is told to be wrong. */
const TEXT_CHARS_MAX = 40;
const NAME_CHARS_MAX = 20;
const LINE_CHARS_MAX = 80;
/** Most characters of a turn's standard error that are read; what is kept of a turn is shorter. */
const CHARS_MAX = 10_000;
/** The largest value, and the least one that is not taken for 0: graphs have no axes for others. */
const [VALUE_MAX, VALUE_MIN] = [1e12, 1e-9];

const COLOURS = new Map(Object.entries({
  red: "#d9534f", orange: "#e0842b", yellow: "#e2b23c", green: "#4fa864", blue: "#4a86d8", purple: "#a578c9",
  grey: "#8d8780", black: "#15120f", white: "#fffdf7",
}));
const HEX = /^#[0-9a-f]{6}$/i;
const CELL = /^-?\d{1,4}(?:,-?\d{1,4}){0,2}$/;
const NUMBER = /^[+-]?\d{1,15}(?:\.\d{1,15})?(?:e[+-]?\d{1,2})?$/i;
const COMMAND = /^@(cell|line|text|value)(?=[ \t]|$)/;
/** What the sandbox writes where it leaves out the middle of a turn's standard error; the lines beside it are cut. */
const LEFT_OUT = /^\[\.\.\. \d+ bytes left out \.\.\.\]$/;
/** The end of a line of a program that writes as on Windows; the site shows the carriage return as an escape. */
const LINE_END = /(?:\r|\\r)$/;

/**
 * Read the standard error of one turn of one bot.
 *
 * @param {string} stderr
 * @returns {{drawings: {kind: string, colour: string, cells: number[][], text: string, line: string}[],
 *   values: Map<string, number>, wrong: string, cut: boolean}} values: by name, the last of each; wrong: the first line
 *   that could not be read, or ""; cut: whether some lines are missing, since they were too many or too long
 */
export function readDrawings(stderr) {
  const read = { drawings: [], values: new Map(), wrong: "", cut: stderr.length > CHARS_MAX };
  const lines = stderr.slice(0, CHARS_MAX).split("\n").map((line) => line.replace(LINE_END, ""));
  const left = lines.findIndex((line) => LEFT_OUT.test(line));
  if (left >= 0) {
    read.cut = true;
    lines.splice(Math.max(0, left - 1), 3);
  }
  let cells = 0;
  for (const line of lines) {
    const command = COMMAND.exec(line)?.[1];
    if (!command) continue;
    const drawing = command === "value" ? null : readDrawing(command, line);
    if (command === "value" ? !readValue(line, read.values) : !drawing) read.wrong ||= shortened(line, LINE_CHARS_MAX);
    if (!drawing) continue;
    cells += drawing.cells.length;
    if (cells > CELLS_MAX || read.drawings.length === DRAWINGS_MAX) {
      read.cut = true;
      break;
    }
    read.drawings.push(drawing);
  }
  return read;
}

/** Return a drawing, or null if the line cannot be read. */
function readDrawing(kind, line) {
  const [, name, ...words] = partsOf(line);
  const colour = COLOURS.get(name) ?? (HEX.test(name) ? name : null);
  const named = kind === "text" ? words.slice(0, 1) : words;
  const isEnough = named.length >= (kind === "line" ? 2 : 1) && (kind !== "text" || words.length > 1);
  if (!colour || !isEnough || !named.every((cell) => CELL.test(cell))) return null;
  const text = kind === "text" ? shortened(words.slice(1).join(" "), TEXT_CHARS_MAX) : "";
  return { kind, colour, cells: named.map((cell) => cell.split(",").map(Number)), text, line: shortened(line, LINE_CHARS_MAX) };
}

/** Set a value of a line; returns false if the line cannot be read. */
function readValue(line, values) {
  const [, name, number, ...more] = partsOf(line);
  const size = Math.abs(Number(number));
  if (!name || more.length || !NUMBER.test(number ?? "") || size > VALUE_MAX) return false;
  values.set(shortened(name, NAME_CHARS_MAX), size < VALUE_MIN ? 0 : Number(number));
  return true;
}

const partsOf = (line) => line.split(/[ \t]+/).filter(Boolean);

/** Return a text of bounded length in which each character is seen. The attack: one that turns the order of others. */
function shortened(text, most) {
  const characters = [...text.replace(/\p{C}/gu, "\ufffd")];
  return characters.length > most ? `${characters.slice(0, most - 1).join("")}…` : characters.join("");
}
