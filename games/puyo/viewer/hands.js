// Keys, buttons, fingers and mouse of a table of Puyo Puyo. All of them call the same acts.

import { takesKey } from "../../matches/viewer/controls.js";

const KEYS = {
  ArrowLeft: "left", ArrowRight: "right", ArrowDown: "soft", ArrowUp: "turnRight", " ": "hard",
  x: "turnRight", X: "turnRight", z: "turnLeft", Z: "turnLeft", p: "pause", P: "pause", Escape: "pause",
};
/** Keys by their place, where the layout has no Latin letters. */
const PLACES = { KeyX: "turnRight", KeyZ: "turnLeft", KeyP: "pause" };
/** What goes on while its key or button is down; the rest acts once. */
const HELD = new Set(["left", "right", "soft"]);
/** A finger that moves less is a tap, in CSS pixels. */
const TAP = 10;
/** A finger that is faster downwards drops the pair, in CSS pixels a millisecond. */
const FLICK = 0.9;

export class Hands {
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {object} acts `press(name)` and `release(name)`; `columnAt(event)`: of the own field; `isInField(event)`;
   *   `isLeftHalf(event)`; `cell()`: in CSS pixels; `isPlaying()`: whether keys are the game's; `aim(column)`: the mouse
   *   points there; `shift(columns)`: a finger has moved so far
   */
  constructor(canvas, acts) {
    Object.assign(this, { canvas, acts, finger: null });
    document.addEventListener("keydown", (event) => this.#keyDown(event));
    document.addEventListener("keyup", (event) => {
      const name = nameOf(event);
      if (HELD.has(name)) acts.release(name);
    });
    addEventListener("blur", () => HELD.forEach((name) => acts.release(name)));
    canvas.addEventListener("pointerdown", (event) => this.#down(event));
    canvas.addEventListener("pointermove", (event) => this.#move(event));
    canvas.addEventListener("pointerup", (event) => this.#up(event));
    canvas.addEventListener("pointercancel", () => {
      this.finger = null;
      acts.release("soft");
    });
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  }

  /** Let a button act while it is down. A click without a pointer, as a screen reader makes it, acts once. */
  button(button, name) {
    const { acts } = this;
    button.addEventListener("pointerdown", (event) => {
      event.preventDefault(); // keeps the focus, and the page from zooming
      button.setPointerCapture(event.pointerId);
      acts.press(name);
    });
    for (const kind of ["pointerup", "pointercancel"]) button.addEventListener(kind, () => acts.release(name));
    button.addEventListener("click", (event) => {
      if (event.detail) return;
      acts.press(name);
      acts.release(name);
    });
    button.addEventListener("contextmenu", (event) => event.preventDefault());
  }

  #keyDown(event) {
    const name = nameOf(event);
    if (!name || event.ctrlKey || event.metaKey || event.altKey || takesKey(event.target, event.key)) return;
    if (!this.acts.isPlaying() && name !== "pause") return;
    event.preventDefault();
    if (!event.repeat) this.acts.press(name);
  }

  #down(event) {
    if (!this.acts.isPlaying()) return;
    event.preventDefault();
    this.canvas.setPointerCapture(event.pointerId);
    this.canvas.focus({ preventScroll: true });
    if (event.pointerType === "mouse") {
      if (this.acts.isInField(event)) this.acts.press(event.button === 2 ? "turnRight" : "hard");
      return;
    }
    const { clientX: x, clientY: y } = event;
    this.finger = { id: event.pointerId, x, y, startX: x, startY: y, at: event.timeStamp, fell: y, fellAt: event.timeStamp, isTap: true };
  }

  #move(event) {
    const { finger, acts } = this;
    if (event.pointerType === "mouse" && acts.isPlaying() && acts.isInField(event)) acts.aim(acts.columnAt(event));
    if (finger?.id !== event.pointerId) return;
    const { clientX: x, clientY: y } = event;
    if (Math.hypot(x - finger.startX, y - finger.startY) > TAP) finger.isTap = false;
    const columns = Math.trunc((x - finger.x) / acts.cell());
    if (columns) {
      finger.x += columns * acts.cell();
      acts.shift(columns);
    }
    // A slow pull downwards lets the pair fall faster; a fast one drops it when the finger is lifted.
    const speed = (y - finger.fell) / Math.max(1, event.timeStamp - finger.fellAt);
    if (event.timeStamp - finger.fellAt > 40) Object.assign(finger, { fell: y, fellAt: event.timeStamp });
    if (y - finger.startY > acts.cell() && speed < FLICK) acts.press("soft");
    finger.speed = speed;
  }

  #up(event) {
    const { finger, acts } = this;
    if (finger?.id !== event.pointerId) return;
    this.finger = null;
    acts.release("soft");
    const [dx, dy] = [event.clientX - finger.startX, event.clientY - finger.startY];
    const seconds = Math.max(1, event.timeStamp - finger.at);
    if (finger.isTap) acts.press(acts.isLeftHalf(event) ? "turnLeft" : "turnRight");
    else if (dy > acts.cell() && dy > 2 * Math.abs(dx) && dy / seconds > FLICK * 0.6) acts.press("hard");
  }
}

const nameOf = ({ key, code }) => KEYS[key] ?? PLACES[code];
