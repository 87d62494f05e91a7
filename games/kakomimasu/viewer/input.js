// How a person plays Kakomimasu: each agent in turn gets an order for one of its nine cells, or is put on the board; all
// orders are sent together, and can be taken back before.

import { AROUND, BoardInput, Pad, directionOf, drawArrow, drawCross, drawDot, drawFrame, drawSign, enable, group, isUndo, makeButton, same } from "../../matches/viewer/picking.js";
import { drawPiece, middleOf } from "../../matches/viewer/cells.js";

const NONE = "NONE";
const STAY = 4;
const OFF = -1;
/** The word that tells an order of each kind. */
const TELLS = { PUT: "put", MOVE: "move", REMOVE: "remove_wall", NONE: "none" };

/** Read an order of the protocol as {kind, at}; `at` is null for NONE. */
export function readOrder(line) {
  const [kind, x, y] = line.split(" ");
  return { kind, at: kind === NONE ? null : { x: Number(x), y: Number(y) } };
}

/** Return the numbers of the agents whose orders have the same target as another one: the rules refuse these. */
export function conflicts(orders) {
  const targets = orders.map((line) => (line && line !== NONE ? line.split(" ").slice(1).join(" ") : null));
  return targets.flatMap((target, agent) => (target && targets.indexOf(target) !== targets.lastIndexOf(target) ? [agent] : []));
}

