// The clock of the open question: the time that is left for its answer.

const TICK_MS = 200;
/** From here on the clock looks urgent, and a screen reader says once how much is left. */
const URGENT_SECONDS = 10;

export class Clock {
  /**
   * @param {HTMLElement} place
   * @param {string} words sentence with {seconds} for a screen reader
   * @param {(text: string) => void} say
   */
  constructor(place, words, say) {
    Object.assign(this, { place, words, say });
  }

  /** Run for a question; `left` are the seconds that are left, `seconds` is 0 without a limit. */
  start({ seconds, left }) {
    this.stop();
    this.ends = performance.now() + left * 1000;
    if (!seconds) return;
    this.urgent = false;
    this.place.hidden = false;
    this.timer = setInterval(() => this.#show(), TICK_MS);
    this.#show();
  }

  /** The seconds that are left. */
  get left() {
    return Math.max(0, (this.ends - performance.now()) / 1000);
  }

  stop() {
    clearInterval(this.timer);
    this.place.hidden = true;
  }

  #show() {
    const left = Math.ceil(this.left);
    const text = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    if (this.place.textContent !== text) this.place.textContent = text;
    const urgent = left <= URGENT_SECONDS;
    this.place.classList.toggle("is-urgent", urgent);
    if (urgent && !this.urgent) this.say(this.words.replace("{seconds}", left));
    this.urgent = urgent;
  }
}
