// The viewer's shell, the same for every game: it joins the clock, the board, the graph, the commentary and the
// controls. What a game looks like and how its words are put is the business of its module in `games/`, which exports
//
//   shape(setting), drawStill(..), drawMoving(..)   the picture, see `Board`
//   score(frame, seat), parts(frame, seat)          for the graph and beside the names
//   letters                                         by seat, where its protocol has some; else A, B, ..
//   grid(setting), cellText(setting, frame, cell, words), cellAt(setting, column, row)   the board in words

import { Answers } from "./answers.js";
import { Board } from "./canvas.js";
import { Commentary } from "./commentary.js";
import { Controls, setDisabled } from "./controls.js";
import { Graph } from "./graph.js";
import { keepAddress, turnOfLink } from "./links.js";
import { OwnLog } from "./ownlog.js";
import { Player } from "./player.js";
import { growReplay, ReplayError } from "./replay.js";
import { Scoreboard } from "./scoreboard.js";
import { lettersOf } from "./seats.js";
import { TextBoard } from "./textboard.js";
import { fill, number } from "./words.js";

/** More cells a side than any board has. */
const SIDE_MAX = 500;

/**
 * Show a replay.
 *
 * @param {HTMLElement} root the viewer's element, see `matches/_viewer.html`
 * @param {object} replay as `readReplay` makes it
 * @param {object} game module of the game
 * @param {{words: Object<string, string>, links: string[]}} page what the page tells
 * @returns {{grow: (records: object[]) => void, end: () => void}} for a live match: take more records; no more come
 * @throws {ReplayError} its board is none
 */
export function showReplay(root, replay, game, page) {
  const { frames, setting } = replay;
  const place = (name) => root.querySelector(`[data-viewer="${name}"]`);
  const shape = game.shape(setting);
  const letters = lettersOf(game);
  // Workers and files may lie: to draw a board of a billion cells, the browser would stand still for ever.
  if (!(shape.columns <= SIDE_MAX && shape.rows <= SIDE_MAX)) throw new ReplayError("damaged");
  const player = new Player(frames.length - 1, matchMedia("(prefers-reduced-motion: reduce)"));

  const board = new Board(place("board"), shape, game, () => {
    const { turn, progress } = player;
    return { setting, before: frames[Math.max(turn - 1, 0)], after: frames[turn], turn: replay.turns[turn], progress };
  }, [place("play"), place("seats")]);
  // Firefox keeps what was chosen over a reload, others when a reader comes back.
  let line = root.querySelector("[name=viewer-graph]:checked")?.value;
  // In a frame (`matches/embed.html`) there is less: neither graph nor lists.
  const seek = (turn) => player.go(turn);
  const graph = place("graph") && new Graph(place("graph"), graphSeries(replay, game, page.words)[line], letters, seek);
  const scoreboard = new Scoreboard(place("seats"), replay, game, page);
  const list = place("events") ?? document.createElement("ol");
  const commentary = new Commentary(list, place("spoken"), replay, letters, page.words, seek);
  const answers = place("answers") && new Answers(place("answers"), replay, letters, page.words);
  const own = place("own") && new OwnLog(place("own"), page.log_json, letters, page.words);
  const text = place("text") && new TextBoard(place("text"), setting, game, page.words);
  const controls = new Controls(root, player, replay.events, letters, page.words);

  player.addEventListener("draw", () => board.draw());
  player.addEventListener("turn", () => {
    const { turn } = player;
    graph?.moveTo(turn);
    scoreboard.show(turn);
    commentary.show(turn, { playing: player.playing, standing: scoreboard.standing(turn) });
    answers?.show(turn);
    own?.show(turn);
    text?.show(frames[turn]);
  });
  keepAddress(player);
  root.addEventListener("change", ({ target }) => {
    if (target.name !== "viewer-graph") return;
    line = target.value;
    graph.show(graphSeries(replay, game, page.words)[line]);
  });
  place("sheet")?.addEventListener("click", async () => {
    const { saveSheet } = await import("./sheet.js");
    await saveSheet(root, replay, game, page);
  });
  place("gif")?.addEventListener("click", async ({ currentTarget: button }) => {
    if (button.ariaDisabled === "true") return;
    setDisabled(button, true);
    place("copied").textContent = page.words.gif_begun;
    let told = "";
    try {
      const { saveGif } = await import("./gif.js");
      await saveGif(root, replay, game, page);
      told = page.words.gif_made;
    } finally { // without a network, or memory: one may try again
      place("copied").textContent = told;
      setDisabled(button, false);
    }
  });
  const cellText = (cell) => game.cellText(setting, frames[player.turn], cell, page.words);
  tellCells(board, place("cell"), player, cellText, (at) => game.cellAt(setting, ...at));
  tellRules(place("rules"), replay, page);
  window.addEventListener("hashchange", () => player.go(turnOfLink(location.hash) ?? player.turn));
  // On a phone the board may be pages above a link to one of its turns, and the turn there already.
  document.addEventListener("click", ({ target }) => {
    if (target.closest('a[href^="#t="]')) board.canvas.scrollIntoView({ block: "nearest" });
  });

  root.dataset.state = "ready";
  player.live = replay.live;
  const linked = turnOfLink(location.hash);
  if (replay.live) player.follow();
  else player.jump(linked ?? 0);
  board.fit(); // now that the scores, which take room beside it, are there
  // A link to a turn is there to show that turn.
  if (page.autoplay && linked === null && !player.stillness.matches) player.play();
  if (page.next) import("./next.js").then(({ goOn }) => goOn(player, page.next));

  return {
    grow(records) {
      growReplay(replay, records);
      graph?.show(graphSeries(replay, game, page.words)[line]);
      commentary.grow();
      player.grow(frames.length - 1);
      controls.grow();
    },
    end() {
      player.end();
      scoreboard.show(player.turn);
    },
  };
}

/** What the graph can show, see `Graph`: scores, and CPU milliseconds with what is allowed (since replays tell it). */
export function graphSeries({ frames, turns, seats }, game, words) {
  const used = seats.map((_, seat) => turns.map((turn) => turn?.seats[seat]?.cpu_ms ?? null));
  return {
    score: { series: seats.map((_, seat) => frames.map((frame) => game.score(frame, seat))) },
    cpu: { series: used, limit: limitOf(turns, words) },
  };
}

function limitOf(turns, words) {
  const values = turns.map((turn) => turn?.seats.find((seat) => seat)?.limit_ms ?? null);
  const least = Math.min(...values.filter((value) => value !== null));
  return Number.isFinite(least) ? { values, least, text: fill(words.limit, { ms: number(least) }) } : null;
}

/** Say that a match was played by other rules than those of today; its frames are in the replay, so it plays. */
function tellRules(place, { rules }, page) {
  if (!place || !page.rules || rules === page.rules) return;
  place.textContent = fill(page.words.old_rules, { then: rules, now: page.rules });
  place.hidden = false;
}

/** Tell the cell under the mouse, or the one that a finger has touched last, as it is in the turn that is shown. */
function tellCells(board, place, player, text, find) {
  let cell = null;
  const tell = () => (place.textContent = cell ? fill("({x}, {y}): {text}", { ...cell, text: text(cell) }) : "");
  const look = (event) => {
    cell = find(board.placeAt(event));
    tell();
  };
  board.canvas.addEventListener("pointermove", look);
  board.canvas.addEventListener("pointerdown", look);
  board.canvas.addEventListener("pointerleave", ({ pointerType }) => {
    if (pointerType === "touch") return; // a finger leaves whenever it is lifted
    cell = null;
    tell();
  });
  player.addEventListener("turn", tell);
}
