// A bot for Puyo Puyo that puts each pair upright into the lowest column it can reach. Make decide() better.
import { createInterface } from "readline";

const COLUMNS = 6;
const ROWS = 13;
const SPAWN = 2;

interface Side {
  pairs: number[][]; // colours of axis and child: the present pair and the two after it
  score: number;
  pending: number; // garbage of a chain that still runs
  fixed: number; // garbage that falls after the next pair
  carry: number; // points kept
  allClear: number; // 1: the bonus for an empty field
  chain: number; // steps done of a chain that runs, 0: free
  rows: string[]; // rows[0] to rows[12], the hidden one at the top first: "." empty, "0" garbage, "1" to "4" colours
}

const numbers = (line: string): number[] => line.split(" ").map(Number);
const height = (side: Side, x: number): number => side.rows.filter((row) => row[x] !== ".").length;

/** Return "x r": the column of the axis, from 0, and the child above (0), right (1), below (2) or left (3) of it. */
function decide(tick: number, rate: number, me: Side, opponent: Side): string {
  let best = SPAWN;
  for (const direction of [-1, 1]) {
    // A pair comes from the spawn column and passes no column that is 12 high.
    for (let x = SPAWN + direction; x >= 0 && x < COLUMNS && height(me, x) < 12; x += direction) {
      if (height(me, x) < height(me, best)) best = x;
    }
  }
  return `${best} 0`;
}

function* side(): Generator<undefined, Side, string> {
  const pairs = [numbers(yield), numbers(yield), numbers(yield)];
  const [score, pending, fixed, carry, allClear, chain] = numbers(yield);
  const rows: string[] = [];
  for (let y = 0; y < ROWS; y++) rows.push(yield);
  return { pairs, score, pending, fixed, carry, allClear, chain, rows };
}

function* match(): Generator<undefined, void, string> {
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
createInterface({ input: process.stdin }).on("line", (line: string) => reader.next(line));