/** Make the input, see `docs/play/games.md`. */
export function makeInput(table) {
  const { words, tell, seat, setting } = table;
  const chips = Array.from({ length: setting.agents }, (_, agent) => makeButton(`${agent + 1}`, () => input.open && select(agent), "input-agent"));
  const pad = new Pad((index) => go(AROUND[index]));
  const removes = makeButton(words.remove, () => toggle());
  const undo = makeButton(words.undo, () => back());
  const send = makeButton(words.send, () => finish(), "is-main");
  const rows = [group("input-row input-agents", ...chips), group("input-row input-tools", removes, undo, send)];
  const parts = [pad.element, group("input-column", ...rows)];
  const input = new BoardInput(table, { className: "input-orders", parts, begin, show, sentence, choose, key, paint });

  let offered = [];
  let orders = [];
  let selected = null;
  /** Whether the next cell chosen is one to remove a wall from. */
  let removing = false;
  /** What the orders were before each change, as [agent, order, removing]. */
  let history = [];

  const agentAt = ({ x, y }) => input.frame.agents[seat].findIndex(([ax, ay]) => ax === x && ay === y);
  const placeOf = (agent) => {
    const [x, y] = input.frame.agents[seat][agent];
    return x === OFF ? null : { x, y };
  };
  const has = (agent, kind, { x, y }) => offered[agent].has(`${kind} ${x} ${y}`);
  const missing = () => orders.filter((line) => line === null).length;
  const pointsAt = ({ x, y }) => setting.points[y * setting.width + x];

  /** Return the order that choosing a cell gives the selected agent, or null. */
  function orderFor(agent, cell) {
    const from = placeOf(agent);
    if (!from) return has(agent, "PUT", cell) ? `PUT ${cell.x} ${cell.y}` : null;
    if (same(from, cell)) return NONE;
    const kinds = removing ? ["REMOVE"] : ["MOVE", "REMOVE"];
    const kind = kinds.find((each) => has(agent, each, cell));
    return kind ? `${kind} ${cell.x} ${cell.y}` : null;
  }

  function choose(cell) {
    if (!input.open) return;
    const own = agentAt(cell);
    if (own >= 0 && own !== selected) select(own);
    else if (selected !== null) chooseFor(cell);
  }

  function chooseFor(cell) {
    let line = orderFor(selected, cell);
    // A cell chosen twice: the wall on it is to be removed.
    if (line && line === orders[selected] && has(selected, "REMOVE", cell)) line = `REMOVE ${cell.x} ${cell.y}`;
    if (line) give(line);
  }

  /** Choose the cell in a direction of the selected agent; off the board, shift the cell that it is put on. */
  function go([dx, dy]) {
    if (!input.open || selected === null) return;
    const from = placeOf(selected);
    if (from) {
      const line = orderFor(selected, { x: from.x + dx, y: from.y + dy });
      if (line) give(line);
      return;
    }
    const last = orders[selected] && orders[selected] !== NONE ? readOrder(orders[selected]).at : null;
    const start = { x: Math.floor(setting.width / 2), y: Math.floor(setting.height / 2) };
    const cell = last ? { x: last.x + dx, y: last.y + dy } : start;
    if (last && !dx && !dy) return next();
    const line = orderFor(selected, cell);
    if (line) give(line, { stays: true });
  }

  /** Give the selected agent an order; the next agent without one is selected, unless this one stays. */
  function give(line, { stays = false } = {}) {
    history.push([selected, orders[selected]]);
    orders[selected] = line;
    removing = false;
    const said = orderText(selected);
    if (stays) input.show(said);
    else next(said);
  }

  function select(agent, said = "") {
    [selected, removing] = [agent, false];
    input.show(said);
  }

  /** Select the next agent without an order, or none when all have theirs. */
  function next(said = "") {
    const later = orders.map((_, step) => ((selected ?? OFF) + 1 + step) % orders.length);
    select(later.find((agent) => orders[agent] === null) ?? null, said);
  }

  /** Select the next agent, with an order or without. */
  function turnTo() {
    if (input.open) select(((selected ?? OFF) + 1) % orders.length);
  }

  function toggle() {
    if (!input.open || selected === null || !placeOf(selected)) return;
    removing = !removing;
    input.show(removing ? words.removing : words.moving);
  }

  function back() {
    if (!input.open || !history.length) return;
    const [agent, line] = history.pop();
    orders[agent] = line;
    select(agent, words.undone);
  }

  function finish() {
    if (input.open) input.answer(...orders.map((line) => line ?? NONE));
  }

  /** An order of an agent in words. */
  function orderText(agent, line = orders[agent]) {
    const { kind, at } = readOrder(line);
    const values = { agent: agent + 1, cell: at ? `${at.x} ${at.y}` : "", points: at ? pointsAt(at) : "" };
    return tell(TELLS[kind], values);
  }

  /** The numbers of the agents that are sent onto an agent of this seat which stays: the rules refuse that. */
  function blocked() {
    const stays = (line) => line === NONE || line?.startsWith("REMOVE");
    return orders.flatMap((line, agent) => {
      const other = line?.startsWith("MOVE") ? agentAt(readOrder(line).at) : OFF;
      return other >= 0 && stays(orders[other]) ? [agent] : [];
    });
  }

  function sentence() {
    if (!input.open) return "";
    const twice = conflicts(orders);
    if (twice.length) return tell("conflict", { agents: twice.map((agent) => agent + 1).join(", ") });
    const [stopped] = blocked();
    if (stopped !== undefined) return tell("blocked", { agent: stopped + 1 });
    if (selected === null) return words.ready;
    const values = { agent: selected + 1, count: missing() };
    if (!placeOf(selected)) return tell("choose_put", values);
    return tell(removing ? "choose_remove" : "choose_cell", values);
  }

  function show() {
    const { open } = input;
    chips.forEach((chip, agent) => {
      chip.setAttribute("aria-pressed", String(open && selected === agent));
      chip.setAttribute("aria-label", open && orders[agent] ? orderText(agent) : tell("agent_number", { agent: agent + 1 }));
      chip.textContent = open && orders[agent] ? `${agent + 1} ${signOf(agent)}` : `${agent + 1}`;
      enable(chip, open);
    });
    pad.show(AROUND.map((step, index) => padState(step, index)));
    const placed = open && selected !== null && placeOf(selected);
    removes.setAttribute("aria-pressed", String(removing));
    enable(removes, Boolean(placed) && [...offered[selected]].some((line) => line.startsWith("REMOVE")));
    enable(undo, open && history.length > 0);
    send.textContent = open && missing() ? tell("send_rest", { count: missing() }) : words.send;
    enable(send, open);
  }

  /** The sign of an order on the chip of its agent. */
  function signOf(agent) {
    const { kind, at } = readOrder(orders[agent]);
    const from = placeOf(agent);
    if (kind === NONE) return "•";
    if (kind === "REMOVE") return "×";
    return from ? "↖↑↗←•→↙↓↘"[AROUND.findIndex(([dx, dy]) => from.x + dx === at.x && from.y + dy === at.y)] : "○";
  }

  /** What a button of the pad does now. */
  function padState([dx, dy], index) {
    if (!input.open || selected === null) return { on: false, label: "" };
    const from = placeOf(selected);
    if (!from) return { on: true, label: index === STAY ? words.next_agent : words.shift, sign: index === STAY ? "✓" : undefined };
    const cell = { x: from.x + dx, y: from.y + dy };
    const line = orderFor(selected, cell);
    if (!line) return { on: false, label: "" };
    const sign = line.startsWith("REMOVE") ? "×" : undefined;
    return { on: true, label: orderText(selected, line), sign, pressed: line === orders[selected] };
  }

  return input;

  function begin(question, isNew) {
    if (!isNew) return;
    offered = question.offered.map((lines) => new Set(lines));
    orders = offered.map(() => null);
    [selected, removing, history] = [0, false, []];
  }

  function key(event) {
    const digit = event.code.startsWith("Digit") ? "1234567890".indexOf(event.key) : OFF;
    if (isUndo(event)) back();
    else if (digit >= 0) {
      if (input.open && digit < orders.length) select(digit);
    } else if (event.key === "Enter") finish();
    else if (event.key === " ") turnTo();
    else if (event.code === "KeyR") toggle();
    else if (directionOf(event)) go(directionOf(event));
    else return false;
    return true;
  }

  function paint(pen) {
    if (!input.open) return;
    drawLit(pen);
    orders.forEach((line, agent) => line && drawOrder(pen, agent, readOrder(line)));
    if (selected !== null && placeOf(selected)) drawFrame(pen, placeOf(selected), pen.theme.ink, { width: 0.09, inset: -0.03 });
  }

  /** Light the cells that the selected agent may be sent to, and the one that the mouse points at. */
  function drawLit(pen) {
    if (selected === null) return;
    const colour = pen.theme.seats[seat].line;
    const from = placeOf(selected);
    if (!from) {
      if (input.pointed.at && orderFor(selected, input.pointed.at)) drawFrame(pen, input.pointed.at, colour);
      return;
    }
    for (const [dx, dy] of AROUND) {
      const cell = { x: from.x + dx, y: from.y + dy };
      const line = orderFor(selected, cell);
      if (!line || line === NONE) continue;
      const isPointed = same(cell, input.pointed.at) && (agentAt(cell) < 0);
      drawFrame(pen, cell, colour, { width: isPointed ? 0.1 : 0.05, dashes: isPointed ? [] : [0.16, 0.1] });
      const corner = { x: cell.x + 0.3, y: cell.y - 0.3 };
      if (line.startsWith("REMOVE")) drawCross(pen, corner, pen.theme.ink, 0.1);
      else drawDot(pen, corner, colour, 0.08);
    }
  }

  function drawOrder(pen, agent, { kind, at }) {
    const from = placeOf(agent);
    const colour = pen.theme.seats[seat].line;
    if (kind === NONE) return drawSign(pen, { x: from.x + 0.3, y: from.y + 0.3 }, "•", colour, 0.16);
    if (kind === "REMOVE") {
      drawArrow(pen, from, at, pen.theme.ink);
      return drawCross(pen, at, pen.theme.ink, 0.3);
    }
    if (from) return drawArrow(pen, from, at, colour);
    const [[x, y], { cell }] = [middleOf(pen, at), pen];
    drawPiece(pen, { x, y }, { seat, text: agent + 1, radius: 0.37 * cell, alpha: 0.9, dashes: [0.12 * cell, 0.08 * cell] });
    if (agent === selected) drawFrame(pen, at, pen.theme.ink, { width: 0.09 });
    return undefined;
  }
}
