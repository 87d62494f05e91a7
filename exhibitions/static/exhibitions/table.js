// A table: the player's seat in a match that is being played. The seat's events (`exhibitions/seat_events.py`) bring the
// lines of the replay, which the viewer's shell shows, and the questions. The game's module `games/<game>/viewer/input.js`
// takes the answer. It exports one of two functions:
//
//   makeInput(table)    for a game whose board the viewer draws; returns {ask(question), rest(), draw?(context, geometry,
//                       theme, scene), key?(event), destroy?()}. `ask` is called when the board shows the last turn,
//                       `rest` when no question is open (any more). `draw` paints over the board; call `table.redraw()`
//                       when it should. `key` gets the keys while the board follows the match, and returns true for those
//                       it takes; also while no question is open, since the viewer's own keys go back in the match.
//   makeScreen(table)   for a game that draws everything itself; returns {grow(records), ask(question), rest(), end()}.
//                       `table.place` is the whole stage. `end` may return a promise, kept when the last turn has been
//                       shown: the result is told then.
//
// and, if it makes sounds, `export const sounds = true`: the page then has a button, and `table.sound` tells its state.
// A game without the module has the list of legal answers (`list.js`). All games have the answer in words (`typed.js`).
//
// table = {
//   board       the viewer's Board, with `canvas` and `placeAt(event)`; null for a screen
//   viewer      the game's viewer module
//   setting     of the replay
//   frames      of the replay; it grows
//   turns       of the replay: turns[n] has the answers of turn n
//   seat        the player's
//   letters, names   by seat
//   words       of the game's tables: `input-undo` is `words.undo`
//   gameWords   those of the viewer module, for its `cellText`
//   tell(name, values)   the sentence of the message `input-<name>` with values
//   place       the element under the board for buttons, or the whole stage
//   seconds     wall time for an answer; 0: no limit
//   sound       whether sounds are wanted
//   say(text)   has a screen reader say something
//   send(lines) answers the open question, once
//   redraw()    paints the board anew
// }
// question = { number, turn, lines, answer_lines, offered: string[][], seconds, left, refused?: text, tries }

import { Commentary } from "../matches/viewer/commentary.js";
import { takesKey } from "../matches/viewer/controls.js";
import { Listener } from "../matches/viewer/live.js";
import { Messages } from "../matches/viewer/messages.js";
import { growReplay, readReplay, ReplayError } from "../matches/viewer/replay.js";
import { showReplay } from "../matches/viewer/shell.js";
import { TextBoard } from "../matches/viewer/textboard.js";
import { fill } from "../matches/viewer/words.js";
import { Clock } from "./clock.js";
import * as list from "./list.js";
import { turnField } from "./turn_field.js";
import { Typed } from "./typed.js";

/** After the first lines, the turns played before come within this time: they are not shown one by one. */
const CATCH_UP_MS = 700;
const SOUND = "table-sound";
const HTTP_CONFLICT = 409;
const HTTP_TOO_MANY = 429;
const NO_SEAT = [403, 404];

