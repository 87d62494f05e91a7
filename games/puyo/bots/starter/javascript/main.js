// A bot for Puyo Puyo that puts each pair upright into the lowest column it can reach. Make decide() better.
"use strict";

const COLUMNS = 6;
const ROWS = 13;
const SPAWN = 2;

const numbers = (line) => line.split(" ").map(Number);
const height = (side, x) => side.rows.filter((row) => row[x] !== ".").length;

/**
 * Return "x r": the column of the axis, from 0, and the child above (0), right (1), below (2) or left (3) of it.
 *
 * A side has pairs: colours of axis and child, the present pair and the two after it; score; pending and fixed: garbage
 * of a chain that still runs, and such as falls after the next pair; carry: points kept; allClear: the bonus for an
 * empty field; chain: steps done of a chain that runs, 0: free; rows[0] to rows[12], the hidden one at the top first:
 * "." empty, "0" garbage, "1" to "4" colours.
 */
function decide(tick, rate, me, opponent) {
  let best = SPAWN;
  for (const direction of [-1, 1]) {
    // A pair comes from the spawn column and passes no column that is 12 high.
    for (let x = SPAWN + direction; x >= 0 && x < COLUMNS && height(me, x) < 12; x += direction) {
      if (height(me, x) < height(me, best)) best = x;
    }
  }
  return `${best} 0`;
}

function* side() {
  const pairs = [numbers(yield), numbers(yield), numbers(yield)];
  const [score, pending, fixed, carry, allClear, chain] = numbers(yield);
  const rows = [];
  for (let y = 0; y < ROWS; y++) rows.push(yield);
  return { pairs, score, pending, fixed, carry, allClear, chain, rows };
}

function* match() {
  yield; // seat ticks rate step_ticks
  for (;;) {
    const [tick, rate] = numbers(yield);
    const me = yield* side();
    const opponent = yield* side();
    console.log(decide(tick, rate, me, opponent));
  }
}

// Each `yield` above waits for the next line of the referee.
const reader = match();
reader.next();
require("readline").createInterface({ input: process.stdin }).on("line", (line) => reader.next(line));
