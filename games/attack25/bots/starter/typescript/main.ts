// A bot for Attack 25 that bids little and takes the first panel it may. Make bid(), pick() and erase() better.
import { createInterface } from "readline";

interface Match {
  colour: string; // yours: R, G, W or B
  round: number; // from 1
  chance: boolean; // this round is the Attack Chance: who takes a panel also empties one
  board: string; // board[1] to board[25]: the owner of a panel, "." nobody
  chips: number[]; // of R, G, W, B, of those who play
  order: string[]; // who wins a tie, first to last
  last: string[]; // the last round: panel, colour, bids, and the panel emptied, if one was
}

function bid(match: Match): number {
  return Math.min(4, match.chips["RGWB".indexOf(match.colour)]);
}

/** You won: return which of these panels you take. */
function pick(match: Match, panels: number[]): number {
  return panels[0];
}

/** You won the Attack Chance: return which owned panel becomes empty. Panels just taken or turned over are yours. */
function erase(match: Match, taken: number): number {
  for (let panel = 1; panel <= 25; panel++) {
    if (match.board[panel] !== "." && match.board[panel] !== match.colour) return panel;
  }
  return taken;
}

function* game(): Generator<undefined, void, string> {
  const [colour, , mode] = (yield).split(" ");
  const match: Match = { colour, round: 0, chance: false, board: "", chips: [], order: [], last: [] };
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
createInterface({ input: process.stdin }).on("line", (line: string) => reader.next(line));
