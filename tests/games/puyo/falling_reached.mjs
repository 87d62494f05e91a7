// Reads a JSON list of column heights and prints for each the placements, as "x r", that the falling pair comes to.
// node falling_reached.mjs MODULE < heights.json

import { readFileSync } from "node:fs";
import process from "node:process";

const { COLUMNS, fallen, flipped, moved, spawned, turned } = await import(process.argv[2]);
const PARTS = 4;

const acts = [
  (heights, pair) => moved(heights, pair, -1),
  (heights, pair) => moved(heights, pair, 1),
  (heights, pair) => turned(heights, pair, -1),
  (heights, pair) => turned(heights, pair, 1),
  flipped,
  (heights, pair) => fallen(heights, pair, 1 / PARTS),
];

function reached(heights) {
  const seen = new Set();
  const placements = new Set();
  const open = [spawned()];
  while (open.length) {
    const pair = open.pop();
    const key = ((pair.row * PARTS + pair.part * PARTS) * COLUMNS + pair.x) * 4 + pair.turn;
    if (seen.has(key)) continue;
    seen.add(key);
    placements.add(`${pair.x} ${pair.turn}`);
    open.push(...acts.map((act) => act(heights, pair)).filter(Boolean));
  }
  return [...placements].sort();
}

process.stdout.write(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map(reached)));
