// echo: bids a little more than the last round cost, if it can afford that, and takes what turns over most.
//
// A whole bot in one file, as a start for bots in JavaScript. Panels are numbers from 1 to 25, row by row.
"use strict";
const { createInterface } = require("node:readline");

const COLOURS = "RGWB";
const ROUNDS = 26; // 25 panels, and the one that is emptied in the Attack Chance
const EAGER = 4; // it pays up to so many times its even share of the chips
const MORE = 1;

const match = { colour: "", mode: "", round: 0, chance: false, board: "", chips: [], price: 0 };

/** Return the panels that turn over when a colour takes an empty panel. */
function flips(board, colour, panel) {
    const found = [];
    for (let dy = -1; dy <= 1; dy++) {
        for (let dx = -1; dx <= 1; dx++) {
            if (dy || dx) found.push(...between(board, colour, panel, dy, dx));
        }
    }
    return found;
}

/** Return the panels of others from a panel to the next one of a colour, in one direction. */
function between(board, colour, panel, dy, dx) {
    const passed = [];
    let [y, x] = [Math.floor((panel - 1) / 5) + dy, ((panel - 1) % 5) + dx];
    for (; y >= 0 && y < 5 && x >= 0 && x < 5; y += dy, x += dx) {
        const owner = board[5 * y + x + 1];
        if (owner === colour) return passed;
        if (owner === ".") return [];
        passed.push(5 * y + x + 1);
    }
    return [];
}

function myChips() {
    return match.chips[COLOURS.indexOf(match.colour)];
}

/** Bid more than the last price; where that is more than it wants to pay, its even share. */
function bid() {
    const share = myChips() / (ROUNDS + 1 - match.round);
    const wanted = match.price + MORE;
    return Math.floor(Math.min(wanted <= EAGER * share ? wanted : share, myChips()));
}

/** Return the panel that turns over most. */
function pick(panels) {
    const gain = (panel) => flips(match.board, match.colour, panel).length;
    return panels.reduce((best, panel) => (gain(panel) > gain(best) ? panel : best));
}

/** Return the panel that becomes empty: the first panel of the rival with most panels after the bot's take, else one of its own. */
function erase(taken) {
    const own = [taken, ...flips(match.board, match.colour, taken)];
    const board = [...match.board].map((owner, panel) => (own.includes(panel) ? match.colour : owner));
    const count = (colour) => board.filter((owner) => owner === colour).length;
    const rivals = [...COLOURS].filter((colour) => colour !== match.colour);
    const leader = rivals.reduce((best, colour) => (count(colour) > count(best) ? colour : best));
    return board.indexOf(count(leader) ? leader : match.colour);
}

/** Take note of the round that begins. */
function readRound(heading, lines) {
    match.round = Number(heading[1]);
    match.chance = heading[2] === "1";
    match.board = "#" + lines.slice(0, 5).join("");
    match.chips = lines[5].split(" ").map(Number);
    const facts = lines[7].split(" "); // panel, who took it, a bid of each colour; the panel emptied, if one was
    const bids = facts.slice(2, 2 + match.chips.length).map(Number);
    match.price = Math.max(0, ...bids);
}

async function main() {
    const input = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
    const next = async () => (await input.next()).value;
    [match.colour, , match.mode] = (await next()).split(" ");
    for (let line = await next(); line !== undefined; line = await next()) {
        const question = line.split(" ");
        if (question[0] === "BID") {
            const lines = [];
            while (lines.length < 8) lines.push(await next());
            readRound(question, lines);
            if (match.mode === "bid") console.log(bid());
        } else {
            // PICK round chance class panels
            const panel = pick(question[4].split(",").map(Number));
            console.log(match.chance ? `${panel} ${erase(panel)}` : `${panel}`);
        }
    }
}

main();
