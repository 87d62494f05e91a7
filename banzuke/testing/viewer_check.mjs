// Runs the viewer's module of a game on the frames of a match, with a canvas that notes where is drawn. Reads
// {module, required, setting, frames, letters} as JSON, and writes a list of sentences on what is wrong.

import { readFileSync } from "node:fs";
import process from "node:process";

const CELL = 20;
/** The largest picture that the viewer shows, in cells. */
const SIDE_MAX = 500;
/** The methods of a canvas's context that are given a place, and at which of their arguments it begins. */
const PLACES = {
  arc: 0, arcTo: 0, fillRect: 0, fillText: 1, lineTo: 0, moveTo: 0, rect: 0, roundRect: 0, strokeRect: 0, strokeText: 1,
};
/** Methods after which places are no longer those of the canvas. */
const TRANSFORMS = new Set(["rotate", "scale", "setTransform", "transform", "translate"]);
/** How far beyond the edge of the picture may be drawn, in cells: lines are wide, and pieces may stand out. */
const BEYOND = 1;

const given = JSON.parse(readFileSync(0, "utf8"));
/** The first sentence of each sort. */
const problems = new Map();

function tell(sort, sentence) {
  if (!problems.has(sort)) problems.set(sort, sentence);
}

function fakeContext(canvas, what) {
  let moved = false;
  const note = (name, [x, y]) => {
    const [right, bottom] = [canvas.width + BEYOND * CELL, canvas.height + BEYOND * CELL];
    if (!Number.isFinite(x) || !Number.isFinite(y)) {
      tell(`${what} nowhere`, `${what} draws at no place: it calls ${name} with the place ${x}, ${y}.`);
    } else if (!moved && (x < -BEYOND * CELL || y < -BEYOND * CELL || x > right || y > bottom)) {
      tell(`${what} outside`, `${what} draws outside its board: ${name} at column ${x / CELL}, row ${y / CELL}, but the `
        + `picture has ${canvas.width / CELL} x ${canvas.height / CELL} cells (see shape).`);
    }
  };
  const values = { canvas };
  return new Proxy(values, {
    get(target, name) {
      if (name in target) return target[name];
      return (...args) => {
        moved ||= TRANSFORMS.has(name);
        if (name in PLACES) note(name, args.slice(PLACES[name]));
        return name === "measureText" ? { width: 10 } : fakeContext(canvas, what);
      };
    },
  });
}

const seat = { wall: "#000", line: "#000", onWall: "#fff" };
const theme = {
  paper: "#fff", line: "#000", ink: "#000", rich: "#fff", poor: "#000", edge: "#fff", font: "serif",
  seats: [seat, seat, seat, seat],
};

function check(game) {
  const { setting, frames, letters } = given;
  const { columns, rows } = game.shape(setting, frames);
  if (!(columns > 0 && rows > 0 && columns <= SIDE_MAX && rows <= SIDE_MAX)) {
    tell("shape", `shape must return {columns, rows} that are numbers above 0, at most ${SIDE_MAX}.`);
    return;
  }
  const canvas = { width: columns * CELL, height: rows * CELL };
  frames.forEach((after, turn) => {
    const scene = { setting, before: frames[Math.max(0, turn - 1)], after, progress: 1, letters };
    game.drawStill(fakeContext(canvas, "drawStill"), { cell: CELL }, theme, scene);
    for (const progress of [0, 0.5, 1]) {
      game.drawMoving(fakeContext(canvas, "drawMoving"), { cell: CELL }, theme, { ...scene, progress });
    }
    const cells = game.grid(setting, after);
    for (const [x, y] of [[0, 0], [cells.columns - 1, cells.rows - 1]]) {
      const text = game.cellText(setting, after, { x, y }, {});
      if (typeof text !== "string" && text !== undefined) tell("text", "cellText returns something else than text.");
    }
    for (let number = 0; number < given.players; number++) {
      if (!Number.isFinite(game.score(after, number))) tell("score", "score returns something else than a number.");
      game.parts(after, number, setting);
    }
    game.cellAt(setting, columns / 2, rows / 2, after);
    const place = game.placeOf?.(setting, [0, 0], 0, after) ?? [0, 0];
    if (!(place.length === 2 && place.every(Number.isFinite))) tell("place", "placeOf returns neither null nor [column, row].");
  });
}

try {
  const game = await import(given.module);
  const missing = given.required.filter((name) => typeof game[name] !== "function");
  for (const name of missing) {
    tell(name, `It does not export the function \`${name}\`: write \`export function ${name}(..)\`.`);
  }
  if (!missing.length) check(game);
} catch (error) {
  const line = /viewer\.js:(\d+)/.exec(error.stack)?.[1];
  tell("error", `${error.name}${line ? ` in line ${line}` : ""}: ${error.message}`);
}
process.stdout.write(JSON.stringify([...problems.values()]));
