// A bot for Back to the Code that goes to the nearest free cell. Make decide() better.
import { createInterface } from "readline";

const WIDTH = 35;
const HEIGHT = 20;

interface View {
  round: number; // from 1, it drops when somebody goes BACK
  players: number[][]; // [x, y, back] of you, then of the others; back is 1 while the BACK is left, (-1, -1) is out
  rows: string[]; // rows[y][x]: "." neutral, "0" yours, else the number of its owner; (0, 0) is the top left cell
}

/** Return "x y", a cell to go towards, one step a round; or once in a match "BACK k", k from 1 to 25. */
function decide(view: View): string {
  const [x, y] = view.players[0];
  let best = { cell: [x, y], steps: WIDTH + HEIGHT };
  for (let v = 0; v < HEIGHT; v++) {
    for (let u = 0; u < WIDTH; u++) {
      const steps = Math.abs(u - x) + Math.abs(v - y);
      if (view.rows[v][u] === "." && steps < best.steps) best = { cell: [u, v], steps };
    }
  }
  return best.cell.join(" ");
}

function* match(): Generator<undefined, void, string> {
  const players = 1 + Number(yield);
  for (;;) {
    const view: View = { round: Number(yield), players: [], rows: [] };
    for (let i = 0; i < players; i++) view.players.push((yield).split(" ").map(Number));
    for (let y = 0; y < HEIGHT; y++) view.rows.push(yield);
    console.log(decide(view));
  }
}

// Each `yield` above waits for the next line of the referee.
const reader = match();
reader.next();
createInterface({ input: process.stdin }).on("line", (line: string) => reader.next(line));
