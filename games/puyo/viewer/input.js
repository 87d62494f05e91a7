// A player's table of Puyo Puyo. The pair falls while its question is open; where it comes to rest is the answer. What the
// turn brings is shown step by step, see `side.js`. In Smash the Code, whose pairs do not fall, the pair waits above the
// field until the player lets it go.

import { group } from "../../matches/viewer/picking.js";
import { element } from "../../matches/viewer/words.js";
import { answerOf, columnsOf, heightsOf } from "./chains.js";
import { COLUMNS, fallen, flipped, isGrounded, landing, moved, spawned, turned } from "./falling.js";
import { Hands } from "./hands.js";
import { FRAME, keepPace, PACES, readPace } from "./pace.js";
import { Side } from "./side.js";
import { Sounds } from "./sounds.js";
import { Stage } from "./stage.js";

export const sounds = true;

/** Frames until a key that is held repeats, and between its repetitions. */
const REPEAT_AFTER = 10;
const REPEAT_EVERY = 2;
const SOFT_ROWS = 26;
/** While the player holds "down", a pair that lies loose is locked so much sooner. */
const SOFT_LOCK = 6;
/** A pair that cannot turn is flipped if it is turned again within so many seconds. */
const FLIP_WITHIN = 0.5;
/** So many seconds before its clock runs out, the pair is let go where it is. */
const SPARE = 1.5;
const BUTTONS = [["left", "←"], ["right", "→"], ["turn_left", "↺"], ["turn_right", "↻"], ["soft", "↓"], ["hard", "⤓"], ["pause", "Ⅱ"]];
const NAMES = ["garbage", "red", "yellow", "green", "blue", "purple"];

export const makeScreen = (table) => new Screen(table);

class Screen {
  constructor(table) {
    this.table = table;
    this.isTsu = table.setting.hidden > 0;
    this.shown = table.frames.length - 1;
    this.sides = [table.seat, 1 - table.seat].map((seat) => new Side(this, seat));
    this.sounds = new Sounds(() => table.sound);
    Object.assign(this, { question: null, pair: null, locked: null, way: 0, held: 0, isSoft: false, angle: 0, isOver: false });
    this.pace = readPace();
    this.isPaused = true;
    this.#build();
    this.#jump();
    this.before = performance.now();
    this.late = 0;
    this.#follow();
  }

  /** How long a step of a chain is shown. */
  get stepSeconds() {
    return PACES[this.pace].step;
  }

  // What the table calls

  grow() {
    if (!this.isStarted && !this.locked) this.#jump(); // a page that was loaded anew does not show everything again
  }

  ask(question) {
    this.question = question;
    this.deadline = question.seconds ? performance.now() + 1000 * (question.left - SPARE) : Infinity;
    this.locked = null;
    this.pair = null;
    if (!this.isStarted || !this.isTsu) this.#tellPair();
  }

  rest() {
    this.question = null;
    this.pair = null;
    delete this.place.dataset.pair;
  }

  /** Return a promise that is kept when the last turn has been shown. */
  end() {
    this.isOver = true;
    this.over.hidden = true;
    return new Promise((resolve) => (this.whenShown = resolve));
  }

  // The page

