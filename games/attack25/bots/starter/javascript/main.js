// A bot for Attack 25 that bids little and takes the first panel it may. Make bid(), pick() and erase() better.
"use strict";

// match: colour: yours, R, G, W or B; round: from 1; chance: this round is the Attack Chance, who takes a panel also
// empties one; board[1] to board[25]: the owner of a panel, "." nobody; chips: of R, G, W, B, of those who play;
// order: who wins a tie, first to last; last: the last round's panel, colour, bids, and the panel emptied, if one was.

function bid(match) {
  return Math.min(4, match.chips["RGWB".indexOf(match.colour)]);
}

/** You won: return which of these panels you take. */
function pick(match, panels) {
  return panels[0];
}

/** You won the Attack Chance: return which owned panel becomes empty. Panels just taken or turned over are yours. */
function erase(match, taken) {
  for (let panel = 1; panel <= 25; panel++) {
    if (match.board[panel] !== "." && match.board[panel] !== match.colour) return panel;
  }
  return taken;
}

function* game() {
  const [colour, , mode] = (yield).split(" ");
  const match = { colour };
  for (;;) {
    const [kind, ...facts] = (yield).split(" ");
    if (kind === "BID") {
      Object.assign(match, { round: Number(facts[0]), chance: facts[1] === "1", board: "#" });
      for (let row = 0; row < 5; row++) match.board += yield;
      match.chips = (yield).split(" ").map(Number);
      match.order = (yield).split(" ");
      match.last = (yield).split(" ");
      if (mode === "bid") console.log(bid(match));
    } else {
      // PICK round chance class panels
      const panel = pick(match, facts[3].split(",").map(Number));
      console.log(match.chance ? `${panel} ${erase(match, panel)}` : `${panel}`);
    }
  }
}

// Each `yield` above waits for the next line of the referee.
const reader = game();
reader.next();
require("readline").createInterface({ input: process.stdin }).on("line", (line) => reader.next(line));
