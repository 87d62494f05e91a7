// A bot for Wondev Woman that takes any legal action. Make decide() better.
import { createInterface } from "readline";

// The same match is played the same way again; Math.random() cannot be seeded. Marsaglia's xorshift.
let dice = 2463534242;

function below(limit: number): number {
  dice ^= dice << 13;
  dice ^= dice >>> 17;
  dice ^= dice << 5;
  return (dice >>> 0) % limit;
}

interface View {
  rows: string[]; // rows[y][x]: "." no cell, "0" to "3" its height, "4" closed for ever; (0, 0) is the top left cell
  mine: number[][]; // [x, y] of each unit
  foes: number[][]; // [-1, -1] if hidden
  actions: string[]; // the legal ones, never empty
}

function decide(view: View): string {
  return view.actions[below(view.actions.length)];
}

function* match(): Generator<undefined, void, string> {
  const size = Number(yield);
  const units = Number(yield);
  for (;;) {
    const view: View = { rows: [], mine: [], foes: [], actions: [] };
    for (let i = 0; i < size; i++) view.rows.push(yield);
    for (let i = 0; i < units; i++) view.mine.push((yield).split(" ").map(Number));
    for (let i = 0; i < units; i++) view.foes.push((yield).split(" ").map(Number));
    const count = Number(yield);
    for (let i = 0; i < count; i++) view.actions.push(yield);
    console.log(count ? decide(view) : "ACCEPT-DEFEAT");
  }
}

// Each `yield` above waits for the next line of the referee.
const reader = match();
reader.next();
createInterface({ input: process.stdin }).on("line", (line: string) => reader.next(line));
