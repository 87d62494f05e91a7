// The viewer's shell, the same for every game: it connects the clock, the board, the graph, the commentary and the
// controls. What a game looks like is defined by the viewer module of the game, `games/<game>/viewer/`, which exports
//
//   shape(setting, frames), drawStill(..), drawMoving(..)   the picture, see `Board`
//   score(frame, seat), parts(frame, seat)                  for the graph and beside the names
//   grid(setting, frame), cellText(setting, frame, cell, words), cellAt(setting, column, row, frame)   the board in words
//   placeOf(setting, cell, seat, frame)                     optional: where a cell is that a bot names by numbers, see `sketch.js`
//   symbols                                                 optional: a character for each kind of event, {chain: "≫"}
//
// A game without one is shown by `textgame.js`. Words of the module, `words` here and those that `parts` names, stand in
// the game's tables `games/<game>/words/<language>.ftl`: the message `viewer-walls = Walls` is `words.walls`.

import { Answers } from "./answers.js";
import { Board } from "./canvas.js";
import { Commentary } from "./commentary.js";
import { Controls, setDisabled } from "./controls.js";
import { Graph } from "./graph.js";
import { keepUrl, keepWorkshopLinks, turnOfLink } from "./links.js";
import { OwnLog, TurnLog } from "./ownlog.js";
import { Player } from "./player.js";
import { growReplay, ReplayError } from "./replay.js";
import { Scoreboard } from "./scoreboard.js";
import { TextBoard } from "./textboard.js";
import { fill, number } from "./words.js";

/** Upper limit of the cells on a side of a board; those of all our games have fewer. */
const SIDE_MAX = 500;
/** From this ratio of width to height a show has its commentary below the board, where a wide one leaves space. */
const WIDE = 1.5;

/**
 * Show a replay.
 *
 * @param {HTMLElement} root the viewer's element, see `matches/_viewer.html`
 * @param {object} replay as `readReplay` makes it
 * @param {object} game module of the game
 * @param {object} page the context from the page (`matches/viewer.py`), and `game_words`: the words of the game's module
 * @param {AbortSignal} [signal] aborted when the viewer is taken off a page that goes on; it then hears no key any more
 * @returns {{grow: (records: object[]) => void, end: () => void, board: Board, player: Player}} for a live match: `grow`
 *   adds records, `end` says that no more will come
 * @throws {ReplayError} the board is too large
 */
