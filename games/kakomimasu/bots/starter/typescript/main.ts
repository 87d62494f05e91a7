// A bot for Kakomimasu that lets its agents stagger about. Make decide() better.
import { createInterface } from "readline";

const numbers = (line: string): number[] => line.split(" ").map(Number);

// The same match is played the same way again; Math.random() cannot be seeded. Marsaglia's xorshift.
let dice = 2463534242; // and the seat

function below(limit: number): number {
  dice ^= dice << 13;
  dice ^= dice >>> 17;
  dice ^= dice << 5;
  return (dice >>> 0) % limit;
}

interface Board {
  seat: number;
  players: number;
  width: number;
  height: number;
  agents: number; // of each player
  turns: number; // of the whole match
  points: number[][]; // points[y][x]; (0, 0) is the top left cell
  turn: number; // from 1
  scores: number[][]; // [points of walls, points of areas] of each player
  tiles: string[]; // tiles[y][x]: "." neutral, "A" a wall of seat 0, "a" an area of seat 0, "B" ..
  positions: number[][][]; // positions[seat][agent]: [x, y]; [-1, -1] while off the board
  results: string[]; // codes of your last orders; 0: carried out
}

/** Return the order of one agent: PUT x y, MOVE x y, REMOVE x y (somebody's wall) or NONE. */
function decide(board: Board, agent: number): string {
  const [x, y] = board.positions[board.seat][agent];
  if (x < 0) return `PUT ${below(board.width)} ${below(board.height)}`;
  return `MOVE ${x + below(3) - 1} ${y + below(3) - 1}`;
}

function* match(): Generator<undefined, void, string> {
  const [seat, players, width, height, agents, turns] = numbers(yield);
  dice += seat;
  const points: number[][] = [];
  for (let y = 0; y < height; y++) points.push(numbers(yield));
  for (;;) {
    const turn = Number(yield);
    const facts = { seat, players, width, height, agents, turns, points, turn };
    const board: Board = { ...facts, scores: [], tiles: [], positions: [], results: [] };
    for (let i = 0; i < players; i++) board.scores.push(numbers(yield));
    for (let y = 0; y < height; y++) board.tiles.push(yield);
    for (let i = 0; i < players; i++) {
      board.positions.push([]);
      for (let agent = 0; agent < agents; agent++) board.positions[i].push(numbers(yield));
    }
    board.results = (yield).split(" ");
    for (let agent = 0; agent < agents; agent++) console.log(decide(board, agent));
  }
}

// Each `yield` above waits for the next line of the referee.
const reader = match();
reader.next();
createInterface({ input: process.stdin }).on("line", (line: string) => reader.next(line));