  #build() {
    const { words, place } = this.table;
    this.place = element("div", "puyo-table");
    this.canvas = Object.assign(element("canvas"), { tabIndex: 0 });
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", words.screen);
    this.over = element("form", "puyo-over");
    const paces = element("fieldset");
    paces.append(element("legend", "", words.pace));
    const help = matchMedia("(pointer: coarse)").matches ? words.touch : words.keys;
    this.over.append(element("h2"), paces, element("p", "", help), element("button"));
    for (const value of Object.keys(PACES)) {
      const label = element("label");
      const choice = Object.assign(element("input"), { type: "radio", name: "pace", value, checked: value === this.pace });
      label.append(choice, ` ${words[value]}`);
      paces.append(label);
    }
    this.over.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#start();
    });
    this.place.append(group("puyo-stage", this.canvas, this.over), this.#buttons());
    place.append(this.place);
    const calm = matchMedia("(prefers-reduced-motion: reduce)");
    this.stage = new Stage(this.canvas, { isTsu: this.isTsu, get isCalm() { return calm.matches; } });
    new ResizeObserver(() => this.#fit()).observe(place);
    addEventListener("resize", () => this.#fit());
    this.#fit();
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) this.#pause();
    });
    const page = place.closest("[data-viewer='root']");
    page.querySelector("[data-table='sound']").addEventListener("click", (event) => {
      if (event.detail) this.canvas.focus({ preventScroll: true }); // the space bar is for the pair again
    });
    this.#pause();
  }

  #buttons() {
    this.hands = new Hands(this.canvas, {
      press: (name) => this.#press(name),
      release: (name) => this.#release(name),
      aim: (column) => this.#aim(column),
      shift: (columns) => {
        for (let i = 0; i < Math.abs(columns); i++) this.#move(Math.sign(columns));
      },
      columnAt: (event) => this.stage.columnAt(event),
      isInField: (event) => this.stage.columnAt(event) >= 0 && this.stage.columnAt(event) < COLUMNS,
      isLeftHalf: (event) => this.stage.columnAt(event) < COLUMNS / 2,
      cell: () => this.stage.cell,
      isPlaying: () => !this.isPaused && !this.isOver,
    });
    return group("puyo-hand", ...BUTTONS.filter(([name]) => this.isTsu || name !== "soft").map(([name, sign]) => {
      const button = Object.assign(element("button", `puyo-${name}`, sign), { type: "button" });
      button.setAttribute("aria-label", this.table.words[name]);
      this.hands.button(button, name.replace("_l", "L").replace("_r", "R"));
      return button;
    }));
  }

  #fit() {
    const { canvas } = this;
    const top = canvas.parentElement.getBoundingClientRect().top + scrollY;
    const below = this.place.querySelector(".puyo-hand").offsetHeight + 14;
    this.stage.fit(canvas.parentElement.clientWidth, Math.max(260, innerHeight - top - below));
  }

  #start() {
    const chosen = this.over.querySelector("input:checked");
    this.pace = chosen?.value ?? this.pace;
    keepPace(this.pace);
    Object.assign(this, { isPaused: false, isStarted: true });
    this.over.hidden = true;
    this.canvas.focus({ preventScroll: true });
    this.#fit();
  }

  #pause() {
    if (this.isOver) return;
    const { words } = this.table;
    this.isPaused = true;
    Object.assign(this, { way: 0, isSoft: false });
    this.over.hidden = false;
    this.over.querySelector("h2").textContent = this.isStarted ? words.paused : words.ready;
    const button = this.over.querySelector("button");
    button.textContent = this.isStarted ? words.go_on : words.start;
    button.focus({ preventScroll: true });
  }

  // The hand

  #press(name) {
    if (name === "pause") {
      if (!this.isPaused) this.#pause();
      else if (this.isStarted) this.#start();
      return;
    }
    if (this.isPaused) return;
    if (name === "left" || name === "right") {
      this.way = name === "left" ? -1 : 1;
      this.held = 0;
      this.#move(this.way);
    } else if (name === "soft" && this.isTsu) this.isSoft = true;
    else if (name === "soft" || name === "hard") this.#lock();
    else this.#turn(name === "turnLeft" ? -1 : 1);
  }

  #release(name) {
    if (name === "soft") this.isSoft = false;
    if (this.way === { left: -1, right: 1 }[name]) this.way = 0;
  }

  #move(way) {
    const pair = this.pair && moved(this.heights, this.pair, way);
    if (!pair) return false;
    this.pair = pair;
    this.sounds.move();
    return true;
  }

  /** Bring the pair's axis to a column, as far as nothing is in its way. */
  #aim(column) {
    const wanted = Math.floor(column);
    while (this.pair && this.pair.x !== wanted && this.#move(Math.sign(wanted - this.pair.x)));
  }

  #turn(way) {
    if (!this.pair) return;
    const now = performance.now() / 1000;
    let pair = turned(this.heights, this.pair, way);
    let quarters = way;
    if (!pair && now - (this.couldNotTurn ?? -1) < FLIP_WITHIN) {
      pair = flipped(this.heights, this.pair);
      quarters = 2 * way;
    }
    this.couldNotTurn = pair ? -1 : now;
    if (!pair) return;
    if (pair.row > this.pair.row) this.loose = 0;
    this.angle -= quarters; // it is drawn turning from where it was
    this.pair = pair;
    this.sounds.turn();
  }

  #lock({ isLate = false } = {}) {
    if (!this.pair || !this.question) return;
    const lines = [answerOf(this.pair, this.isTsu)];
    const { offered } = this.question;
    if (offered[0]?.length && !offered[0].includes(lines[0])) {
      if (!isLate) {
        this.table.say(this.table.words.no_room);
        return;
      }
      lines[0] = offered[0][0]; // any placement is better than none, which would put the player out
    }
    this.locked = this.pair;
    this.rest();
    this.sounds.lock();
    this.table.send(lines);
  }

  // Time

  #follow() {
    requestAnimationFrame((now) => {
      // After a pause of the browser's, time goes on from here.
      this.late = Math.min(this.late + (now - this.before) / 1000, 5 * FRAME);
      this.before = now;
      for (; this.late >= FRAME; this.late -= FRAME) this.#step();
      this.#draw();
      this.#follow();
    });
  }

  #step() {
    if (!this.isPaused || this.isOver) {
      for (const side of this.sides) side.step();
      if (!this.sides[0].isBusy) this.#next();
    }
    if (this.pair && !this.isPaused && !isTyping()) this.#stepPair();
  }

  /** Show the next turn, or bring the pair of the open question. */
  #next() {
    const { frames } = this.table;
    if (this.shown < frames.length - 1) this.#begin(this.shown + 1);
    else if (this.question && !this.pair) this.#spawn();
    else if (this.whenShown && !this.sides[1].isBusy) {
      this.whenShown();
      this.whenShown = null;
      this.place.querySelector(".puyo-hand").hidden = true;
      setTimeout(() => this.#fit()); // what follows the match takes space above the fields
    }
  }

  #begin(turn) {
    const { table } = this;
    const [before, after] = [table.frames[turn - 1], table.frames[turn]];
    const record = table.turns[turn];
    this.shown = turn;
    for (const side of this.sides) side.begin(before, after, record);
    this.locked = null;
    if (!this.sides.some(({ pops }) => pops)) this.frame = after;
    this.#tell(before, after);
  }

  /** Show the last turn at once. */
  #jump() {
    const { frames } = this.table;
    this.shown = frames.length - 1;
    this.frame = frames[this.shown];
    for (const side of this.sides) side.jump(this.frame);
  }

  #spawn() {
    const frame = this.table.frames[this.shown];
    const { seat } = this.table;
    const columns = columnsOf(frame.fields[seat]);
    this.heights = this.isTsu ? heightsOf(columns) : Array(COLUMNS).fill(0);
    this.tops = heightsOf(columns).map((height) => (this.isTsu ? height : Math.min(frame.pending[seat] / COLUMNS + height, this.table.setting.rows)));
    this.pair = this.isTsu ? spawned() : { ...spawned(), row: 13 };
    this.tiles = frame.pairs[seat][0].map(String);
    Object.assign(this, { angle: 0, drawnX: this.pair.x, loose: 0, couldNotTurn: -1 });
    this.place.dataset.pair = this.question.number;
  }

  #stepPair() {
    const { rows, lock } = PACES[this.pace];
    if (this.way && ++this.held >= REPEAT_AFTER && (this.held - REPEAT_AFTER) % REPEAT_EVERY === 0) this.#move(this.way);
    if (performance.now() > this.deadline) {
      this.#lock({ isLate: true });
      return;
    }
    if (!this.isTsu) return;
    if (isGrounded(this.heights, this.pair)) {
      this.loose += FRAME * (this.isSoft ? SOFT_LOCK : 1);
      if (this.loose > lock) this.#lock();
      return;
    }
    const { row } = this.pair;
    this.pair = fallen(this.heights, this.pair, FRAME * (this.isSoft ? Math.max(SOFT_ROWS, rows) : rows));
    if (this.pair.row < row) this.loose = 0;
  }

  // What is said and drawn

  /** Have a screen reader say what a turn brings to the player: chains that end, and garbage. */
  #tell(before, after) {
    const { table } = this;
    const told = [];
    for (const seat of [table.seat, 1 - table.seat]) {
      const steps = after.steps[seat];
      if (steps && !after.chain[seat]) told.push(table.tell("chain_told", { name: table.names[seat], steps }));
    }
    const coming = after.pending[table.seat] + after.fixed[table.seat];
    if (coming && coming !== before.pending[table.seat] + before.fixed[table.seat]) told.push(table.tell("coming_told", { puyos: coming }));
    if (told.length) table.say(told.join(" "));
  }

  /** Have a screen reader say the pair of the open question, where its player has time. */
  #tellPair() {
    const { frames, seat, words, say, tell } = this.table;
    const [[axis, child], [nextAxis, nextChild]] = frames.at(-1).pairs[seat].map((pair) => pair.map((tile) => words[NAMES[tile]]));
    say(tell("pair", { axis, child, next_axis: nextAxis, next_child: nextChild }));
  }

  #draw() {
    const { words } = this.table;
    this.stage.draw(this.sides.map((side) => this.#sceneOf(side)), words.next);
  }

  #sceneOf(side) {
    const scene = side.scene();
    if (side.isOwn && this.pair) this.#drawPair(scene);
    else if (side.isOwn && this.locked && this.tiles) scene.falling = Stage.puyosOf(this.locked, this.locked.turn, this.tiles);
    side.drawPhase(scene);
    return scene;
  }

  #drawPair(scene) {
    const { pair, tiles } = this;
    const isCalm = this.stage.kind.isCalm;
    this.angle = isCalm ? 0 : this.angle * 0.6;
    this.drawnX = isCalm ? pair.x : this.drawnX + (pair.x - this.drawnX) * 0.5;
    scene.falling = Stage.puyosOf({ ...pair, x: this.drawnX }, pair.turn + this.angle, tiles);
    scene.marks = Stage.marksOf(pair, landing(this.tops, pair), tiles).filter(({ row }) => row <= this.table.setting.rows);
  }
}

/** A pair waits while its player writes the answer. */
const isTyping = () => Boolean(document.activeElement?.closest("input, textarea"));
