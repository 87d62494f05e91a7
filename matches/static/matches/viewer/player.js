// The clock of the viewer: which turn is shown and how far its step has come. Knows nothing of the page.

export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8];
const TURN_MS = 700;
/** Part of a turn's time in which things move; the rest of it they stand still, so that the eye can follow. */
const MOVING_PART = 0.65;
const STEP_MS = 280;

export class Player extends EventTarget {
  /**
   * Fires "turn" when another turn is shown, "state" when playing or speed changed, "draw" when to draw anew.
   *
   * @param {number} last number of the last turn
   * @param {{matches: boolean}} stillness whether the reader wants reduced motion (a media query)
   */
  constructor(last, stillness) {
    super();
    this.last = last;
    this.stillness = stillness;
    this.turn = 0;
    this.progress = 1;
    this.playing = false;
    this.speed = 1;
    /** Whether turns may be added yet. Playing waits for them at the end. */
    this.live = false;
    /** Whether the last turn is to be shown as it comes. */
    this.following = false;
  }

  /** Turns have been added. */
  grow(last) {
    this.last = last;
    if (this.following) this.held = 1; // it has been waited for
    this.#run();
  }

  /** Show the last turn, and those to come as they come. */
  follow() {
    this.following = true;
    this.#show(this.last, false);
    this.#setPlaying(true);
  }

  /** No more turns come. Whoever follows catches up with those that have come, as before. */
  end() {
    this.live = false;
    this.#tell("state");
    this.#run();
  }

  /** Show a turn; the step into it is animated when it is the next one. */
  go(turn) {
    const target = Math.min(Math.max(Math.round(turn) || 0, 0), this.last);
    if (target === this.turn) return;
    this.following = false;
    this.#show(target, target === this.turn + 1 && !this.stillness.matches);
  }

  /** Show a turn without a step into it. */
  jump(turn) {
    this.#show(Math.min(turn, this.last), false);
  }

  forward() {
    this.pause();
    this.go(this.turn + 1);
  }

  back() {
    this.pause();
    this.go(this.turn - 1);
  }

  play() {
    if (this.playing) return;
    if (this.turn < this.last) this.#setPlaying(true);
    else if (this.live) this.follow();
    else {
      this.#show(0, false);
      this.#setPlaying(true);
    }
  }

  pause() {
    this.following = false;
    if (this.playing) this.#setPlaying(false);
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  /** Take the next faster (+1) or slower (-1) speed. */
  shiftSpeed(by) {
    const index = SPEEDS.indexOf(this.speed) + by;
    if (index >= 0 && index < SPEEDS.length) this.setSpeed(SPEEDS[index]);
  }

  setSpeed(speed) {
    this.speed = speed;
    this.#tell("state");
  }

  #setPlaying(playing) {
    this.playing = playing;
    this.held = 1;
    this.#tell("state");
    this.#run();
  }

  #show(turn, animated) {
    this.turn = turn;
    this.progress = animated ? 0 : 1;
    this.held = 0;
    this.#tell("turn");
    this.#tell("draw");
    this.#run();
  }

  /** Whether something moves or will by itself: not at the end of a live match, where the next turn is awaited. */
  get #busy() {
    return this.progress < 1 || (this.playing && !(this.live && this.turn === this.last));
  }

  /** Let frames come while something moves; an idle viewer costs nothing. */
  #run() {
    if (this.running || !this.#busy) return;
    this.running = true;
    let before = performance.now();
    const tick = (now) => {
      this.#advance(now - before);
      before = now;
      // Not before the clock has advanced, which shows a turn: another clock would run beside this one from then on.
      this.running = this.#busy;
      if (this.running) requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  /** A frame goes one step on, however late it comes: a tab that was hidden plays on where it was left. */
  #advance(ms) {
    // Whoever follows a match that is played faster than it is shown catches up smoothly.
    const behind = this.following ? Math.max(1, (this.last - this.turn) / 2) : 1;
    const turnMs = TURN_MS / this.speed / behind;
    if (this.progress < 1) {
      this.progress = Math.min(1, this.progress + ms / (this.playing ? turnMs * MOVING_PART : STEP_MS));
      this.#tell("draw");
    } else if (this.playing) {
      this.held += ms / (turnMs * (this.stillness.matches ? 1 : 1 - MOVING_PART));
      if (this.held < 1) return;
      // Frames may be so rare that turns come faster: a busy computer, a tab that was hidden.
      const turns = this.following ? Math.max(1, Math.floor(ms / turnMs)) : 1;
      if (this.turn < this.last) this.#show(Math.min(this.turn + turns, this.last), !this.stillness.matches);
      else this.pause();
    }
  }

  #tell(name) {
    this.dispatchEvent(new Event(name));
  }
}
