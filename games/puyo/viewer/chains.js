// What happens on one field in a turn, step by step: frames show only its end. The result is a list of phases for the
// screen of a table. A field is a list of columns, each a list of tiles from the bottom; a cell is {x, row, tile}, row 1 at
// the bottom.

import { ASIDE, childColumn, COLUMNS, landing } from "./falling.js";

const GROUP = 4;
const GARBAGE = "0";
/** Rows of which puyos pop, in both rulesets. */
const VISIBLE = 12;
const AROUND = [[1, 0], [-1, 0], [0, 1], [0, -1]];

/** The columns of a frame's field. */
export function columnsOf(rows) {
  return Array.from({ length: COLUMNS }, (_, x) => rows.map((row) => row[x]).filter((tile) => tile !== ".").reverse());
}

export const heightsOf = (columns) => columns.map((column) => column.length);

export const cellsOf = (columns) => columns.flatMap((column, x) => column.map((tile, i) => ({ x, row: i + 1, tile })));

/**
 * Return the phases of a seat's turn. Each has `still` cells and those that move:
 *
 *   {kind: "rain" | "drop", still, moving: [{x, row, from, tile}]}   they fall from the row `from`
 *   {kind: "fly", still, pair, placement}                            a pair is brought to its column
 *   {kind: "pop", still, cells, step}                                these vanish; step is the chain's
 *
 * @param {object} turn
 *   setting    of the replay
 *   before, after   the frames
 *   seat
 *   answer     {x, turn}, or null if the seat placed nothing
 *   locked     the pair as it lay when the player let it go, or null: then it is brought to its column first
 */
export function phasesOf({ setting, before, after, seat, answer, locked }) {
  const isTsu = setting.hidden > 0;
  const end = columnsOf(after.fields[seat]);
  const phases = [];
  let columns = columnsOf(before.fields[seat]);
  const rain = (wanted) => {
    const moving = wanted.flatMap((count, x) => Array.from({ length: count }, (_, i) => {
      const row = columns[x].length + i + 1;
      return { x, row, from: Math.max(row, setting.rows) + 1 + i, tile: GARBAGE };
    }));
    if (moving.length) phases.push({ kind: "rain", still: cellsOf(columns), moving });
    columns = columns.map((column, x) => [...column, ...Array(wanted[x]).fill(GARBAGE)]);
  };
  if (!isTsu && before.pending[seat]) {
    const lines = before.pending[seat] / COLUMNS;
    rain(columns.map((column) => Math.min(lines, setting.rows - column.length)));
  }
  if (answer) columns = place({ phases, columns, pair: before.pairs[seat][0], answer, locked, rows: setting.rows });
  const steps = isTsu ? Math.min(after.steps[seat], 1) : after.steps[seat];
  for (let i = 0; i < steps; i++) {
    const cells = popping(columns);
    if (!cells.length) break;
    const step = isTsu ? after.steps[seat] : i + 1;
    columns = pop(phases, columns, cells, step);
  }
  if (isTsu) rain(columns.map((column, x) => Math.max(0, end[x].length - column.length)));
  return `${columns}` === `${end}` ? phases : [];
}

function place({ phases, columns, pair, answer, locked, rows }) {
  const [axis, child] = pair.map(String);
  const heights = heightsOf(columns);
  const still = cellsOf(columns);
  const rest = landing(heights, answer);
  const from = locked ? locked.row - locked.part : rows;
  if (!locked) phases.push({ kind: "fly", still, pair: [axis, child], placement: answer });
  const moving = [
    { x: answer.x, row: rest.axis, from: Math.max(rest.axis, from), tile: axis },
    { x: childColumn(answer), row: rest.child, from: Math.max(rest.child, from + [1, 0, -1, 0][answer.turn]), tile: child },
  ].sort((a, b) => a.row - b.row).filter(({ row }) => row <= rows); // a puyo above the field vanishes
  phases.push({ kind: "drop", still, moving, placed: true });
  const after = columns.map((column) => [...column]);
  for (const { x, tile } of moving) after[x].push(tile);
  return after;
}

/** The cells that pop: groups of four and more, and the garbage beside them. */
export function popping(columns) {
  const tileAt = (x, row) => (row <= VISIBLE ? columns[x]?.[row - 1] : undefined);
  const key = (x, row) => row * COLUMNS + x;
  const seen = new Set();
  const gone = new Map();
  for (const { x, row, tile } of cellsOf(columns)) {
    if (row > VISIBLE || tile === GARBAGE || seen.has(key(x, row))) continue;
    seen.add(key(x, row));
    const group = [{ x, row, tile }];
    for (const cell of group) {
      for (const [dx, dy] of AROUND) {
        const next = { x: cell.x + dx, row: cell.row + dy, tile };
        if (tileAt(next.x, next.row) !== tile || seen.has(key(next.x, next.row))) continue;
        seen.add(key(next.x, next.row));
        group.push(next);
      }
    }
    if (group.length < GROUP) continue;
    for (const cell of group) {
      gone.set(key(cell.x, cell.row), cell);
      for (const [dx, dy] of AROUND) {
        const next = { x: cell.x + dx, row: cell.row + dy, tile: GARBAGE };
        if (tileAt(next.x, next.row) === GARBAGE) gone.set(key(next.x, next.row), next);
      }
    }
  }
  return [...gone.values()];
}

function pop(phases, columns, cells, step) {
  const isGone = (x, row) => cells.some((cell) => cell.x === x && cell.row === row);
  const stays = ({ x, row }) => !isGone(x, row);
  phases.push({ kind: "pop", still: cellsOf(columns).filter(stays), cells, step });
  const after = columns.map((column, x) => column.filter((_, i) => !isGone(x, i + 1)));
  const moving = columns.flatMap((column, x) => column
    .map((tile, i) => ({ x, from: i + 1, tile })).filter(({ from }) => !isGone(x, from))
    .map((cell, i) => ({ ...cell, row: i + 1 }))).filter(({ row, from }) => from !== row);
  const falls = new Set(moving.map(({ x, row }) => `${x} ${row}`));
  phases.push({ kind: "drop", still: cellsOf(after).filter(({ x, row }) => !falls.has(`${x} ${row}`)), moving });
  return after;
}

/** The placement in a seat's answer, or null; rotations of Smash the Code count differently. */
export function placementOf(lines, isTsu) {
  const [x, r = 1] = (lines?.[0] ?? "").split(/\s+/).filter((word) => /^\d+$/.test(word)).map(Number);
  const turn = isTsu ? r : r ^ 1;
  return x < COLUMNS && turn < ASIDE.length && x + ASIDE[turn] >= 0 && x + ASIDE[turn] < COLUMNS ? { x, turn } : null;
}

/** The answer that stands for a placement. */
export const answerOf = ({ x, turn }, isTsu) => `${x} ${isTsu ? turn : turn ^ 1}`;