export function showReplay(root, replay, game, page, signal) {
  const { frames, setting, letters } = replay;
  const place = (name) => root.querySelector(`[data-viewer="${name}"]`);
  const shape = game.shape(setting, frames);
  // The attack: a worker or a file gives a board of a billion cells, and the browser hangs while it draws.
  if (!(shape.columns <= SIDE_MAX && shape.rows <= SIDE_MAX)) throw new ReplayError("damaged");
  root.classList.toggle("is-wide", shape.columns >= WIDE * shape.rows);
  const player = new Player(frames.length - 1, matchMedia("(prefers-reduced-motion: reduce)"));

  const board = new Board(place("board"), shape, game, () => {
    const { turn, progress } = player;
    const before = frames[Math.max(turn - 1, 0)];
    return { setting, letters, before, after: frames[turn], turn: replay.turns[turn], progress };
  }, [place("bar") ?? place("play"), place("seats"), place("hand"), page.next && place("events")].filter(Boolean), signal);
  // Browsers may have restored the chosen series after a reload, or when the reader comes back.
  let line = root.querySelector("[name=viewer-graph]:checked")?.value;
  // The embedded page (`matches/embed.html`) has neither graph nor lists.
  const seek = (turn) => player.go(turn);
  let values = new Map(); // graphs of what the reader's bots have written, see `sketch.js`
  const series = () => graphSeries(replay, game, page.words)[line] ?? values.get(line);
  const graph = place("graph") && new Graph(place("graph"), series(), letters, seek, signal);
  const scoreboard = new Scoreboard(place("seats"), replay, game, page);
  const list = place("events") ?? document.createElement("ol");
  const commentary = new Commentary(list, place("spoken"), replay, game, page.words, seek);
  const answers = place("answers") && new Answers(place("answers"), replay, letters, page.words);
  const log = page.log_json ? new TurnLog(page.log_json) : null;
  if (place("own")) place("own").hidden = !log;
  const own = place("own") && log && new OwnLog(place("own"), log, letters, page.words);
  const text = place("text") && new TextBoard(place("text"), setting, game, page.game_words);
  const controls = new Controls(root, player, replay.events, game, page.words, signal);

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
  keepUrl(player);
  keepWorkshopLinks(player);
  root.addEventListener("change", ({ target }) => {
    if (target.name !== "viewer-graph") return;
    line = target.value;
    graph.show(series());
  });
  let sound = null;
  place("sound")?.addEventListener("click", async ({ currentTarget: button }) => {
    sound ??= import("./sound.js").then(({ Sound }) => new Sound(player, replay.events, game));
    button.ariaPressed = (await sound).toggle();
  });
  place("sheet")?.addEventListener("click", async () => {
    const { saveSheet } = await import("./sheet.js");
    await saveSheet(root, replay, game, page);
  });
  place("gif")?.addEventListener("click", async ({ currentTarget: button }) => {
    if (button.ariaDisabled === "true") return;
    setDisabled(button, true);
    place("copied").textContent = page.words.gif_begun;
    let outcome = "";
    try {
      const { saveGif } = await import("./gif.js");
      await saveGif(root, replay, game, page);
      outcome = page.words.gif_made;
    } finally { // after a failure of network or memory the reader may try again
      place("copied").textContent = outcome;
      setDisabled(button, false);
    }
  });
  const cellText = (cell) => game.cellText(setting, frames[player.turn], cell, page.game_words);
  describeCells(board, place("cell"), player, cellText, (at) => game.cellAt(setting, ...at, frames[player.turn]));
  warnOfOldRules(place("rules"), replay, page);
  window.addEventListener("hashchange", () => player.go(turnOfLink(location.hash) ?? player.turn), { signal });
  // On a phone the board may be far above a link to one of its turns; without a change of turn nothing would be seen.
  document.addEventListener("click", ({ target }) => {
    if (target.closest('a[href^="#t="]')) board.canvas.scrollIntoView({ block: "nearest" });
  }, { signal });

  signal?.addEventListener("abort", () => player.pause());

  root.dataset.state = "ready";
  player.live = replay.live;
  const linked = turnOfLink(location.hash);
  if (replay.live) player.follow();
  else player.jump(linked ?? 0);
  if (log) {
    import("./sketch.js").then(async ({ addSketch }) => {
      values = await addSketch(root, log, { replay, game, words: page.words, board, player });
    });
  }
  board.fit(); // again, since the scores are filled in now and take space beside it
  // After a link to a turn the viewer stays at that turn.
  if (page.autoplay && linked === null && !player.stillness.matches) player.play();
  if (page.next) {
    import("./next.js").then(({ goOn, keepSound }) => {
      goOn(player, page.next);
      keepSound(place("sound"));
    });
  }

  return {
    board,
    player,
    grow(records) {
      growReplay(replay, records);
      graph?.show(series());
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

/** Return the series that `Graph` can show: scores, and CPU milliseconds with their limit if the replay has it. */
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

/** Say that a match was played under other rules than today's. Its frames are in the replay, so it can be shown. */
function warnOfOldRules(place, { rules }, page) {
  if (!place || !page.rules || rules === page.rules) return;
  place.textContent = fill(page.words.old_rules, { then: rules, now: page.rules });
  place.hidden = false;
}

/** Describe the cell under the mouse, or the one that a finger has touched last, in the turn that is shown. */
function describeCells(board, place, player, text, find) {
  let cell = null;
  const describe = () => (place.textContent = cell ? fill("({x}, {y}): {text}", { ...cell, text: text(cell) }) : "");
  const look = (event) => {
    cell = find(board.placeAt(event));
    describe();
  };
  board.canvas.addEventListener("pointermove", look);
  board.canvas.addEventListener("pointerdown", look);
  board.canvas.addEventListener("pointerleave", ({ pointerType }) => {
    if (pointerType === "touch") return; // a lifted finger leaves the canvas, too; its cell stays
    cell = null;
    describe();
  });
  player.addEventListener("turn", describe);
}
