// The clock of the viewer: which turn is shown, and how far the step into it has come. It does not touch the page.

export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8];
const TURN_MS = 700;
/** The share of a turn's time in which pieces move; in the rest they stand still, so that the eye can follow. */
const MOVING_PART = 0.65;
const STEP_MS = 280;

export class Player extends EventTarget {
  /**
   * Fires "turn" when another turn is shown, "state" when playing or speed changes, "draw" when to draw again.
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
    /** Whether more turns may be added. At the end playing then waits for them. */
    this.live = false;
    /** Whether each new turn is shown when it is added. */
    this.following = false;
  }

  /** Take note that turns have been added; `last` is the number of the last one. */
  grow(last) {
    this.last = last;
    if (this.following) this.held = 1; // show it without a pause: the last turn has been shown long enough
    this.#run();
  }

  /** Show the last turn, and each further one when it is added. */
  follow() {
    this.following = true;
    this.#show(this.last, false);
    this.#setPlaying(true);
  }

  /** Take note that no more turns will come. A following player still catches up with those that have. */
  end() {
    this.live = false;
    this.#tell("state");
    this.#run();
  }

  /** Show a turn, with an animated step if it is the next one. */
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

  /** Whether frames are needed: something moves, or will by itself. Not at the end of a live match, until a turn comes. */
  get #busy() {
    return this.progress < 1 || (this.playing && !(this.live && this.turn === this.last));
  }

  /** Request frames while the player is busy; an idle viewer costs nothing. */
  #run() {
    if (this.running || !this.#busy) return;
    this.running = true;
    let before = performance.now();
    const tick = (now) => {
      this.#advance(now - before);
      before = now;
      // Only now: had it been false while #advance showed a turn, #show would have started a second loop of frames.
      this.running = this.#busy;
      if (this.running) requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  /** Advance by one frame, at most one turn however late the frame comes: a hidden tab continues where it was left. */
  #advance(ms) {
    // A player that follows a match which is played faster than shown catches up smoothly.
    const behind = this.following ? Math.max(1, (this.last - this.turn) / 2) : 1;
    const turnMs = TURN_MS / this.speed / behind;
    if (this.progress < 1) {
      this.progress = Math.min(1, this.progress + ms / (this.playing ? turnMs * MOVING_PART : STEP_MS));
      this.#tell("draw");
    } else if (this.playing) {
      this.held += ms / (turnMs * (this.stillness.matches ? 1 : 1 - MOVING_PART));
      if (this.held < 1) return;
      // While following, frames may be rarer than turns: on a busy computer, or in a hidden tab.
      const turns = this.following ? Math.max(1, Math.floor(ms / turnMs)) : 1;
      if (this.turn < this.last) this.#show(Math.min(this.turn + turns, this.last), !this.stillness.matches);
      else this.pause();
    }
  }

  #tell(name) {
    this.dispatchEvent(new Event(name));
  }
}
