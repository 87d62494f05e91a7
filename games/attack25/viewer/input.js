// How a person plays Attack 25: in an auction a bid by a slider; as the winner a lit panel, and in the Attack Chance a
// second one, which is emptied.

import { fillPath, middleOf, strokePath, traceSquare, write } from "../../matches/viewer/cells.js";
import { BoardInput, Cursor, directionOf, drawCross, drawDot, drawFrame, enable, group, isUndo, keepKeys, makeButton } from "../../matches/viewer/picking.js";
import { element } from "../../matches/viewer/words.js";
import { panelCell as cellOf, panelNumber as numberOf } from "./viewer.js";

const SIDE = 5;
const LETTERS = "RGWB";
const STEPS = [-10, -1, 1, 10];
const WAYS = [[-1, -1], [0, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [0, 1], [1, 1]];

/** Return the numbers of the panels that turn over when a colour takes a panel. */
export function turned(tiles, number, letter) {
  const at = (x, y) => tiles[y]?.[x] ?? ".";
  return WAYS.flatMap(([dx, dy]) => {
    const run = [];
    let { x, y } = cellOf(number);
    for (;;) {
      [x, y] = [x + dx, y + dy];
      if (at(x, y) === ".") return [];
      if (at(x, y) === letter) return run;
      run.push(numberOf({ x, y }));
    }
  });
}

/** Make the input, see `docs/play/games.md`. */
export function makeInput(table) {
  const { words, tell, seat, setting } = table;
  const range = { min: 0, max: setting.chips };
  const slider = Object.assign(element("input", "input-slider"), { ...range, type: "range", value: 0 });
  const field = Object.assign(element("input", "input-number"), { ...range, type: "number", inputMode: "numeric" });
  for (const each of [slider, field]) each.setAttribute("aria-label", words.your_bid);
  const steps = STEPS.map((step) => makeButton(`${step > 0 ? "+" : "−"}${Math.abs(step)}`, () => shift(step)));
  const bid = makeButton("", () => finishBid(), "is-main");
  const auction = group("input-bid", slider, group("input-row", ...steps.slice(0, 2), field, ...steps.slice(2), bid));
  const undo = makeButton(words.undo, () => back());
  const ties = element("p", "input-ties");
  const input = new BoardInput(table, {
    parts: [auction, undo, ties], begin, show, sentence, spoken, choose: (cell) => take(numberOf(cell)), key, paint,
  });
  const cursor = new Cursor({ width: SIDE, height: SIDE });

  /** The legal answers of a pick as [panel to take, panel to empty]; the second is left out but in the Attack Chance. */
  let picks = [];
  let taken = null;
  let typed = "";

  const bids = () => input.open && input.frame.picks === null;
  const picking = () => input.open && input.frame.picks !== null;
  const chips = () => input.frame.chips?.[seat] ?? 0;
  const isChance = () => picks.some((pick) => pick.length > 1);
  const legal = () => [...new Set(picks.filter((pick) => taken === null || pick[0] === taken).map((pick) => (taken === null ? pick[0] : pick[1])))];
  const letter = LETTERS[seat];

  function setBid(value) {
    const amount = Math.max(0, Math.min(chips(), Math.round(Number(value)) || 0));
    slider.value = amount;
    field.value = amount;
    bid.textContent = tell("bid_chips", { chips: amount });
  }

  function shift(step) {
    if (!bids()) return;
    setBid(Number(slider.value) + step);
    table.say(bid.textContent);
  }

  function finishBid() {
    if (bids()) input.answer(`${slider.value}`);
  }

  function take(number) {
    if (!picking() || !legal().includes(number)) return;
    if (taken !== null) input.answer(`${taken} ${number}`);
    else if (!isChance()) input.answer(`${number}`);
    else {
      taken = number;
      input.show();
    }
  }

  function back() {
    if (taken === null) return;
    taken = null;
    input.show();
  }

  function sentence() {
    if (bids()) return tell(input.frame.chance ? "choose_bid_chance" : "choose_bid", { round: input.frame.round, chips: chips() });
    if (!picking()) return "";
    if (taken !== null) return tell("choose_empty", { number: taken });
    return isChance() ? words.choose_chance : words[["choose_centre", "choose_flips", "choose_prepares", "choose_touches"][input.frame.class]];
  }

  function spoken() {
    if (bids()) return `${sentence()} ${ties.textContent}`;
    const panels = legal().map((number) => {
      const count = taken === null ? turned(input.frame.tiles, number, letter).length : 0;
      return count ? tell("turns", { number, count }) : `${number}`;
    });
    return `${sentence()} ${panels.join(", ")}.`;
  }

  function show() {
    // In place even when nothing can be bid: the board would jump from question to question.
    auction.hidden = setting.mode !== "bid";
    auction.classList.toggle("is-idle", !bids());
    for (const each of [...steps, bid]) enable(each, bids());
    slider.disabled = field.disabled = !bids();
    undo.hidden = setting.mode === "bid" && !isChance();
    enable(undo, taken !== null);
    const order = input.frame.order.join(" ");
    ties.textContent = setting.mode === "bid" ? tell("ties", { order }) : tell("bag", { order });
  }

  slider.addEventListener("input", () => setBid(slider.value));
  field.addEventListener("change", () => setBid(field.value));
  for (const each of [slider, field]) {
    keepKeys(each, {
      Enter() {
        setBid(each.value);
        finishBid();
      },
    });
  }

  return input;

  function begin(question, isNew) {
    if (!isNew) return;
    [taken, typed, cursor.at] = [null, "", null];
    if (picking()) picks = question.offered[0].map((line) => line.split(" ").map(Number));
    else {
      picks = [];
      slider.max = field.max = chips();
      setBid(Math.min(chips(), Number(slider.value)));
    }
  }

  function key(event) {
    const direction = directionOf(event);
    if (!input.open) return event.key === " " || direction !== null; // else the replay would go back
    if (bids()) return bidKey(event.key);
    if (isUndo(event)) back();
    else if (event.key === "Enter" || event.key === " ") {
      if (cursor.at) take(numberOf(cursor.at));
    } else if (direction) {
      cursor.step(direction, cellOf(legal()[0]));
      sayCell();
      table.redraw();
    } else return false;
    return true;
  }

  function paint(pen, { after }) {
    if (!picking()) return;
    const { ink, seats } = pen.theme;
    const aimed = input.pointed.at ?? cursor.at;
    const target = aimed && legal().includes(numberOf(aimed)) ? numberOf(aimed) : null;
    const takes = taken ?? target;
    if (takes !== null) drawTaken(pen, after, takes);
    for (const number of legal()) {
      const cell = cellOf(number);
      if (taken === null) { // the viewer itself has dashed the frames of panels that may be taken
        if (number === target) drawFrame(pen, cell, seats[seat].line, { width: 0.06, inset: 0.07 });
      } else if (number === target) drawCross(pen, cell, ink, 0.28);
      else drawDot(pen, { x: cell.x + 0.3, y: cell.y + 0.3 }, ink, 0.06);
    }
    if (cursor.at) drawFrame(pen, cursor.at, ink, { width: 0.03, inset: 0.02 });
  }

  /** Digits write a bid; arrows shift it. */
  function bidKey(key) {
    if (/^\d$/.test(key)) {
      typed = `${typed}${key}`.slice(-3);
      if (Number(typed) > chips()) typed = key;
      setBid(typed);
      return true;
    }
    typed = "";
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowDown: -10, ArrowUp: 10 }[key];
    if (key === "Enter") finishBid();
    else if (key === "Backspace") setBid(0);
    else if (step) shift(step);
    else return false;
    return true;
  }

  function sayCell() {
    const number = numberOf(cursor.at);
    const text = table.viewer.cellText(setting, input.frame, cursor.at, table.gameWords);
    const count = legal().includes(number) && taken === null ? turned(input.frame.tiles, number, letter).length : 0;
    table.say(count ? `${text}, ${tell("turns", { number, count })}` : text);
  }

  /** The panel to be taken and those that turn over, in the colour of the seat. */
  function drawTaken(pen, { tiles }, number) {
    const { context, cell } = pen;
    const { wall, line, onWall: colour } = pen.theme.seats[seat];
    for (const each of [number, ...turned(tiles, number, letter)]) {
      const [cx, cy] = middleOf(pen, cellOf(each));
      context.globalAlpha = 0.9;
      traceSquare(pen, cellOf(each), 0.04, 0.08);
      fillPath(context, wall);
      context.globalAlpha = 1;
      strokePath(context, line, 0.03 * cell);
      write(pen, letter, [cx, cy + 0.03 * cell], { size: 0.42 * cell, weight: 700, colour });
    }
  }
}