class Table {
  /**
   * @param {HTMLElement} root see `exhibitions/_table.html`
   * @param {object} page the context from the page (`exhibitions/pages.py`)
   * @param {Messages} messages
   * @param {object} viewer the game's viewer module
   * @param {object} module the game's input module
   */
  constructor(root, page, messages, viewer, module) {
    Object.assign(this, { root, page, messages, viewer, module, words: page.table.words, question: null, asking: false });
    this.say = (text) => (this.part("said").textContent = text);
    this.clock = new Clock(this.part("clock"), this.words.seconds_left, this.say);
    this.typed = new Typed(this.part("typed"), this.words, (lines) => this.send(lines));
    this.isScreen = Boolean(module.makeScreen);
    if (this.isScreen) root.dataset.mode = "screen";
    this.part("leave").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#leave();
    });
    this.#offerSound();
    document.addEventListener("keydown", (event) => this.#key(event), true); // before the viewer's own keys
  }

  part(name) {
    return this.root.querySelector(`[data-table="${name}"]`);
  }

  follow() {
    this.listener = new Listener(this.page.table.events, {
      lines: (records) => this.#lines(records),
      heard: () => this.#connected(true),
      lost: () => this.#connected(false),
      broken: () => fail(new ReplayError("damaged")),
      over: () => location.reload(),
      ended: () => this.#end(),
    }, {
      waiting: ({ place }) => this.#status(place ? fill(this.words.in_line, { place }) : this.words.begins),
      question: (question) => this.#open(question),
      out: (told) => this.#out(told),
    });
    this.listener.listen();
  }

  /** Answer the open question. An answer that the site does not take opens the question again. */
  async send(lines) {
    const { question } = this;
    if (!question || !this.asking) return;
    this.#close();
    this.#status(this.words.sent);
    const turns = this.replay.frames.length;
    const refused = await this.#post({ number: question.number, lines });
    // Meanwhile the time may have run out, or the next question may be open.
    const isOver = this.over || this.isOut || this.replay.frames.length > turns;
    if (refused && !this.question && !isOver) {
      this.#open({ ...question, left: this.clock.left });
      this.#refusal(refused);
    }
  }

  #lines(records) {
    if (this.question) this.#close();
    if (!this.replay) this.#begin(records);
    else if (this.isScreen) {
      growReplay(this.replay, records);
      this.input.grow(records);
      this.#tellScreen();
    } else {
      this.shown.grow(records);
      const { player } = this.shown;
      if (performance.now() < this.caughtUp) player.jump(player.last);
    }
    if (!this.over) this.#status(this.isOut ? this.words.watching : this.#waiting());
  }

  #begin(records) {
    const { page, messages, viewer, module, root } = this;
    this.replay = readReplay(records, { live: true, messages, letters: page.letters });
    this.caughtUp = performance.now() + CATCH_UP_MS;
    const { frames, turns, seats, setting, letters } = this.replay;
    if (this.isScreen) root.dataset.state = "ready";
    else this.shown = showReplay(root, this.replay, viewer, page);
    const { board = null, player = null } = this.shown ?? {};
    const table = {
      board, viewer, setting, frames, turns, letters, seat: page.table.seat, seconds: page.table.seconds,
      names: seats.map(({ name }) => name),
      words: messages.words("input-"),
      gameWords: page.game_words,
      tell: (name, values) => messages.sentence({ kind: `input-${name}`, args: values }),
      place: this.part(this.isScreen ? "screen" : "hand"),
      get sound() { return isSoundOn(); },
      say: this.say,
      send: (lines) => this.send(lines),
      redraw: () => board?.draw(),
    };
    if (this.isScreen) {
      this.commentary = new Commentary(this.#viewerPart("events"), this.#viewerPart("spoken"), this.replay, viewer, page.words, () => {});
      this.text = new TextBoard(this.#viewerPart("text"), setting, viewer, page.game_words);
      this.input = module.makeScreen(table);
      this.#tellScreen();
      return;
    }
    this.input = module.makeInput(table, this.words);
    if (this.input.draw) {
      board.over = (...drawn) => {
        if (player.turn === player.last) this.input.draw(...drawn);
      };
    }
    for (const name of ["draw", "turn"]) player.addEventListener(name, () => this.#settle());
  }

  #tellScreen() {
    const turn = this.replay.frames.length - 1;
    this.commentary.grow();
    this.commentary.show(turn, { playing: true, standing: "" });
    this.text.show(this.replay.frames[turn]);
  }

  #viewerPart(name) {
    return this.root.querySelector(`[data-viewer="${name}"]`);
  }

  #open(question) {
    if (this.question) this.#close();
    // Its answer is on its way already: from another tab, or before this page was loaded anew.
    if (question.answered) {
      this.#status(this.words.sent);
      return;
    }
    this.question = question;
    this.clock.start(question);
    this.#refusal(question.refused && fill(this.words.refused, { reason: question.refused, tries: question.tries }));
    this.#status(this.words.your_turn);
    this.root.dataset.turn = "own";
    this.#settle();
  }

  /** Ask when the board has come to the last turn, and rest while the player looks back. */
  #settle() {
    const player = this.shown?.player;
    const ready = Boolean(this.question) && (!player || (player.turn === player.last && player.progress === 1));
    if (ready === this.asking) return;
    this.asking = ready;
    if (ready) {
      this.typed.ask(this.question);
      this.input.ask(this.question);
    } else this.#rest();
  }

  #close() {
    this.question = null;
    this.clock.stop();
    this.#refusal("");
    delete this.root.dataset.turn;
    if (this.asking) {
      this.asking = false;
      this.#rest();
    }
  }

  #rest() {
    this.typed.rest();
    this.input.rest();
  }

  #out({ verdict, why }) {
    if (this.question) this.#close();
    this.isOut = true;
    this.#refusal(verdict === "left" ? "" : fill(this.words.out, { reason: why }));
    this.#status(this.words.watching);
    this.part("leave").hidden = true;
  }

  async #end() {
    if (this.question) this.#close();
    this.over = true;
    this.shown?.end();
    if (this.isScreen) await this.input.end(); // the result waits until the player has seen how it came about
    else this.input.destroy?.();
    const { footer } = this.replay;
    const rank = footer.ranks[this.page.table.seat];
    const shared = footer.ranks.filter((other) => other === rank).length > 1;
    const result = rank > 1 ? "lost" : shared ? "drawn" : "won";
    const many = footer.ranks.length > 2 ? ` ${fill(this.words.rank, { rank, seats: footer.ranks.length })}` : "";
    this.#status(this.words[result] + many);
    this.root.dataset.result = result;
    for (const name of ["leave", "sound"]) this.part(name).hidden = true;
    this.part("after").hidden = false;
    const turn = this.part("turn"); // absent where nobody can take over
    if (!turn) return;
    turn.max = turn.value = footer.turns;
    const follow = turnField(turn);
    this.shown?.player.addEventListener("turn", () => follow(this.shown.player.turn));
  }

  async #leave() {
    const button = this.part("leave").querySelector("button");
    if (button.dataset.sure) {
      this.#refusal(await this.#post({ number: this.question?.number ?? 0, leaves: true }));
      return;
    }
    button.dataset.sure = "yes";
    button.textContent = this.words.leave_sure;
    button.addEventListener("blur", () => {
      delete button.dataset.sure;
      button.textContent = this.words.leave;
    }, { once: true });
  }

  /** Send an answer to the site. Returns a sentence if the site did not take it, else an empty text. */
  async #post(answer) {
    const { answer: url } = this.page.table;
    const token = this.part("leave").elements.csrfmiddlewaretoken?.value ?? "";
    let response;
    try {
      response = await fetch(url, {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-CSRFToken": token },
        body: JSON.stringify(answer),
      });
    } catch {
      return this.words.not_sent;
    }
    if (response.ok || response.status === HTTP_CONFLICT) return "";
    // The session has ended, as when its owner has signed out in another tab: the page leads to the match.
    if (NO_SEAT.includes(response.status)) location.reload();
    return response.status === HTTP_TOO_MANY ? this.words.too_often : this.words.not_sent;
  }

  #key(event) {
    const follows = this.asking || (this.shown?.player.following && !this.isOut && !this.over);
    if (!follows || !this.input?.key || event.ctrlKey || event.metaKey || event.altKey) return;
    if (takesKey(event.target, event.key) || !this.input.key(event)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  #waiting() {
    const others = this.replay.seats.filter((_, seat) => seat !== this.page.table.seat).map(({ name }) => name);
    const names = new Intl.ListFormat(document.documentElement.lang || undefined).format(others);
    return fill(this.words.waiting, { names });
  }

  #connected(is) {
    this.part("lost").hidden = is;
  }

  #status(text) {
    const place = this.part("status");
    if (place.textContent !== text) place.textContent = text;
  }

  #refusal(text) {
    const place = this.part("refused");
    place.textContent = text ?? "";
    place.hidden = !text;
  }

  #offerSound() {
    const button = this.part("sound");
    button.hidden = !this.module.sounds;
    button.ariaPressed = isSoundOn();
    button.addEventListener("click", () => {
      try {
        localStorage.setItem(SOUND, isSoundOn() ? "off" : "on");
      } catch {
        return; // the reader's browser keeps nothing: there is no sound
      }
      button.ariaPressed = isSoundOn();
    });
  }
}

function isSoundOn() {
  try {
    return localStorage.getItem(SOUND) === "on";
  } catch {
    return false;
  }
}

const root = document.querySelector("[data-viewer='root']");
const page = JSON.parse(document.getElementById("viewer-page").textContent);

function fail(error) {
  root.dataset.state = "failed";
  const said = error instanceof ReplayError ? (page.words[error.word] ?? page.words.damaged) : page.words.damaged;
  root.querySelector("[data-viewer='failure']").textContent = fill(said, error.values);
}

try {
  const messages = new Messages(page.tables);
  page.game_words = messages.words("viewer-");
  const [viewer, module] = await Promise.all([import(page.module), page.table.input ? import(page.table.input) : list]);
  new Table(root, page, messages, viewer, module).follow();
} catch (error) {
  fail(error);
  throw error;
}
