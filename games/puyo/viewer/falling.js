// The falling pair of Puyo Puyo Tsu: moves, turns and kicks. Nothing here knows of a page or of time.
//
// Columns go from 0, rows from 1 at the bottom. `heights` tells how many puyos lie in each column. A pair is {x, row, part,
// turn}: column and row of its axis, how much of the row it has fallen (0 <= part < 1), and where its child is: 0 above
// the axis, 1 right, 2 below, 3 left. With time enough, a pair comes to exactly the placements that
// `games.puyo.placements.reachable` allows; a test compares the two.

export const ASIDE = [0, 1, 0, -1];
const UPWARD = [1, 0, -1, 0];
const [UP, , DOWN] = [0, 1, 2, 3];
export const COLUMNS = 6;
const SPAWN = { x: 2, row: 12 };
/** The highest row of an axis: kicks lift it to the hidden row, and no further. */
const ROW_MAX = 13;
/** A pair that has fallen less of its row than this still moves as if it had not begun to. */
const LENIENT = 0.5;

export const spawned = () => ({ ...SPAWN, part: 0, turn: UP });

/** The column of the pair's child. */
export const childColumn = ({ x, turn }) => x + ASIDE[turn];

/** Tell whether both puyos are in empty cells, as far down as the pair has come. */
function isFree(heights, { x, row, part, turn }) {
  const child = x + ASIDE[turn];
  if (x < 0 || x >= COLUMNS || child < 0 || child >= COLUMNS || row > ROW_MAX) return false;
  const lowest = row - (part > 0 ? 1 : 0);
  return lowest > heights[x] && lowest + UPWARD[turn] > heights[child];
}

/** The pair at its place, or pushed up to the beginning of its row; null if it has no space there. */
function settled(heights, pair, isLenient) {
  if (isFree(heights, pair)) return pair;
  const lifted = { ...pair, part: 0 };
  return isLenient && pair.part > 0 && isFree(heights, lifted) ? lifted : null;
}

/** The pair moved a column to the left (-1) or right (1), or null. */
export function moved(heights, pair, way) {
  return settled(heights, { ...pair, x: pair.x + way }, pair.part < LENIENT);
}

/** The pair turned right (1) or left (-1): kicked from a wall, or from the ground below; null if there is no space. */
export function turned(heights, pair, way) {
  const turn = (pair.turn + way + 4) % 4;
  const child = { ...pair, turn };
  if (turn === UP) return settled(heights, child, true);
  if (turn === DOWN) return settled(heights, child, true) ?? settled(heights, { ...child, row: pair.row + 1, part: 0 }, false);
  const isLenient = pair.part < LENIENT;
  return settled(heights, child, isLenient) ?? settled(heights, { ...child, x: pair.x - ASIDE[turn] }, isLenient);
}

/** The pair with its puyos exchanged, where an upright pair cannot turn to either side; else null. */
export function flipped(heights, pair) {
  if (ASIDE[pair.turn] || turned(heights, pair, 1) || turned(heights, pair, -1)) return null;
  const row = pair.row + (pair.turn === UP ? 1 : -1);
  const turn = pair.turn === UP ? DOWN : UP;
  return settled(heights, { ...pair, row, turn }, false);
}

/** Tell whether the pair can fall no further. */
export function isGrounded(heights, pair) {
  return pair.part === 0 && !isFree(heights, { ...pair, row: pair.row - 1 });
}

/** The pair after falling a number of rows below 1, at most to the ground. */
export function fallen(heights, pair, rows) {
  if (isGrounded(heights, pair)) return pair;
  const part = pair.part + rows;
  if (part < 1) return { ...pair, part };
  const next = { ...pair, row: pair.row - 1, part: 0 };
  return isGrounded(heights, next) ? next : { ...next, part: part - 1 };
}

/** The rows where axis and child come to rest, each in its own column. */
export function landing(heights, { x, turn }) {
  const child = x + ASIDE[turn];
  const [axisRow, childRow] = [heights[x] + 1, heights[child] + 1];
  return { axis: axisRow + (turn === DOWN ? 1 : 0), child: childRow + (turn === UP ? 1 : 0) };
}
