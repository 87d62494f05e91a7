// A bot for Kakomimasu that lets its agents stagger about. Make decide() better.
"use strict";

const numbers = (line) => line.split(" ").map(Number);
const between = (low, high) => low + Math.floor(Math.random() * (high - low + 1));

/**
 * Return the order of one agent: PUT x y, MOVE x y, REMOVE x y (somebody's wall) or NONE.
 *
 * @param board points[y][x]; scores[seat]: [walls, areas]; tiles[y][x]: "." neutral, "A" a wall of seat 0, "a" an area
 *   of seat 0, "B" ..; positions[seat][agent]: [x, y], [-1, -1] while off the board; results: codes of your last orders,
 *   0: carried out. (0, 0) is the top left cell.
 */
function decide(board, agent) {
  const [x, y] = board.positions[board.seat][agent];
  if (x < 0) return `PUT ${between(0, board.width - 1)} ${between(0, board.height - 1)}`;
  return `MOVE ${x + between(-1, 1)} ${y + between(-1, 1)}`;
}

function* match() {
  const [seat, players, width, height, agents, turns] = numbers(yield);
  const points = [];
  for (let y = 0; y < height; y++) points.push(numbers(yield));
  for (;;) {
    const board = { seat, players, width, height, agents, turns, points, scores: [], tiles: [], positions: [] };
    board.turn = Number(yield);
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
require("readline").createInterface({ input: process.stdin }).on("line", (line) => reader.next(line));
