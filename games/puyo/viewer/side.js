// One player's side of the screen: what a turn brings to its field, step by step, and the scene of it for the stage.

import { cellsOf, columnsOf, phasesOf, placementOf } from "./chains.js";
import { FRAME } from "./pace.js";
import { Stage } from "./stage.js";

/** Rows a second of puyos that fall by themselves. */
const FALL_ROWS = 30;
const BOUNCE = 0.16;
const FLY = 0.22;
const RAIN = 0.35;
const TEXT_SECONDS = 1.1;
/** Height of the column of the spawn at which the field is in danger. */
const DANGER = 9;

export class Side {
  /**
   * @param {object} screen of the table, see `input.js`; the side sets its `frame`, whose numbers are shown
   * @param {number} seat
   */
  constructor(screen, seat) {
    Object.assign(this, { screen, seat, isOwn: seat === screen.table.seat, phases: [], time: 0, still: [], text: null });
  }

  /** Whether the turn is not shown to its end yet. */
  get isBusy() {
    return this.phases.length > 0;
  }

  get pops() {
    return this.phases.some(({ kind }) => kind === "pop");
  }

  /** Show a frame at once. */
  jump(frame) {
    Object.assign(this, { phases: [], text: null, still: cellsOf(columnsOf(frame.fields[this.seat])) });
  }

  /** Begin to show a turn, given the frames round it and its record. */
  begin(before, after, record) {
    const { seat } = this;
    const { table, isTsu, locked } = this.screen;
    const answer = placementOf(record.seats[seat]?.answer, isTsu);
    const isLocked = this.isOwn && isTsu && answer && locked?.x === answer.x && locked?.turn === answer.turn;
    const phases = phasesOf({ setting: table.setting, before, after, seat, answer, locked: isLocked ? locked : null });
    Object.assign(this, { phases: phases.map((phase) => this.#timed(phase)), time: 0, end: cellsOf(columnsOf(after.fields[seat])) });
    this.points = after.scores[seat] - before.scores[seat];
    this.#enter();
  }

  /** A phase with its length in seconds. */
  #timed(phase) {
    const step = this.screen.stepSeconds;
    const rows = Math.max(0, ...(phase.moving ?? []).map(({ row, from }) => from - row));
    const seconds = {
      fly: () => FLY,
      pop: () => 0.62 * step,
      rain: () => RAIN + BOUNCE,
      drop: () => (rows ? rows / FALL_ROWS : 0) + BOUNCE + (phase.placed ? 0 : Math.max(0, 0.38 * step - BOUNCE - rows / FALL_ROWS)),
    }[phase.kind]();
    return { ...phase, seconds };
  }

  /** Go on by one frame of time. */
  step() {
    if (this.text && (this.text.age += FRAME) > TEXT_SECONDS) this.text = null;
    if (!this.isBusy) return;
    this.time += FRAME;
    if (this.time < this.phases[0].seconds) return;
    this.phases.shift();
    this.time = 0;
    this.#enter();
  }

  /** Enter the next phase, or leave the turn. */
  #enter() {
    const [phase] = this.phases;
    const { screen } = this;
    if (!phase) {
      this.#leaveTurn();
      return;
    }
    this.still = phase.still;
    if (phase.kind === "rain" && this.isOwn) screen.sounds.garbage(phase.moving.length);
    if (phase.kind !== "pop") return;
    screen.frame = screen.table.frames[screen.shown];
    if (this.isOwn) screen.sounds.pop(phase.step);
    const isLast = !this.phases.slice(1).some(({ kind }) => kind === "pop");
    const lines = [screen.table.tell("chain", { steps: phase.step })];
    if (isLast && this.points > 0) lines.push(`+${this.points}`);
    const row = Math.min(10.5, Math.max(2, Math.max(...phase.cells.map((cell) => cell.row)) + 0.5));
    this.text = { lines, row, age: 0 };
  }

  #leaveTurn() {
    const { seat, screen } = this;
    const [before, after] = [screen.table.frames[screen.shown - 1], screen.table.frames[screen.shown]];
    this.still = this.end;
    screen.frame = after;
    if (this.isOwn && after.dead.some(Boolean)) screen.sounds.end(!after.dead[seat]);
    if (!after.all_clear[seat] || before.all_clear[seat]) return;
    this.text = { lines: [screen.table.words.all_clear], row: 6, age: -0.6 };
    if (this.isOwn) screen.sounds.allClear();
  }

  /** Return what the stage draws while nothing moves. */
  scene() {
    const { seat, still, text } = this;
    const { frame, table, isTsu } = this.screen;
    const fixed = frame.fixed[seat];
    const columns = still.filter(({ x }) => x === 2).length;
    return {
      seat, still, text, fixed, letter: table.letters[seat], name: table.names[seat], score: frame.scores[seat],
      pairs: frame.pairs[seat], coming: fixed + frame.pending[seat], isClear: frame.all_clear[seat],
      isDanger: isTsu && columns >= DANGER, isDead: frame.dead[seat] && !this.isBusy,
      falling: [], marks: [], popping: [], flash: 0,
    };
  }

  /** Add what moves in the present phase, if there is one, to a scene. */
  drawPhase(scene) {
    const [phase] = this.phases;
    const { time } = this;
    if (!phase) return;
    if (phase.kind === "pop") Object.assign(scene, { popping: phase.cells, flash: time / phase.seconds });
    else if (phase.kind === "fly") {
      const done = Math.min(1, time / phase.seconds);
      const { x, turn } = phase.placement;
      const quarters = turn === 3 ? -1 : turn;
      scene.falling = Stage.puyosOf({ x: 2 + (x - 2) * done, row: 12, part: 0 }, quarters * done, phase.pair);
    } else {
      const rows = phase.kind === "rain" ? 13 / RAIN : FALL_ROWS;
      scene.falling = phase.moving.map(({ x, row, from, tile }) => {
        const now = Math.max(row, from - rows * time);
        return { x, row: now, tile, stretch: this.#stretch(time - (from - row) / rows) };
      });
    }
  }

  /** How flat a puyo is, so many seconds after it has come down. */
  #stretch(seconds) {
    if (seconds <= 0 || seconds >= BOUNCE || this.screen.stage.kind.isCalm) return 1;
    return 1 - 0.22 * Math.sin((Math.PI * seconds) / BOUNCE);
  }
}
